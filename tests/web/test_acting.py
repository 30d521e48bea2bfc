"""The route on which players act: its answers, and the requests that it refuses."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from tests.web.inside import TestClient

from fullprime.play.options.opponents import usual_bot_for
from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.server import create_app

JSON = {"content-type": "application/json"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(str(tmp_path / "games.db"), hosts=None, limits=NO_LIMITS)
    with TestClient(app) as client:
        yield client


def begin(client: TestClient) -> tuple[str, dict[str, str]]:
    created = client.post("/api/games", json={"opponent": "screen", "rules": {"length": 0}}).json()
    key = {"authorization": f"Bearer {created['key']}"}
    assert client.post(f"/api/games/{created['id']}/seed", json={"seed": "ab"}, headers=key).status_code == 204
    return f"/api/games/{created['id']}", key


def test_an_action_is_answered_with_what_happened(client: TestClient) -> None:
    game, key = begin(client)
    state = client.get(game, headers=key).json()["state"]
    sequence = state["sequence"]
    statuses = []
    for body in ({"line": "pip"}, {"line": "double"}, {"line": "roll", "sequence": sequence + 7}, {"line": "nonsense"}):
        short = client.post(f"{game}/act", json=body, headers=key)
        answer = client.post(
            f"{game}/act", content=json.dumps(body), headers={**key, "content-type": "application/json; charset=utf-8"}
        )
        assert (short.status_code, short.json()) == (answer.status_code, answer.json())
        assert set(short.headers) == set(answer.headers)
        statuses.append(short.status_code)
    assert statuses == [200, 400, 409, 400]
    done = client.post(f"{game}/act", json={"line": state["plays"][0], "sequence": sequence}, headers=key)
    assert done.status_code == 200
    assert done.json()["events"][0]["kind"] == "play"
    assert client.get(game, headers=key).json()["state"]["sequence"] > sequence


def test_what_is_no_action_is_refused(client: TestClient) -> None:
    game, key = begin(client)
    for content, status in (
        (b"", 422),
        (b"{", 422),
        (b'{"line": 7}', 422),
        (b'{"line": ""}', 422),
        (b'{"line": "pip", "more": 1}', 422),
        (b'{"line": "pip", "sequence": -1}', 422),
        (b'{"line": "\\ud800"}', 422),
        # Too deep for the reader of Python 3.12; later ones come to the end, where the brackets do not close.
        (b"[" * 5000, 400 if sys.version_info < (3, 13) else 422),
        (b'{"line": "' + b"x" * 20_000 + b'"}', 413),
    ):
        answer = client.post(f"{game}/act", content=content, headers={**JSON, **key})
        assert answer.status_code == status, (content[:40], answer.text)
        assert "error" in answer.json()
    pip = {"line": "pip"}
    assert client.post(f"{game}/act", json=pip).status_code == 403
    assert client.post(f"{game}/act", json=pip, headers={"authorization": "Bearer nobody"}).status_code == 403
    assert client.post("/api/games/nowhere/act", json=pip, headers=key).status_code == 404
    assert client.post(f"{game}/act", json=pip, headers={**key, "origin": "http://elsewhere"}).status_code == 403


def test_who_chooses_no_bot_has_the_usual_one(client: TestClient) -> None:
    for options, bot in (({}, usual_bot_for()), ({"variant": "acey_deucey"}, usual_bot_for("acey_deucey"))):
        created = client.post("/api/games", json=options).json()
        key = {"authorization": f"Bearer {created['key']}"}
        assert client.get(f"/api/games/{created['id']}", headers=key).json()["state"]["seats"] == ["human", bot]


def test_it_is_measured_as_its_route(client: TestClient) -> None:
    game, key = begin(client)
    client.post(f"{game}/act", json={"line": "pip"}, headers=key)
    assert 'route="/api/games/{game}/act",status="200"' in client.app.state.metrics.text.decode()  # type: ignore[attr-defined]
