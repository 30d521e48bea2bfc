"""Asking the engine in one call, with one engine for the whole process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fullprime.rules.dice import AnyRoll, Roll
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game
from fullprime.rules.given import AnyPosition, as_game
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play
from fullprime.rules.score import Settings
from fullprime.rules.variants import Variant, variant_named

if TYPE_CHECKING:
    from fullprime.engine.cube.action import CubeDecision
    from fullprime.engine.measure.duel import DuelResult
    from fullprime.engine.rollouts.result import Rollout
    from fullprime.engine.search.results import Evaluation, Ranking


def hint(
    position: AnyPosition,
    dice: AnyRoll | None = None,
    *,
    level: str = "2-ply",
    variant: str | Variant | None = None,
    threads: int = 1,
) -> Ranking | CubeDecision:
    """The best choice: the plays of the roll, the best first, or before a roll the cube decision.

    ``position``: a game, a position, or an identifier of any kind, whose dice, cube and score count unless ``dice`` are
    given. ``variant``: the game of a position that does not say it. Raises IdError, LevelError, NetError where there
    are no nets for the game, IllegalAction when there is nothing to decide.
    """
    from fullprime.app.advice import study

    game = _game(position, variant)
    roll = None if dice is None else Roll.of(dice)
    found = study.hint(game, str(level), dice=roll, threads=threads)
    answer = found.ranking or found.cube
    if answer is None:
        raise SettingsError(f"{found.text()} A double to name is no play: ask Engine.choose_double")
    return answer


def evaluate(
    position: AnyPosition, *, level: str = "2-ply", variant: str | Variant | None = None, threads: int = 1
) -> Evaluation:
    """The worth of a position to the player on roll, before the roll. Raises as :func:`hint` does."""
    from fullprime.app.advice import study

    return study.evaluate(_game(position, variant), str(level), threads=threads)


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
    level: str | None = None,
    cubeful: bool = True,
    threads: int | None = None,
    variant: str | Variant | None = None,
    progress: Callable[[Rollout], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Rollout:
    """Play a position out many times: the best plays of a roll (or those given), else the cube decision.

    Every figure of the answer has its standard error; ``rollout.best.interval()`` is the interval of the equity. The
    same ``seed`` gives the same dice. ``truncate``: plies after which the engine's judgement ends a trial. ``level``:
    play trials as ``roller`` or ``roller+`` does, whatever ``ply`` and ``truncate`` say. ``progress`` is called with
    the rollout so far, ``stop`` ends it. Raises as :func:`hint` does, SettingsError for no trials.
    """
    from fullprime.app.advice.rollouts import RolloutOptions, roll_out

    options = RolloutOptions(
        trials=trials, seed=seed, ply=ply, truncate=truncate, level=level, cubeful=cubeful, threads=threads
    )
    texts = [format_play(each) if isinstance(each, Play) else each for each in plays]
    roll = None if dice is None else Roll.of(dice)
    return roll_out(_game(position, variant), options, dice=roll, plays=texts, most=most, progress=progress, stop=stop)


def duel(
    first: str,
    second: str,
    *,
    games: int | None = None,
    seconds: float | None = None,
    seed: int = 1,
    variant: str | Variant = "backgammon",
) -> DuelResult:
    """Two players against each other in mirrored pairs of cubeless games, with the luck of the dice taken out.

    A player is a level such as ``1-ply``, ``heuristic``, ``random``, the path of a net, or another program
    (``gnubg-nn:0``). Raises PlayerError, DuelError.
    """
    from fullprime.app.advice import study

    name = variant_named(variant).name
    return study.duel(str(first), str(second), variant=name, games=games, seconds=seconds, seed=seed)


def _game(position: AnyPosition, variant: str | Variant | None) -> Game:
    return as_game(position, None if variant is None else Settings(variant=variant_named(variant)))
