"""Pages by their addresses: HEAD answers as GET does, and every page without a name in its address is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from tests.web.conftest import Server


@pytest.fixture
def pages(make_app: Callable[..., Any]) -> list[str]:
    return sorted(
        route.path
        for route in make_app().routes
        if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and not route.path.startswith("/api/")
    )


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=shared_server.url, timeout=60, headers={"Accept": "text/html"}) as client:
        yield client


def answers_head(client: httpx.Client, path: str) -> None:
    """Check that HEAD answers as GET does. Once 405 on every page."""
    address = re.sub(r"\{[^}]+\}", "1", path)
    answer, head = client.get(address), client.head(address)
    assert head.status_code == answer.status_code != 405, address
    assert head.headers.get("content-type") == answer.headers.get("content-type"), address
    assert not head.content


@pytest.mark.parametrize("path", ["/", "/game/{game}", "/lobby", "/static/parts/api.js"])
def test_head_answers_a_page_as_get_does(client: httpx.Client, path: str) -> None:
    answers_head(client, path)


@pytest.mark.broad
def test_head_answers_every_page_as_get_does(client: httpx.Client, pages: list[str]) -> None:
    for path in pages:
        answers_head(client, path)


def test_every_page_that_needs_no_name_is_there(client: httpx.Client, pages: list[str]) -> None:
    """Once the reference positions came with 404."""
    for path in pages:
        if "{" not in path and not path.startswith("/picture/"):
            assert client.get(path).status_code in (200, 303, 307), path
