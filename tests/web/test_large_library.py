"""Every page of a library of 2,000 matches, and of a learner with 1,000 cards and 10,000 puzzles: none is slow."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.web.inside import TestClient

from fullprime.db.database import open_database
from fullprime.library.store.library import LibraryStore
from fullprime.web.rate_limits import NO_LIMITS
from fullprime.web.routes.learners import LEARNER_COOKIE
from fullprime.web.server import create_app

MATCHES, FIRST, CARDS, ANSWERS, PUZZLES, QUESTIONS = 2_000, 50, 1_000, 10_000, 10_000, 2_000
MOST = 0.3
"""Seconds of processor time of one answer, the best of so many:"""
TIMES = 3


@pytest.fixture(scope="module")
def benchmarks() -> Any:
    """The makers, and the questions, of the two benchmarks."""
    folder = str(Path(__file__).parents[2] / "benchmarks")
    sys.path.insert(0, folder)
    try:
        import drills

        import library
    finally:
        sys.path.remove(folder)
    return library, drills


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.alone
def test_no_page_of_a_large_library_takes_long(benchmarks: Any, tmp_path: Path) -> None:
    library, drills = benchmarks
    path = tmp_path / "large.db"
    library.make(path, MATCHES, FIRST)
    drills.make(path, CARDS, ANSWERS, PUZZLES, QUESTIONS)
    engine = open_database(f"sqlite:///{path}")
    questions = [*library.questions(LibraryStore(engine)), *drills.questions(engine)]
    app = create_app(f"sqlite:///{path}", limits=NO_LIMITS, own_machine=True)
    taken: dict[str, float] = {}
    with TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 5000), follow_redirects=False) as client:
        client.cookies.set(LEARNER_COOKIE, drills.SECRET)
        assert client.get("/api/library").json()["matches"] >= MATCHES
        assert client.get("/api/drills/cards").json()["deck"]["cards"] == CARDS
        standing = client.get("/api/drills/puzzles").json()["games"]
        assert sum(standing_of_game["tries"] for standing_of_game in standing) >= 2_000, (
            "the rated ones; the others are of streaks and storms"
        )
        asked_paths = {question.address.partition("?")[0] for question in questions}
        addresses = [route.path for route in app.routes if "GET" in (getattr(route, "methods", None) or ())]
        missing = [
            address
            for address in addresses
            if address.startswith(ABOUT) and not any(_is(address, at) for at in asked_paths)
        ]
        assert not missing, "nobody asks these"
        for question in (*questions, *(drills.Question("a page of learning", address) for address in LEARNING)):
            spent = []
            for _ in range(TIMES):
                before = time.process_time()
                sent = question.sent
                answer = client.get(question.address) if sent is None else client.post(question.address, json=sent)
                spent.append(time.process_time() - before)
                assert answer.status_code in (200, 303), f"{question.address}: {answer.text[:300]}"
            taken[f"{question.name} ({question.address})"] = min(spent)
        for address, sent in DONE.items():
            before = time.process_time()
            answer = client.post(address, json=sent)
            taken[f"done ({address})"] = time.process_time() - before
            assert answer.status_code in (200, 303), f"{address}: {answer.text[:300]}"
    for name, spent in sorted(taken.items(), key=lambda pair: -pair[1]):
        sys.stdout.write(f"{1e3 * spent:5.0f} ms  {name}\n")
    slow = {name: round(1e3 * spent) for name, spent in taken.items() if spent > MOST}
    assert not slow, f"more than {1e3 * MOST:.0f} ms of processor time: {slow}"


ABOUT = ("/api/library", "/api/drills", "/api/studies", "/library", "/drill", "/study")
LEARNING = (
    "/", "/learn", "/learn/primes", "/openings/backgammon", "/reference", "/glossary", "/analysis", "/rules",
    "/api/learn", "/api/learn/lessons/the-sample-game", "/api/daily", "/api/daily/record", "/api/glossary",
    "/api/reference", "/api/openings/backgammon?score=dmp&step=31", "/api/openings/backgammon?score=2-away&step=31",
    "/learn/history", "/api/glossary/words", "/api/glossary/prime", "/api/glossary/prime/board.svg",
    "/api/learn/lessons/primes/steps/3/solution", "/api/openings/backgammon/mine?step=31",
    "/api/openings/backgammon/mine?step=42&player=Ann", "/api/openings/backgammon/mine?step=42:8/4+6/4&step=64",
)  # fmt: skip
"""The other pages of a learner, and what they ask; a place at 2-away is answered by search."""
PLACE = "match 1000 game 1 event 3"
DONE: dict[str, dict[str, object]] = {
    "/api/library/marks": {"place": PLACE, "note": "why?", "star": True, "tags": ["hit"]},
    "/api/library/marks/at": {"place": PLACE},
    "/api/library/searches": {"name": "costly", "question": {"loss": "0.1"}},
    "/api/library/collections": {"name": "Mine", "about": "to learn"},
    "/api/library/collections/add": {"name": "Mine", "place": PLACE, "comment": "look", "arrows": ["13/7"]},
    "/api/library/collections/position": {"name": "Mine", "number": 1, "comment": "again"},
    "/api/library/collections/change": {"name": "Mine", "shared": True},
    "/api/library/collections/remove": {"name": "Mine"},
    "/api/drills/trainers/pips/answer": {"seed": 1, "answer": "100", "seconds": 3.0},
    "/api/learn/lessons/primes/steps/3/answer": {"answer": "13/7 8/7"},
    "/api/daily/answer": {"answer": "8/5 6/5"},
    "/api/daily/solution": {},
}
"""Deeds of the pages, in this order. Not here: files, reviews and the cards of many matches that come in, which take as
long as they are large, and changes of names and matches of the whole library."""


def _is(route: str, address: str) -> bool:
    """True if an address is one of a route."""
    parts, address_parts = route.split("/"), address.split("/")
    return len(parts) == len(address_parts) and all(
        mine == other or mine.startswith("{") for mine, other in zip(parts, address_parts, strict=True)
    )
