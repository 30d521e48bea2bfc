"""Answers about learning and accounts over HTTP, held equal to a file: what pages, bots and scripts read.

``python -m tests.web.test_answers`` writes the file anew, for a change of a name that docs/web-api.md tells.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.analysis.test_answers import differences, held
from tests.reviews.matches import SHORT_MATCH
from tests.web.inside import TestClient, application

from fullprime.learn.puzzles.service import stock_of
from fullprime.web.rate_limits import NO_LIMITS

GOLDEN = Path(__file__).parents[1] / "data" / "web_answers.json"
DAY = "2026-11-22"
CHANGING = frozenset({
    "at", "begun", "commitment", "created", "due", "ended", "expires", "game", "id", "invitation", "key", "last_review",
    "made", "seconds", "since", "token", "used",
})  # fmt: skip
"""Fields whose values are others each time."""


class Visitor:
    """A browser; what it is answered becomes JSON."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def get(self, path: str, **query: Any) -> Any:
        """The answer to a question."""
        return self._read(self._client.get(f"/api/{path}", params=query))

    def post(self, path: str, **body: Any) -> Any:
        """The answer to an order."""
        return self._read(self._client.post(f"/api/{path}", json=body))

    def review(self) -> str:
        """A review of a short match: the id of its job, when it is over."""
        job = self._client.post(
            "/api/reviews", params={"name": "match.mat", "level": "fast"}, content=SHORT_MATCH
        ).json()
        with self._client.stream("GET", f"/api/analysis/jobs/{job['id']}/stream") as lines:
            assert json.loads([line for line in lines.iter_lines() if line.strip()][-1])["state"] == "done"
        return str(job["id"])

    @staticmethod
    def _read(answer: Any) -> Any:
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None


def ask_all(app: Any) -> Iterator[tuple[str, Any]]:
    """The answers by name, in the order in which they are asked for."""
    with TestClient(app, headers={"Via": "1.1 somewhere"}) as client:
        visitor = Visitor(client)
        for part in (openings, lessons, trainers, puzzles, cards, accounts, friends, lobby):
            yield from part(visitor)


def openings(visitor: Visitor) -> Iterator[tuple[str, Any]]:
    yield "openings, first rolls", visitor.get("openings/backgammon")
    yield "openings, book", visitor.get("openings/backgammon", step="31")
    yield "openings, line", visitor.get("openings/backgammon", step=["31:8/5 6/5", "64"])
    yield "openings, search", visitor.get("openings/hypergammon", step=["31", "64", "21", "43"])
    yield "reference", visitor.get("reference")


def lessons(visitor: Visitor) -> Iterator[tuple[str, Any]]:
    yield "course", visitor.get("learn")
    yield "lesson", visitor.get("learn/lessons/first-game")
    yield "lesson, cube", visitor.get("learn/lessons/take-points")
    yield "step, solution", visitor.get("learn/lessons/first-game/steps/2/solution")
    yield "step, answer", visitor.post("learn/lessons/first-game/steps/2/answer", answer="24/20")
    yield "position of the day", visitor.get("daily", day=DAY)
    yield "position of the day, solution", visitor.post(f"daily/solution?day={DAY}")


def trainers(visitor: Visitor) -> Iterator[tuple[str, Any]]:
    for name in ("pips", "openings", "takes", "race-cube"):
        yield f"trainer {name}, question", visitor.get(f"drills/trainers/{name}/question", seed=7)
    answer = visitor.post("drills/trainers/pips/answer", seed=7, answer="100", seconds=2.5)
    yield "trainer, answer", answer
    yield "trainer, history", visitor.get("drills/trainers/pips")
    yield "trainers", visitor.get("drills/trainers")


def puzzles(visitor: Visitor) -> Iterator[tuple[str, Any]]:
    puzzle = stock_of("dutch").puzzles[0]
    next_puzzle = visitor.get("drills/puzzles/dutch/next", mode="day")
    yield (
        "puzzle",
        {name: sorted(part) if name == "board" else type(part).__name__ for name, part in next_puzzle.items()},
    )
    answer = {"answer": str(puzzle.trap), "seconds": 2.5, "mode": "rated", "run": ""}
    yield "puzzle, answer", visitor.post(f"drills/puzzles/{puzzle.name}/answer", **answer)
    yield "puzzles", visitor.get("drills/puzzles")


def cards(visitor: Visitor) -> Iterator[tuple[str, Any]]:
    job = visitor.review()
    yield "lessons of a match", visitor.get(f"reviews/{job}/1/lessons")
    yield "cards, added", visitor.post(f"drills/reviews/{job}/1/cards")
    due = visitor.get("drills/cards")
    yield "cards", due
    yield (
        "card, answer",
        visitor.post(f"drills/cards/{due['card']['id']}/answer", answer="8/5 6/5", seconds=2.5, answered=0),
    )
    yield "cards, file", visitor.get("drills/cards/file")
    yield "card, removed", visitor.post(f"drills/cards/{due['card']['id']}/remove")


def accounts(visitor: Visitor) -> Iterator[tuple[str, Any]]:
    yield "account", visitor.post("account/sign-up", name="Ann", password="a long pass phrase")
    yield "account, own", visitor.get("account")
    yield (
        "progress",
        visitor.post("learn/progress", lessons={"first-game": {"step": 3, "done": False, "right": 1, "asked": 2}}),
    )
    yield "progress, read", visitor.get("learn/progress")
    yield "token", visitor.post("account/tokens", name="script", scopes=["games:read", "board:play"])
    yield "tokens", visitor.get("account/tokens")
    yield "profile", visitor.get("users/Ann")
    yield "ratings", visitor.get("ratings")


def friends(visitor: Visitor) -> Iterator[tuple[str, Any]]:
    visitor.post("account/sign-up", name="Bea", password="a long pass phrase")
    visitor.post("account/sign-in", name="Ann", password="a long pass phrase")
    yield "follow", visitor.post("friends/Bea/follow")
    yield "friends", visitor.get("friends")


def lobby(visitor: Visitor) -> Iterator[tuple[str, Any]]:
    yield "challenge", visitor.post("lobby", rules={"length": 5}, clock="3d")
    yield "lobby", visitor.get("lobby")
    yield "challenges", visitor.get("challenge")
    yield "games", visitor.get("users/Ann/games")
    yield "games, not over", visitor.get("board/playing")


def answers() -> dict[str, Any]:
    """All answers, without what is another each time."""
    with (
        tempfile.TemporaryDirectory() as folder,
        application(Path(folder) / "games.db", hosts=None, limits=NO_LIMITS) as app,
    ):
        return {name: held(json.loads(json.dumps(_steady(value)))) for name, value in ask_all(app)}


def _steady(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _type_of(part) if name in CHANGING else _steady(part) for name, part in value.items()}
    return [_steady(part) for part in value] if isinstance(value, list) else value


def _type_of(value: Any) -> Any:
    """The type in the place of a value that changes."""
    return _steady(value) if isinstance(value, dict | list) else type(value).__name__


@pytest.fixture(scope="module")
def current() -> Mapping[str, Any]:
    return answers()


@pytest.mark.parametrize("name", json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.is_file() else ())
def test_an_answer_has_the_fields_that_readers_know(current: Mapping[str, Any], name: str) -> None:
    assert differences(current[name], json.loads(GOLDEN.read_text("utf-8"))[name]) == []


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(answers(), indent=1, ensure_ascii=False) + "\n", "utf-8")
