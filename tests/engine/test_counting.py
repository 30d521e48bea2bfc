"""Lopsided races bounded by counting rolls: certain results are told, and nothing is told that is not certain."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.reference.tables import shared_bearoff

from fullprime.engine.core.pack import pack, swap
from fullprime.engine.engine import Engine
from fullprime.engine.tables.counting import bound_races, pips_thrown
from fullprime.engine.tables.endgames import Endgames
from fullprime.rules.dice import Roll
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON

LOPSIDED = (
    "6:2 off:13 / 18 17 16 15 14 13 12:3 11 10:2 9:2 8",  # the nets alone gave it up: 0.0005
    "3 4 5:2 6:2 off:9 / 18 17 16 14:2 13 12:3 11 10:2 9 8 7",
    "6:2 off:13 / 18:2 13:4 12:2 10 9 8:2 7:3",
)


def bounded(text: str, guess: list[float]) -> list[float]:
    rows, outputs = pack([Position.from_text(text)]), np.array([guess])
    bound_races(shared_bearoff(), rows, outputs, np.zeros(1, bool))
    return [round(output, 6) for output in outputs[0].tolist()]


@pytest.mark.parametrize("text", LOPSIDED)
def test_a_race_that_is_won_by_counting_is_won_whatever_the_nets_say(text) -> None:
    engine = Engine.open("backgammon", level="0-ply")
    rows = pack([Position.from_text(text)])
    for level in ("0-ply", "1-ply"):
        win, gammon, *_ = engine.evaluate(Position.from_text(text), level=level).probabilities
        assert win > 0.9999
        assert gammon > 0.999
    outputs_seen = engine.searcher.evaluate(swap(rows))[0][0]
    assert outputs_seen[0] < 0.0001
    assert outputs_seen[3] > 0.999


def test_both_plays_of_a_won_race_win_it() -> None:
    engine = Engine.open("backgammon", level="2-ply")
    ranking = engine.rank_plays(Position.from_text("5 4:2 3 1 off:10 / 14 13:12 off:2"), (6, 4))
    assert [round(ranked.equity, 4) for ranked in ranking.plays] == [1.0, 1.0]


def test_the_bounds_are_never_beyond_the_truth() -> None:
    # All positions of two checkers a side with one at home and the other not: the endgame table knows the truth.
    texts = [
        f"{first} {second} off:13 / {far} {near} off:13"
        for first, second in ((1, 1), (2, 1), (6, 6), (5, 3))
        for far, near in product(range(7, 19), range(1, 19))
        if far != near
    ]
    texts = [text.replace("1 1 ", "1:2 ").replace("6 6 ", "6:2 ") for text in texts]
    mine = pack([Position.from_text(text) for text in texts])
    rows = np.concatenate([mine, swap(mine)])
    covered, truth = Endgames(BACKGAMMON).probabilities(rows)
    assert covered.all()
    for guess in (0.0, 1.0):
        outputs = np.zeros((len(rows), 5))
        outputs[:, 0] = guess
        bound_races(shared_bearoff(), rows, outputs, np.zeros(len(rows), bool))
        side = slice(0, len(mine)) if guess == 0.0 else slice(len(mine), None)
        off = outputs[side, 0] - truth[side, 0]
        assert (off < 1e-6).all() if guess == 0.0 else (off > -1e-6).all()
        assert np.abs(off).mean() < 0.05


def test_contact_bear_offs_and_what_is_known_stay_as_they_are() -> None:
    guess = [0.3, 0.2, 0.1, 0.3, 0.2]
    for text in ("6:2 off:13 / 24 13:14", "6:2 off:13 / 6:14 off:1", "7 6:2 off:12 / 13:15", "6:15 / 13:15"):
        assert bounded(text, guess) == guess
    rows, outputs = pack([Position.from_text(LOPSIDED[0])]), np.array([guess])
    bound_races(shared_bearoff(), rows, outputs, np.ones(1, bool))
    assert outputs[0].tolist() == guess


def test_chances_stay_chances_after_they_are_raised() -> None:
    win, gammon, backgammon, lose_gammon, lose_backgammon = bounded(LOPSIDED[0], [0.3, 0.2, 0.1, 0.3, 0.2])
    assert win >= gammon >= backgammon
    assert 1 - win >= lose_gammon >= lose_backgammon


def test_pips_of_two_rolls_are_those_of_all_throws() -> None:
    def pips(roll: Roll) -> int:
        return (roll.high + roll.low) * (2 if roll.high == roll.low else 1)

    throws = [pips(Roll(*dice)) for dice in product(range(1, 7), repeat=2)]
    for least in (1, 3, 16, 24, 30, 48, 49):
        one = np.mean([total >= least for total in throws])
        two = np.mean([first + second >= least for first, second in product(throws, throws)])
        assert pips_thrown(3)[1, least] == pytest.approx(one)
        assert pips_thrown(3)[2, least] == pytest.approx(two)
