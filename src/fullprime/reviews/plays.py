"""Checker plays of a game judged together: every candidate statically, the promising ones deeper and deeper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fullprime.engine.boards.edge import position_of, row_of
from fullprime.engine.boards.follow_ups import Floats, Values, double_values, play_values
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.cube.probabilities import swapped
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.rollouts.roller import joint_error, settle_plays
from fullprime.engine.rollouts.settling import Ahead, Choice, Question, at_marks, best_of
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.levels import Roller, Sieve
from fullprime.reviews.decision import NOTHING, Decision, Kind, Option, stage_of
from fullprime.reviews.exchanges import TOLD, replies_of
from fullprime.reviews.judge import Judge, chances_of
from fullprime.reviews.levels import MARKS, UNCERTAINTY, ReviewLevel
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play
from fullprime.rules.plays import CheckerMove, Play
from fullprime.rules.position import Position
from fullprime.rules.route import play_to
from fullprime.rules.variants.variant import FollowUp

SHOWN = 6
"""Plays that a decision keeps, besides the one made."""

SAME = 0.001
"""eXtreme Gammon counts no play when all candidates are equal to this."""


@dataclass(slots=True)
class PlayQuestion:
    """A roll that was played: the game before it, the moves made and the board after them, seen by their player."""

    game: int
    event: int
    before: Game
    moves: tuple[CheckerMove, ...]
    after: Position
    rolls: int
    context: CubeContext
    rows: Boards = field(default_factory=lambda: np.empty((0, 32), np.int8))
    chosen: int = 0
    values: list[float] = field(default_factory=list)
    """Of the next player, as are ``outputs``."""
    outputs: list[list[float]] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    spread: float = 0.0
    deviations: dict[int, float] = field(default_factory=dict)

    def order(self) -> list[int]:
        """The candidates, the best first: those looked at further stand before the others."""
        return sorted(range(len(self.values)), key=lambda i: (-self.depths[i], self.values[i], i))


def open_question(
    judge: Judge, game: int, event: int, before: Game, moves: tuple[CheckerMove, ...], after: Position, rolls: int
) -> PlayQuestion | None:
    """The question, with all its candidates; None for a play that was forced."""
    assert before.dice is not None
    rows = judge.searcher.candidates(row_of(before.position), before.dice.high, before.dice.low)
    if len(rows) < 2:
        return None
    question = PlayQuestion(game, event, before, moves, after, rolls, context_of(before), rows)
    made = row_of(after.swapped)[0]
    (found,) = np.nonzero((rows == made).all(axis=1))
    question.chosen = int(found[0])
    return question


def judge_plays(judge: Judge, level: ReviewLevel, questions: Sequence[PlayQuestion]) -> list[Decision]:
    """The decisions that the questions ask about."""
    _deepen(judge, questions, [range(len(each.rows)) for each in questions], 0)
    for each in questions:
        equities = [_equity(judge, each, value) for value in (min(each.values), max(each.values))]
        each.spread = abs(equities[0] - equities[1])
    for depth in range(1, level.ply + 1):
        _deepen(judge, questions, [_promising(judge, each, level.sieves[depth - 1]) for each in questions], depth)
    if level.close_ply > level.ply:
        _deepen(judge, questions, [_close(judge, each, level) for each in questions], level.close_ply)
    if level.roller is not None:
        for each in questions:
            _roll_out(judge, each, level, level.roller)
    return _with_replies(judge, questions, [_decision(judge, each) for each in questions])


def _with_replies(judge: Judge, questions: Sequence[PlayQuestion], decisions: list[Decision]) -> list[Decision]:
    """The decisions; with those that lost something stand the opponent's replies, of which explanations speak."""
    wanted = [number for number, each in enumerate(decisions) if each.loss >= TOLD]
    if not wanted:
        return decisions
    rows, contexts = [], []
    for number in wanted:
        question = questions[number]
        rows += [question.rows[question.order()[0]], question.rows[question.chosen]]
        contexts += [question.context] * 2
    found = replies_of(judge, np.stack(rows), contexts)
    for place, number in enumerate(wanted):
        decisions[number] = replace(decisions[number], replies=(found[2 * place], found[2 * place + 1]))
    return decisions


def _deepen(judge: Judge, questions: Sequence[PlayQuestion], picked: Sequence[Sequence[int]], depth: int) -> None:
    pairs = [(each, index) for each, indexes in zip(questions, picked, strict=True) for index in indexes]
    if not pairs:
        return
    rows = np.stack([each.rows[index] for each, index in pairs])
    theirs = [each.context.swapped for each in questions]
    contexts = [context for context, indexes in zip(theirs, picked, strict=True) for _ in indexes]
    values, outputs = judge.values(rows, contexts, depth)
    for each in questions:
        if depth == 0:
            each.values = [0.0] * len(each.rows)
            each.outputs = [[]] * len(each.rows)
            each.depths = [0] * len(each.rows)
    for (each, index), value, five in zip(pairs, values, outputs, strict=True):
        each.values[index], each.outputs[index], each.depths[index] = value, five, depth


def _equity(judge: Judge, question: PlayQuestion, value: float) -> float:
    """A value of the next player as the equity of the one who played."""
    return judge.equity(question.context, question.context.flip(value))


def _front(question: PlayQuestion) -> list[int]:
    """The candidates that have been looked at furthest, the best first."""
    deepest = max(question.depths)
    return [index for index in question.order() if question.depths[index] == deepest]


def _promising(judge: Judge, question: PlayQuestion, sieve: Sieve) -> list[int]:
    front = _front(question)
    best = _equity(judge, question, question.values[front[0]])
    near = [
        index for index in front[: sieve.most] if best - _equity(judge, question, question.values[index]) <= sieve.near
    ]
    return near if question.chosen in near else [*near, question.chosen]


def _close(judge: Judge, question: PlayQuestion, level: ReviewLevel) -> list[int]:
    near = _promising(judge, question, Sieve(level.close_most, level.close))
    return near if len(near) > 1 else []


def _roll_out(judge: Judge, question: PlayQuestion, level: ReviewLevel, roller: Roller) -> None:
    near = _promising(judge, question, Sieve(level.close_most, UNCERTAINTY[2]))
    if len(near) < 2 or _exact(judge, question, near):
        return
    deepest = max(question.depths)
    found = settle_plays(
        judge.searcher,
        question.rows[near],
        question.context,
        Ahead(
            np.array([_equity(judge, question, question.values[index]) for index in near]),
            swapped(np.array([question.outputs[index] for index in near])),
        ),
        deepest,
        roller,
        budget=Budget(stop=judge.stop),
        choice=_told_apart(near.index(question.chosen)),
    )
    if not found.complete:
        raise Stopped("the review was stopped")
    if not found.most:
        return
    order = np.argsort(-found.equities, kind="stable")
    for place, index in enumerate(near):
        own = float(found.equities[place])
        value = own if judge.per_checker else float(question.context.value(own))
        question.values[index] = question.context.flip(value)
        question.depths[index] = deepest + 1
        question.deviations[index] = (
            float(found.errors[place]) if place == order[0] else joint_error(found, order, place)
        )


def _told_apart(chosen: int) -> Choice:
    """The best play is to be settled, and the verdict on the one that was made."""

    def choice(equities: Floats) -> list[Question]:
        pairs = best_of(equities)
        return [*pairs, *(found for each in pairs if each.among[1] == chosen for found in at_marks(each, MARKS))]

    return choice


def _exact(judge: Judge, question: PlayQuestion, some: list[int]) -> bool:
    depth = min(question.depths[index] for index in some)
    return judge.exact(question.rows[some], question.context, depth)


def _decision(judge: Judge, question: PlayQuestion) -> Decision:
    order = question.order()
    shown = order[:SHOWN]
    if question.chosen not in shown:
        shown = [*shown, question.chosen]
    best = _equity(judge, question, question.values[order[0]])
    options = tuple(_option(judge, question, index, best) for index in shown)
    rolled = question.chosen in question.deviations
    exact = _exact(judge, question, [order[0], question.chosen])
    depth = min(question.depths[question.chosen], max(UNCERTAINTY))
    sure = question.deviations.get(question.chosen, 0.0) if rolled else UNCERTAINTY[depth]
    return Decision(
        game=question.game,
        event=question.event,
        player=question.before.on_roll,
        kind=Kind.PLAY,
        stage=stage_of(question.before.position, question.rolls),
        options=options,
        chosen=shown.index(question.chosen),
        uncertainty=0.0 if exact else sure,
        counts=question.spread >= SAME or options[shown.index(question.chosen)].loss >= SAME,
        counts_gnu=True,
        dice=question.before.dice,
        legal=len(question.rows),
    )


def _option(judge: Judge, question: PlayQuestion, index: int, best: float) -> Option:
    assert question.before.dice is not None
    if index == question.chosen:
        play = Play(question.moves, question.after)
    else:
        after = position_of(question.rows[index]).swapped
        play = play_to(question.before.position, question.before.dice, after, question.before.settings.variant)
    value = question.values[index]
    equity = _equity(judge, question, value)
    loss = max(0.0, best - equity)
    rolled = index in question.deviations
    return Option(
        text=format_play(play),
        equity=equity,
        loss=loss if loss > NOTHING else 0.0,
        value=question.context.flip(value),
        depth=min(question.depths[index], 2) if rolled else question.depths[index],
        chances=chances_of(question.outputs[index], swap=True),
        moves=play.moves,
        deviation=question.deviations.get(index),
    )


# -- games in which a roll may give more than two dice ----------------------------------------------------------
def judge_staged(judge: Judge, question: PlayQuestion, rest: tuple[FollowUp, ...]) -> Decision:
    """A play after which the same player goes on: judged statically, by the value of the whole turn."""
    before, context = question.before, question.context
    assert before.dice is not None
    variant = before.settings.variant
    found = play_values(_static(judge, context), row_of(before.position), before.dice, rest, variant)
    made = row_of(question.after)[0]
    chosen = int(np.nonzero((found.rows == made).all(axis=1))[0][0])
    order = np.argsort(-found.values, kind="stable").tolist()
    shown = order[:SHOWN] if chosen in order[:SHOWN] else [*order[:SHOWN], chosen]
    best = judge.equity(context, float(found.values[order[0]]))
    options = []
    for index in shown:
        value = float(found.values[index])
        play = play_to(before.position, before.dice, position_of(found.rows[index]), variant)
        options.append(_plain_option(judge, context, format_play(play), value, best, play.moves))
    spread = best - judge.equity(context, float(np.min(found.values)))
    return Decision(
        question.game,
        question.event,
        before.on_roll,
        Kind.PLAY,
        stage_of(before.position, question.rolls),
        tuple(options),
        shown.index(chosen),
        UNCERTAINTY[0],
        counts=spread >= SAME,
        counts_gnu=True,
        dice=before.dice,
        legal=len(found.rows),
    )


def judge_choice(judge: Judge, game: int, event: int, before: Game, number: int, rolls: int) -> Decision:
    """The double that was named after an acey-deucey."""
    context, variant = context_of(before), before.settings.variant
    values = double_values(_static(judge, context), row_of(before.position), before.follow_ups, variant).tolist()
    order = sorted(range(6), key=lambda index: -values[index])
    best = judge.equity(context, values[order[0]])
    options = tuple(
        _plain_option(judge, context, f"{index + 1}-{index + 1}", values[index], best, None) for index in order
    )
    spread = best - judge.equity(context, min(values))
    return Decision(
        game,
        event,
        before.on_roll,
        Kind.CHOICE,
        stage_of(before.position, rolls),
        options,
        order.index(number - 1),
        UNCERTAINTY[0],
        counts=spread >= SAME,
        counts_gnu=True,
        legal=6,
    )


def _static(judge: Judge, context: CubeContext) -> Values:
    def values(rows: Boards) -> Floats:
        tree = judge.searcher.tree(rows, 0, judge.worth(context))
        return np.asarray(tree.decided(context, judge.searcher.efficiency))

    return values


def _plain_option(
    judge: Judge, context: CubeContext, text: str, value: float, best: float, moves: tuple[CheckerMove, ...] | None
) -> Option:
    equity = judge.equity(context, value)
    loss = max(0.0, best - equity)
    return Option(text, equity, loss if loss > NOTHING else 0.0, value, 0, moves=moves)


__all__ = ["PlayQuestion", "judge_choice", "judge_plays", "judge_staged", "open_question"]
