"""Checker plays of a game judged together: every candidate statically, the promising ones deeper and deeper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fullprime.engine.boards.conversion import position_of, row_of
from fullprime.engine.boards.follow_ups import Floats, list_double_ends, list_turn_ends
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.rollouts.adaptive_rollout import Comparison, ComparisonsOf, best_of, compare_with_marks
from fullprime.engine.rollouts.roller import roll_plays
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.deepening import Candidates, deepen, deepen_turns
from fullprime.engine.search.levels import Roller, Sieve
from fullprime.engine.search.play_search import BoardValue
from fullprime.reviews.decision import NOTHING, Decision, Kind, Option, stage_of
from fullprime.reviews.exchanges import TOLD, replies_of
from fullprime.reviews.judge import Judge, chances_of
from fullprime.reviews.levels import MARKS, UNCERTAINTY, ReviewLevel
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play
from fullprime.rules.plays import CheckerMove, Play
from fullprime.rules.position import Position
from fullprime.rules.route import find_play_to
from fullprime.rules.variants.variant import FollowUp

SHOWN = 6
"""Plays that a decision keeps, besides the one made."""

SAME = 0.001
"""eXtreme Gammon counts no play when all candidates are equal to this."""


@dataclass(slots=True, eq=False)
class PlayQuestion:
    """A roll that was played: the game before it, the moves made, and all plays, of which the made one is kept.

    ``rest``: what a special roll still gives after it.
    """

    game: int
    event: int
    before: Game
    moves: tuple[CheckerMove, ...]
    after: Position
    """The board after the moves, seen by their player."""
    rolls: int
    candidates: Candidates
    rest: tuple[FollowUp, ...] = ()

    @property
    def context(self) -> CubeContext:
        """The cube and the score of the player who had the choice."""
        return self.candidates.context

    @property
    def chosen(self) -> int:
        """The number of the play that was made."""
        assert self.candidates.required is not None
        return self.candidates.required


def open_question(
    judge: Judge, game: int, event: int, before: Game, moves: tuple[CheckerMove, ...], after: Position, rolls: int
) -> PlayQuestion | None:
    """The question, with all its candidates; None for a play that was forced."""
    assert before.dice is not None
    rows = judge.searcher.candidates(row_of(before.position), before.dice.high, before.dice.low)
    if len(rows) < 2:
        return None
    candidates = Candidates(rows, context_of(before), required=_number_of(rows, after))
    return PlayQuestion(game, event, before, moves, after, rolls, candidates, before.follow_ups)


def _number_of(rows: Boards, after: Position) -> int:
    """The play that leads to a board seen by the player who made it."""
    (matches,) = np.nonzero((rows == row_of(after.swapped)[0]).all(axis=1))
    return int(matches[0])


def judge_plays(judge: Judge, level: ReviewLevel, questions: Sequence[PlayQuestion]) -> list[Decision]:
    """The decisions that the questions ask about."""
    budget = Budget(stop=judge.stop)
    budget.spend(0)
    plain = [question for question in questions if not question.rest]
    if not deepen(judge.judging, [question.candidates for question in plain], level.deepening, budget):
        raise Stopped("the review was stopped")
    for question in questions:
        if question.rest:
            _judge_turns(judge, level, question)
        elif level.roller is not None:
            _roll_out(judge, question, level, level.roller)
    return _with_replies(judge, questions, [_decision(judge, question) for question in questions])


def _with_replies(judge: Judge, questions: Sequence[PlayQuestion], decisions: list[Decision]) -> list[Decision]:
    """The decisions; with those that lost something stand the opponent's replies, of which explanations speak."""
    wanted = [
        number for number, decision in enumerate(decisions) if decision.loss >= TOLD and not questions[number].rest
    ]
    if not wanted:
        return decisions
    rows, contexts = [], []
    for number in wanted:
        question = questions[number]
        candidates = question.candidates
        rows += [candidates.rows[candidates.order()[0]], candidates.rows[question.chosen]]
        contexts += [question.context] * 2
    replies = replies_of(judge, np.stack(rows), contexts)
    for place, number in enumerate(wanted):
        decisions[number] = replace(decisions[number], replies=(replies[2 * place], replies[2 * place + 1]))
    return decisions


def _roll_out(judge: Judge, question: PlayQuestion, level: ReviewLevel, roller: Roller) -> None:
    def choice(front: Sequence[int]) -> ComparisonsOf:
        return _comparisons_of(front.index(question.chosen))

    near = Sieve(level.close_most, UNCERTAINTY[2])
    budget = Budget(stop=judge.stop)
    if not roll_plays(judge.judging, question.candidates, roller, budget, near=near, choice=choice):
        raise Stopped("the review was stopped")


def _comparisons_of(chosen: int) -> ComparisonsOf:
    """The best play is to be settled, and the verdict on the one that was made."""

    def choice(equities: Floats) -> list[Comparison]:
        pairs = best_of(equities)
        return [
            *pairs,
            *(mark for pair in pairs if pair.among[1] == chosen for mark in compare_with_marks(pair, MARKS)),
        ]

    return choice


def _judge_turns(judge: Judge, level: ReviewLevel, question: PlayQuestion) -> None:
    """The plays after which the same player goes on, by the best turns that begin with them."""
    before, candidates = question.before, question.candidates
    assert before.dice is not None
    turns = list_turn_ends(row_of(before.position), before.dice, question.rest, before.settings.variant)
    candidates.rows = turns.plays_swapped
    candidates.required = _number_of(candidates.rows, question.after)
    budget = Budget(stop=judge.stop)
    judged, complete = deepen_turns(
        judge.judging, turns, candidates.context, level.deepening, budget, candidates.required
    )
    if not complete:
        raise Stopped("the review was stopped")
    candidates.judged = [judged[index] for index in range(len(candidates.rows))]


def _decision(judge: Judge, question: PlayQuestion) -> Decision:
    candidates = question.candidates
    judged = candidates.judged
    order = candidates.order()
    shown = order[:SHOWN]
    if question.chosen not in shown:
        shown = [*shown, question.chosen]
    best = _equity(judge, question, judged[order[0]])
    options = tuple(_option(judge, question, index, best) for index in shown)
    chosen = options[shown.index(question.chosen)]
    statically = [_equity(judge, question, value) for value in candidates.static or judged]
    return Decision(
        game=question.game,
        event=question.event,
        player=question.before.on_roll,
        kind=Kind.PLAY,
        stage=stage_of(question.before.position, question.rolls),
        options=options,
        chosen=shown.index(question.chosen),
        uncertainty=_uncertainty(judge, question, order[0]),
        counts=max(statically) - min(statically) >= SAME or chosen.loss >= SAME,
        counts_gnu=True,
        dice=question.before.dice,
        legal=len(candidates.rows),
    )


def _uncertainty(judge: Judge, question: PlayQuestion, best: int) -> float:
    candidates = question.candidates
    compared = [best, question.chosen]
    depth = min(candidates.judged[index].depth for index in compared)
    if not question.rest and judge.exact(candidates.rows[compared], question.context, depth):
        return 0.0
    played = candidates.judged[question.chosen]
    return played.error or UNCERTAINTY[min(played.depth, max(UNCERTAINTY))]


def _equity(judge: Judge, question: PlayQuestion, board_value: BoardValue) -> float:
    """A value of the next player as the equity of the one who played."""
    return judge.judging.equity(question.context, board_value.value)


def _option(judge: Judge, question: PlayQuestion, index: int, best: float) -> Option:
    assert question.before.dice is not None
    if index == question.chosen:
        play = Play(question.moves, question.after)
    else:
        after = position_of(question.candidates.rows[index]).swapped
        play = find_play_to(question.before.position, question.before.dice, after, question.before.settings.variant)
    board_value = question.candidates.judged[index]
    equity = _equity(judge, question, board_value)
    loss = max(0.0, best - equity)
    return Option(
        text=format_play(play),
        equity=equity,
        loss=loss if loss > NOTHING else 0.0,
        value=question.context.flip(board_value.value),
        depth=board_value.depth,
        chances=chances_of(board_value.outputs, swap=True),
        moves=play.moves,
        deviation=board_value.error or None,
    )


def judge_choice(
    judge: Judge, level: ReviewLevel, game: int, event: int, before: Game, number: int, rolls: int
) -> Decision:
    """The double that was named after an acey-deucey."""
    context = context_of(before)
    turns = list_double_ends(row_of(before.position), before.follow_ups, before.settings.variant)
    budget = Budget(stop=judge.stop)
    judged, complete = deepen_turns(judge.judging, turns, context, level.deepening, budget, number - 1)
    if not complete:
        raise Stopped("the review was stopped")
    equities = {double: judge.judging.equity(context, board_value.value) for double, board_value in judged.items()}
    best = next(iter(equities.values()))
    options = tuple(
        _to_option(
            f"{double + 1}-{double + 1}", equities[double], best, context.flip(board_value.value), board_value.depth
        )
        for double, board_value in judged.items()
    )
    return Decision(
        game,
        event,
        before.on_roll,
        Kind.CHOICE,
        stage_of(before.position, rolls),
        options,
        list(judged).index(number - 1),
        UNCERTAINTY[min(judged[number - 1].depth, max(UNCERTAINTY))],
        counts=best - min(equities.values()) >= SAME,
        counts_gnu=True,
        legal=6,
    )


def _to_option(text: str, equity: float, best: float, value: float, depth: int) -> Option:
    loss = max(0.0, best - equity)
    return Option(text, equity, loss if loss > NOTHING else 0.0, value, depth)


__all__ = ["PlayQuestion", "judge_choice", "judge_plays", "open_question"]
