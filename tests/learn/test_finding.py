"""Finding reference positions: each theme is told from the board, and what is found is confirmed on both sides."""

from __future__ import annotations

import itertools

import pytest

from fullprime.engine import shared
from fullprime.learn.book.finding import find, neighbours_of, theme_of
from fullprime.learn.book.reference import Reference, Theme, read_references
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON


def found(theme: Theme, games: int) -> list[Reference]:
    """The first position of a theme, in so many games at most."""
    given = itertools.takewhile(lambda each: isinstance(each, Reference) or each < games, find({theme: 1}, "nets"))
    return [each for each in given if isinstance(each, Reference)]


def test_the_positions_of_the_book_are_of_their_themes() -> None:
    engine = shared.engine_for(BACKGAMMON)
    known = [(each.theme, theme_of(engine, Position.from_text(each.board))) for each in read_references()]
    # They were rolled out; a look that is a ply deep may think some of them farther from the border.
    assert {told for theme, told in known if told is not theme} <= {None}
    assert sum(told is theme for theme, told in known) >= 0.9 * len(known) > 0
    assert theme_of(engine, BACKGAMMON.starting_position) is None, "no decision is near there"


@pytest.mark.broad
def test_a_position_is_found_again_with_a_neighbour_that_turns_it() -> None:
    (first,) = found(Theme.LAST_ROLLS, 200)
    assert found(Theme.LAST_ROLLS, 200) == [first], "it follows from the number of the game"
    (beside,) = first.neighbours
    assert beside.cube.verdict != first.cube.verdict
    assert (beside.change, Position.from_text(beside.board)) in neighbours_of(Position.from_text(first.board))
    assert list(find({Theme.RACE: 1}, "nets", stop=lambda: True)) == []
