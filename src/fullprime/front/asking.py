"""Asking the engine in one call, with one engine for the whole process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, TypedDict, overload

from fullprime import name_answers
from fullprime.front.players import AnyPlayer
from fullprime.front.positions import CubeValue, Points, game_of
from fullprime.rules.coercion import AnyPosition
from fullprime.rules.dice import AnyRoll, Roll
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.score import Settings
from fullprime.rules.taking import is_tuple_of, real_number, short_value, to_bool, to_integer, to_kind
from fullprime.rules.variants import Variant, variant_named

if TYPE_CHECKING:
    from fullprime.engine.cube.action import CubeAnswer, CubeDecision
    from fullprime.engine.cube.equity import CubeContext
    from fullprime.engine.duel import DuelResult
    from fullprime.engine.rollouts.result import Rollout
    from fullprime.engine.search.batches import Evaluations
    from fullprime.engine.search.levels import Level
    from fullprime.engine.search.results import Evaluation, Ranking

    class Advice(Ranking, CubeDecision, CubeAnswer):  # type: ignore[misc]  # exists for type checkers alone
        """Plays, a cube decision or an answer, where only the position says which: a checker knows the names of all.

        ``isinstance(advice, fullprime.Ranking)`` tells them apart.
        """


MOST_THREADS = 1024
MOST_ALIKE = 100
MOST_TRIALS = 100_000_000
MOST_PLIES = 3
LONGEST_TRIAL = 1000


@overload
def hint(
    position: AnyPosition,
    dice: AnyRoll,
    *,
    level: str | Level = "2-ply",
    variant: str | Variant | None = None,
    length: int | None = None,
    score: Points | None = None,
    cube: CubeValue | None = None,
    settings: Settings | None = None,
    same_depth: int = 1,
    threads: int = 1,
) -> Ranking: ...
@overload
def hint(
    position: Position,
    dice: None = None,
    *,
    level: str | Level = "2-ply",
    variant: str | Variant | None = None,
    length: int | None = None,
    score: Points | None = None,
    cube: CubeValue | None = None,
    settings: Settings | None = None,
    same_depth: int = 1,
    threads: int = 1,
) -> CubeDecision: ...
@overload
def hint(
    position: Game | str,
    dice: None = None,
    *,
    level: str | Level = "2-ply",
    variant: str | Variant | None = None,
    length: int | None = None,
    score: Points | None = None,
    cube: CubeValue | None = None,
    settings: Settings | None = None,
    same_depth: int = 1,
    threads: int = 1,
) -> Advice: ...
def hint(
    position: AnyPosition,
    dice: AnyRoll | None = None,
    *,
    level: str | Level = "2-ply",
    variant: str | Variant | None = None,
    length: int | None = None,
    score: Points | None = None,
    cube: CubeValue | None = None,
    settings: Settings | None = None,
    same_depth: int = 1,
    threads: int = 1,
) -> Ranking | CubeDecision | CubeAnswer:
    """The best choice: the plays of the roll, the best first, or before a roll the cube decision.

    While a beaver or a raccoon waits, it is the answer to that (``CubeAnswer``).

    ``position``: a game, a position, or an identifier of any kind, whose dice, cube and score count unless they are
    given here: ``length`` (points of the match), ``score`` (X's points and O's; of a position X is on roll) and
    ``cube`` (``Cube(2, "X")``; a number for one in the middle). ``variant``: the game of a position that does not say
    it; ``settings`` say all of the rules instead. The best ``same_depth`` plays are looked at equally far. Raises
    IdError, LevelError, SettingsError, NetError where there are no nets for the game, IllegalAction when there is
    nothing to decide.
    """
    from fullprime.engine import api

    strength = _level_name(level)
    count = to_integer("threads", threads, 1, MOST_THREADS)
    alike = to_integer("same_depth", same_depth, 1, MOST_ALIKE)
    roll = None if dice is None else Roll.of(dice)
    game = game_of(position, variant, length=length, score=score, cube=cube, settings=settings)
    name_answers()
    advice = api.hint(game, strength, dice=roll, same_depth=alike, threads=count)
    answer = advice.ranking or advice.cube or advice.answer
    if answer is None:
        raise SettingsError(f"{advice.text()} A double to name is no play: ask Engine.choose_double")
    return answer


def evaluate(
    position: AnyPosition,
    *,
    level: str | Level = "2-ply",
    variant: str | Variant | None = None,
    length: int | None = None,
    score: Points | None = None,
    cube: CubeValue | None = None,
    settings: Settings | None = None,
    threads: int = 1,
) -> Evaluation:
    """The worth of a position to the player on roll, before the roll. Arguments and errors as of :func:`hint`."""
    from fullprime.engine import api

    strength = _level_name(level)
    count = to_integer("threads", threads, 1, MOST_THREADS)
    game = game_of(position, variant, length=length, score=score, cube=cube, settings=settings)
    return api.evaluate(game, strength, threads=count)


def evaluate_many(
    positions: object,
    *,
    level: str | Level = "fast",
    variant: str | Variant = "backgammon",
    context: CubeContext | None = None,
    threads: int = 1,
) -> Evaluations:
    """The worth of many positions at once to their players on roll, before the roll.

    ``positions``: an array of counts (n, 2, 27), the player on roll first, each side as a ``Position`` has it; or
    positions one after the other. ``context``: one cube and score for all of them; None for money without a cube.
    The answer holds arrays: ``probabilities`` (n, 5) and ``equity`` (n,). Raises PositionError for arrays that do not
    hold positions of the game, LevelError, NetError.
    """
    from fullprime.engine import shared
    from fullprime.engine.cube.equity import CubeContext
    from fullprime.engine.search.levels import level_named

    if context is not None:
        to_kind(CubeContext, "the context", context, SettingsError)
    game, strength = variant_named(variant), level_named(level)
    count = to_integer("threads", threads, 1, MOST_THREADS)
    engine = shared.engine_for(game, count)
    return engine.evaluate_many(positions, context, level=strength)


class RolloutKeywords(TypedDict, total=False):
    """The keywords of :func:`rollout`, for methods that hand them on."""

    dice: AnyRoll | None
    plays: Sequence[str | Play]
    most: int
    trials: int
    seed: int
    ply: int
    truncate: int | None
    level: str | Level | None
    cubeful: bool
    error: float | None
    apart: float | None
    threads: int | None
    executor: Executor | None
    variant: str | Variant | None
    length: int | None
    score: Points | None
    cube: CubeValue | None
    settings: Settings | None
    progress: Callable[[Rollout], None] | None
    stop: Callable[[], bool] | None


def rollout(
    position: AnyPosition,
    dice: AnyRoll | None = None,
    *,
    plays: Sequence[str | Play] = (),
    most: int = 3,
    trials: int = 1296,
    seed: int = 0,
    ply: int = 0,
    truncate: int | None = None,
    level: str | Level | None = None,
    cubeful: bool = True,
    error: float | None = None,
    apart: float | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    variant: str | Variant | None = None,
    length: int | None = None,
    score: Points | None = None,
    cube: CubeValue | None = None,
    settings: Settings | None = None,
    progress: Callable[[Rollout], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Rollout:
    """Play a position out many times: the best plays of a roll (or those given), else the cube decision.

    Every figure of the answer has its standard error; ``rollout.best.interval()`` is the interval of the equity. The
    same ``seed`` gives the same dice. ``ply``: look-ahead behind the plays of the trials, at most 3. ``truncate``:
    plies after which the engine's judgement ends a trial. ``level``: play trials as ``roller`` or ``roller+`` does,
    whatever ``ply`` and ``truncate`` say. The rollout may end before all its trials: when every standard error is at
    most ``error``, or when the first candidate is ``apart`` joint standard errors ahead. Work goes to ``executor``
    or ``threads``. ``progress`` gets the rollout so far, ``stop`` ends it. Position and errors are as for :func:`hint`.
    """
    from fullprime.analysis.rollouts import RolloutOptions, roll_out

    options = RolloutOptions(
        trials=to_integer("trials", trials, 1, MOST_TRIALS),
        seed=to_integer("seed", seed, -(1 << 63), (1 << 63) - 1),
        ply=to_integer("ply", ply, 0, MOST_PLIES),
        truncate=None if truncate is None else to_integer("truncate", truncate, 1, LONGEST_TRIAL),
        level=None if level is None else _level_name(level),
        cubeful=to_bool("cubeful", cubeful),
        error=_positive("error", error),
        apart=_positive("apart", apart),
        threads=None if threads is None else to_integer("threads", threads, 1, MOST_THREADS),
    )
    _check_executor(executor)
    check_functions(progress=progress, stop=stop)
    name_answers()
    return roll_out(
        game_of(position, variant, length=length, score=score, cube=cube, settings=settings),
        options,
        dice=None if dice is None else Roll.of(dice),
        plays=texts_of(plays),
        most=to_integer("most", most, 1, 10_000),
        executor=executor,
        progress=progress,
        stop=stop,
    )


def _level_name(level: str | Level) -> str:
    from fullprime.engine.search.levels import level_named

    return level_named(level).name


def _check_executor(executor: object) -> None:
    if executor is not None:
        to_kind(Executor, "the executor", executor, SettingsError)


def check_functions(**functions: object) -> None:
    """Refuse what is given for a function and is none: raises SettingsError."""
    for name, function in functions.items():
        if function is not None and (isinstance(function, type) or not callable(function)):
            raise SettingsError(f"{name}: {short_value(function)} is no function")


def duel(
    first: AnyPlayer,
    second: AnyPlayer,
    *,
    games: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    variant: str | Variant = "backgammon",
) -> DuelResult:
    """Two players against each other in mirrored pairs of cubeless games, with the luck of the dice taken out.

    A player is a level such as ``1-ply``, ``heuristic``, ``random``, the path of a net, another program
    (``gnubg-nn:0``), or a bot of one's own: a function that chooses plays, or an object with ``choose``
    (docs/own-bot.md).
    Raises PlayerError, DuelError.
    """
    from fullprime.engine import api
    from fullprime.front.players import batch_player

    game = variant_named(variant)
    number = to_integer("seed", seed, 0, (1 << 63) - 1)
    count = None if games is None else to_integer("games", games, 1, 1_000_000_000)
    return api.duel(
        batch_player(first, game, f"{number}:0"),
        batch_player(second, game, f"{number}:1"),
        variant=game,
        games=count,
        seconds=_positive("seconds", seconds),
        seed=number,
    )


def texts_of(plays: str | Play | Sequence[str | Play]) -> list[str]:
    """Plays as text; raises SettingsError for what is none."""
    several = (plays,) if isinstance(plays, str | Play) else plays
    listed = tuple(several) if isinstance(several, tuple | list) else several
    if not is_tuple_of((str, Play), listed):
        raise SettingsError(f"plays: {short_value(plays)} are no plays; write them as '8/5 6/5'")
    return [play if isinstance(play, str) else format_play(play) for play in listed]


def _positive(name: str, value: object) -> float | None:
    if value is None:
        return None
    number = real_number(value)
    if number is None or not 0 < number < 1e12:
        raise SettingsError(f"{name}: {short_value(value)} is no number above 0")
    return number
