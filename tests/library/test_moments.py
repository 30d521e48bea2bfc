"""Moments of a match are named as players name them: by the number of the move, the roll and the play."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import event
from tests.library.test_library import file_of, match_of, review_of

from fullprime.formats import Document
from fullprime.library.notes import change_mark, find_marks
from fullprime.library.places import address_at
from fullprime.library.service import LibraryStore
from fullprime.library.store.marks import MarkPlace
from fullprime.library.store.moments import Moment, moments_of
from fullprime.rules.actions import ActionKind
from fullprime.rules.game import Action


@pytest.fixture
def store(tmp_path: Path) -> LibraryStore:
    return LibraryStore(f"sqlite:///{tmp_path / 'library.db'}")


@pytest.mark.broad
def test_every_play_has_its_number_and_a_double_that_of_the_play_after_it(store: LibraryStore) -> None:
    match = match_of(5)
    (number,) = store.add(file_of(match, "json"), "a.json", [Document(match)]).new
    for game, record in enumerate(match.games):
        count = 0
        for place, action in enumerate(record.events):
            assert isinstance(action, Action)
            play = action.kind is ActionKind.PLAY
            moment = moments_of(store, [(number, game, place)])[number, game, place]
            count += play
            assert moment.move == (count if play else count + 1)
            assert (moment.dice is not None) == play
    assert moments_of(store, []) == {}
    other = LibraryStore(store.engine, shelf=7)
    assert moments_of(other, [(number, 0, 1)]) == {(number, 0, 1): Moment(1)}


def test_marks_and_addresses_name_the_move_and_what_was_done(store: LibraryStore) -> None:
    match = match_of(5)
    (number,) = store.add(file_of(match, "json"), "a.json", [Document(match)]).new
    review = review_of(match, [0.2, 0.0])
    store.add_review(number, review)
    decision = review.decisions[0]
    change_mark(store, MarkPlace(number, decision.game, decision.event), note="look again")
    (mark,) = find_marks(store).marks
    dice = decision.dice
    assert dice is not None
    assert (mark.dice, mark.deed) == ((dice.high, dice.low), decision.played.text)
    assert f"move={mark.move}" in address_at(store, number, decision.game, decision.event)
    change_mark(store, MarkPlace(number), star=True)
    assert find_marks(store, star=True).marks[0].move is None


def test_moments_are_looked_for_in_their_own_matches_alone(store: LibraryStore) -> None:
    match = match_of(5)
    (number,) = store.add(file_of(match, "json"), "a.json", [Document(match)]).new
    statements: list[tuple[str, tuple[object, ...]]] = []
    event.listen(
        store.engine, "before_cursor_execute", lambda *arguments: statements.append((arguments[2], arguments[3]))
    )
    moments_of(store, [(number, 0, 1), (number, 1, 3)])
    selects = [statement for statement in statements if statement[0].startswith("SELECT")]
    assert len(selects) == 2
    with store.engine.begin() as connection:
        for statement, values in selects:
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            assert "(shelf=?)" not in " ".join(str(row) for row in rows), "every match of the library"
