"""The documentation site under /help where it has been built, and the glossary for the pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from tests.web.inside import TestClient

from fullprime.learn.glossary import look_up, terms
from fullprime.web.manual import add_manual


def served(*places: Path) -> TestClient:
    app = FastAPI()
    add_manual(app, places)
    return TestClient(app)


def test_a_built_site_is_shown_with_a_policy_for_its_own_scripts(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "_static").mkdir(parents=True)
    (site / "index.html").write_text("<h1>Fullprime</h1>", encoding="utf-8")
    (site / "_static" / "a.js").write_text("1", encoding="utf-8")
    client = served(tmp_path / "nowhere", site)
    page = client.get("/help/")
    assert page.text == "<h1>Fullprime</h1>"
    assert "script-src 'self' 'unsafe-inline'" in page.headers["content-security-policy"]
    assert client.get("/help/_static/a.js").status_code == 200
    assert client.get("/help/../secret").status_code == 404
    assert client.get("/help", follow_redirects=False).status_code in (307, 308)


def test_without_a_built_site_there_is_none(tmp_path: Path) -> None:
    assert served(tmp_path).get("/help/").status_code == 404


def test_the_pages_can_ask_for_every_term(make_app: Callable[..., Any]) -> None:
    client = TestClient(make_app(), base_url="http://localhost")
    assert [term["name"] for term in client.get("/api/glossary").json()] == [term.name for term in terms()]
    prime = client.get("/api/glossary/Primes").json()
    assert (prime["name"], prime["text"]) == ("prime", look_up("prime").text)
    assert [term["caption"] for term in client.get("/api/glossary").json()] == [term.caption for term in terms()]
    assert client.get("/api/glossary/rollout/board.svg").text.startswith("<svg")
    unknown = client.get("/api/glossary/primme")
    assert unknown.status_code == 404
    assert "prime" in unknown.json()["error"]
