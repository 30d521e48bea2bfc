"""Trainers of match scores: match equities, take points, gammon values."""

from __future__ import annotations

from functools import partial

from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.cube.met import MatchEquityTable
from fullprime.engine.cube.model import CONTACT_EFFICIENCY
from fullprime.engine.cube.points import cube_window, cubeful_gammon_value, gammon_values
from fullprime.learn.trainers.match_scores import CUBES, MatchScore, Scores, crawford_why_not, no_cube_yet
from fullprime.learn.trainers.model import Trainer
from fullprime.learn.trainers.question import Ask, MarkedAnswer, TrainerQuestion, number_in
from fullprime.rules.cube import take_point

NEAR = 2.0
"""An answer is right within this many percentage points."""
_LIVE, _BETWEEN = 1.0, CONTACT_EFFICIENCY
"""The efficiency of the cube: fully live, and the engine's value where no net gives another."""


def janowski(away: int, other_away: int) -> float:
    """A match equity by Janowski's rule: 0.5 + 0.85 D / (T + 6), D points ahead, T points of the one behind.

    >>> round(janowski(3, 5), 3)
    0.655
    """
    ahead = other_away - away
    return 0.5 + 0.85 * ahead / (max(away, other_away) + 6)


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


# -- match equities --------------------------------------------------------------------------------------------------
_EQUITIES = Scores("equities", (1,), crawford_why_not)


def _ask_equity(seed: int) -> TrainerQuestion:
    score = _EQUITIES.at(seed)
    # Where both need one point, the Crawford game has been played: this one decides the match.
    crawford = " The Crawford game is about to be played." if score.crawford == "now" else score.crawford_words
    words = (
        f"You need {score.you}, the opponent needs {score.opponent}.{crawford}"
        " How likely are you to win the match, in per cent?"
    )
    return TrainerQuestion(seed=seed, ask=Ask.NUMBER, words=words)


def _mark_equity(question: TrainerQuestion, answer: str) -> MarkedAnswer:
    score = _EQUITIES.at(question.seed)
    mine, theirs, played = score.you, score.opponent, score.crawford == "played"
    value = MatchEquityTable.named().chance(mine, theirs, crawford_played=played)
    woolsey = MatchEquityTable.named("Woolsey").chance(mine, theirs, crawford_played=played)
    lines = (
        f"Kazaross-XG2 says {100 * value:.2f} %, Woolsey's table {_percent(woolsey)}.",
        f"Janowski's rule, 50 + 85 x {theirs - mine} / ({max(mine, theirs)} + 6): {_percent(janowski(mine, theirs))}.",
    )
    return _mark(answer, value, lines)


def _mark(answer: str, value: float, lines: tuple[str, ...]) -> MarkedAnswer:
    guess = number_in(answer, 0, 100)
    error = abs(guess - 100 * value)
    return MarkedAnswer(
        right=error <= NEAR, answer=f"{guess:g} %", error=round(error, 2), best=f"{100 * value:.1f} %", lines=lines
    )


# -- take points -----------------------------------------------------------------------------------------------------
def _take_why_not(score: MatchScore) -> str | None:
    """The opponent has the cube, or it is in the middle; he doubles."""
    wrong = crawford_why_not(score)
    if wrong is not None:
        return wrong
    if score.crawford == "now":
        return "nobody may double in the Crawford game"
    if score.opponent <= score.cube:
        return f"the opponent needs {score.opponent} and gains nothing by a double from {score.cube}"
    return no_cube_yet(score.cube, score.opponent, score.you)


_TAKES = Scores("takes", CUBES, _take_why_not)


def _ask_take(seed: int) -> TrainerQuestion:
    score = _TAKES.at(seed)
    words = (
        f"You need {score.you}, the opponent needs {score.opponent} and doubles to {2 * score.cube}."
        f"{score.crawford_words} No gammons, and the cube is dead after it."
        " How many per cent of the games must you win to take?"
    )
    return TrainerQuestion(seed=seed, ask=Ask.NUMBER, words=words)


def dead_take(
    mine: int, theirs: int, cube: int, table: MatchEquityTable | None = None
) -> tuple[float, float, float, float]:
    """The chances to win the match after a drop, a win and a loss with the doubled cube; and the take point."""
    table = table or MatchEquityTable.named()
    cube_levels = table.cube_levels(mine, theirs, 2 * cube)
    dropped = table.cube_levels(mine, theirs, cube).levels[0].lose[0]
    won, lost = cube_levels.levels[0].win[0], cube_levels.levels[0].lose[0]
    return dropped, won, lost, take_point(dropped, won, lost)


def _mark_take(question: TrainerQuestion, answer: str) -> MarkedAnswer:
    score = _TAKES.at(question.seed)
    dropped, won, lost, point = dead_take(score.you, score.opponent, score.cube)
    his = dead_take(score.you, score.opponent, score.cube, MatchEquityTable.named("Woolsey"))[3]
    owner = None if score.cube == 1 else CubeOwner.MOVER
    context = CubeContext(away=(score.opponent, score.you), cube=score.cube, owner=owner)
    live, ours = (cube_window(context, efficiency=efficiency).take_point for efficiency in (_LIVE, _BETWEEN))
    lines = [
        (
            f"After a drop you win the match with {_percent(dropped)}; after a take with {_percent(won)} or"
            f" {_percent(lost)}."
        ),
        (
            f"Woolsey's arithmetic: the risk is {_percent(dropped - lost)}, the gain {_percent(won - dropped)};"
            f" risk / (risk + gain) = {_percent(point)}."
        ),
        f"The same by Woolsey's own table: {_percent(his)}.",
    ]
    if live is not None and ours is not None:
        lines.append(f"With a live cube {_percent(live)}; by the engine's model of a cube in between {_percent(ours)}.")
    return _mark(answer, point, tuple(lines))


# -- gammon values ---------------------------------------------------------------------------------------------------
def _gammon_why_not(score: MatchScore) -> str | None:
    """You have the cube, or it is in the middle."""
    wrong = crawford_why_not(score)
    if wrong is not None:
        return wrong
    if score.crawford == "now" and score.cube > 1:
        return "there is no cube in the Crawford game"
    return no_cube_yet(score.cube, score.you, score.opponent)


_GAMMONS = Scores("gammons", CUBES, _gammon_why_not, dull=lambda score: score.you <= score.cube)


def _ask_gammon(seed: int) -> TrainerQuestion:
    score = _GAMMONS.at(seed)
    cube = "" if score.crawford == "now" else f" You have the cube at {score.cube}."
    if score.cube == 1 and cube:
        cube = " The cube is in the middle."
    words = (
        f"You need {score.you}, the opponent needs {score.opponent}.{score.crawford_words}{cube} A gammon is worth"
        " how many per cent of the difference between winning and losing a single game?"
        " The cube stays where it is. (50 for money.)"
    )
    return TrainerQuestion(seed=seed, ask=Ask.NUMBER, words=words)


def gammon_context(score: MatchScore, table: MatchEquityTable | None = None) -> CubeContext:
    """The cube and the score of a question about gammons, seen by the learner."""
    return CubeContext(
        away=(score.you, score.opponent), cube=score.cube, owner=None if score.cube == 1 else CubeOwner.MOVER,
        crawford=score.crawford == "now", table=table or MatchEquityTable.named(),
    )  # fmt: skip


def _mark_gammon(question: TrainerQuestion, answer: str) -> MarkedAnswer:
    score = _GAMMONS.at(question.seed)
    context = gammon_context(score)
    values, cube_level = gammon_values(context), context.cube_levels.levels[0]
    win, gammon, lose = cube_level.win[0], cube_level.win[1], cube_level.lose[0]
    his = gammon_values(gammon_context(score, MatchEquityTable.named("Woolsey"))).win_gammon
    lines = [
        f"A win makes {_percent(win)} of the match, a gammon {_percent(gammon)}, a loss {_percent(lose)}.",
        (
            f"Woolsey's arithmetic: ({100 * gammon:.1f} - {100 * win:.1f}) / ({100 * win:.1f} - {100 * lose:.1f}) ="
            f" {_percent(values.win_gammon)}."
        ),
        f"The same by Woolsey's own table: {_percent(his)}.",
    ]
    if score.crawford == "now":
        lines.append("In the Crawford game there is no cube that could change it.")
    else:
        live, ours = (_percent(cubeful_gammon_value(context, efficiency)) for efficiency in (_LIVE, _BETWEEN))
        lines.append(
            f"In an even game with a live cube {live}; by the engine's model of a cube in between {ours}: a cube that"
            " is turned changes what the gammon counts for."
        )
    lines.append(f"The opponent's gammons are worth {_percent(values.lose_gammon)}.")
    return _mark(answer, values.win_gammon, tuple(lines))


_of_scores = partial(Trainer, unit="percentage points", digits=1, has_board=False)
EQUITIES = _of_scores(
    name="equities",
    title="Match equities",
    about="Say the chance to win a match from the score.",
    teaches=(
        (
            "Janowski's rule: 50, and 85 times the lead, divided by the points that the one behind needs and six more."
            " It is near the table as long as nobody needs one point."
        ),
    ),
    scores=_EQUITIES,
    ask=_ask_equity,
    mark=_mark_equity,
)
TAKES = _of_scores(
    name="takes",
    title="Take points",
    about="Say how often you must win to take at a score.",
    teaches=(
        (
            "Woolsey's arithmetic: look up the match after a drop, after a take that is won, and after one that"
            " is lost. The"
            " take point is the risk divided by the risk and the gain together. A live cube lowers it."
        ),
    ),
    scores=_TAKES,
    ask=_ask_take,
    mark=_mark_take,
)
GAMMONS = _of_scores(
    name="gammons",
    title="Gammon values",
    about="Say what a gammon is worth at a score.",
    teaches=(
        (
            "A gammon's value is its extra over a single win, as a share of the swing between a win and a loss."
            " For money it"
            " is 50 per cent; it grows where the next points win the match, and is nothing where a single game wins it."
        ),
        (
            "This is the arithmetic of a cube that stays where it is. A live cube often ends the game with a drop"
            " before there is a gammon, so that gammons are worth less; where a doubled cube needs them for the match,"
            " more."
        ),
    ),
    scores=_GAMMONS,
    ask=_ask_gammon,
    mark=_mark_gammon,
)
