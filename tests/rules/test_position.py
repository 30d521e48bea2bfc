"""Positions and dice: the text form, refusals, the sources' facts about the board."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullprime.rules.dice import ALL_ROLLS, Roll, SeededDice, SystemDice
from fullprime.rules.errors import PositionError, RulesError
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import BAR, HAND, OFF, Position, is_full_prime, longest_prime
from fullprime.rules.variants import BACKGAMMON, VARIANTS


@st.composite
def positions(draw: st.DrawFn) -> Position:
    rng = random.Random(draw(st.integers(0, 2**32)))
    rows = [[0] * 27, [0] * 27]
    for side in (0, 1):
        free = [
            slot
            for slot in (OFF, *range(1, 25), BAR, HAND)
            if not rows[1 - side][25 - slot] or slot in (OFF, BAR, HAND)
        ]
        free = [slot for slot in free if slot in (OFF, BAR, HAND) or not rows[1 - side][25 - slot]]
        for _ in range(15):
            rows[side][rng.choice(free[1:])] += 1
    return Position(tuple(rows[0]), tuple(rows[1]), rng.random() < 0.2 and not any(rows[0][:7]))


@given(positions())
def test_the_text_form_round_trips(position: Position) -> None:
    position.check()
    assert Position.from_text(position.text) == position
    assert eval(repr(position)) == position
    assert position.swapped.swapped == position
    assert position.swapped.pips == position.pips[::-1]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda v: v.name)
def test_every_start_round_trips(variant) -> None:
    start = variant.starting_position
    start.check(variant.checkers)
    assert Position.from_text(start.text, variant.checkers) == start


def test_examples_of_the_text_form() -> None:
    text = "bar:2 24:2 13:4 8:3 6:4 / 24 16 13:5 8:3 6:3 2:2"
    position = Position.from_text(text)
    assert position.text == text
    assert position.pips == (198, 151)
    assert Position.from_text("HAND:15/ hand:15").text == "hand:15 / hand:15"
    assert Position.from_text("1:2 off:13 / 6:15").text == "1:2 off:13 / 6:15"
    assert Position.from_text("bar 13:14 licence / 1:15").player_licence
    assert not Position.from_text("bar 3 13:13 licence / 1:15").player_licence


@pytest.mark.parametrize(
    "text",
    [
        "",
        "24:2",
        "24:2 / 24:2 / 24:2",
        "25:1 / 1:1x",
        "0x6:2 / 24",
        "27:2 / 24",
        "-1:2 / 24",
        "6:16 / 24",
        "6:99 / 24",
        "6:2 6:3 / 24",
        "6:15 / 19:15",
        "off:15 / off:15",
        "6:2 off:3 / 24",
        "६:2 / 24",
        "6:² / 24",
        "6:two / 24",
        "6:99999999999999999999 / 24",
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        Position.from_text(text)


def test_moving_an_odd_number_changes_the_colour_of_the_point() -> None:
    """Source 000, line 6: neighbouring points differ in colour, across the bar too (9 to 5 is 4)."""
    colours = [point % 2 for point in range(1, 25)]
    assert all(a != b for a, b in pairwise(colours))
    plays = legal_plays(BACKGAMMON.starting_position, Roll(4, 4))
    assert all((move.source - move.target) % 2 == 0 for legal in plays for move in legal.moves)


def test_primes() -> None:
    row = Position.of({8: 2, 7: 2, 6: 2, 5: 2, 4: 2, 3: 2}, {24: 2}).player
    assert (longest_prime(row), is_full_prime(row)) == (6, True)
    assert longest_prime(BACKGAMMON.start) == 1


def test_rolls() -> None:
    assert len(ALL_ROLLS) == 21
    assert sum(one.weight for one in ALL_ROLLS) == 36
    assert Roll(1, 3) == Roll(3, 1)
    assert [Roll.from_text(text) for text in ("31", "1-3", "3 1", "(3, 1)")] == [Roll(3, 1)] * 4
    for wrong in ("", "3", "07", "311", "3x1", "٣1"):
        with pytest.raises(RulesError):
            Roll.from_text(wrong)


def test_seeded_dice_are_fair_and_resume_where_they_stopped() -> None:
    dice = SeededDice(7)
    numbers = [dice.die() for _ in range(60_000)]
    counts = Counter(numbers)
    assert set(counts) == set(range(1, 7))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5  # chi square, 5 df, p = 0.001
    resumed = SeededDice(7, drawn=59_990)
    assert [resumed.die() for _ in range(10)] == numbers[-10:]
    other = SeededDice(8)
    assert [other.die() for _ in range(20)] != numbers[:20]


def test_system_dice() -> None:
    assert {SystemDice().die() for _ in range(500)} == set(range(1, 7))
