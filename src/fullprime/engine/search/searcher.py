"""Look-ahead in batches: trees of every roll's best play, and their values with and without the cube.

0-ply is the static evaluation. An n-ply value of a position is the average over the 21 rolls of the (n-1)-ply value
of the board after each roll's best play, that play being chosen statically. All positions of a level go through the
kernels together. Positions whose outcome is known exactly (finished games, bear-off tables) are never expanded.
Where a roll gives more than two dice (Acey Deucey) its whole turn is one step of the tree: the named double or the
complement is played, and the board after it belongs to the same player again where he throws once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fullprime.engine.boards.follow_ups import follow_ups_array
from fullprime.engine.core.lookahead import search as kernels
from fullprime.engine.core.lookahead import stages
from fullprime.engine.core.lookahead import turn_search as turn_kernels
from fullprime.engine.core.moves import plays
from fullprime.engine.core.nets import network
from fullprime.engine.core.pack import rules_array
from fullprime.engine.cube.efficiency import Efficiency
from fullprime.engine.cube.learnt import efficiency_for
from fullprime.engine.cube.probabilities import points_unit, weighted_sum
from fullprime.engine.nets.evaluator import Boards, NetEvaluator
from fullprime.engine.nets.net import judging_game
from fullprime.engine.search.budget import Budget
from fullprime.engine.search.buffer_pool import BufferPool
from fullprime.engine.search.tree import LiveEquities, Tree
from fullprime.engine.tables.bearoff import Bearoff
from fullprime.engine.tables.cubes import WORK, WORK_A_SECOND, LiveCubes
from fullprime.engine.tables.endgames import Endgames
from fullprime.engine.tables.exact import ExactTables, is_finished

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

CHUNK = 64
"""Boards that one kernel call expands; between calls (some 20 ms) a search can be stopped."""


STATIC_SHARE = 0.1
"""The share of the position's own static judgement in a single ply of look-ahead. The two see the game with
different players on roll, and err in part in opposite ways; docs/benchmarks.md has the gain. As far as the boards below
are known exactly the share is less."""


JOINT_NEAR = 0.12
"""Without look-ahead the wide nets judge the plays within this equity of the one that the usual nets put first: on
1,029 decisions PR is 1.34, and 1.39 with 0.04, which takes 0.07 instead of 0.09 ms a play.
"""


REPLIES, REPLY_NEAR = 2, 0.02
"""At the root of a deeper tree ``REPLIES`` plays of each roll are looked into, those within ``REPLY_NEAR`` of the best
static one (at any score ``weights`` counts in equity), and the one that proves better is taken: docs/adr/0014."""


class Expansion(NamedTuple):
    """The best turn of every roll: boards (n, 21, 32) and outputs (n, 21, 5), seen by the next player to roll.

    ``again`` (n, 21): that is the same player once more; None in games in which it never is.
    """

    boards: Boards
    outputs: npt.NDArray[np.float32]
    again: Bools | None = None


class Ends(NamedTuple):
    """Boards (n, 32) at the ends of turns, seen by the next to roll, and where that is the same player again (n,)."""

    boards: Boards
    again: Bools


class Searcher:
    """Expands positions with the nets of one variant; may be used by several threads at once.

    ``most`` and ``near``: the number of plays of a roll, and their distance from the best in equity, that the large
    nets judge after the small one has seen them all (only where the variant has a small net).
    """

    def __init__(
        self,
        evaluator: NetEvaluator,
        bearoff: Bearoff | None = None,
        *,
        endgames: Endgames | None = None,
        threads: int = 1,
        most: int = 4,
        near: float = 0.10,
        efficiency: Efficiency | None = None,
    ) -> None:
        self.evaluator = evaluator
        self.tables = ExactTables(bearoff, endgames)
        self.cubes = None if bearoff is None else LiveCubes(bearoff, evaluator.variant.checkers)
        self.threads = threads
        self.efficiency = efficiency or efficiency_for(judging_game(evaluator.variant.name))
        self._filter = (most, np.float32(near * points_unit(evaluator.per_checker)))
        self._joint_near = JOINT_NEAR * points_unit(evaluator.per_checker)
        self._usual_nets = usual = evaluator.kernel_nets
        self._whole_nets = usual._replace(filtered=False)
        self._quick_nets = self._whole_nets._replace(contact=usual.small, race=usual.small, back_game=usual.small)
        self._rules = rules_array(evaluator.variant)
        self._follow_ups = follow_ups_array(evaluator.variant, strict=False)
        self.whole_turns = bool(self._follow_ups.any())
        kinds = {False: self._usual_nets, True: self._quick_nets}
        self._search_buffers = {
            quick: BufferPool(partial(kernels.make_search_buffers, nets)) for quick, nets in kinds.items()
        }
        self._turn_buffers = {
            quick: BufferPool(partial(turn_kernels.make_turn_buffers, nets)) for quick, nets in kinds.items()
        }
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="search") if threads > 1 else None

    def evaluate(self, boards: Boards) -> tuple[Floats, Floats, npt.NDArray[np.bool_]]:
        """Static outputs (n, 5), exact cubeful equities (n, 4) or NaN, and whether the outcome is exact (n,)."""
        outputs = self._share_out(boards, self.evaluator.evaluate).astype(np.float64)
        exact = np.full((len(boards), 4), np.nan)
        return outputs, exact, self.tables.look_up(boards, outputs, exact) | is_finished(boards)

    def tree(
        self,
        boards: Boards,
        depth: int,
        weights: npt.NDArray[np.float32],
        other_weights: npt.NDArray[np.float32] | None = None,
        budget: Budget | None = None,
        *,
        alone: bool = True,
        joint: bool = False,
        passing: bool = False,
    ) -> Tree:
        """Positions looked ``depth`` plies ahead. ``weights`` turns outputs into values for the players on roll here.

        With ``alone`` off it is part of a deeper tree, in which a single ply is not mixed with the static judgement and
        replies are the statically best ones. ``joint``: without look-ahead the wide nets judge. ``passing``: these are
        positions on the way of a trial, of which there are thousands: bear-offs are solved as inside a tree.
        Raises Stopped when the budget is used up between two kernel calls.
        """
        other = weights if other_weights is None else other_weights
        outputs, exact, has_exact_outcome = self.evaluate(boards)
        opened = np.flatnonzero(~has_exact_outcome)
        if joint and depth == 0 and len(opened):
            outputs[opened] = self.evaluate_by_all(boards[opened], outputs[opened])
        tree = Tree(boards, outputs, exact, opened if depth > 0 else opened[:0], self.evaluator.per_checker)
        if depth > 0 and len(opened) < len(boards):
            tree.live = self._live(leaves=passing or not alone, budget=budget)
        if depth > 0 and len(opened):
            if depth > 1 and alone and not self.whole_turns:
                tree.below = self._better_replies(boards[opened], depth - 1, other, weights, budget)
                return tree
            expansion = self.expand(boards[opened], other, budget)
            flat = expansion.boards.reshape(-1, 32)
            tree.again = expansion.again
            if depth == 1:
                tree.below, sure = self._leaves(flat, expansion.outputs.reshape(-1, 5), alone)
                if alone:
                    tree.leaf[opened] = self.evaluate_by_all(boards[opened], outputs[opened])
                    unsure = np.einsum("r,nr->n", kernels.WEIGHTS, 1.0 - sure.reshape(len(opened), -1))
                    tree.share = STATIC_SHARE * unsure
            else:  # where the same player rolls again, ``weights`` is the other one's: that only steers static choices
                tree.below = self.tree(flat, depth - 1, other, weights, budget, alone=False)
        return tree

    def _better_replies(
        self,
        boards: Boards,
        depth: int,
        weights: npt.NDArray[np.float32],
        other_weights: npt.NDArray[np.float32],
        budget: Budget | None,
    ) -> Tree:
        """The boards after the best play of every roll, each ``depth`` plies deep: the better of two that are close.

        ``weights`` is that of the players who are on roll then.
        """
        replies, values = self._expanded(boards, weights, budget, REPLIES)
        first = replies[:, :, 0].reshape(-1, 32)
        candidates, decision_parts = [first], [np.arange(len(first))]
        costs = weighted_sum(values, weights)
        behind = costs - costs[:, :, :1]
        for place in range(1, REPLIES):
            other = replies[:, :, place].reshape(-1, 32)
            again = (other != replies[:, :, place - 1].reshape(-1, 32)).any(axis=1)  # else there is no such play
            close = np.flatnonzero(again & (behind[:, :, place].ravel() <= REPLY_NEAR))
            candidates.append(other[close])
            decision_parts.append(close)
        tree = self.tree(np.concatenate(candidates), depth, weights, other_weights, budget, alone=False)
        cost = weighted_sum(tree.outputs, weights)
        decision_of = np.concatenate(decision_parts)
        order = np.lexsort((cost, decision_of))  # stable: the statically best among equals
        _, best = np.unique(decision_of[order], return_index=True)
        return tree.take(order[best])

    def candidates(self, row: Boards, die1: int, die2: int) -> Boards:
        """The boards (n, 32) after every play of two dice from a packed position (1, 32), seen by the other player."""
        with self._search_buffers[False].borrow() as buffers:
            count = plays.legal_plays_into(row[0], die1, die2, self._rules, buffers.plays, buffers.play_scratch)
            boards = np.empty((count, 32), np.int8)
            plays.swap_rows(buffers.plays[:count], boards)
        return boards

    def turn_ends(self, row: Boards, die1: int, die2: int) -> Ends:
        """The ends of the turns that a roll gives, from a packed position (1, 32).

        Of a roll that gives a further double only the most promising beginnings are played on.
        """
        if not self.whole_turns:
            boards = self.candidates(row, die1, die2)
            return Ends(boards, np.zeros(len(boards), bool))
        high, low = max(die1, die2), min(die1, die2)
        with self._turn_buffers[False].borrow() as turns:
            count = turn_kernels.list_roll_turns(
                self._usual_nets, row[0], high, low, self._rules, self._follow_ups, stages.MIDDLES, turns, 0
            )
            return Ends(turns.buffers.boards[:count].copy(), turns.again[:count].copy())

    def best_boards(
        self,
        boards: Boards,
        dice: npt.NDArray[np.int64],
        weights: npt.NDArray[np.float32],
        *,
        filtered: bool = True,
    ) -> Expansion:
        """The statically best turn of one roll each: boards (n, 32), outputs (n, 5), ``again`` (n,) or None.

        ``weights`` turns outputs into values for the other player. Unless ``filtered``, the large nets see every play.
        """
        nets = self._usual_nets if filtered else self._whole_nets
        children = np.empty_like(boards)
        values = np.empty((len(boards), 5), np.float32)
        again = np.zeros(len(boards), bool)

        def work(part: slice) -> None:
            with self._search_buffers[False].borrow() as buffers:
                kernels.choose_plays(
                    nets,
                    boards[part],
                    dice[part],
                    self._rules,
                    weights,
                    *self._filter,
                    buffers,
                    children[part],
                    values[part],
                )

        def work_on_turns(part: slice) -> None:
            with self._turn_buffers[False].borrow() as buffers:
                turn_kernels.choose_turns(
                    nets,
                    boards[part],
                    dice[part],
                    self._rules,
                    self._follow_ups,
                    stages.MIDDLES,
                    weights,
                    *self._filter,
                    buffers,
                    children[part, np.newaxis],
                    again[part, np.newaxis],
                    values[part, np.newaxis],
                )

        self._run_parts(work_on_turns if self.whole_turns else work, len(boards), None)
        return Expansion(children, values, again if self.whole_turns else None)

    def best_by_all(self, boards: Boards, dice: npt.NDArray[np.int64], weights: npt.NDArray[np.float32]) -> Boards:
        """The boards (n, 32) after the plays of one roll each (n, 2) that the wide nets put first.

        The usual nets see every play, the others those that seem nearly as good. For positions from which no board
        is known exactly, in games without further stages. ``weights`` turns outputs into values for the other player.
        """
        parts = [self.candidates(row[np.newaxis], *pair) for row, pair in zip(boards, dice.tolist(), strict=True)]
        rows = parts[0] if len(parts) == 1 else np.concatenate(parts)
        outputs = self.evaluator.evaluate(rows)
        costs = weighted_sum(outputs, weights)
        decision_of = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        least = np.full(len(parts), np.inf)
        np.minimum.at(least, decision_of, costs)
        close = np.flatnonzero(costs <= least[decision_of] + self._joint_near)
        if self.evaluator.deep_nets and len(close) > len(parts):
            costs[close] = weighted_sum(self.evaluate_by_all(rows[close], outputs[close].astype(np.float64)), weights)
        order = close[np.lexsort((costs[close], decision_of[close]))]  # stable: the first among equals
        _, best = np.unique(decision_of[order], return_index=True)
        return rows[order[best]]

    @property
    def filter(self) -> tuple[int, float]:
        """The filter of plays: how many of a roll the large nets judge, and how far from the best (in points)."""
        scale = points_unit(self.evaluator.per_checker)
        return self._filter[0], float(self._filter[1]) / scale

    @property
    def has_small_net(self) -> bool:
        """True if a small net looks at plays before the others do."""
        return self._usual_nets.filtered

    def expand(
        self,
        boards: Boards,
        weights: npt.NDArray[np.float32],
        budget: Budget | None = None,
        *,
        quick: bool = False,
        filtered: bool = True,
    ) -> Expansion:
        """The best turn of every roll. ``weights`` turns outputs into values for the player who is not on roll now.

        ``quick``: the small net alone chooses and judges. Unless ``filtered``, the large nets see every play of a
        roll; where a roll gives more than its dice they see what the small net has chosen all the same.
        """
        if not self.whole_turns:
            best, outputs = self._expanded(boards, weights, budget, 1, quick=quick, filtered=filtered)
            return Expansion(best[:, :, 0], outputs[:, :, 0])
        children = np.empty((len(boards), len(kernels.ROLLS), 32), np.int8)
        values = np.empty((len(boards), len(kernels.ROLLS), 5), np.float32)
        again = np.zeros((len(boards), len(kernels.ROLLS)), bool)

        def work_on_turns(part: slice) -> None:
            with self._turn_buffers[quick].borrow() as buffers:
                turn_kernels.expand_turns(
                    self._nets(quick),
                    boards[part],
                    self._rules,
                    self._follow_ups,
                    stages.GLANCE,
                    weights,
                    *self._filter,
                    buffers,
                    children[part],
                    again[part],
                    values[part],
                )

        self._run_parts(work_on_turns, len(boards), budget)
        return Expansion(children, values, again)

    def _expanded(
        self,
        boards: Boards,
        weights: npt.NDArray[np.float32],
        budget: Budget | None,
        plays: int,
        *,
        quick: bool = False,
        filtered: bool = True,
    ) -> tuple[Boards, npt.NDArray[np.float32]]:
        """The best ``plays`` of every roll: boards (n, 21, plays, 32) and outputs (n, 21, plays, 5)."""
        children = np.empty((len(boards), len(kernels.ROLLS), plays, 32), np.int8)
        values = np.empty((len(boards), len(kernels.ROLLS), plays, 5), np.float32)

        def work(part: slice) -> None:
            with self._search_buffers[quick].borrow() as buffers:
                kernels.expand_plays(
                    self._nets(quick) if filtered else self._whole_nets,
                    boards[part],
                    self._rules,
                    weights,
                    *self._filter,
                    buffers,
                    children[part],
                    values[part],
                )

        self._run_parts(work, len(boards), budget)
        return children, values

    def _leaves(self, boards: Boards, values: npt.NDArray[np.float32], alone: bool) -> tuple[Tree, Bools]:
        judged = self.evaluate_by_all if alone else self._evaluate_in_turns
        outputs = judged(boards, values.astype(np.float64))
        exact = np.full((len(boards), 4), np.nan)
        sure = self.tables.look_up(boards, outputs, exact) | is_finished(boards)
        leaves = Tree(boards, outputs, exact, np.empty(0, np.int64), self.evaluator.per_checker)
        if sure.any():
            leaves.live = self._live(leaves=True)
        return leaves, sure

    def _live(self, *, leaves: bool, budget: Budget | None = None) -> LiveEquities | None:
        """The solver of bear-offs with the cube, with as much work as the time that is left allows."""
        cubes = self.cubes
        if cubes is None:
            return None
        seconds = None if budget is None else budget.seconds_left
        most = WORK if seconds is None else min(WORK, int(seconds * WORK_A_SECOND))
        return lambda boards, context: cubes.equities(boards, context, leaves=leaves, most=most)

    def evaluate_by_all(self, boards: Boards, outputs: Floats) -> Floats:
        """The mean of the wide nets' outputs for boards; in a game without any ``outputs``, those of the usual nets."""
        judgements = [self._evaluate_deep(boards, number) for number in range(self.evaluator.deep_nets)]
        mean: Floats = np.asarray(np.mean(judgements, axis=0, dtype=np.float64) if judgements else np.array(outputs))
        self.tables.bound(boards, mean)
        return mean

    def _evaluate_in_turns(self, boards: Boards, outputs: Floats) -> Floats:
        """Nearly the same on average over the many ends of a deeper tree, at the price of one wide net: each board,
        21 rolls of one position after the other, is judged by one of them, in turns from roll to roll.
        """
        count = self.evaluator.deep_nets
        if count < 2:
            return self.evaluate_by_all(boards, outputs)
        judged = np.empty_like(outputs)
        whose = np.arange(len(boards)) % len(kernels.ROLLS) % count
        for number in range(count):
            part = np.flatnonzero(whose == number)
            judged[part] = self._evaluate_deep(np.ascontiguousarray(boards[part]), number)
        return judged

    def _evaluate_deep(self, boards: Boards, number: int) -> npt.NDArray[np.float32]:
        return self._share_out(boards, lambda part: self.evaluator.evaluate_deep(part, number))

    def _nets(self, quick: bool) -> network.Nets:
        return self._quick_nets if quick else self._usual_nets

    def _run_parts(self, work: Callable[[slice], None], count: int, budget: Budget | None) -> None:
        def work_in_budget(part: slice) -> None:
            if budget is not None:
                budget.spend(len(kernels.ROLLS) * (part.stop - part.start))
            work(part)

        parts = _parts(count, self.threads)
        if self._pool is None or count < 2 * self.threads:
            for part in parts:
                work_in_budget(part)
        else:
            list(self._pool.map(work_in_budget, parts))

    def _share_out(self, boards: Boards, work: Callable[[Boards], npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
        if self._pool is None or len(boards) < 512:
            return work(boards)
        return np.concatenate(list(self._pool.map(lambda part: work(boards[part]), _parts(len(boards), self.threads))))


def has_time_for_cubes(budget: Budget | None) -> bool:
    """True if a budget has time left for all the work that bear-offs with the cube may take."""
    seconds = None if budget is None else budget.seconds_left
    return seconds is None or seconds * WORK_A_SECOND >= WORK


def _parts(count: int, threads: int) -> Iterator[slice]:
    size = max(1, min(CHUNK, -(-count // threads)))
    return (slice(start, min(start + size, count)) for start in range(0, count, size))
