"""Cube decisions of a game judged together: doubles and rolls, takes, drops and beavers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fullprime.engine.boards.conversion import row_of
from fullprime.engine.cube.action import CubeAction, CubeDecision, Reply
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.rollouts.adaptive_rollout import Comparison, ComparisonsOf, Floats, compare_with_marks
from fullprime.engine.rollouts.roller import compare_cube_actions, joined_values, settle_cube
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.cube_search import CubeValues
from fullprime.engine.search.cube_search import judge_cubes as judge_boards
from fullprime.engine.search.levels import Roller
from fullprime.reviews.decision import NOTHING, CubeEquities, Decision, GameStage, Kind, Option, stage_of
from fullprime.reviews.exchanges import TOLD, market_losers
from fullprime.reviews.judge import Judge, chances_of
from fullprime.reviews.levels import CUBE_UNCERTAINTY, MARKS, ReviewLevel
from fullprime.rules.game import ActionKind, Game, Phase
from fullprime.rules.position import Position
from fullprime.rules.score import Player

CLOSE_XG = 0.2
"""eXtreme Gammon counts rolling as a decision when doubling would have lost less than this."""
CLOSE_GNU = 0.16
"""GNU Backgammon's limit for the same."""


@dataclass(frozen=True, slots=True)
class CubeQuestion:
    """One cube action to judge: ``before`` is the game in which it was done.

    ``doubled_in`` is the game in which the double was offered that is answered here.
    """

    game: int
    event: int
    before: Game
    action: ActionKind
    rolls: int
    context: CubeContext
    doubled_in: Game
    raised: int = 0
    """The raise that is answered: 0 a double, 1 a beaver, 2 a raccoon."""

    @property
    def key(self) -> tuple[Position, CubeContext]:
        """The position and the cube to judge: the same for a double and the answer to it."""
        return self.doubled_in.position, self.context


def open_question(
    game: int, event: int, before: Game, action: ActionKind, rolls: int, doubled_in: Game
) -> CubeQuestion:
    """The question. Raises EquityError for a cube and score that cannot be."""
    raised = {Phase.BEAVER_OFFERED: 1, Phase.RACCOON_OFFERED: 2}.get(before.phase, 0)
    return CubeQuestion(game, event, before, action, rolls, context_of(doubled_in), doubled_in, raised)


def judge_cubes(judge: Judge, level: ReviewLevel, questions: Sequence[CubeQuestion]) -> list[Decision]:
    """The decisions that the questions ask about; rolls before which no player would double are left out."""
    questions_by_key: dict[tuple[Position, CubeContext], list[CubeQuestion]] = {}
    for question in questions:
        if question.context.may_double:
            questions_by_key.setdefault(question.key, []).append(question)
    keys = {key: together[-1] for key, together in questions_by_key.items()}
    values_by_key = _judge(judge, level, list(keys.values()), level.ply)
    if level.close_ply > level.ply:
        close = [keys[key] for key, values in values_by_key.items() if _is_close(values, level)]
        values_by_key.update(_judge(judge, level, close, level.close_ply))
    wrong = {
        question.key: question
        for question in questions
        if question.key in values_by_key and _is_suspect(question, values_by_key[question.key], level)
    }
    values_by_key.update(_judge(judge, level, list(wrong.values()), level.wrong_ply))
    deviations: dict[tuple[Position, CubeContext], float] = {}
    if level.roller is not None:
        for key, together in questions_by_key.items():
            rolled = _roll_out(judge, together, values_by_key[key], level.roller)
            if rolled is not None:
                values_by_key[key], deviations[key] = rolled
    decisions = []
    for question in questions:
        if question.context.may_double:
            deviation = deviations.get(question.key)
            decision = _decision(question, values_by_key[question.key], deviation)
            if decision is not None:
                decisions.append(_with_market(judge, question, decision))
    return decisions


def _with_market(judge: Judge, question: CubeQuestion, decision: Decision) -> Decision:
    """The decision; with a double that was wrong or missed stands how often waiting loses the market."""
    if decision.kind is not Kind.DOUBLE or decision.loss < TOLD or decision.cube is None or question.context.is_dead:
        return decision
    losers = market_losers(judge, row_of(question.doubled_in.position), question.context)
    return replace(decision, cube=replace(decision.cube, losers=losers))


def _judge(
    judge: Judge, level: ReviewLevel, questions: Sequence[CubeQuestion], depth: int
) -> dict[tuple[Position, CubeContext], CubeValues]:
    if not questions:
        return {}
    rows = np.concatenate([row_of(question.doubled_in.position) for question in questions])
    contexts = [question.context for question in questions]
    values = judge_boards(judge.judging, rows, contexts, depth, joint=level.joint, stop=judge.stop)
    return {question.key: value for question, value in zip(questions, values, strict=True)}


def _is_close(values: CubeValues, level: ReviewLevel) -> bool:
    """True if one more ply might change a verdict: to double or to roll, to take or to drop."""
    if values.exact:
        return False
    right = values.decision
    assert right.double_take is not None
    margin = 3 * level.close
    turning = abs(right.no_double - min(right.double_take, 1.0)) < margin
    return turning or abs(right.double_take - 1.0) < margin


def _is_suspect(question: CubeQuestion, values: CubeValues, level: ReviewLevel) -> bool:
    """True for an action that seems wrong, and has not been looked at as deep as that must be."""
    if values.exact or values.depth >= level.wrong_ply:
        return False
    decision = _decision(question, values, None)
    return decision is not None and decision.loss > 0.0


def _roll_out(
    judge: Judge, questions: Sequence[CubeQuestion], values: CubeValues, roller: Roller
) -> tuple[CubeValues, float] | None:
    """The values joined with trials, and how sure they are; None where look-ahead says enough. All ask about one cube
    of one board.
    """
    question, choice = questions[0], _comparisons_of(questions)
    if values.exact or question.context.is_dead:
        return None
    if min(abs(comparison.gap) for comparison in choice(values.allowed_equities)) > CUBE_UNCERTAINTY[2]:
        return None
    trials = settle_cube(
        judge.searcher, question.doubled_in.position, values, roller, Budget(stop=judge.stop), choice=choice
    )
    if not trials.complete:
        raise Stopped("the review was stopped")
    if not trials.most:
        return None
    return joined_values(values, trials), float(np.max(trials.errors))


def _comparisons_of(questions: Sequence[CubeQuestion]) -> ComparisonsOf:
    """The right action is to be settled, and the verdict on those that were taken."""
    done = {question.action for question in questions if not question.raised}

    def choice(equities: Floats) -> list[Comparison]:
        taking, doubling = compare_cube_actions(equities)
        losses = {
            ActionKind.TAKE: taking,
            ActionKind.DROP: taking.turned(),
            ActionKind.DOUBLE: doubling,
            ActionKind.ROLL: doubling.turned(),
        }
        marked = [losses[action] for action in losses if action in done]
        return [taking, doubling, *(mark for comparison in marked for mark in compare_with_marks(comparison, MARKS))]

    return choice


def _decision(question: CubeQuestion, values: CubeValues, deviation: float | None) -> Decision | None:
    right = values.decision
    assert right.double_take is not None
    figures = CubeEquities(
        right.no_double,
        right.double_take,
        1.0,
        right.verdict,
        right.cubeless,
        chances_of(right.probabilities, swap=False),
    )
    answered = question.action in _ANSWERS
    account = _account_answer(question, values) if answered else _account_double(question, right)
    if account is None:
        return None
    pairs, chosen, mistake, counts, counts_gnu, player = account
    best = max(equity for _, equity in pairs)
    sign = 1.0 if player is question.doubled_in.on_roll else -1.0
    options = []
    for text, equity in sorted(pairs, key=lambda pair: -pair[1]):
        loss = best - equity
        own = float(question.context.value(sign * equity))
        value = own if sign > 0 else question.context.flip(own)
        options.append(Option(text, equity, loss if loss > NOTHING else 0.0, value, values.depth, deviation=deviation))
    index = next(number for number, option in enumerate(options) if option.text == chosen)
    # A tie is no mistake: the action taken is then as good as the best one.
    if options[index].loss == 0.0 and index:
        options.insert(0, options.pop(index))
        index = 0
    if not (counts or counts_gnu or options[index].loss > 0):
        return None
    sure = 0.0 if values.exact else deviation if deviation is not None else CUBE_UNCERTAINTY[min(values.depth, 2)]
    position = (
        question.doubled_in.position if player is question.doubled_in.on_roll else question.doubled_in.position.swapped
    )
    stage = stage_of(position, question.rolls)
    return Decision(
        game=question.game,
        event=question.event,
        player=player,
        kind=Kind.TAKE if answered else Kind.DOUBLE,
        stage=GameStage.MIDDLE if stage is GameStage.OPENING and answered else stage,
        options=tuple(options),
        chosen=index,
        uncertainty=sure,
        counts=counts,
        counts_gnu=counts_gnu,
        mistake=mistake if options[index].loss > 0 else "",
        cube=figures,
        legal=len(options),
    )


_Account = tuple[list[tuple[str, float]], str, str, bool, bool, Player]
"""Options with their equities, the one chosen, the name of the mistake, two counting rules, the player who decided."""


def _account_double(question: CubeQuestion, right: CubeDecision) -> _Account | None:
    """To double or to roll."""
    assert right.double_take is not None
    did = question.action is ActionKind.DOUBLE
    if question.context.is_dead and not did:
        return None
    turned = min(right.double_take, 1.0)
    double, roll = ("redouble", "no redouble") if right.context.owner is not None else ("double", "no double")
    pairs = [(roll, right.no_double), (double, turned)]
    missed = turned - right.no_double > 0.001
    counts = did or missed or (right.no_double > 0 and right.no_double - turned < CLOSE_XG)
    too_good = right.action in (CubeAction.TOO_GOOD_DROP, CubeAction.TOO_GOOD_TAKE)
    counts_gnu = did or right.equity - turned < CLOSE_GNU or too_good
    if did:
        mistake = f"wrong {double}, too good" if too_good else f"wrong {double}"
    else:
        mistake = f"missed {double}, cash" if right.reply is Reply.DROP else f"missed {double}"
    return pairs, double if did else roll, mistake, counts, counts_gnu, question.doubled_in.on_roll


_ANSWERS = {
    ActionKind.TAKE: "take",
    ActionKind.DROP: "drop",
    ActionKind.BEAVER: "beaver",
    ActionKind.RACCOON: "raccoon",
}


def _account_answer(question: CubeQuestion, values: CubeValues) -> _Account | None:
    """Take, drop or raise, seen by the player who answers; equities in units of the cube before the double."""
    did, doubler = _ANSWERS[question.action], question.doubled_in.on_roll
    if question.raised:
        if math.isnan(values.beaver):
            return None
        pairs = _list_beavers(question, values) if question.raised == 1 else _list_raccoons(values)
        if did not in dict(pairs):
            return None
        raising = "beaver" if question.raised == 1 else "raccoon"
        return pairs, did, f"wrong {did} of a {raising}", True, True, doubler if question.raised == 1 else doubler.other
    pairs = [("take", -values.take), ("drop", -1.0)]
    if not math.isnan(values.beaver) and (did == "beaver" or -values.beavered > -values.take):
        pairs.append(("beaver", -values.beavered))
    if did == "beaver" and math.isnan(values.beaver):
        return None
    best = max(pairs, key=lambda pair: pair[1])[0]
    mistake = "missed beaver" if did == "take" and best == "beaver" else f"wrong {did}"
    return pairs, did, mistake, True, True, doubler.other


def _list_beavers(question: CubeQuestion, values: CubeValues) -> list[tuple[str, float]]:
    """The doubler's answers to a beaver; his own raccoon can be dropped, which wins him four."""
    pairs = [("take", values.beaver), ("drop", -2.0)]
    if question.before.settings.raccoons:
        pairs.append(("raccoon", min(values.raccoon, 4.0)))
    return pairs


def _list_raccoons(values: CubeValues) -> list[tuple[str, float]]:
    """The answers to a raccoon of the player who has beavered."""
    return [("take", -values.raccoon), ("drop", -4.0)]
