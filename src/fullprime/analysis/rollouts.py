"""Rollouts for the faces: begun, resumed, kept in a file, on this machine or on a cluster."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullprime.engine import shared
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction, MissingExtra, SettingsError
from fullprime.rules.game import Game
from fullprime.rules.notation import read_play

if TYPE_CHECKING:
    from fullprime.engine.rollouts.result import Rollout
    from fullprime.engine.rollouts.task import TrialPolicy

Progress = Callable[["Rollout"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutOptions:
    """The settings of a rollout; see ``fullprime rollout`` in docs/cli.md."""

    trials: int = 1296
    seed: int = 0
    truncate: int | None = None
    ply: int = 0
    cube_ply: int = 0
    variance_reduction: bool = True
    apart: float | None = None
    error: float | None = None
    cubeful: bool = True
    level: str | None = None
    """A level whose way of playing trials is meant instead of ``truncate``, ``ply`` and ``cube_ply``."""
    threads: int | None = None
    cluster: str | None = None


def roll_out(
    game: Game,
    options: RolloutOptions,
    *,
    dice: Roll | None = None,
    plays: Sequence[str] = (),
    most: int = 3,
    executor: Executor | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Rollout:
    """Roll out plays of a roll (those given, else the best few), or without a roll the cube or the position.

    Work goes to ``executor`` where there is one, else to the cluster of the options, else to threads.
    """
    from fullprime.engine.rollouts.rollout import StoppingRule
    from fullprime.engine.rollouts.task import TrialPolicy

    if game.is_over:
        raise IllegalAction("the game is over")
    roll = dice or game.dice
    variant = game.settings.variant
    if plays and roll is None:
        raise SettingsError("plays are rolled out for a roll: say which")
    chosen = [read_play(text, game.position, roll, variant) for text in plays] if roll is not None else []
    policy = (
        _trial_policy(options.level, options)
        if options.level is not None
        else TrialPolicy(
            seed=options.seed,
            cubeful=options.cubeful,
            variance_reduction=options.variance_reduction,
            truncate=options.truncate,
            ply=options.ply,
            cube_ply=options.cube_ply,
        )
    )
    engine = shared.engine_for(variant)
    with _executor(options.cluster) as cluster:
        return engine.rollout(
            game,
            roll,
            cubeful=options.cubeful,
            plays=chosen or None,
            most=most,
            policy=policy,
            trials=options.trials,
            rule=StoppingRule(apart=options.apart, error=options.error),
            threads=options.threads,
            executor=executor or cluster,
            progress=progress,
            stop=stop,
        )


def _trial_policy(name: str, options: RolloutOptions) -> TrialPolicy:
    """The way in which a level plays its trials. Raises LevelError or SettingsError for one that plays none."""
    from fullprime.engine.rollouts.adaptive_rollout import trial_policy_of
    from fullprime.engine.search.levels import LEVELS, level_named

    level = level_named(name)
    if level.roller is None:
        names = ", ".join(other.name for other in LEVELS.values() if other.roller is not None)
        raise SettingsError(f"level {level.name} plays no trials; these do: {names}")
    way = trial_policy_of(level.roller, cubeful=options.cubeful)
    return replace(way, seed=options.seed, variance_reduction=options.variance_reduction)


def resume_file(path: Path, game: Game, options: RolloutOptions, progress: Progress | None = None) -> Rollout:
    """Go on with a rollout kept in a file, up to ``options.trials`` in all."""
    from fullprime.engine.rollouts.result import RolloutState
    from fullprime.engine.rollouts.rollout import StoppingRule, resume

    state = RolloutState.load(path)
    searcher = shared.engine_for(game.settings.variant).searcher
    with _executor(options.cluster) as executor:
        return resume(
            searcher,
            state,
            trials=options.trials,
            rule=StoppingRule(apart=options.apart, error=options.error),
            threads=options.threads,
            executor=executor,
            progress=progress,
        )


class Keeping:
    """Keeps a rollout in a file while it goes on, so that one that is killed goes on from there.

    It is written before progress is reported; where writing takes long, less often: at most a twentieth of the time.
    """

    def __init__(self, path: Path, tell: Progress, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._tell, self._clock = path, tell, clock
        self._next = -math.inf

    def __call__(self, now: Rollout) -> None:
        """Keep and tell of a rollout."""
        begun = self._clock()
        if begun >= self._next:
            now.state.save(self._path)
            ended = self._clock()
            self._next = ended + 20 * (ended - begun)
        self._tell(now)


@contextmanager
def _executor(address: str | None) -> Iterator[Executor | None]:
    """The executor of a Dask cluster, or None for threads of this process."""
    if address is None:
        yield None
        return
    try:
        from distributed import Client as Cluster
    except ImportError:
        raise MissingExtra("a cluster", "cluster", "distributed") from None
    connect: Any = Cluster  # the package says nothing about its types
    try:
        client = connect(address, timeout=10)
    except (OSError, ValueError) as error:
        raise SettingsError(f"no cluster answers at {address[:80]}: {error}") from None
    with client:
        yield client.get_executor()
