"""Rows and positions are the same thing, and nothing else gets to the kernels."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.reference.random_play import scattered

from fullprime.engine.core import layout
from fullprime.engine.core.pack import check_rows, legal_plays, pack, swap, unpack
from fullprime.rules.errors import PositionError, RulesError
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON, DUTCH, VARIANTS

START = pack([BACKGAMMON.starting_position])


def test_the_layout() -> None:
    row = pack([Position.from_text("hand:2 bar 24:2 6:8 off:2 / hand bar:3 18:5 licence off:6")])[0].tolist()
    expected = [0] * 32
    expected[0], expected[25], expected[26], expected[27], expected[28], expected[29] = -3, 1, 2, 6, 2, 1
    expected[24], expected[6], expected[25 - 18] = 2, 8, -5
    assert row == expected  # six checkers off are licence enough: no flag


def test_a_licence_is_a_flag() -> None:
    row = pack([Position.from_text("24:15 licence / hand:15 licence")])[0]
    assert (row[layout.LICENCE], row[layout.THEIR_LICENCE]) == (1, 1)


@pytest.mark.parametrize("variant", [*VARIANTS.values()], ids=VARIANTS)
def test_round_trip_and_the_other_side(variant: Any) -> None:
    chance = random.Random(1)
    positions = [scattered(variant, chance) for _ in range(300)]
    rows = pack(positions)
    assert unpack(rows) == positions
    assert unpack(swap(rows)) == [position.swapped for position in positions]
    assert (swap(swap(rows)) == rows).all()


def test_no_positions() -> None:
    rows, offsets = legal_plays(pack([]), np.empty((0, 2), np.int8))
    assert rows.shape == (0, 32)
    assert offsets.tolist() == [0]
    assert unpack(rows) == []


def changed(column: int, value: int) -> np.ndarray:
    rows = START.copy()
    rows[0, column] = value
    return rows


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: START[0], r"int8 \(n, 32\), not int8 \(32,\)"),
        (lambda: START.astype(np.int64), "not int64"),
        (START.tolist, "not a list"),
        (lambda: np.zeros((1, 28), np.int8), r"\(1, 28\)"),
        (lambda: np.repeat(START, 4, 0)[::2], "C-contiguous"),
        (lambda: changed(1, 1), "row 0"),
        (lambda: changed(6, 120), "15 checkers"),
        (lambda: changed(layout.THEIR_BAR, 1), "row 0"),
        (lambda: changed(layout.BAR, -1), "row 0"),
        (lambda: changed(layout.HAND, -1), "row 0"),
        (lambda: changed(layout.LICENCE, 2), "row 0"),
        (lambda: np.zeros((1, 32), np.int8), "row 0"),
    ],
)
def test_what_is_not_a_position_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        check_rows(make())


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        (np.array([[0, 1]], np.int8), "a die shows 1 to 6"),
        (np.array([[7, 1]], np.int8), "a die shows 1 to 6"),
        (np.array([[3, 1]], np.int64), "int64"),
        (np.array([[3, 1], [2, 1]], np.int8), r"\(2, 2\)"),
        ([[3, 1]], "a list"),
    ],
)
def test_what_is_not_a_roll_is_refused(dice: Any, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        legal_plays(START, dice)


def test_any_memory_order_of_dice_will_do() -> None:
    dice = np.asfortranarray(np.array([[3, 1], [6, 5]], np.int8))
    _, offsets = legal_plays(np.repeat(START, 2, 0), dice)
    assert offsets.tolist() == [0, 16, 23]


def test_the_hand_games_go_through_the_same_door() -> None:
    rows, _ = legal_plays(pack([DUTCH.starting_position]), np.array([(6, 6)], np.int8), DUTCH)
    assert [position.text for position in unpack(rows)] == ["hand:11 19:4 / hand:15"]
