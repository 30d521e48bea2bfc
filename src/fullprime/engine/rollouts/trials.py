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
from fullprime.engine.cube.context import cubeless
from fullprime.engine.cube.equity import (
    CubeContext,
    best_equities,
    cube_equities,
    has_exact_equities,
    no_double_equities,
)
from fullprime.engine.cube.probabilities import swapped, swapped_differences, weighed
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.rollouts.choices import chosen
from fullprime.engine.rollouts.dice import DICE, GROUP, throws
from fullprime.engine.rollouts.luck import mean_over_rolls, outcomes_of_rolls, places_of
from fullprime.engine.rollouts.task import COLUMNS, Conduct, Start, Sums, Task
from fullprime.engine.search.budget import Stopped
from fullprime.engine.search.searcher import Expansion, Searcher
from fullprime.engine.search.tree import beavered, worth_of
from fullprime.engine.tables.exact import is_finished

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

__all__ = ["BLOCK", "LONGEST", "Conduct", "Start", "Sums", "Task", "play_block"]

BLOCK = 3
"""Groups of trials that are played together; the unit of work that is handed to an executor."""
LONGEST = 1000
"""Plies after which a trial is cut in any case, and valued by the net."""
_ROLL_OF = places_of(DICE)


def play_block(searcher: Searcher, task: Task, groups: range, stop: Callable[[], bool] | None = None) -> list[Sums]:
    """Play some groups of trials, 36 each, of all candidates. Raises Stopped when told to stop."""
    trials = np.arange(groups.start * GROUP, groups.stop * GROUP)
    results = _Block(searcher, task, trials, stop).play()
    found: list[Sums] = []
    for group in range(len(groups)):
        part = results[:, group * GROUP : (group + 1) * GROUP]
        decisive = part[:, :, 6 if task.conduct.cubeful else 5]
        # Centred on the group, so that large means cost no digits.
        mean = part.mean(axis=1)
        apart = decisive - decisive.mean(axis=1)[:, np.newaxis]
        cross = np.array([[float((a * b).sum()) for b in apart] for a in apart])
        found.append(Sums(mean, ((part - mean[:, np.newaxis]) ** 2).sum(axis=1), cross))
    return found


class _Block:
    """The trials of one block on their way. Arrays hold all trials; ``live`` are those that still run."""

    def __init__(self, searcher: Searcher, task: Task, trials: Indexes, stop: Callable[[], bool] | None) -> None:
        self.searcher, self.conduct, self.stop = searcher, task.conduct, stop
        self.per_checker = searcher.evaluator.per_checker
        count, many = len(task.starts), len(trials)
        self.shape = (count, many, COLUMNS)
        self.trials = np.tile(trials, count)
        rows = for_kernels(np.frombuffer(b"".join(start.row for start in task.starts), np.int8).reshape(count, 32))
        self.boards: Boards = np.repeat(rows, many, axis=0)
        outputs, exact, known = searcher.evaluate(rows)
        self.outputs = np.repeat(outputs, many, axis=0)
        self.exact = np.repeat(exact, many, axis=0)
        self.known = np.repeat(known, many, axis=0)
        self.solved = np.repeat([self._solved(start, row) for start, row in zip(task.starts, rows, strict=True)], many)
        self.theirs = np.repeat([start.theirs for start in task.starts], many)
        self.settled = np.repeat([start.settled for start in task.starts], many)
        self.contexts: list[CubeContext] = []
        self._numbers: dict[CubeContext, int] = {}
        self._worths: dict[CubeContext, npt.NDArray[np.float32]] = {}
        self.cubes = np.repeat([self._number(start.context) for start in task.starts], many)
        self.luck = np.zeros((count * many, 5))
        self.value_luck = np.zeros(count * many)
        self.results = np.full((count * many, COLUMNS), np.nan)
        self.live = np.arange(count * many)
        self.plain = worth_of(cubeless(task.context), self.per_checker).astype(np.float64)

    def play(self) -> Floats:
        """Results (candidates, trials, COLUMNS)."""
        for ply in range(LONGEST + 1):
            if self.stop is not None and self.stop():
                raise Stopped("the rollout was stopped")
            self._end_what_is_over(cut=ply in (self.conduct.truncate, LONGEST))
            if self.conduct.cubeful and len(self.live):
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
        if cut and self.conduct.joint:
            judged = live[~finished & ~self.known[live]]
            self.outputs[judged] = self.searcher.by_all(self.boards[judged], self.outputs[judged])
        if not self.conduct.cubeful:
            over |= self.known[live]
            self._end(live[over], None)
            self.live = live[~over]
            return
        values = np.zeros(len(live))
        for context, here in self._by_cube(live):
            quiet = _is_quiet(context)
            if quiet:
                over[here] |= self.known[live[here]]
            else:
                over[here] |= ~np.isnan(self.solved[live[here]])
                if has_exact_equities(context):
                    over[here] |= ~np.isnan(self.exact[live[here], 0])
            here = here[over[here]]
            if len(here):
                settled = self._payoffs(self.outputs[live[here]], context)
                whole = finished[here] | quiet
                values[here] = settled if whole.all() else np.where(whole, settled, self._standing(live[here], context))
        self._end(live[over], values[over])
        self.live = live[~over]

    def _standing(self, at: Indexes, context: CubeContext) -> Floats:
        """The values of positions to the players on roll, their cube decisions to come or done."""
        outputs, exact = self.outputs[at], self.exact[at]
        efficiency = self.searcher.efficiency(self.boards[at], outputs)
        free = best_equities(outputs, context, efficiency, exact)
        rolling = no_double_equities(outputs, context, efficiency, exact)
        values = np.asarray(context.value(np.where(self.settled[at], rolling, free)))
        return np.where(np.isnan(self.solved[at]), values, self.solved[at])

    def _solved(self, start: Start, row: npt.NDArray[np.int8]) -> float:
        """The value of a bear-off with a live cube to its player on roll, which ends its trials; NaN elsewhere."""
        home = row[np.newaxis]
        if not self.conduct.cubeful or not self.searcher.tables.in_bearoff(home)[0] or is_finished(home)[0]:
            return float("nan")
        context = start.context
        worths = worth_of(context, self.per_checker), worth_of(context.swapped, self.per_checker)
        tree = self.searcher.tree(home, 1, *worths)
        if not tree.is_solved(context)[0]:
            return float("nan")
        efficiency = self.searcher.efficiency
        return float((tree.rolled if start.settled else tree.decided)(context, efficiency)[0])

    def _payoffs(self, outputs: Floats, context: CubeContext) -> Floats:
        """The values of outcomes when the cube is not turned any more."""
        if context.jacoby and context.owner is None:
            return np.asarray(context.value(2.0 * outputs[:, 0] - 1.0))
        return np.asarray(context.value(weighed(outputs, self._worth(context))))

    def _end(self, at: Indexes, values: Floats | None) -> None:
        """Write the results of trials that end now; ``values`` are those of the players on roll."""
        theirs = self.theirs[at]
        outputs = np.where(theirs[:, np.newaxis], swapped(self.outputs[at]), self.outputs[at]) - self.luck[at]
        self.results[at, :5] = outputs
        self.results[at, 5] = weighed(outputs, self.plain)
        if values is not None:
            self.results[at, 6] = self._own(values, at) - self.value_luck[at]

    def _own(self, values: Floats, at: Indexes) -> Floats:
        """Values of the players on roll as those of the player whose rollout it is."""
        return np.where(self.theirs[at], self.contexts[0].flip(values), values)

    # -- the cube -----------------------------------------------------------------------------------------
    def _turn_cubes(self, ply: int) -> None:
        live = self.live
        deeper = self._ahead(ply, self.conduct.cube_ply)
        dropped = np.zeros(len(live), bool)
        values = np.zeros(len(live))
        for context, here in self._by_cube(live):
            if not context.may_double or context.is_dead:
                continue
            here = here[~self.settled[live[here]]]
            if not len(here):
                continue
            at = live[here]
            rolling, take, beaver = self._decisions(at, context, deeper=deeper)
            doubled = np.fmin(np.fmin(take, beaver), 1.0)
            doubles = doubled > rolling
            drops = doubles & (np.fmin(take, beaver) >= 1.0)
            beavers = doubles & ~drops & (beaver < take)
            dropped[here] = drops
            values[here] = float(context.value(1.0))
            self.cubes[at[doubles & ~drops]] = self._number(context.doubled)
            if beavers.any():
                raised = beavered(context)
                assert raised is not None
                self.cubes[at[beavers]] = self._number(raised)
        self.settled[live] = False
        self._end(live[dropped], values[dropped])
        self.live = live[~dropped]

    def _decisions(self, at: Indexes, context: CubeContext, *, deeper: int) -> tuple[Floats, Floats, Floats]:
        """Equities of rolling, of a double and take, and of a double and beaver (NaN where there are none)."""
        if not deeper:
            efficiency = self.searcher.efficiency(self.boards[at], self.outputs[at])
            found = cube_equities(self.outputs[at], context, efficiency, self.exact[at])
            return found[:, 0], found[:, 1], found[:, 3]
        worths = self._worth(context), self._worth(context.swapped)
        first, same = _distinct(self.boards[at])
        tree = self.searcher.tree(np.ascontiguousarray(self.boards[at[first]]), deeper, *worths)
        after = [context, context.doubled, beavered(context)]
        columns = [
            np.full(len(at), np.nan)
            if each is None
            else np.asarray(context.equity(tree.rolled(each, self.searcher.efficiency)))[same]
            for each in after
        ]
        return columns[0], columns[1], columns[2]

    # -- dice and plays -----------------------------------------------------------------------------------
    def _roll(self, ply: int) -> None:
        live = self.live
        dice = throws(self.conduct.seed, self.trials[live], ply, stratified=self.conduct.stratified)
        thrown = _ROLL_OF[dice]
        after = np.empty((len(live), 32), np.int8)
        outputs = np.empty((len(live), 5))
        passed = np.ones(len(live), bool)  # False where the same player throws again
        deeper = self._ahead(ply, self.conduct.ply)
        for worth, context, here in self._by_worth(live, deeper):
            found = self._moved(live[here], thrown[here], worth, context, deeper=deeper)
            after[here], outputs[here] = found.boards, found.outputs
            if found.again is not None:
                passed[here] = ~found.again
        exact, known = np.full((len(live), 4), np.nan), is_finished(after)
        known |= self.searcher.tables.look_up(after, outputs, exact)
        self.boards[live], self.outputs[live] = after, outputs
        self.solved[live] = np.nan
        self.exact[live], self.known[live] = exact, known
        self.theirs[live] ^= passed
        self.settled[live] = False
        swap = np.array([self._number(context.swapped) for context in list(self.contexts)])
        self.cubes[live[passed]] = swap[self.cubes[live[passed]]]

    def _ahead(self, ply: int, later: int) -> int:
        """The look-ahead behind the decisions of a ply, ``later`` that of all but the first ones."""
        first = self.conduct.opening
        return first[ply] if ply < len(first) else later

    def _moved(
        self, at: Indexes, thrown: Indexes, worth: npt.NDArray[np.float32], context: CubeContext, *, deeper: int
    ) -> Expansion:
        """Boards after the turns of the thrown rolls and their outputs, seen by the next to roll; luck is noted."""
        boards = self.boards[at]
        quick = self.searcher.has_small_net and not self.conduct.joint
        found: Expansion | None = None
        if self.conduct.variance_reduction:
            # At the first plies many trials stand on the same board.
            first, same = _distinct(boards)
            below = self.searcher.expand(np.ascontiguousarray(boards[first]), worth, quick=quick)
            self._note_luck(at, thrown, same, below)
            if not quick and not deeper:
                found = Expansion(
                    below.boards[same, thrown],
                    below.outputs[same, thrown],
                    None if below.again is None else below.again[same, thrown],
                )
        if deeper:
            first, same = _distinct(np.column_stack([boards, thrown.astype(np.int8)]))
            worths = worth, self._worth(context)
            counted = None if self.per_checker or not self.conduct.cubeful else context
            ahead = chosen(self.searcher, boards[first], thrown[first], worths, counted, deeper)
            return Expansion(
                ahead.boards[same], ahead.outputs[same], None if ahead.again is None else ahead.again[same]
            )
        if found is None:
            found = self.searcher.best_boards(np.ascontiguousarray(boards), ROLLS[thrown], worth)
        return found

    # -- luck ---------------------------------------------------------------------------------------------
    def _note_luck(self, at: Indexes, thrown: Indexes, same: Indexes, below: Expansion) -> None:
        """Add the luck of the thrown rolls.

        ``below``: the boards that can follow the distinct ones; trial i stands on board same[i].
        """
        values, outputs, exact = outcomes_of_rolls(self.searcher, below)
        again = None if below.again is None else below.again.reshape(-1)
        luck = values[same, thrown] - mean_over_rolls(values)[same]
        # Seen by the other player: turn round unless he is the player whose rollout it is.
        self.luck[at] += np.where(self.theirs[at][:, np.newaxis], luck, swapped_differences(luck))
        if not self.conduct.cubeful:
            return
        efficiency = self.searcher.efficiency(below.boards.reshape(-1, 32), outputs)
        for context, here in self._by_cube(at):
            used, among = np.unique(same[here], return_inverse=True)
            part = (used[:, np.newaxis] * len(ROLLS) + np.arange(len(ROLLS))).ravel()
            known = outputs[part], efficiency[part], exact[part]
            worths = self._worths_of(context.swapped, *known)
            if again is not None:
                own = self._worths_of(context, *known)
                worths = np.where(again[part], context.flip(own), worths)
            worths = worths.reshape(len(used), len(ROLLS))
            gained = worths[among, thrown[here]] - mean_over_rolls(worths)[among]
            self.value_luck[at[here]] += np.where(self.theirs[at[here]], gained, -gained)

    def _worths_of(self, context: CubeContext, outputs: Floats, efficiency: Floats, exact: Floats) -> Floats:
        """The values of boards to their players on roll, who may double first."""
        if _is_quiet(context):
            return self._payoffs(outputs, context)
        return np.asarray(context.value(best_equities(outputs, context, efficiency, exact)))

    # -- cubes by number ----------------------------------------------------------------------------------
    def _number(self, context: CubeContext) -> int:
        found = self._numbers.get(context)
        if found is None:
            found = self._numbers[context] = len(self.contexts)
            self.contexts.append(context)
        return found

    def _worth(self, context: CubeContext) -> npt.NDArray[np.float32]:
        found = self._worths.get(context)
        if found is None:
            found = self._worths[context] = worth_of(context, self.per_checker)
        return found

    def _by_cube(self, at: Indexes) -> Iterator[tuple[CubeContext, Indexes]]:
        """The cubes of some trials, each with the places in ``at`` where it stands."""
        numbers = self.cubes[at]
        for number in np.unique(numbers).tolist():
            yield self.contexts[number], np.flatnonzero(numbers == number)

    def _by_worth(self, at: Indexes, deeper: int) -> Iterator[tuple[npt.NDArray[np.float32], CubeContext, Indexes]]:
        """The values of outputs to the next players, with a context of those who move and the places in ``at``.

        Where plays are chosen without looking ahead, all cubes in which results are worth the same go together.
        """
        found: dict[tuple[bytes, CubeContext | None], tuple[CubeContext, list[Indexes]]] = {}
        for context, here in self._by_cube(at):
            ahead = context if deeper and self.conduct.cubeful else None
            key = self._worth(context.swapped).tobytes(), ahead
            found.setdefault(key, (context, []))[1].append(here)
        for context, places in found.values():
            yield self._worth(context.swapped), context, np.sort(np.concatenate(places))


def _is_quiet(context: CubeContext) -> bool:
    """True if nobody has any use for turning the cube again."""
    if context.crawford or (context.cap is not None and context.cube >= context.cap):
        return True
    return context.away is not None and context.cube >= max(context.away)


def _distinct(rows: npt.NDArray[np.int8]) -> tuple[Indexes, Indexes]:
    """The places (m,) of the distinct rows (n, k), and for each row which of them it is (n,)."""
    whole = np.ascontiguousarray(rows)
    seen = whole.view(np.dtype((np.void, whole.shape[1]))).ravel()
    _, first, inverse = np.unique(seen, return_index=True, return_inverse=True)
    return first, inverse.ravel()
