"""The JSON values that advice is given in, field by field: rankings, cube decisions, evaluations, rollouts, plays.

Equities are those of the player who makes the play or is on roll, in units of the present cube (in games settled by
checkers: checkers). ``probabilities`` are five: win, win a gammon or better, win a backgammon, lose a gammon or worse,
lose a backgammon. ``depth`` is the number of plies looked ahead, 0 for the static judgement. A ``value`` is the equity
in points of the stake, or in a match the chance to win it.
"""

from __future__ import annotations

from typing_extensions import TypedDict

from fullprime.common.documented import documented


@documented
class CubeAt(TypedDict):
    """The cube, seen by the player on roll."""

    value: int
    """Points at stake: 1, 2, 4 …"""
    owner: str | None
    """``mover`` (the player on roll) or ``opponent``; None while the cube is in the middle."""


@documented
class ContextJson(TypedDict):
    """The cube and the score that equities were made for, seen by the player on roll."""

    cubeful: bool
    """True if a player may still double."""
    cube: CubeAt
    """The cube as it lies."""
    away: list[int] | None
    """Points that the player on roll, and then the opponent, needs to win the match; None for money."""
    crawford: bool
    """True if this is the Crawford game."""
    jacoby: bool
    """True if gammons count only once the cube has been turned (money)."""
    beavers: bool
    """True if the player who is doubled may double again at once (money)."""
    uncounted: list[str]
    """House rules of the game that the equities do not count, in words: empty under the usual rules."""


@documented
class RankedPlayJson(TypedDict):
    """One play of a ranking."""

    rank: int
    """1 for the best."""
    play: str
    """The play as players write it: ``8/5 6/5``."""
    position_id: str | None
    """The Position ID of the board after it, seen by the other player; None where the ID cannot carry the board."""
    position: str
    """The same board in our text form."""
    equity: float
    """The equity of the play."""
    loss: float
    """The equity that it loses against the best play."""
    probabilities: list[float]
    """The chances of each end of the game after it."""
    depth: int
    """The depth to which this play was searched."""
    value: float
    """Its value."""
    trials: int
    """Trials of a rollout that were joined with the look-ahead; 0 for none."""
    error: float
    """Where trials were played: standard error of the distance from the best play; of the best, from the next one."""


@documented
class RankedRoll(ContextJson):
    """The roll whose plays were ranked."""

    position: str
    """The board before the roll is played, in our text form."""
    dice: list[int]
    """The roll, the higher die first."""
    complete: bool
    """False for a search that was stopped before its end."""


@documented
class RankingJson(RankedRoll):
    """All plays of a roll, the best first."""

    plays: list[RankedPlayJson]
    """The best first."""


@documented
class CubeDecisionJson(ContextJson):
    """The worth of each action with the cube to the player on roll, and which of them is right."""

    no_double: float
    """Equity without a double."""
    double_take: float | None
    """Equity of a double that is taken (or beavered, where that is better); None where the rules allow no double."""
    double_drop: float | None
    """Equity of a double that is dropped; None where the rules allow no double."""
    action: str
    """The right action in words."""
    reply: str | None
    """The right answer to a double: ``take``, ``drop`` or ``beaver``; None where none can be made."""
    cubeless: float
    """Equity without a cube."""
    probabilities: list[float]
    """The chances of each end of the game."""
    depth: int
    """The depth of the search."""
    exact: bool
    """True if it comes from an exact table."""
    trials: int
    """Trials of a rollout that were joined with the look-ahead; 0 for none."""
    error: float
    """Where trials were played: standard error of the difference between doubling and rolling."""
    take_error: float
    """Where trials were played: standard error of the equity after a double that is taken."""


@documented
class EvaluationJson(ContextJson):
    """The worth of a position to the player on roll, before the roll."""

    position: str
    """The board in our text form."""
    probabilities: list[float]
    """The chances of each end of the game."""
    equity: float
    """The equity with the cube where it is played with, else without."""
    cubeless: float
    """Equity without a cube."""
    value: float
    """The value."""
    depth: int
    """The depth of the search."""
    exact: bool
    """True if it comes from an exact table."""
    trials: int
    """Trials of a rollout that were joined with the look-ahead; 0 for none."""
    error: float
    """Standard error of the equity where trials were played."""


@documented
class RankingHint(RankingJson):
    """A hint about a roll."""

    level: str
    """The level of the engine that was asked for."""


@documented
class CubeHint(CubeDecisionJson):
    """A hint about the cube."""

    level: str
    """The level of the engine that was asked for."""


@documented
class DoubleHint(TypedDict):
    """A hint which double to name (Acey Deucey)."""

    level: str
    """The level of the engine that was asked for."""
    choose: int | None
    """The number on both dice of the best double."""


HintJson = RankingHint | CubeHint | DoubleHint
"""The answer that a hint rests on: a ranking of plays, a cube decision, or the double to name."""


@documented
class LevelJson(TypedDict):
    """A playing strength."""

    name: str
    """The name, as ``--level`` and ``--bot`` take it."""
    ply: int
    """The number of plies it looks ahead."""
    noise: float
    """The noise added on purpose to its judgement (the standard deviation, in points of equity)."""
    about: str
    """The same in words."""


@documented
class CandidateJson(TypedDict):
    """The result of the trials of a rollout for one candidate, every figure with its standard error.

    A figure of which nothing is known yet is None on pages and NaN in Python.
    """

    rank: int
    """1 for the greatest equity."""
    name: str
    """The play, or the action with the cube."""
    equity: float | None
    """The equity with the cube where it was played with, else without."""
    error: float | None
    """Standard error of the equity."""
    interval: list[float | None]
    """The interval in which the equity lies with 95 %."""
    loss: float | None
    """The equity that it lacks against the candidate ranked first."""
    loss_error: float | None
    """Standard error of that difference: the candidates met the same dice."""
    cubeless: float | None
    """Equity without the cube."""
    cubeless_error: float | None
    """The standard error of that equity."""
    value: float | None
    """The value."""
    value_error: float | None
    """Its standard error."""
    probabilities: list[float | None]
    """The shares of the ends of the games."""
    probability_errors: list[float | None]
    """Their standard errors."""


@documented
class RolloutJson(ContextJson):
    """A rollout as far as it has come."""

    trials: int
    """Trials played, of each candidate."""
    asked: int
    """The most trials that it was to play."""
    complete: bool
    """True if it played all its trials or ended by its own rule; False for one that goes on or was stopped."""
    reason: str
    """The reason why it ended (or that it goes on), in words."""
    seed: int
    """The dice follow from it."""
    truncate: int | None
    """The plies after which a trial is cut and judged; None for trials to the end of the game."""
    ply: int
    """The plies that plays within trials look ahead."""
    cube_ply: int
    """The plies that cube decisions within trials look ahead."""
    opening: list[int]
    """Look-ahead behind the plays and the cube decisions of the first plies of a trial, where it is another one."""
    joint: bool
    """True where all nets of the game judge a trial that is cut."""
    variance_reduction: bool
    """True if the luck of the dice was taken out."""
    candidates: list[CandidateJson]
    """The best first."""


@documented
class LegalPlayJson(TypedDict):
    """One legal play."""

    play: str
    """As players write it."""
    position_id: str | None
    """The Position ID of the board after it, seen by the other player; None where the ID cannot carry the board."""
    position: str
    """The same board in our text form."""


@documented
class LegalPlaysJson(TypedDict):
    """Every legal play of a roll."""

    variant: str
    """The game."""
    position: str
    """The board before, in our text form."""
    dice: list[int]
    """The roll, the higher die first."""
    plays: list[LegalPlayJson]
    """Empty for a roll that cannot be played."""


# -- the engine for programs: docs/engine.md -------------------------------------------------------------------------
@documented
class LinePlay(TypedDict):
    """One play in an answer to a program."""

    play: str
    """As players write it."""
    position_id: str
    """The Position ID of the board after it, seen by the other player; our text form where the ID cannot carry it."""
    equity: float
    """The equity of the play."""
    probabilities: list[float]
    """The chances of each end of the game after it."""
    depth: int
    """The depth to which this play was searched."""
    trials: int
    """Trials of a rollout that were joined with the look-ahead; 0 for none."""
    error: float
    """Where trials were played: standard error of the distance from the best play; of the best, from the next one."""


@documented
class LinePlays(TypedDict):
    """The answer to a request with dice."""

    plays: list[LinePlay]
    """All plays, the best first."""


@documented
class LineCube(TypedDict):
    """The cube decision in an answer to a program."""

    no_double: float
    """Equity without a double."""
    double_take: float | None
    """Equity of a double that is taken; None where the rules allow no double."""
    double_drop: float | None
    """Equity of a double that is dropped; None where the rules allow no double."""
    action: str
    """The right action in words."""
    trials: int
    """Trials of a rollout that were joined with the look-ahead; 0 for none."""
    error: float
    """Where trials were played: standard error of the difference between doubling and rolling."""


@documented
class LinePosition(TypedDict):
    """The answer to a request without dice."""

    probabilities: list[float]
    """The chances of each end of the game."""
    equity: float
    """With the cube where the request says so, else without."""
    cube: LineCube | None
    """None in games without a cube."""


@documented
class LineError(TypedDict):
    """The answer to a request that cannot be answered."""

    error: str
    """The reason."""


LineAnswer = LinePlays | LinePosition | LineError
"""The answer to one line, beside its ``id``."""
