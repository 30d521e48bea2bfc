"""Trainers of match scores: match equities, take points, gammon values."""

from __future__ import annotations

from fullprime.drills.trainers.question import Ask, Marked, Question, Trainer, dice_of, number_in
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.cube.met import MatchEquityTable
from fullprime.engine.cube.points import cube_window, gammon_values

NEAR = 2.0
"""An answer so many percentage points off is right."""
_FARTHEST = 11
"""Points that a side needs at most."""


def janowski(away: int, other_away: int) -> float:
    """A match equity by Janowski's rule: 0.5 + 0.85 D / (T + 6), D points ahead, T points of the one behind.

    >>> round(janowski(3, 5), 3)
    0.655
    """
    ahead = other_away - away
    return 0.5 + 0.85 * ahead / (max(away, other_away) + 6)


def _chance(away: int, other_away: int) -> float:
    return MatchEquityTable.named().chance(away, other_away)


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


# -- match equities --------------------------------------------------------------------------------------------------
def _aways(trainer: str, seed: int, least: int) -> tuple[int, int]:
    dice = dice_of(trainer, seed)
    return dice.randint(least, _FARTHEST), dice.randint(least, _FARTHEST)


def _ask_equity(seed: int) -> Question:
    mine, theirs = _aways("equities", seed, 1)
    # Where both need one point, the Crawford game has been played: this one decides the match.
    crawford = " The Crawford game is about to be played." if min(mine, theirs) == 1 < max(mine, theirs) else ""
    words = f"You need {mine}, the opponent needs {theirs}.{crawford} How likely are you to win the match, in per cent?"
    return Question(seed=seed, ask=Ask.NUMBER, words=words)


def _mark_equity(question: Question, answer: str) -> Marked:
    mine, theirs = _aways("equities", question.seed, 1)
    value = _chance(mine, theirs)
    woolsey = MatchEquityTable.named("Woolsey").chance(mine, theirs)
    lines = (
        f"Kazaross-XG2 says {100 * value:.2f} %, Woolsey's table {_percent(woolsey)}.",
        f"Janowski's rule, 50 + 85 x {theirs - mine} / ({max(mine, theirs)} + 6): {_percent(janowski(mine, theirs))}.",
    )
    return _marked(answer, value, lines)


def _marked(answer: str, value: float, lines: tuple[str, ...]) -> Marked:
    given = number_in(answer, 0, 100)
    error = abs(given - 100 * value)
    return Marked(
        right=error <= NEAR, answer=f"{given:g} %", error=round(error, 2), best=f"{100 * value:.1f} %", lines=lines
    )


# -- take points -----------------------------------------------------------------------------------------------------
def _score(trainer: str, seed: int) -> tuple[int, int, int]:
    """Points that you need, points that the opponent needs, and the cube before the opponent's double."""
    dice = dice_of(trainer, seed)
    cube = dice.choice((1, 1, 2))
    # A cube that nobody needs any more asks nothing.
    return dice.randint(cube + 1, _FARTHEST), dice.randint(cube + 1, _FARTHEST), cube


def _ask_take(seed: int) -> Question:
    mine, theirs, cube = _score("takes", seed)
    words = (
        f"You need {mine}, the opponent needs {theirs} and doubles to {2 * cube}. No gammons, and the cube is"
        f" dead after"
        " it. How many per cent of the games must you win to take?"
    )
    return Question(seed=seed, ask=Ask.NUMBER, words=words)


def dead_take(mine: int, theirs: int, cube: int) -> tuple[float, float, float, float]:
    """The chances to win the match after a drop, a win and a loss with the doubled cube; and the take point."""
    table = MatchEquityTable.named()
    ladder = table.ladder(mine, theirs, 2 * cube)
    dropped = table.ladder(mine, theirs, cube).rungs[0].lose[0]
    won, lost = ladder.rungs[0].win[0], ladder.rungs[0].lose[0]
    return dropped, won, lost, (dropped - lost) / (won - lost)


def _mark_take(question: Question, answer: str) -> Marked:
    mine, theirs, cube = _score("takes", question.seed)
    dropped, won, lost, point = dead_take(mine, theirs, cube)
    context = CubeContext(away=(theirs, mine), cube=cube, owner=None if cube == 1 else CubeOwner.MOVER)
    live, ours = (cube_window(context, efficiency=each).take_point for each in (1.0, 0.68))
    lines = [
        (
            f"After a drop you win the match with {_percent(dropped)}; after a take with {_percent(won)} or"
            f" {_percent(lost)}."
        ),
        (
            f"Woolsey's arithmetic: the risk is {_percent(dropped - lost)}, the gain {_percent(won - dropped)};"
            f" risk / (risk + gain) = {_percent(point)}."
        ),
    ]
    if live is not None and ours is not None:
        lines.append(f"With a live cube {_percent(live)}; by the engine's model of a cube in between {_percent(ours)}.")
    return _marked(answer, point, tuple(lines))


# -- gammon values ---------------------------------------------------------------------------------------------------
def _ask_gammon(seed: int) -> Question:
    mine, theirs, cube = _score("gammons", seed)
    words = (
        f"You need {mine}, the opponent needs {theirs}, the cube is at {cube}. A gammon is worth how many per"
        f" cent of the"
        " difference between winning and losing a single game? (50 for money.)"
    )
    return Question(seed=seed, ask=Ask.NUMBER, words=words)


def _mark_gammon(question: Question, answer: str) -> Marked:
    mine, theirs, cube = _score("gammons", question.seed)
    context = CubeContext(away=(mine, theirs), cube=cube, owner=None if cube == 1 else CubeOwner.MOVER)
    values, rung = gammon_values(context), context.ladder.rungs[0]
    win, gammon, lose = rung.win[0], rung.win[1], rung.lose[0]
    lines = (
        f"A win makes {_percent(win)} of the match, a gammon {_percent(gammon)}, a loss {_percent(lose)}.",
        (
            f"({100 * gammon:.1f} - {100 * win:.1f}) / ({100 * win:.1f} - {100 * lose:.1f}) ="
            f" {_percent(values.win_gammon)}."
        ),
        f"The opponent's gammons are worth {_percent(values.lose_gammon)}.",
    )
    return _marked(answer, values.win_gammon, lines)


EQUITIES = Trainer(
    name="equities",
    title="Match equities",
    about="Say the chance to win a match from the score.",
    unit="per cent",
    digits=1,
    has_board=False,
    teaches=(
        (
            "Janowski's rule: 50, and 85 times the lead, divided by the points that the one behind needs and six more."
            " It is near the table as long as nobody needs one point."
        ),
    ),
    ask=_ask_equity,
    mark=_mark_equity,
)
TAKES = Trainer(
    name="takes",
    title="Take points",
    about="Say how often you must win to take at a score.",
    unit="per cent",
    digits=1,
    has_board=False,
    teaches=(
        (
            "Woolsey's arithmetic: look up the match after a drop, after a take that is won, and after one that"
            " is lost. The"
            " take point is the risk divided by the risk and the gain together. A live cube lowers it."
        ),
    ),
    ask=_ask_take,
    mark=_mark_take,
)
GAMMONS = Trainer(
    name="gammons",
    title="Gammon values",
    about="Say what a gammon is worth at a score.",
    unit="per cent",
    digits=1,
    has_board=False,
    teaches=(
        (
            "A gammon's value is its extra over a single win, as a share of the swing between a win and a loss."
            " For money it"
            " is 50 per cent; it grows where the next points win the match, and is nothing where a single game wins it."
        ),
    ),
    ask=_ask_gammon,
    mark=_mark_gammon,
)
