"""Tiny endgames of every variant equal a slow dynamic program through the readable rules, contact and all."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.broadly import broadly
from tests.engine.random_nets import random_engine
from tests.reference.endgame_solver import Solver

from fullprime.engine.core.pack import pack
from fullprime.engine.rollouts.rollout import Candidate, TrialPolicy, rollout
from fullprime.engine.tables import endgames
from fullprime.engine.tables.endgames import PACKED, EndgameError, Endgames, solve
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, HYPERGAMMON, VARIANTS
from fullprime.rules.variants.variant import Variant

SMALL = [
    ({1: 1}, {1: 1}),
    ({6: 1}, {6: 1}),
    ({24: 1}, {4: 1}),
    ({"bar": 1}, {6: 1}),
    ({13: 1}, {20: 1}),
    ({6: 1, 3: 1}, {2: 1}),
    ({2: 1}, {5: 1, 3: 1}),
    ({4: 1, 2: 1}, {3: 2}),
]
"""Races, and contact of one checker against one."""


def position_of(variant: Variant, own: dict, other: dict) -> Position:
    return Position.of(own, other, variant.checkers)


@pytest.mark.broad
@pytest.mark.parametrize("name", broadly(VARIANTS, "acey_deucey"))
def test_small_endings_equal_the_slow_dynamic_program(name: str) -> None:
    """Static evaluation, look-ahead and rollout of any net: where a table knows the ending, all are exact."""
    variant = VARIANTS[name]
    solver, engine = Solver(variant), random_engine(variant, bearoff=True)
    for own, other in SMALL:
        position = position_of(variant, own, other)
        outcome = solver.outcome(position)
        for level in ("0-ply", "1-ply"):
            evaluation = engine.evaluate(position, cubeful=False, level=level)
            np.testing.assert_allclose(evaluation.probabilities, outcome, atol=1e-6)
            assert evaluation.cubeless == pytest.approx(solver.equity(outcome), abs=1e-5)


@pytest.mark.broad
@pytest.mark.parametrize("name", broadly([game.name for game in endgames.packed_games()], "acey_deucey"))
def test_plays_are_the_best_ones(name: str) -> None:
    """What the first play of every roll is worth, named doubles and extra throws included."""
    variant = VARIANTS[name]
    solver, engine = Solver(variant), random_engine(variant, bearoff=True)
    position = position_of(variant, {7: 1}, {22: 1})
    outcome = solver.outcome(position)
    total = 0.0
    for roll in ALL_ROLLS:
        total += roll.weight / 36 * engine.rank_plays(position, roll).best.equity
    assert total == pytest.approx(solver.equity(outcome), abs=1e-5)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", VARIANTS)
def test_many_endings_equal_the_slow_dynamic_program(name: str) -> None:
    variant = VARIANTS[name]
    solver, tables = Solver(variant), Endgames(variant)
    solver.outcome(position_of(variant, {"bar": 1, 20: 1}, {"bar": 1, 21: 1}))
    positions = [position for position in solver.known if not position.is_over and not position.swapped.is_over][::7]
    covered, values = tables.probabilities(pack(positions))
    assert covered.all()
    assert len(positions) > 10_000
    np.testing.assert_allclose(values, [solver.outcome(position) for position in positions], atol=1e-6)


def test_a_table_of_one_checker_is_part_of_that_of_two() -> None:
    small, packed = solve(HYPERGAMMON, 1), Endgames(HYPERGAMMON)
    rows = pack([position_of(HYPERGAMMON, {place: 1}, {other: 1}) for place, other in ((3, 9), (24, 20), (18, 2))])
    np.testing.assert_allclose(small.look_up(rows)[1], packed.probabilities(rows)[1], atol=1e-7)


@pytest.mark.compiles
def test_a_table_of_three_leaves_what_that_of_two_knows_to_it(tmp_path: Path) -> None:
    """Tables of three keep 16 bits. This one says nothing but 0 and takes no room on the disk."""
    places = 3276
    path = endgames.file_of(HYPERGAMMON, tmp_path)
    np.lib.format.open_memmap(path, "w+", np.uint16, (places, places, 5)).flush()
    both, packed = Endgames(HYPERGAMMON, tmp_path), Endgames(HYPERGAMMON)
    assert [table.checkers for table in both.tables] == [3, 2]
    two, three = position_of(HYPERGAMMON, {6: 1, 3: 1}, {20: 1}), position_of(HYPERGAMMON, {6: 2, 3: 1}, {20: 1})
    covered, outputs = both.probabilities(pack([three, two, three]))
    assert covered.all()
    assert not outputs[[0, 2]].any()
    np.testing.assert_array_equal(outputs[1], packed.probabilities(pack([two]))[1][0])
    assert outputs[1, 0] > 0.5


@pytest.mark.parametrize("name", ["backgammon", "hypergammon", "acey_deucey"])
def test_a_turn_that_may_reach_the_tables_is_known(name: str) -> None:
    variant, rng = VARIANTS[name], np.random.default_rng(3)
    tables = random_engine(variant, bearoff=True).searcher.tables
    counts = Counter()
    for _ in range(150):
        position, roll = late_position(variant, rng), Roll(*(int(die) for die in rng.integers(1, 7, 2)))
        plays = [play for play in legal_plays(position, roll, variant) if not play.position.is_over]
        after = pack([play.position for play in plays]) if plays else np.zeros((0, 32), np.int8)
        reached = tables.look_up(after, np.zeros((len(after), 5)), np.zeros((len(after), 4))).any()
        warned = bool(tables.within_a_turn(pack([position]))[0])
        assert warned or not reached, (position.text, roll)
        counts[bool(reached), warned] += 1
    assert counts[True, True] > 5
    assert counts[False, False] > 5


def late_position(variant: Variant, rng: np.random.Generator) -> Position:
    """Up to eight checkers a side, some of them still outside."""
    most, sides = min(8, variant.checkers), []
    for _ in range(2):
        reach = int(rng.choice([6, 9, 24]))
        sides.append(Counter(int(point) for point in rng.integers(1, reach + 1, int(rng.integers(1, most + 1)))))
    own, other = sides
    for point in [point for point in own if 25 - point in other]:
        del own[point]
    return Position.of(own or {25: 1}, other, variant.checkers)


def test_threads_and_a_guess_change_nothing() -> None:
    plain = solve(ACEY_DEUCEY, 1)
    other = solve(ACEY_DEUCEY, 1, threads=2, guess=lambda batches: np.concatenate([np.ones(len(b)) for b in batches]))
    np.testing.assert_allclose(plain.values, other.values, atol=1e-7)


@pytest.mark.parametrize(
    "position",
    [
        Position.of({6: 3}, {6: 1}),
        Position.of({"hand": 1}, {6: 1}),
        Position.of({6: 1}, {1: 1}, 3),
        Position.of({}, {1: 1}),
        BACKGAMMON.starting_position,
    ],
    ids=["three checkers", "one in hand", "another number in all", "finished", "start"],
)
def test_what_is_not_in_the_tables_is_not_made_up(position: Position) -> None:
    covered, _ = Endgames(ACEY_DEUCEY).probabilities(pack([position]))
    assert covered.tolist() == [False]


def test_games_without_a_table_go_on_without_one() -> None:
    strange = ACEY_DEUCEY.with_options({"after_double": "roll_again"})
    assert not Endgames.serves(strange)
    assert Endgames.serves(BACKGAMMON.with_options({"opening_dice": "reroll"}))
    assert not Endgames.serves(ACEY_DEUCEY.with_options({"acey_deucey_doubles_stake": "yes"}))


def test_impossible_tables_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EndgameError, match="1 to 3"):
        solve(BACKGAMMON, 4)
    with pytest.raises(EndgameError, match="licence"):
        solve(HYPERGAMMON.with_options({"hit_licence": "current"}), 3)
    with pytest.raises(EndgameError, match="other options"):
        endgames.build(HYPERGAMMON.with_options({"exact_bearoff": "yes"}), tmp_path)
    endgames.file_of(HYPERGAMMON, tmp_path).write_bytes(b"no table")
    with pytest.raises(EndgameError, match="no endgame table"):
        Endgames(HYPERGAMMON, tmp_path).probabilities(pack([HYPERGAMMON.starting_position]))


def test_a_rollout_of_an_exact_ending_is_the_table() -> None:
    engine = random_engine(ACEY_DEUCEY, bearoff=True)
    position = position_of(ACEY_DEUCEY, {6: 1, 3: 1}, {20: 1})
    result = rollout(engine.searcher, [Candidate.position(position)], policy=TrialPolicy(cubeful=False), trials=36)
    assert result.best.error == 0
    assert result.best.equity == pytest.approx(engine.evaluate(position).equity, abs=1e-9)
    assert PACKED == 2
