"""Finding reference positions: each theme is told from the board, and what is found is confirmed on both sides."""

from __future__ import annotations

import itertools

import pytest

from fullprime.engine import shared
from fullprime.learn.opening_book.reference import Reference, ReferenceTheme, read_references
from fullprime.learn.opening_book.reference_search import neighbours_of, search_references, theme_of
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON


def found(theme: ReferenceTheme, games: int) -> list[Reference]:
    """The first position of a theme, in so many games at most."""
    news = itertools.takewhile(
        lambda item: isinstance(item, Reference) or item < games, search_references({theme: 1}, "nets")
    )
    return [item for item in news if isinstance(item, Reference)]


def test_the_positions_of_the_book_are_of_their_themes() -> None:
    engine = shared.engine_for(BACKGAMMON)
    themes = [
        (reference.theme, theme_of(engine, Position.from_text(reference.board))) for reference in read_references()
    ]
    # They were rolled out; a look that is a ply deep may think some of them farther from the border.
    assert {judged for theme, judged in themes if judged is not theme} <= {None}
    assert sum(judged is theme for theme, judged in themes) >= 0.9 * len(themes) > 0
    assert theme_of(engine, BACKGAMMON.starting_position) is None, "no decision is near there"


@pytest.mark.broad
def test_a_position_is_found_again_with_a_neighbour_that_turns_it() -> None:
    (first,) = found(ReferenceTheme.LAST_ROLLS, 200)
    assert found(ReferenceTheme.LAST_ROLLS, 200) == [first], "it follows from the number of the game"
    (beside,) = first.neighbours
    assert beside.cube.verdict != first.cube.verdict
    assert (beside.change, Position.from_text(beside.board)) in neighbours_of(Position.from_text(first.board))
    assert list(search_references({ReferenceTheme.RACE: 1}, "nets", stop=lambda: True)) == []
