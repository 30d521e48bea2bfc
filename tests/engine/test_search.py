"""Look-ahead against a slow recursion in plain Python; the same answer however the work is divided; budgets."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import numpy as np
import pytest
from tests.engine.random_nets import random_engine, random_net

from fullprime.engine.core.lookahead import search as kernels
from fullprime.engine.core.pack import pack
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext, CubeOwner, no_double_equities
from fullprime.engine.cube.probabilities import equity, swap_sides
from fullprime.engine.engine import Engine
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.searcher import CHUNK, REPLY_NEAR, STATIC_SHARE
from fullprime.engine.search.tree import value_weights
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON, VARIANTS
from fullprime_lab.training.phase_play import are_back_games

FEW = Position.of({12: 1, 6: 1}, {14: 1, 3: 1})
"""Two checkers a side in contact, the rest off: few plays, so that a slow oracle can look two plies ahead."""
BAR = Position.of({"bar": 1, 4: 2}, {20: 2, 2: 1})
SOON = Position.of({1: 1, 2: 1}, {1: 2})


def slow_best(engine: Engine, position: Position, roll, worth: np.ndarray, depth: int = 1) -> Position:
    """The best play of a roll, seen by the next player: least worth to him. Statically, or where more than one ply is
    left the better of the best two, if they are close, with one ply less.
    """
    after = [play.position for play in legal_plays(position, roll, engine.variant)]
    cost = engine.searcher.evaluator.evaluate(pack(after)).astype(np.float64) @ worth[:5]
    order = np.argsort(cost, kind="stable")
    best = after[order[0]]
    if depth < 2 or len(after) < 2 or cost[order[1]] > cost[order[0]] + REPLY_NEAR * worth[0] / 2:
        return best
    both = [best, after[order[1]]]
    deep = [float(slow_outputs(engine, board, depth - 1, worth, alone=False) @ worth[:5]) for board in both]
    return both[int(np.argmin(deep))]


def is_over(position: Position) -> bool:
    return position.player[0] == position.checkers or position.opponent[0] == position.checkers


def static_share(children: list[Position], depth: int, alone: bool) -> float:
    """How much of one ply of look-ahead, asked for alone, is the static judgement: a tenth of what is not yet over."""
    if depth != 1 or not alone:
        return 0.0
    weights = zip(ALL_ROLLS, children, strict=True)
    return STATIC_SHARE * sum(roll.weight for roll, child in weights if not is_over(child)) / 36


def slow_outputs(engine: Engine, position: Position, depth: int, worth: np.ndarray, alone: bool = True) -> np.ndarray:
    static = engine.searcher.evaluator.evaluate(pack([position]))[0].astype(np.float64)
    if depth == 0 or is_over(position):
        return static
    children = [slow_best(engine, position, roll, worth, depth if alone else 1) for roll in ALL_ROLLS]
    looked = np.zeros(5)
    for roll, child in zip(ALL_ROLLS, children, strict=True):
        looked += roll.weight / 36 * swap_sides(slow_outputs(engine, child, depth - 1, worth, alone=False))
    share = static_share(children, depth, alone)
    return share * static + (1 - share) * looked


def slow_rolled(engine: Engine, position: Position, depth: int, context: CubeContext, alone: bool = True) -> float:
    """Value of rolling now, by the definition: points, or chances to win the match."""
    row = pack([position])
    outputs = engine.searcher.evaluator.evaluate(row).astype(np.float64)
    static = float(context.value(no_double_equities(outputs, context, engine.searcher.efficiency(row, outputs))[0]))
    if depth == 0 or is_over(position):
        return static
    worth = value_weights(context.swapped, False)
    children = [slow_best(engine, position, roll, worth, depth if alone else 1) for roll in ALL_ROLLS]
    looked = 0.0
    for roll, child in zip(ALL_ROLLS, children, strict=True):
        other = slow_decided(engine, child, depth - 1, context.swapped, alone=False)
        looked += roll.weight / 36 * ((1 - other) if context.is_match else -other)
    share = static_share(children, depth, alone)
    return share * static + (1 - share) * looked


def slow_decided(engine: Engine, position: Position, depth: int, context: CubeContext, alone: bool = True) -> float:
    slow = slow_rolled(engine, position, depth, context, alone)
    if not context.may_double or context.is_dead:
        return slow
    answers = [slow_rolled(engine, position, depth, context.doubled, alone), float(context.value(1.0))]
    if (beaver := context.after_beaver) is not None:
        answers.append(slow_rolled(engine, position, depth, beaver, alone))
    return max(slow, min(answers))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return random_engine()


@pytest.mark.parametrize("position", [FEW, BAR, SOON], ids=["few", "bar", "soon"])
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_cubeless_values_are_those_of_the_slow_recursion(engine: Engine, position: Position, depth: int) -> None:
    worth = value_weights(CUBELESS, False)
    tree = engine.searcher.tree(pack([position]), depth, worth)
    np.testing.assert_allclose(tree.outputs[0], slow_outputs(engine, position, depth, worth), atol=2e-6)


def test_replies_are_looked_into_at_the_root_alone(engine: Engine) -> None:
    worth = value_weights(CUBELESS, False)
    three = engine.searcher.tree(pack([SOON]), 3, worth).outputs[0]
    np.testing.assert_allclose(three, slow_outputs(engine, SOON, 3, worth), atol=2e-6)
    two = engine.searcher.tree(pack([BAR]), 2, worth).outputs[0]
    inner = engine.searcher.tree(pack([BAR]), 2, worth, alone=False).outputs[0]
    np.testing.assert_allclose(inner, slow_outputs(engine, BAR, 2, worth, alone=False), atol=2e-6)
    assert np.abs(two - inner).max() > 1e-3, "a second reply is better here"


@pytest.mark.parametrize(
    "context",
    [
        CubeContext(),
        CubeContext(owner=CubeOwner.OPPONENT, cube=2),
        CubeContext(jacoby=True, beavers=True),
    ],
    ids=["centred", "theirs", "jacoby"],
)
def test_cubeful_values_are_those_of_the_slow_recursion(engine: Engine, context: CubeContext) -> None:
    for position in (FEW, SOON):
        tree = engine.searcher.tree(
            pack([position]), 1, value_weights(context, False), value_weights(context.swapped, False)
        )
        equity = tree.evaluate_decision(context, engine.searcher.efficiency)[0]
        assert equity == pytest.approx(slow_decided(engine, position, 1, context), abs=5e-6)


def test_a_match_weighs_gammons_by_side(engine: Engine) -> None:
    context = CubeContext(away=(4, 2))
    tree = engine.searcher.tree(pack([FEW]), 1, value_weights(context, False), value_weights(context.swapped, False))
    equity = tree.evaluate_decision(context, engine.searcher.efficiency)[0]
    assert equity == pytest.approx(slow_decided(engine, FEW, 1, context), abs=5e-6)
    assert 0 < equity < 1


def test_the_answer_does_not_depend_on_batch_or_threads() -> None:
    rows = pack([FEW, BAR, SOON, BACKGAMMON.starting_position] * (CHUNK // 2))
    worth = value_weights(CUBELESS, False)
    alone, many = random_engine(small=True), random_engine(small=True, threads=3)
    together = alone.searcher.tree(rows, 1, worth).outputs
    assert (many.searcher.tree(rows, 1, worth).outputs == together).all()
    for index in range(4):
        single = alone.searcher.tree(rows[index : index + 1], 1, worth).outputs[0]
        assert (single == together[index]).all()


def test_threads_that_come_and_go_share_working_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server answers each question by another thread: buffers of 7 MB stayed with each of them."""
    trees: list[object] = []
    real = kernels.make_search_buffers
    monkeypatch.setattr(kernels, "make_search_buffers", lambda nets: trees.append(real(nets)) or trees[-1])
    engine = random_engine(BACKGAMMON)
    for _ in range(5):
        with ThreadPoolExecutor(1) as alone:
            alone.submit(engine.rank_plays, BACKGAMMON.starting_position, (3, 1), level="1-ply").result()
    assert len(trees) == 1
    both = Barrier(2)

    def at_once(dice: tuple[int, int]) -> str:
        both.wait(60)
        return engine.rank_plays(BACKGAMMON.starting_position, dice, level="1-ply").best.text

    with ThreadPoolExecutor(2) as pair:
        rankings = list(pair.map(at_once, [(3, 1), (6, 5)] * 10))
    assert rankings == rankings[:2] * 10
    assert len(trees) <= 2


def test_a_small_net_that_filters_nothing_changes_nothing() -> None:
    """With room for all plays the large nets decide alone."""
    plain, filtered = random_engine(), random_engine(small=True)
    filtered.searcher._filter = (4000, np.float32(100))
    rows, worth = pack([BACKGAMMON.starting_position, FEW]), value_weights(CUBELESS, False)
    np.testing.assert_array_equal(
        plain.searcher.tree(rows, 1, worth).outputs, filtered.searcher.tree(rows, 1, worth).outputs
    )


@pytest.mark.parametrize("phases", [("deep",), ("deep_2",), ("deep", "deep_2")])
def test_wide_nets_have_equal_says_at_the_ends_of_trees_and_others_none(
    phases: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Static plays are chosen as without them, and so is the static judgement; back games are theirs, too."""
    monkeypatch.setattr(
        "fullprime.engine.search.searcher.REPLIES", 1
    )  # the better of two replies is known by what trees say
    nets = {phase: random_net(phase=phase, seed=seed) for seed, phase in enumerate(("contact", "small", "back_game"))}
    deep = {phase: random_net(phase=phase, seed=seed) for seed, phase in enumerate(phases, 5)}
    all_of_them, plain = (Engine.open(nets=nets_of_engine, bearoff=False) for nets_of_engine in (nets | deep, nets))
    alone = [
        Engine.open(nets={"small": nets["small"], "contact": replace(net, phase="contact")}, bearoff=False)
        for net in deep.values()
    ]
    back = Position.of({24: 2, 22: 2, 6: 11}, {6: 7, 8: 8})
    rows, worth = pack([BACKGAMMON.starting_position, FEW, back]), value_weights(CUBELESS, False)
    for depth in (1, 2):
        ends, usual = (asker.searcher.tree(rows, depth, worth) for asker in (all_of_them, plain))
        for _ in range(depth):
            ends, usual = ends.below, usual.below
        assert (ends.boards == usual.boards).all()
        others = np.array([judge.searcher.evaluator.evaluate(ends.boards) for judge in alone])
        if depth == 1:
            expected = others.mean(axis=0)
        else:  # one of them at each end, in turns
            expected = np.array([others[index % 21 % len(alone), index] for index in range(len(ends.boards))])
        np.testing.assert_allclose(ends.leaf, expected, atol=1e-6)
        assert np.abs(others - usual.leaf).max() > 0.1
        back_games = are_back_games(ends.boards)
        assert back_games.any()
        assert not back_games.all()
        assert np.abs(others - usual.leaf)[:, back_games].max(axis=2).min() > 0, "none keeps a net of its own"
    static, without = (asker.searcher.tree(rows, 0, worth).outputs for asker in (all_of_them, plain))
    np.testing.assert_array_equal(static, without)


def test_finished_games_are_exact_at_every_depth(engine: Engine) -> None:
    over = Position.of({"off": 13, 1: 2}, {"off": 15})
    gammon = Position.of({6: 15}, {"off": 15})
    for depth in (0, 1, 2):
        tree = engine.searcher.tree(pack([over, gammon]), depth, value_weights(CUBELESS, False))
        assert equity(tree.outputs).tolist() == [-1, -2]


def test_tables_replace_the_nets_in_the_bear_off() -> None:
    with_tables = random_engine(bearoff=True)
    two_rolls = Position.of({1: 4}, {1: 4})
    for depth in (0, 1, 2):
        tree = with_tables.searcher.tree(pack([two_rolls]), depth, value_weights(CUBELESS, False))
        assert tree.outputs[0, 0] == pytest.approx(0.86111, abs=1e-5)  # docs/bearoff.md: two rolls against two


def test_a_budget_ends_a_search() -> None:
    budget = Budget(nodes=100)
    budget.spend(60)
    with pytest.raises(Stopped, match="100 nodes"):
        budget.spend(60)
    assert budget.nodes == 60
    with pytest.raises(Stopped, match="time"):
        Budget(seconds=0).spend(1)
    with pytest.raises(Stopped, match="stopped"):
        Budget(stop=lambda: True).spend(1)


def test_games_settled_by_checkers_count_checkers() -> None:
    engine = random_engine(VARIANTS["acey_deucey"])
    rows = pack([VARIANTS["acey_deucey"].starting_position])
    tree = engine.searcher.tree(rows, 1, value_weights(CUBELESS, True))
    value = tree.evaluate_decision(CUBELESS, engine.searcher.efficiency)[0]
    assert value == pytest.approx(15 * (tree.outputs[0, 1] - tree.outputs[0, 3]))
