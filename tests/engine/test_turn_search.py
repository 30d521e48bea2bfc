"""Whole turns in look-ahead, rollouts and choices: named doubles, complements and extra throws (Acey Deucey)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engine.random_nets import random_engine
from tests.reference.turns import slow_turns

from fullprime.engine.core.pack import pack, unpack
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.probabilities import equity, swap_sides
from fullprime.engine.engine import Engine
from fullprime.engine.rollouts.rollout import Candidate, TrialPolicy, rollout
from fullprime.engine.search.tree import value_weights
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, VARIANTS
from fullprime.rules.variants.variant import Variant

EUROPEAN = VARIANTS["acey_deucey_european"]
ONE = Position.of({20: 1}, {3: 1, 7: 2})
"""One checker to move, in contact: a 2-1 can be played in one way, so that look-ahead leaves nothing out."""


def slow_outputs(engine: Engine, position: Position, depth: int) -> np.ndarray:
    """Outputs averaged over the rolls, each played statically best, by the readable rules."""
    if depth == 0 or position.is_over:
        return engine.searcher.evaluator.evaluate(pack([position]))[0].astype(np.float64)
    total = np.zeros(5)
    for roll in ALL_ROLLS:
        ends = sorted(slow_turns(position, roll, engine.variant), key=repr)
        static = engine.searcher.evaluator.evaluate(pack([after for after, _ in ends])).astype(np.float64)
        own = [outputs if again else swap_sides(outputs) for outputs, (_, again) in zip(static, ends, strict=True)]
        after, again = ends[int(np.argmax(equity(np.array(own), engine.variant)))]
        below = slow_outputs(engine, after, depth - 1)
        total += roll.weight * (below if again else swap_sides(below))
    return total / 36


@pytest.mark.parametrize("variant", [ACEY_DEUCEY, EUROPEAN], ids=["acey_deucey", "european"])
@pytest.mark.parametrize("small", [False, True], ids=["one net", "two nets"])
def test_look_ahead_plays_whole_turns(variant: Variant, small: bool) -> None:
    engine = likes_to_roll_again(variant)
    if small:  # the filter sees what the other net sees, so that it leaves nothing out
        nets = {
            "contact": engine.searcher.evaluator.nets["contact"],
            "small": engine.searcher.evaluator.nets["contact"],
        }
        engine = Engine.open(variant, "0-ply", nets=nets, bearoff=False)
    tree = engine.searcher.tree(pack([ONE]), 1, value_weights(CUBELESS, True), alone=False)
    assert tree.again is not None
    assert small or tree.again.any()
    np.testing.assert_allclose(tree.outputs[0], slow_outputs(engine, ONE, 1), atol=2e-6)
    evaluation = engine.evaluate(ONE, level="1-ply")
    mixed = engine.searcher.tree(pack([ONE]), 1, value_weights(CUBELESS, True))
    assert evaluation.equity == pytest.approx(float(equity(mixed.outputs[0], variant)), abs=1e-9)


def likes_to_roll_again(variant: Variant) -> Engine:
    """An engine that chooses an extra throw for some roll."""
    for seed in range(1, 40):
        engine = random_engine(variant, seed=seed)
        again = engine.searcher.expand(pack([ONE]), value_weights(CUBELESS, True)).again
        if again is not None and again.any():
            return engine
    raise AssertionError("no random net likes to roll again")


def test_two_plies_are_the_mean_of_one_ply() -> None:
    """Also below a board whose player rolls again."""
    engine = likes_to_roll_again(EUROPEAN)
    worth = value_weights(CUBELESS, True)
    deep, flat = engine.searcher.tree(pack([ONE]), 2, worth), engine.searcher.tree(pack([ONE]), 1, worth)
    assert flat.below is not None
    assert flat.again is not None
    total = np.zeros(5)
    for roll, weight in enumerate(weight_of_roll.weight for weight_of_roll in ALL_ROLLS_IN_ORDER):
        below = engine.searcher.tree(flat.below.boards[roll : roll + 1], 1, worth, alone=False).outputs[0]
        total += weight / 36 * (below if flat.again[0, roll] else swap_sides(below))
    np.testing.assert_allclose(deep.outputs[0], total, atol=1e-9)


ALL_ROLLS_IN_ORDER = [Roll(high, low) for high in range(1, 7) for low in range(1, high + 1)]


@pytest.mark.parametrize("variant", [ACEY_DEUCEY, EUROPEAN], ids=["acey_deucey", "european"])
def test_ends_of_turns_are_legal_and_the_best_of_many_middles_is_kept(variant: Variant) -> None:
    engine = random_engine(variant)
    position = Position.of({"hand": 2, 20: 1, 9: 2, 4: 1}, {"bar": 1, 13: 2, 6: 2})
    for roll in (Roll(2, 1), Roll(3, 3), Roll(6, 1)):
        ends = engine.searcher.turn_ends(pack([position]), roll.high, roll.low)
        turns = set(zip(unpack(ends.boards), ends.again.tolist(), strict=True))
        legal = slow_turns(position, roll, variant)
        assert turns <= legal
        if roll == Roll(6, 1):
            assert turns == legal


@pytest.mark.parametrize("variant", [ACEY_DEUCEY, EUROPEAN], ids=["acey_deucey", "european"])
def test_rollouts_give_extra_throws_to_whoever_has_them(variant: Variant) -> None:
    """Without variance reduction the trials are plain games; with it the mean must be the same."""
    engine = random_engine(variant)
    position = Position.of({6: 2, 5: 1}, {6: 2, 4: 2})
    plain, reduced = (
        rollout(
            engine.searcher,
            [Candidate.position(position)],
            policy=TrialPolicy(cubeful=False, variance_reduction=reduction),
            trials=2592,
            threads=1,
        ).best
        for reduction in (False, True)
    )
    assert abs(plain.equity - reduced.equity) < 4 * (plain.error**2 + reduced.error**2) ** 0.5


def test_deeper_levels_look_into_what_a_special_roll_gives() -> None:
    engine = random_engine(ACEY_DEUCEY)
    position = Position.of({20: 1, 3: 1}, {6: 2, 4: 1})
    ranking = engine.rank_plays(position, Roll(2, 1), level="1-ply")
    assert ranking.best.depth == 1
    assert engine.best_play(position, Roll(2, 1), level="1-ply") == ranking.best.play
    number = engine.choose_double(ranking.best.play.after, ACEY_DEUCEY.after_acey_deucey[1:], level="1-ply")
    assert 1 <= number <= 6
