"""Games judged while they are played: the review of the end is there at once, the same, and nobody sees it before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.reviews.matches import small_engine
from tests.web.inside import TestClient

from fullprime.common.json_values import from_json, to_json
from fullprime.engine import shared
from fullprime.engine.search.play_search import Judging
from fullprime.library import background_reviews as module
from fullprime.library.background_reviews import BackgroundReviews
from fullprime.reviews.review import Review, review
from fullprime.web.server import create_app

BEARING_OFF = "6:4 5:3 4:2 off:6 / 6:4 5:3 4:2 off:6"  # long enough that forced plays cannot end it at once


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    engine = small_engine()  # without the large tables, which take seconds to open
    monkeypatch.setattr(shared, "engine_for", lambda variant, threads=1: engine)
    return create_app(str(tmp_path / "games.db"))


def asks(client: Any, path: str, body: dict[str, Any], key: str) -> Any:
    answer = client.post(f"/api/games{path}", json=body, headers={"Authorization": f"Bearer {key}"})
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def begun(client: Any, **agreed: Any) -> tuple[str, str]:
    """Two people at one screen: nobody waits for a bot."""
    agreed = {"opponent": "screen", "rules": {"length": 1}, **agreed}
    created = client.post("/api/games", json=agreed).json()
    asks(client, f"/{created['id']}/seed", {"seed": "0123abcd"}, created["key"])
    return created["id"], created["key"]


def plays(client: Any, game: str, key: str, turns: int) -> bool:
    """So many actions; True when the game is over."""
    for _ in range(turns):
        headers = {"Authorization": f"Bearer {key}"}
        state = client.get(f"/api/games/{game}", headers=headers).json()["state"]
        if state["status"] == "over":
            return True
        asks(client, f"/{game}/act", {"line": state["plays"][-1] if state["phase"] == "play" else "roll"}, key)
    return False


def test_a_game_is_judged_while_it_is_played_where_the_engine_is_free(
    app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy: list[bool] = []
    monkeypatch.setattr(module, "compiling", lambda: None)  # a server that has just begun prepares its engine
    ahead = app.state.background_reviews = BackgroundReviews(app.state.game_server, lambda: bool(busy), every=3600.0)
    with TestClient(app, base_url="http://localhost") as client:
        game, key = begun(client, position=BEARING_OFF)
        handle = app.state.game_server.get_handle(game)
        assert ahead.work() == 0, "nobody looks at it"
        handle.listeners.add(print_nothing)
        with monkeypatch.context() as patient:
            patient.setattr(module, "_LEAST", 100)  # forced plays are made at once, and may be four
            assert ahead.work() == 0, "too little has been played"
        while len(handle.match.games[0].events) < 4:
            assert not plays(client, game, key, 1)
        busy.append(True)
        assert ahead.work() == 0, "somebody waits for the engine"
        busy.clear()
        monkeypatch.setattr(module, "MOST_LIVE", 0)
        assert ahead.work() == 0, "too many games are played"
        monkeypatch.setattr(module, "MOST_LIVE", 30)
        assert ahead.work() == 1
        assert ahead.work() == 0
        count = len(ahead.find(game).games[0].events)
        assert count == len(handle.match.games[0].events)
        # Before the end nobody is told.
        refused = client.post(
            f"/api/games/{game}/review", json={"level": "fast"}, headers={"Authorization": f"Bearer {key}"}
        )
        assert (refused.status_code, refused.json()["error"]) == (400, "a game is reviewed when it is over")
        assert plays(client, game, key, 60)
        rows: list[int] = []
        judge = Judging.judge

        def counted(judging: Judging, boards: Any, *more: Any, **joint: Any) -> Any:
            rows.append(len(boards))
            return judge(judging, boards, *more, **joint)

        monkeypatch.setattr(Judging, "judge", counted)
        job = app.state.jobs.job(asks(client, f"/{game}/review", {"level": "fast"}, key)["id"])
        assert job.wait(60)
        at_the_end, rows[:] = sum(rows), []
        match = handle.match
        reviewed = review(match, shared.engine_for(match.settings.variant), "fast")
        (match_of_job,) = job.result.matches
        for mine, theirs in zip(match_of_job.review.decisions, reviewed.decisions, strict=True):
            assert (mine.event, mine.played.text, mine.best.text) == (
                theirs.event,
                theirs.played.text,
                theirs.best.text,
            )
            assert mine.loss == pytest.approx(theirs.loss, abs=1e-6)  # how many boards are asked together moves a digit
        assert match_of_job.review.rolls == from_json(Review, to_json(reviewed)).rolls
        assert at_the_end < sum(rows)


def print_nothing(_: object) -> None:
    """Somebody who looks."""
