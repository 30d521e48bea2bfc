"""The number of a move, a roll with its play: the same in the record, in a reviewed decision and in the library."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.formats.generate import random_match

import fullprime
from fullprime.formats import Document, read, write
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.moments import moments_of
from fullprime.reviews.report.places import places_of
from fullprime.rules.actions import ACCEPT, DOUBLE, TAKE, Action, opening, play, resign, roll
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Game
from fullprime.rules.record import GameRecord, Setup
from fullprime.rules.score import Settings

CLUB = Path(__file__).parents[1] / "data" / "club.mat"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[LibraryStore]:
    store = LibraryStore(f"sqlite:///{tmp_path / 'library.db'}")
    yield store
    store.close()


def recorded(*actions: Action | None) -> GameRecord:
    """A money game of these actions; None is any play of the roll."""
    record = GameRecord(Game.new(Settings(length=0)))
    for action in actions:
        record = record.with_event(play(record.final.legal_plays[0]) if action is None else action)
    return record


def test_a_double_and_its_answer_belong_to_the_roll_that_follows() -> None:
    record = recorded(opening(3, 3), opening(3, 1), None, DOUBLE, TAKE, roll((6, 5)), None, roll((2, 1)), None)
    assert record.moves == (1, 1, 1, 2, 2, 2, 2, 3, 3)


def test_a_resignation_belongs_to_the_roll_on_the_board() -> None:
    assert recorded(opening(3, 1), None, roll((6, 5)), resign(1), ACCEPT).moves == (1, 1, 2, 2, 2)
    assert recorded(opening(3, 1), None, resign(1), ACCEPT).moves == (1, 1, 2, 2)


def test_a_board_that_is_set_belongs_to_the_roll_before_it() -> None:
    record = recorded(opening(3, 1), None, roll((6, 5)))
    record = record.with_event(Setup(record.final.act(play(record.final.legal_plays[0])), "kept as written"))
    assert record.with_event(roll((2, 1))).moves == (1, 1, 2, 2, 3)
    begun = GameRecord(record.start.act(opening(3, 1)))
    turned = begun.with_event(Setup(begun.start, "the dice were typed wrongly"))
    played = turned.with_event(play(begun.start.legal_plays[0])).with_event(roll((2, 1)))
    assert played.moves == (1, 1, 2), "a board that is set before the play begins no move"


def test_an_action_that_cannot_be_is_named_by_its_move() -> None:
    record = recorded(opening(3, 1), None, DOUBLE, TAKE)
    with pytest.raises(RulesError, match=r"^move 2: "):
        _ = record.with_event(TAKE).final


def test_the_library_counts_as_the_record(library: LibraryStore) -> None:
    for seed in range(6):
        match = random_match(random.Random(seed), Settings(length=5), games=3, illegal=0.02 * (seed % 2))
        if seed == 5:
            match = fullprime.play_match("random", "random", variant="acey_deucey", seed=1)
        match = replace(match, names=("Ann", f"Bob {seed}"))
        data = write(Document(match), "json")[0]
        library.add(data, "m.json", read(data).documents)
    compared = 0
    for number in range(1, library.count() + 1):
        for game, record in enumerate(library.get_document(number).match.games):
            places = [(number, game, event) for event in range(len(record.events))]
            moments = moments_of(library, places)
            assert [moments[place].move for place in places] == list(record.moves)
            compared += len(places)
    assert compared > 500


def test_findings_and_the_report_count_as_the_record() -> None:
    match = read(CLUB).documents[0].match
    (found,) = fullprime.review(match, level="fast")
    places = places_of(match, found)
    for reviewed in found.reviewed_decisions:
        at = (reviewed.decision.game, reviewed.decision.event)
        assert reviewed.move == match.games[at[0]].moves[at[1]] == places[at].roll
        assert str(reviewed).startswith(f"Game {at[0] + 1}, move {reviewed.move}, ")
        assert reviewed.record()["move"] == reviewed.move
