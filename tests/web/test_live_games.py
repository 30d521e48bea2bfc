"""The live games of the lobby: each leads to a page on which the game is watched."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.inside import TestClient

from fullprime.accounts import overview
from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.server import create_app


def test_a_live_game_leads_to_a_page_on_which_it_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview, "KEPT_SECONDS", 0.0)
    app = create_app(str(tmp_path / "games.db"), limits=NO_LIMITS)
    with TestClient(app, base_url="http://localhost") as anyone:
        wish = {"length": 7, "clock": "medium"}
        seats = [anyone.post("/api/lobby/seek", json={**wish, "name": name}).json() for name in ("Ann", "Bob")]
        assert anyone.get("/api/lobby/now").json()["games"] == [], "nobody has thrown yet"
        for seat in seats:
            own = {"Authorization": f"Bearer {seat['key']}"}
            assert anyone.post(f"/api/games/{seat['game']}/seed", json={"seed": "ab"}, headers=own).status_code == 204
        (game,) = anyone.get("/api/lobby/now").json()["games"]
        assert (game["id"], game["names"], game["length"]) == (seats[0]["game"], ["Ann", "Bob"], 7)
        page = anyone.get(f"/game/{game['id']}", headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        watched = anyone.get(f"/api/games/{game['id']}").json()["state"]
        assert (watched["status"], watched["you"]) == ("playing", None)
