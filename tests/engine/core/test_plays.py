"""The kernels make exactly the boards that the readable rules and the brute force make."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np
import pytest
from tests.reference import brute_force
from tests.reference.random_play import decisions, option_mixes, random_roll, scattered

from fullprime.engine.core.jit import JIT
from fullprime.engine.core.moves import plays
from fullprime.engine.core.pack import legal_plays, pack, rules_array, unpack
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import legal_plays as readable_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, DUTCH, HYPERGAMMON, VARIANTS, Variant

EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
FEW = 400 if JIT else 40
Expected = list[tuple[Position, Roll, set[Position]]]


def assert_equal(expected: Expected, variant: Variant) -> None:
    """The kernels give each of the expected boards once, and no other."""
    rows, offsets = legal_plays(
        pack([position for position, _, _ in expected]),
        np.array([(roll.high, roll.low) for _, roll, _ in expected], np.int8),
        variant,
    )
    boards = unpack(rows)
    for i, (position, roll, after) in enumerate(expected):
        boards_after = boards[offsets[i] : offsets[i + 1]]
        assert set(boards_after) == after, f"{variant} {position.text} {roll}"
        assert len(boards_after) == len(after), f"a board twice: {variant} {position.text} {roll}"


def by_rules(pairs: Iterable[tuple[Position, Roll]], variant: Variant) -> Expected:
    return [(p, roll, {play.after for play in readable_plays(p, roll, variant)}) for p, roll in pairs]


def played(variant: Variant, count: int, seed: object) -> Expected:
    return [
        (p, roll, {play.after for play in boards_after})
        for p, roll, boards_after in decisions(variant, count, str(seed))
    ]


def any_board(variant: Variant, count: int, seed: object) -> list[tuple[Position, Roll]]:
    chance = random.Random(f"{variant}:{seed}")
    return [(scattered(variant, chance), random_roll(chance)) for _ in range(count)]


@EVERY_VARIANT
def test_equal_to_the_readable_rules_in_random_games(variant: Variant) -> None:
    assert_equal(played(variant, FEW, 1), variant)


@EVERY_VARIANT
def test_equal_to_the_readable_rules_on_any_board(variant: Variant) -> None:
    assert_equal(by_rules(any_board(variant, FEW, 2), variant), variant)


@pytest.mark.parametrize("variant", [pytest.param(DUTCH, marks=pytest.mark.broad), HYPERGAMMON], ids=lambda v: v.name)
def test_equal_to_the_readable_rules_with_every_mixture_of_options(variant: Variant) -> None:
    for mix in option_mixes(variant):
        assert_equal(played(mix, FEW // 8, 3), mix)
        assert_equal(by_rules(any_board(mix, FEW // 8, 4), mix), mix)


@EVERY_VARIANT
def test_equal_to_brute_force(variant: Variant) -> None:
    pairs = [(p, roll) for p, roll, _ in decisions(variant, FEW // 2, "5")] + any_board(variant, FEW // 4, 6)
    expected = [(p, roll, brute_force.results(p, (roll.high, roll.low), variant)) for p, roll in pairs]
    assert_equal(expected, variant)


@pytest.mark.broad
def test_equal_to_brute_force_with_every_mixture_of_options() -> None:
    for mix in option_mixes(ACEY_DEUCEY):
        pairs = any_board(mix, FEW // 20, 7)
        assert_equal([(p, r, brute_force.results(p, (r.high, r.low), mix)) for p, r in pairs], mix)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@EVERY_VARIANT
def test_equal_to_the_readable_rules_on_100000_positions(variant: Variant) -> None:
    for part in range(20):
        assert_equal(played(variant, 4500, f"slow {part}"), variant)
        assert_equal(by_rules(any_board(variant, 500, f"slow {part}"), variant), variant)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON, DUTCH, ACEY_DEUCEY], ids=lambda v: v.name)
def test_equal_to_the_readable_rules_with_every_mixture_of_options_slowly(variant: Variant) -> None:
    for mix in option_mixes(variant):
        assert_equal(played(mix, 1000, "slow mix"), mix)
        assert_equal(by_rules(any_board(mix, 500, "slow mix"), mix), mix)


def test_when_nothing_can_be_played_the_position_is_the_only_result() -> None:
    shut_out = Position.from_text("bar 13:5 8:3 6:6 / 6:2 5:2 4:2 3:2 2:2 1:2 13:3")
    rows, offsets = legal_plays(pack([shut_out] * 21), np.array([(r.high, r.low) for r in ALL_ROLLS], np.int8))
    assert offsets.tolist() == list(range(22))
    assert set(unpack(rows)) == {shut_out}


def test_a_roll_with_more_than_a_thousand_plays() -> None:
    position = Position.from_text("24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 / bar:15")
    plays_of_ones = by_rules([(position, Roll(1, 1))], BACKGAMMON)
    assert 1000 < len(plays_of_ones[0][2]) <= plays.MAX_PLAYS
    assert_equal(plays_of_ones, BACKGAMMON)


def test_a_kernel_refuses_room_that_may_be_too_small() -> None:
    start = pack([BACKGAMMON.starting_position])[0]
    out = np.empty((plays.MAX_PLAYS - 1, 32), np.int8)
    with pytest.raises(ValueError, match="fewer than MAX_PLAYS"):
        plays.legal_plays_into(start, 3, 1, rules_array(BACKGAMMON), out, np.empty(plays.SCRATCH, np.int64))


def test_a_batch_stops_in_time_and_goes_on_where_it_stopped() -> None:
    positions = pack([BACKGAMMON.starting_position] * 300)
    dice = np.array([(1, 1)] * 300, np.int8)
    out = np.full((plays.MAX_PLAYS + 100, 32), 99, np.int8)
    ends = np.zeros(300, np.int64)
    rules = rules_array(BACKGAMMON)
    assert plays.legal_plays_batch(positions, dice, rules, 0, out, ends) == 3
    assert ends[:3].tolist() == [42, 84, 126]
    assert (out[126:] == 99).all()
    assert plays.legal_plays_batch(positions, dice, rules, 3, out, ends) == 6


def test_results_do_not_depend_on_the_size_of_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [(p, r) for p, r, _ in decisions(BACKGAMMON, 200, "batch")]
    positions = pack([p for p, _ in expected])
    dice = np.array([(r.low, r.high) for _, r in expected], np.int8)  # dice in either order
    all_plays = legal_plays(positions, dice)
    monkeypatch.setattr("fullprime.engine.core.pack._CHUNK_ROWS", 10)
    parts = legal_plays(positions, dice)
    assert (all_plays[0] == parts[0]).all()
    assert (all_plays[1] == parts[1]).all()
