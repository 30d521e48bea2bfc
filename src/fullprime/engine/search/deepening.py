"""Plays looked at deeper and deeper: the one way in which hints, the tutor and reviews judge the plays of a roll."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from fullprime.engine.boards import follow_ups as stages
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.level_noise import noise_of
from fullprime.engine.search.levels import Deepening, DeepeningStep, Sieve
from fullprime.engine.search.play_search import AT_ONCE, BoardValue, Bools, Judging, Progress

_ENDS = 24
"""Ends of whole turns that are judged beside the best one of every play."""


@dataclass(slots=True, eq=False)
class Candidates:
    """The plays of one roll: the boards after them (n, 32), seen by the next player to roll.

    ``context`` is that of the player who has the choice. ``again`` (n,): the next to roll is the same player; None if
    that never happens. The play ``required`` is looked at as far as the best, however bad it seems.
    """

    rows: Boards
    context: CubeContext
    again: Bools | None = None
    required: int | None = None
    static: list[BoardValue] = field(default_factory=list)
    """The judgement without look-ahead: values and outputs are those of the other player, as they are in ``judged``."""
    judged: list[BoardValue] = field(default_factory=list)
    among: list[int] = field(default_factory=list)
    """Those that were looked at furthest."""

    def order(self) -> list[int]:
        """The plays, the best first: see :func:`order_of`."""
        return order_of(self.judged)


def deepen(
    judging: Judging,
    decisions: Sequence[Candidates],
    deepening: Deepening,
    budget: Budget,
    progress: Progress | None = None,
    *,
    singly: bool = False,
    rank_all: bool = True,
) -> bool:
    """Judge the plays of one roll or more as deep as ``deepening`` and the budget allow; False if the budget ended it.

    Hints, the tutor and reviews all ask this. The same play of the same decision comes to the same value in all of
    them, whatever is judged beside it. They differ in what they look at, which is theirs to say:

    - ``required``: a review requires the play that was made, as the tutor does, so that its distance from the best is
      one of equals: it passes every sieve, and where plays must be several to be looked at further it counts as one of
      them. A hint requires none, and deepens the best.
    - ``singly``: a hint looks at the candidates of two plies and more one by one, so that a limit of time leaves an
      answer and ``progress`` is reported; a review looks at those of a whole game together.
    - ``rank_all`` off: a bot's search ends as soon as its choice is made.
    """
    _judge_statically(judging, decisions, deepening, budget)
    for step in deepening.steps:
        for candidates in decisions:
            candidates.among = _next_of(judging, candidates, step, deepening.same_depth, rank_all=rank_all)
        count = sum(len(candidates.among) for candidates in decisions)
        done = 0
        for context, part in _parts(decisions, 1 if singly and step.depth > 1 else AT_ONCE.get(step.depth, AT_ONCE[3])):
            rows, again = _boards_of(part)
            try:
                judged = judging.judge(rows, again, step.depth, context, budget)
            except Stopped:
                return False
            for (candidates, index), value in zip(part, judged, strict=True):
                candidates.judged[index] = value
            done += len(part)
            if progress is not None:
                progress(done, count)
    return True


def _judge_statically(judging: Judging, decisions: Sequence[Candidates], deepening: Deepening, budget: Budget) -> None:
    for candidates in decisions:
        candidates.among = list(range(len(candidates.rows)))
        candidates.judged = [BoardValue(0.0, (0.0,) * 5, 0)] * len(candidates.rows)
    for context, part in _parts(decisions, AT_ONCE[0]):
        rows, again = _boards_of(part)
        judged = judging.judge(rows, again, 0, context, None, joint=deepening.joint)
        if deepening.noise:
            outputs = np.array([value.outputs for value in judged])
            off = (deepening.noise * judging.point(context) * noise_of(rows, outputs, judging.per_checker)).tolist()
            judged = [value._replace(value=value.value + wrong) for value, wrong in zip(judged, off, strict=True)]
        for (candidates, index), value in zip(part, judged, strict=True):
            candidates.judged[index] = value
        budget.nodes += len(part)
    for candidates in decisions:
        candidates.static = candidates.judged.copy()


def _next_of(
    judging: Judging, candidates: Candidates, step: DeepeningStep, same_depth: int, *, rank_all: bool
) -> list[int]:
    """The plays that are looked at one step further, the best first; none where the search has come to its end."""
    if not candidates.among:
        return []
    near = sieve_plays(candidates.judged, candidates.among, step.sieve, judging.point(candidates.context))
    required = candidates.required
    alone = len(near) == 1 and (required is None or required in near)
    if alone and (step.several or (len(candidates.rows) > 1 and not rank_all)):
        return []
    if same_depth > 1:
        wider = Sieve(same_depth, np.inf)
        near += [index for index in sieve_plays(candidates.judged, candidates.among, wider, 1.0) if index not in near]
    return near if required is None or required in near else [*near, required]


def _parts(decisions: Sequence[Candidates], most: int) -> Iterator[tuple[CubeContext, list[tuple[Candidates, int]]]]:
    """The picked plays of one cube and score after the other, never more than ``most`` together."""
    by_context: dict[CubeContext, list[tuple[Candidates, int]]] = {}
    for candidates in decisions:
        by_context.setdefault(candidates.context, []).extend((candidates, index) for index in candidates.among)
    for context, picked in by_context.items():
        for start in range(0, len(picked), most):
            yield context, picked[start : start + most]


def _boards_of(part: Sequence[tuple[Candidates, int]]) -> tuple[Boards, Bools]:
    """The boards (n, 32) of plays, and where the next to roll is the same player (n,)."""
    rows, again = [], []
    for _, group in groupby(part, key=lambda pair: id(pair[0])):
        together = list(group)
        candidates, indexes = together[0][0], [index for _, index in together]
        rows.append(candidates.rows[indexes])
        again.append(np.zeros(len(indexes), bool) if candidates.again is None else candidates.again[indexes])
    return np.concatenate(rows), np.concatenate(again)


def sieve_plays(judged: Sequence[BoardValue], among: Sequence[int], sieve: Sieve, point: float) -> list[int]:
    """The plays that pass a sieve, the best first. ``point``: values in one point of equity."""
    order = sorted(among, key=lambda index: (judged[index].value, index))
    best = judged[order[0]].value
    return [index for index in order[: sieve.most] if judged[index].value <= best + sieve.near * point]


def order_of(judged: Sequence[BoardValue]) -> list[int]:
    """Indexes from the best: deeper ones first, and those rolled out; then by the other player's value, the first among
    equals.
    """

    def place(index: int) -> tuple[int, bool, float, int]:
        value = judged[index]
        return -value.depth, not value.error, value.value, index

    return sorted(range(len(judged)), key=place)


def deepen_turns(
    judging: Judging,
    turns: stages.TurnEnds,
    context: CubeContext,
    deepening: Deepening,
    budget: Budget,
    required: int | None = None,
) -> tuple[dict[int, BoardValue], bool]:
    """Judge each beginning of a turn (numbered by ``turns.play``) by its best end: the values, best first, and False if
    the budget ended the search.

    The search looks at the statically best end of each beginning and at the best ones of all, and at the beginning
    ``required`` as far as at the best.
    """
    static = np.empty(len(turns.boards))
    for mine in (False, True):
        part = np.flatnonzero(turns.again == mine)
        if len(part):
            values = judging.static_values(np.ascontiguousarray(turns.boards[part]), context)
            static[part] = values if mine else -values
    order = np.argsort(-static, kind="stable")
    _, first = np.unique(turns.play[order], return_index=True)
    ends = np.unique(np.concatenate([order[first], order[:_ENDS]]))
    begins = turns.play[ends]
    candidates = Candidates(np.ascontiguousarray(turns.boards[ends]), context, turns.again[ends])
    if required is not None:
        own = np.flatnonzero(begins == required)
        candidates.required = int(own[np.argmax(static[ends[own]])])
    complete = deepen(judging, [candidates], deepening, budget, singly=True)
    best: dict[int, BoardValue] = {}
    for index in candidates.order():
        best.setdefault(int(begins[index]), candidates.judged[index])
    return best, complete


__all__ = ["Candidates", "deepen", "deepen_turns", "order_of", "sieve_plays"]
