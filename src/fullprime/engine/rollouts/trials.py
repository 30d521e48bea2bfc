"""Playing the trials of a rollout, all of a block in step, with the luck of the dice taken out.

The luck of a throw is the value of the board after the best play of it, less the mean of that over all 21 rolls. It is
nothing on average, from any source of values; taken off a trial's result it leaves the mean where it is and most
of the noise behind. A block is a pure function of the task and its number: no state, no order, no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from fullprime.engine.core.lookahead.search import ROLLS
from fullprime.engine.core.pack import for_kernels
from fullprime.engine.cube.bar_share import outcomes
from fullprime.engine.cube.context import cubeless
from fullprime.engine.cube.equity import (
    CubeContext,
    answer_beaver,
    best_equities,
    cube_equities,
    has_exact_equities,
    no_double_equities,
)
from fullprime.engine.cube.probabilities import swap_differences, swap_sides, weighted_sum
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.rollouts.choices import choose_turns_ahead
from fullprime.engine.rollouts.dice import DICE, GROUP, draw_throws
from fullprime.engine.rollouts.luck import mean_over_rolls, outcomes_of_rolls, places_of
from fullprime.engine.rollouts.task import COLUMNS, Start, Sums, Task, TrialPolicy
from fullprime.engine.search.budget import Stopped
from fullprime.engine.search.searcher import Expansion, Searcher
from fullprime.engine.search.tree import outcome_weights, value_weights
from fullprime.engine.tables.exact import is_finished

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

__all__ = ["BLOCK", "LONGEST", "Start", "Sums", "Task", "TrialPolicy", "play_block"]

BLOCK = 3
"""Groups of trials that are played together; the unit of work that is handed to an executor."""
LONGEST = 1000
"""Plies after which a trial is cut in any case, and valued by the net."""
_OUTPUTS = 5
_ROLL_OF = places_of(DICE)


def play_block(searcher: Searcher, task: Task, groups: range, stop: Callable[[], bool] | None = None) -> list[Sums]:
    """Play some groups of trials, 36 each, of all candidates. Raises Stopped when told to stop."""
    trials = np.arange(groups.start * GROUP, groups.stop * GROUP)
    results = _Block(searcher, task, trials, stop).play()
    sums: list[Sums] = []
    for group in range(len(groups)):
        part = results[:, group * GROUP : (group + 1) * GROUP]
        decisive = part[:, :, 6 if task.policy.cubeful else 5]
        # Centred on the group, so that large means cost no digits.
        mean = part.mean(axis=1)
        apart = decisive - decisive.mean(axis=1)[:, np.newaxis]
        cross = np.array([[float((a * b).sum()) for b in apart] for a in apart])
        sums.append(Sums(mean, ((part - mean[:, np.newaxis]) ** 2).sum(axis=1), cross))
    return sums


class _Block:
    """The trials of one block on their way. Arrays hold all trials; ``live`` are those that still run."""

    def __init__(self, searcher: Searcher, task: Task, trials: Indexes, stop: Callable[[], bool] | None) -> None:
        self.searcher, self.policy, self.stop = searcher, task.policy, stop
        self.context = task.context
        self.per_checker = searcher.evaluator.per_checker
        count, many = len(task.starts), len(trials)
        self.shape = (count, many, COLUMNS)
        self.trials = np.tile(trials, count)
        rows = for_kernels(np.frombuffer(b"".join(start.row for start in task.starts), np.int8).reshape(count, 32))
        self.boards: Boards = np.repeat(rows, many, axis=0)
        outputs, exact, has_exact_outcome = searcher.evaluate(rows)
        self.outputs = np.repeat(outcomes(outputs, rows, task.context), many, axis=0)
        self.exact = np.repeat(exact, many, axis=0)
        self.has_exact_outcome = np.repeat(has_exact_outcome, many, axis=0)
        self.solved = np.repeat(
            [self._solve_bearoff(start, row) for start, row in zip(task.starts, rows, strict=True)], many
        )
        self.theirs = np.repeat([start.theirs for start in task.starts], many)
        self.settled = np.repeat([start.settled for start in task.starts], many)
        self.contexts: list[CubeContext] = []
        self._numbers: dict[CubeContext, int] = {}
        self._weights: dict[CubeContext, npt.NDArray[np.float32]] = {}
        self.cubes = np.repeat([self._number(start.context) for start in task.starts], many)
        self.luck = np.zeros_like(self.outputs)
        self.value_luck = np.zeros(count * many)
        self.results = np.full((count * many, COLUMNS), np.nan)
        self.live = np.arange(count * many)
        self.plain = outcome_weights(cubeless(task.context), self.per_checker).astype(np.float64)

    def play(self) -> Floats:
        """Results (candidates, trials, COLUMNS)."""
        for ply in range(LONGEST + 1):
            if self.stop is not None and self.stop():
                raise Stopped("the rollout was stopped")
            self._end_what_is_over(cut=ply in (self.policy.truncate, LONGEST))
            if self.policy.cubeful and len(self.live):
                self._turn_cubes(ply)
            if not len(self.live):
                break
            self._roll(ply)
        return self.results.reshape(self.shape)

    # -- ends ---------------------------------------------------------------------------------------------
    def _end_what_is_over(self, *, cut: bool) -> None:
        live = self.live
        finished = is_finished(self.boards[live])
        over = finished | cut
        if cut and self.policy.joint:
            judged = live[~finished & ~self.has_exact_outcome[live]]
            boards = self.boards[judged]
            self.outputs[judged] = outcomes(
                self.searcher.evaluate_by_all(boards, self.outputs[judged, :_OUTPUTS]), boards, self.context
            )
        if not self.policy.cubeful:
            over |= self.has_exact_outcome[live]
            self._end(live[over], None)
            self.live = live[~over]
            return
        values = np.zeros(len(live))
        for context, here in self._group_by_cube(live):
            quiet = _is_quiet(context)
            if quiet:
                over[here] |= self.has_exact_outcome[live[here]]
            else:
                over[here] |= ~np.isnan(self.solved[live[here]])
                if has_exact_equities(context):
                    over[here] |= ~np.isnan(self.exact[live[here], 0])
            here = here[over[here]]
            if len(here):
                settled = self._payoffs(self.outputs[live[here]], context)
                by_payoff = finished[here] | quiet
                if not by_payoff.all():
                    settled = np.where(by_payoff, settled, self._values_of(live[here], context))
                values[here] = settled
        self._end(live[over], values[over])
        self.live = live[~over]

    def _values_of(self, at: Indexes, context: CubeContext) -> Floats:
        """The values of positions to the players on roll, their cube decisions to come or done."""
        outputs, exact = self.outputs[at], self.exact[at]
        efficiency = self.searcher.efficiency(self.boards[at], outputs[:, :_OUTPUTS])
        free = best_equities(outputs, context, efficiency, exact)
        rolling = no_double_equities(outputs, context, efficiency, exact)
        values = np.asarray(context.value(np.where(self.settled[at], rolling, free)))
        return np.where(np.isnan(self.solved[at]), values, self.solved[at])

    def _solve_bearoff(self, start: Start, row: npt.NDArray[np.int8]) -> float:
        """The value of a bear-off with a live cube to its player on roll, which ends its trials; NaN elsewhere."""
        home = row[np.newaxis]
        if not self.policy.cubeful or not self.searcher.tables.in_bearoff(home)[0] or is_finished(home)[0]:
            return float("nan")
        context = start.context
        both_weights = value_weights(context, self.per_checker), value_weights(context.swapped, self.per_checker)
        tree = self.searcher.tree(home, 1, *both_weights)
        if not tree.is_solved(context)[0]:
            return float("nan")
        efficiency = self.searcher.efficiency
        return float((tree.evaluate_roll if start.settled else tree.evaluate_decision)(context, efficiency)[0])

    def _payoffs(self, outputs: Floats, context: CubeContext) -> Floats:
        """The values of outcomes when the cube is not turned any more."""
        if context.jacoby and context.owner is None:
            return np.asarray(context.value(2.0 * outputs[:, 0] - 1.0))
        weights = outcome_weights(context, self.per_checker) if context.counts_bar else self._find_weights(context)
        return np.asarray(context.value(weighted_sum(outputs, weights)))

    def _end(self, at: Indexes, values: Floats | None) -> None:
        """Write the results of trials that end now; ``values`` are those of the players on roll."""
        theirs = self.theirs[at]
        outputs = np.where(theirs[:, np.newaxis], swap_sides(self.outputs[at]), self.outputs[at]) - self.luck[at]
        self.results[at, :_OUTPUTS] = outputs[:, :_OUTPUTS]
        self.results[at, 5] = weighted_sum(outputs, self.plain)
        if values is not None:
            self.results[at, 6] = self._flip_to_owner(values, at) - self.value_luck[at]

    def _flip_to_owner(self, values: Floats, at: Indexes) -> Floats:
        """Values of the players on roll as those of the player whose rollout it is."""
        return np.where(self.theirs[at], self.contexts[0].flip(values), values)

    # -- the cube -----------------------------------------------------------------------------------------
    def _turn_cubes(self, ply: int) -> None:
        live = self.live
        deeper = self._ahead(ply, self.policy.cube_ply)
        dropped = np.zeros(len(live), bool)
        values = np.zeros(len(live))
        for context, here in self._group_by_cube(live):
            if not context.may_double or context.is_dead:
                continue
            here = here[~self.settled[live[here]]]
            if not len(here):
                continue
            at = live[here]
            rolling, take, accepted, raccoon = self._decisions(at, context, deeper=deeper)
            beaver = answer_beaver(accepted, raccoon)
            doubled = np.fmin(np.fmin(take, beaver), 1.0)
            doubles = doubled > rolling
            drops = doubles & (np.fmin(take, beaver) >= 1.0)
            beavers = doubles & ~drops & (beaver < take)
            dropped[here] = drops
            values[here] = float(context.value(1.0))
            self.cubes[at[doubles & ~drops]] = self._number(context.doubled)
            # A raccoon that is right is taken: dropped it would win more than the double, and no beaver would come.
            for raised, after in (
                (beavers, context.after_beaver),
                (beavers & (raccoon > accepted), context.after_raccoon),
            ):
                if raised.any():
                    assert after is not None
                    self.cubes[at[raised]] = self._number(after)
        self.settled[live] = False
        self._end(live[dropped], values[dropped])
        self.live = live[~dropped]

    def _decisions(self, at: Indexes, context: CubeContext, *, deeper: int) -> list[Floats]:
        """Equities of rolling, of a double and take, and beaver, and raccoon (NaN where there are none)."""
        if not deeper:
            efficiency = self.searcher.efficiency(self.boards[at], self.outputs[at, :_OUTPUTS])
            equities = cube_equities(self.outputs[at], context, efficiency, self.exact[at])
            return [equities[:, column] for column in (0, 1, 3, 4)]
        both_weights = self._find_weights(context), self._find_weights(context.swapped)
        first, same = _distinct(self.boards[at])
        tree = self.searcher.tree(np.ascontiguousarray(self.boards[at[first]]), deeper, *both_weights)
        after = [context, context.doubled, context.after_beaver, context.after_raccoon]
        return [
            np.full(len(at), np.nan)
            if following is None
            else np.asarray(context.equity(tree.evaluate_roll(following, self.searcher.efficiency)))[same]
            for following in after
        ]

    # -- dice and plays -----------------------------------------------------------------------------------
    def _roll(self, ply: int) -> None:
        live = self.live
        dice = draw_throws(self.policy.seed, self.trials[live], ply, stratified=self.policy.stratified)
        thrown = _ROLL_OF[dice]
        after = np.empty((len(live), 32), np.int8)
        outputs = np.empty((len(live), _OUTPUTS))
        passed = np.ones(len(live), bool)  # False where the same player throws again
        deeper = self._ahead(ply, self.policy.ply)
        for weights, context, here in self._group_by_weights(live, deeper):
            expansion = self._choose_moves(live[here], thrown[here], weights, context, deeper=deeper)
            after[here], outputs[here] = expansion.boards, expansion.outputs
            if expansion.again is not None:
                passed[here] = ~expansion.again
        exact, has_exact_outcome = np.full((len(live), 4), np.nan), is_finished(after)
        has_exact_outcome |= self.searcher.tables.look_up(after, outputs, exact)
        self.boards[live], self.outputs[live] = after, outcomes(outputs, after, self.context)
        self.solved[live] = np.nan
        self.exact[live], self.has_exact_outcome[live] = exact, has_exact_outcome
        self.theirs[live] ^= passed
        self.settled[live] = False
        swap = np.array([self._number(context.swapped) for context in list(self.contexts)])
        self.cubes[live[passed]] = swap[self.cubes[live[passed]]]

    def _ahead(self, ply: int, later: int) -> int:
        """The look-ahead behind the decisions of a ply, ``later`` that of all but the first ones."""
        first = self.policy.opening
        return first[ply] if ply < len(first) else later

    def _choose_moves(
        self, at: Indexes, thrown: Indexes, weights: npt.NDArray[np.float32], context: CubeContext, *, deeper: int
    ) -> Expansion:
        """Boards after the turns of the thrown rolls and their outputs, seen by the next to roll; luck is noted."""
        boards = self.boards[at]
        quick = self.searcher.has_small_net and not self.policy.joint
        expansion: Expansion | None = None
        if self.policy.variance_reduction:
            # At the first plies many trials stand on the same board.
            first, same = _distinct(boards)
            below = self.searcher.expand(np.ascontiguousarray(boards[first]), weights, quick=quick)
            self._note_luck(at, thrown, same, below)
            if not quick and not deeper:
                expansion = Expansion(
                    below.boards[same, thrown],
                    below.outputs[same, thrown],
                    None if below.again is None else below.again[same, thrown],
                )
        if deeper:
            first, same = _distinct(np.column_stack([boards, thrown.astype(np.int8)]))
            both_weights = weights, self._find_weights(context)
            counted = None if self.per_checker or not self.policy.cubeful else context
            ahead = choose_turns_ahead(self.searcher, boards[first], thrown[first], both_weights, counted, deeper)
            return Expansion(
                ahead.boards[same], ahead.outputs[same], None if ahead.again is None else ahead.again[same]
            )
        if expansion is None:
            expansion = self.searcher.best_boards(np.ascontiguousarray(boards), ROLLS[thrown], weights)
        return expansion

    # -- luck ---------------------------------------------------------------------------------------------
    def _note_luck(self, at: Indexes, thrown: Indexes, same: Indexes, below: Expansion) -> None:
        """Add the luck of the thrown rolls.

        ``below``: the boards that can follow the distinct ones; trial i stands on board same[i].
        """
        values, outputs, exact = outcomes_of_rolls(self.searcher, below, self.context)
        again = None if below.again is None else below.again.reshape(-1)
        luck = values[same, thrown] - mean_over_rolls(values)[same]
        # Seen by the other player: turn round unless he is the player whose rollout it is.
        self.luck[at] += np.where(self.theirs[at][:, np.newaxis], luck, swap_differences(luck))
        if not self.policy.cubeful:
            return
        efficiency = self.searcher.efficiency(below.boards.reshape(-1, 32), outputs[:, :_OUTPUTS])
        for context, here in self._group_by_cube(at):
            used, among = np.unique(same[here], return_inverse=True)
            part = (used[:, np.newaxis] * len(ROLLS) + np.arange(len(ROLLS))).ravel()
            arguments = outputs[part], efficiency[part], exact[part]
            values = self._values_of_rolls(context.swapped, *arguments)
            if again is not None:
                same_player = self._values_of_rolls(context, *arguments)
                values = np.where(again[part], context.flip(same_player), values)
            values = values.reshape(len(used), len(ROLLS))
            gained = values[among, thrown[here]] - mean_over_rolls(values)[among]
            self.value_luck[at[here]] += np.where(self.theirs[at[here]], gained, -gained)

    def _values_of_rolls(self, context: CubeContext, outputs: Floats, efficiency: Floats, exact: Floats) -> Floats:
        """The values of boards to their players on roll, who may double first."""
        if _is_quiet(context):
            return self._payoffs(outputs, context)
        return np.asarray(context.value(best_equities(outputs, context, efficiency, exact)))

    # -- cubes by number ----------------------------------------------------------------------------------
    def _number(self, context: CubeContext) -> int:
        number = self._numbers.get(context)
        if number is None:
            number = self._numbers[context] = len(self.contexts)
            self.contexts.append(context)
        return number

    def _find_weights(self, context: CubeContext) -> npt.NDArray[np.float32]:
        weights = self._weights.get(context)
        if weights is None:
            weights = self._weights[context] = value_weights(context, self.per_checker)
        return weights

    def _group_by_cube(self, at: Indexes) -> Iterator[tuple[CubeContext, Indexes]]:
        """The cubes of some trials, each with the places in ``at`` where it stands."""
        numbers = self.cubes[at]
        for number in np.unique(numbers).tolist():
            yield self.contexts[number], np.flatnonzero(numbers == number)

    def _group_by_weights(
        self, at: Indexes, deeper: int
    ) -> Iterator[tuple[npt.NDArray[np.float32], CubeContext, Indexes]]:
        """The values of outputs to the next players, with a context of those who move and the places in ``at``.

        Where plays are chosen without looking ahead, all cubes in which results are worth the same go together.
        """
        groups: dict[tuple[bytes, CubeContext | None], tuple[CubeContext, list[Indexes]]] = {}
        for context, here in self._group_by_cube(at):
            ahead = context if deeper and self.policy.cubeful else None
            key = self._find_weights(context.swapped).tobytes(), ahead
            groups.setdefault(key, (context, []))[1].append(here)
        for context, places in groups.values():
            yield self._find_weights(context.swapped), context, np.sort(np.concatenate(places))


def _is_quiet(context: CubeContext) -> bool:
    """True if neither player has any use for turning the cube again."""
    if context.crawford or (context.cap is not None and context.cube >= context.cap):
        return True
    return context.away is not None and context.cube >= max(context.away)


def _distinct(rows: npt.NDArray[np.int8]) -> tuple[Indexes, Indexes]:
    """The places (m,) of the distinct rows (n, k), and for each row which of them it is (n,)."""
    contiguous = np.ascontiguousarray(rows)
    packed = contiguous.view(np.dtype((np.void, contiguous.shape[1]))).ravel()
    _, first, inverse = np.unique(packed, return_index=True, return_inverse=True)
    return first, inverse.ravel()
