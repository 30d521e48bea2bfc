"""Drills survive ``kill -9`` at any moment: everything that was confirmed is there, and nothing is torn."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from fullprime.db.database import open_database
from fullprime.learn.flashcards.model import CardBody, CardOption
from fullprime.learn.flashcards.service import Cards
from fullprime.learn.learners import LearnerId
from fullprime.learn.openings.explorer import setup_of_node
from fullprime.learn.puzzles.service import Puzzles
from fullprime.learn.trainers.service import Training
from fullprime.rules.dice import Roll
from fullprime.rules.variants import BACKGAMMON

ANSWERS = """
import itertools, sys
from fullprime.learn.flashcards.service import Cards
from fullprime.learn.learners import LearnerId
from fullprime.learn.puzzles.service import Puzzles, puzzle_named
from fullprime.learn.trainers.service import Training
from fullprime.db.database import open_database
engine, me = open_database(sys.argv[1]), LearnerId(key="me")
training, puzzles, cards = Training(engine), Puzzles(engine), Cards(engine)
for seed in itertools.count(int(sys.argv[2])):
    training.answer(me, "equities", seed, "50", 1.0)
    print("trainer", flush=True)
    name = puzzles.choose_next(me, "hypergammon").name
    puzzles.answer(me, name, str(puzzle_named(name).best), 3.0)
    print("puzzle", flush=True)
    cards.answer(me, 1, "8/5 6/5", 8.0)
    print("card", flush=True)
"""
ME = LearnerId(key="me")
LEAST = (2, 3, 7)
"""The answers that are confirmed before each kill; the next one is under way then."""


def card() -> CardBody:
    def option(text: str, loss: float) -> CardOption:
        return CardOption(text=text, loss=loss, after=(0,) * 27, moves=tuple(text.split()), depth=1)

    return CardBody(
        kind="play",
        setup=setup_of_node(BACKGAMMON, "money", BACKGAMMON.starting_position, Roll(3, 1)),
        options=(option("8/5 6/5", 0.0), option("24/20", 0.25)),
        choices=(),
        made="24/20",
        cost=0.25,
        reason="",
        source="a test",
    )


@pytest.mark.broad
@pytest.mark.posix
def test_what_was_confirmed_survives_being_killed(tmp_path: Path) -> None:
    database, confirmed = str(tmp_path / "drills.db"), Counter[str]()
    engine = open_database(database)
    assert Cards(engine).add(ME, [card()]).added == 1
    engine.dispose()
    for least in LEAST:
        command = [sys.executable, "-c", ANSWERS, database, str(confirmed["trainer"])]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            for line in running.stdout:
                confirmed[line.strip()] += 1
                least -= 1
                if not least:
                    running.send_signal(signal.SIGKILL)
            assert running.wait(60) == -signal.SIGKILL
        engine = open_database(database)
        stored = {
            "trainer": Training(engine).get_history(ME, "equities").trainer.totals.tries,
            "puzzle": next(
                game.tries for game in Puzzles(engine).get_standings(ME).games if game.variant == "hypergammon"
            ),
            "card": Cards(engine)._store.count_answers(1),
        }
        assert Cards(engine).get_deck(ME).cards == 1
        engine.dispose()
        # The answer that was under way may be stored and not confirmed.
        assert all(confirmed[name] <= count for name, count in stored.items()), (confirmed, stored)
        assert sum(stored.values()) <= confirmed.total() + 1
        confirmed = Counter(stored)
