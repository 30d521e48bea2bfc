"""The numbers that learning, drills and the book must reach, and how far they are: lessons, games, puzzles, openings.

When a run of `fullprime puzzles make` or `fullprime book extend` has ended, raise its number in ``REACHED``, or take it
out where the demand is met: then the demand itself is held.
"""

from __future__ import annotations

from importlib import resources

import pytest

from fullprime.engine.cube.probabilities import a_point
from fullprime.learn.book.extending import UNTIL, is_done
from fullprime.learn.book.files import read
from fullprime.learn.book.reference import read_references
from fullprime.learn.book.tree import keys_at, opening_rolls
from fullprime.learn.glossary import terms
from fullprime.learn.lessons import course
from fullprime.learn.openings.making import roller_at
from fullprime.learn.puzzles.puzzle import read_stock
from fullprime.learn.puzzles.theme import THEMES
from fullprime.learn.trainers.registry import TRAINERS
from fullprime.rules.variants import BACKGAMMON, VARIANTS
from fullprime.rules.variants.variant import Settlement

PUZZLES = {name: 2000 if name == "backgammon" else 200 for name in VARIANTS}
"""Puzzles that are demanded of each game."""
OPENINGS = {("money", 1): 15, ("dmp", 1): 15, ("money", 2): 315, ("dmp", 2): 315}
"""Positions of backgammon's book at ± 0.005 (openings) and ± 0.01 (replies)."""
REACHED: dict[str | tuple[str, int], int] = {}
"""What is there already, wherever that is less than the demand."""


@pytest.mark.parametrize("name", VARIANTS)
def test_there_are_as_many_puzzles_as_are_demanded_or_were_reached(name: str) -> None:
    puzzles = read_stock(VARIANTS[name]).puzzles
    assert len({each.name for each in puzzles}) == len(puzzles), "none stands there twice"
    assert len(puzzles) >= min(PUZZLES[name], REACHED.get(name, PUZZLES[name]))


def test_backgammons_puzzles_have_every_theme_and_many_difficulties() -> None:
    puzzles = read_stock(BACKGAMMON).puzzles
    assert {each.theme for each in puzzles} == set(THEMES)
    assert len({each.level for each in puzzles}) >= 5


@pytest.mark.parametrize(("score", "rolls"), OPENINGS)
def test_the_book_has_as_many_intervals_as_are_demanded_or_were_reached(score: str, rolls: int) -> None:
    book, nets = read(BACKGAMMON), roller_at(BACKGAMMON, score)
    demanded = OPENINGS[score, rolls]
    keys = keys_at(book, BACKGAMMON, score, rolls)
    assert len(keys) == demanded
    done = sum(is_done(book.find(key), UNTIL[rolls], nets) for key in keys)
    assert done >= min(demanded, REACHED.get((score, rolls), demanded))


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "backgammon"])
def test_every_other_game_has_the_openings_that_its_rules_allow(name: str) -> None:
    variant = VARIANTS[name]
    book, nets = read(variant), roller_at(variant, "money")
    keys = keys_at(book, variant, "money", 1)
    assert len(keys) == len(opening_rolls(variant)) >= 14
    unit = a_point(variant.settlement is not Settlement.GAMES)
    assert all(is_done(book.find(key), 10.0, nets, unit) for key in keys), "each is rolled out, its interval shown"


def test_the_school_has_the_lessons_and_tours_that_are_demanded() -> None:
    parts = {part.name: [lesson.name for lesson in part.lessons] for part in course().parts}
    assert parts["first"] == ["first-game"]
    games = {name.replace("_", "-") for name in VARIANTS if name != "backgammon"}
    assert len(games) == 6
    assert set(parts["tours"]) == games | {"money", "matches"}
    assert len(parts["strategy"]) >= 20
    assert {"the-sample-game", "claims", "history"} <= set(parts["sources"])


def test_there_is_a_trainer_for_every_skill_that_is_demanded() -> None:
    assert set(TRAINERS) == {
        "pips", "race-cube", "takes", "gammons", "equities", "bear-off", "openings", "second-rolls", "ace-point",
        "shots",
    }  # fmt: skip


def test_the_glossary_and_the_reference_positions_do_not_shrink() -> None:
    assert len(terms()) >= 240
    written = resources.files("fullprime.learn.glossary").joinpath("terms.toml").read_text(encoding="utf-8")
    assert written.count("\nposition = ") == len(terms()), "every term has a board"
    assert len(read_references()) >= 20
