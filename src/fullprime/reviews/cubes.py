"""Cube decisions of a game judged together: doubles and rolls, takes, drops and beavers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fullprime.engine.boards.edge import row_of
from fullprime.engine.cube.action import CubeAction, CubeDecision, Reply
from fullprime.engine.cube.context import context_of
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.rollouts.roller import joined_values, settle_cube, turning
from fullprime.engine.rollouts.settling import Choice, Floats, Question, at_marks
from fullprime.engine.search.budget import Budget, Stopped
from fullprime.engine.search.cube_search import CubeValues
from fullprime.engine.search.cube_search import judge_cubes as judge_boards
from fullprime.engine.search.levels import Roller
from fullprime.reviews.decision import NOTHING, CubeFigures, Decision, GameStage, Kind, Option, stage_of
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
    """The decisions that the questions ask about; rolls before which nobody would double are left out."""
    asked: dict[tuple[Position, CubeContext], list[CubeQuestion]] = {}
    for each in questions:
        if each.context.may_double:
            asked.setdefault(each.key, []).append(each)
    keys = {key: together[-1] for key, together in asked.items()}
    known = _judged(judge, level, list(keys.values()), level.ply)
    if level.close_ply > level.ply:
        close = [keys[key] for key, found in known.items() if _is_close(found, level)]
        known.update(_judged(judge, level, close, level.close_ply))
    wrong = {each.key: each for each in questions if each.key in known and _is_suspect(each, known[each.key], level)}
    known.update(_judged(judge, level, list(wrong.values()), level.wrong_ply))
    deviations: dict[tuple[Position, CubeContext], float] = {}
    if level.roller is not None:
        for key, together in asked.items():
            rolled = _rolled_out(judge, together, known[key], level.roller)
            if rolled is not None:
                known[key], deviations[key] = rolled
    found = []
    for each in questions:
        if each.context.may_double:
            deviation = deviations.get(each.key)
            decision = _decision(each, known[each.key], deviation)
            if decision is not None:
                found.append(_with_market(judge, each, decision))
    return found


def _with_market(judge: Judge, question: CubeQuestion, decision: Decision) -> Decision:
    """The decision; with a double that was wrong or missed stands how often waiting loses the market."""
    if decision.kind is not Kind.DOUBLE or decision.loss < TOLD or decision.cube is None or question.context.is_dead:
        return decision
    losers = market_losers(judge, row_of(question.doubled_in.position), question.context)
    return replace(decision, cube=replace(decision.cube, losers=losers))


def _judged(
    judge: Judge, level: ReviewLevel, questions: Sequence[CubeQuestion], depth: int
) -> dict[tuple[Position, CubeContext], CubeValues]:
    if not questions:
        return {}
    rows = np.concatenate([row_of(each.doubled_in.position) for each in questions])
    contexts = [each.context for each in questions]
    values = judge_boards(judge.judging, rows, contexts, depth, joint=level.joint, stop=judge.stop)
    return {each.key: value for each, value in zip(questions, values, strict=True)}


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


def _rolled_out(
    judge: Judge, asked: Sequence[CubeQuestion], values: CubeValues, roller: Roller
) -> tuple[CubeValues, float] | None:
    """The values joined with trials, and how sure they are; None where look-ahead says enough. All ask about one cube
    of one board.
    """
    question, choice = asked[0], _told_apart(asked)
    if values.exact or question.context.is_dead:
        return None
    if min(abs(each.gap) for each in choice(values.said)) > CUBE_UNCERTAINTY[2]:
        return None
    found = settle_cube(
        judge.searcher, question.doubled_in.position, values, roller, Budget(stop=judge.stop), choice=choice
    )
    if not found.complete:
        raise Stopped("the review was stopped")
    if not found.most:
        return None
    return joined_values(values, found), float(np.max(found.errors))


def _told_apart(asked: Sequence[CubeQuestion]) -> Choice:
    """The right action is to be settled, and the verdict on those that were taken."""
    done = {each.action for each in asked if not each.raised}

    def choice(equities: Floats) -> list[Question]:
        taking, doubling = turning(equities)
        losses = {
            ActionKind.TAKE: taking,
            ActionKind.DROP: taking.turned(),
            ActionKind.DOUBLE: doubling,
            ActionKind.ROLL: doubling.turned(),
        }
        marked = [losses[each] for each in losses if each in done]
        return [taking, doubling, *(found for each in marked for found in at_marks(each, MARKS))]

    return choice


def _decision(question: CubeQuestion, values: CubeValues, deviation: float | None) -> Decision | None:
    right = values.decision
    assert right.double_take is not None
    figures = CubeFigures(
        right.no_double,
        right.double_take,
        1.0,
        right.verdict,
        right.cubeless,
        chances_of(right.probabilities, swap=False),
    )
    answered = question.action in _ANSWERS
    made = _answered(question, values) if answered else _doubled(question, right)
    if made is None:
        return None
    pairs, chosen, mistake, counts, counts_gnu, player = made
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
    seen = (
        question.doubled_in.position if player is question.doubled_in.on_roll else question.doubled_in.position.swapped
    )
    stage = stage_of(seen, question.rolls)
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


_Made = tuple[list[tuple[str, float]], str, str, bool, bool, Player]
"""Options with their equities, the one chosen, the name of the mistake, two counting rules, the player who decided."""


def _doubled(question: CubeQuestion, right: CubeDecision) -> _Made | None:
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


def _answered(question: CubeQuestion, values: CubeValues) -> _Made | None:
    """Take, drop or raise, seen by the player who answers; equities in units of the cube before the double."""
    did, doubler = _ANSWERS[question.action], question.doubled_in.on_roll
    if question.raised:
        if math.isnan(values.beaver):
            return None
        pairs = _beavered(question, values) if question.raised == 1 else _raccooned(values)
        if did not in dict(pairs):
            return None
        what = "beaver" if question.raised == 1 else "raccoon"
        return pairs, did, f"wrong {did} of a {what}", True, True, doubler if question.raised == 1 else doubler.other
    pairs = [("take", -values.take), ("drop", -1.0)]
    if not math.isnan(values.beaver) and (did == "beaver" or -values.beaver > -values.take):
        pairs.append(("beaver", -values.beaver))
    if did == "beaver" and math.isnan(values.beaver):
        return None
    best = max(pairs, key=lambda pair: pair[1])[0]
    mistake = "missed beaver" if did == "take" and best == "beaver" else f"wrong {did}"
    return pairs, did, mistake, True, True, doubler.other


def _beavered(question: CubeQuestion, values: CubeValues) -> list[tuple[str, float]]:
    """The doubler's answers to a beaver; his own raccoon can be dropped, which wins him four."""
    pairs = [("take", values.beaver), ("drop", -2.0)]
    if question.before.settings.raccoons:
        # In money play a cube of twice the value in the same hands is worth twice as much.
        pairs.append(("raccoon", min(2 * values.beaver, 4.0)))
    return pairs


def _raccooned(values: CubeValues) -> list[tuple[str, float]]:
    """The answers to a raccoon of the player who has beavered."""
    return [("take", -2 * values.beaver), ("drop", -4.0)]
