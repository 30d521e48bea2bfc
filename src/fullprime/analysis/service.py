"""The engine behind the analysis board: plays, cubes, rollouts, maps. Each answer is that of one job."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fullprime.analysis.model import (
    BoardRanking,
    ChoiceAnswer,
    CompareAnswer,
    ComparedRoll,
    PlaysAnswer,
    PositionAnswer,
    RolloutAnswer,
    RollsAnswer,
    ScoresAnswer,
)
from fullprime.analysis.rollouts import RolloutOptions, roll_out
from fullprime.common.jobs import Job
from fullprime.common.json_values import to_json
from fullprime.engine import shared
from fullprime.engine.api import Hint, evaluate, hint
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.variants.variant import Variant

if TYPE_CHECKING:
    from fullprime.engine.cube.equity import CubeContext
    from fullprime.engine.engine import Engine
    from fullprime.reviews.score_maps import ScoreMap

SECONDS = {
    "analyse": 60.0,
    "compare": 60.0,
    "rolls": 60.0,
    "scores": 600.0,
    "rollout": 900.0,
    "review": 3600.0,
    "library": 12 * 3600.0,
}
"""The most that a job of each kind may take."""

MOST_TRIALS, MOST_PLAYS = 5184, 8
_EVERY = 0.15
"""Seconds between two reports of a job."""


def analyse(game: Game, level: str, job: Job, *, cubeful: bool = True) -> PlaysAnswer | ChoiceAnswer | PositionAnswer:
    """Ranked plays of the roll; or before it the chances and, where there is a cube, what to do with it."""
    open_engine(game.settings.variant, job)
    if game.dice is not None or game.phase is Phase.CHOOSE_DOUBLE:
        advice = hint(game, level, cubeful=cubeful, stop=lambda: job.stopped)
        if advice.ranking is None:
            return ChoiceAnswer(level=advice.level, choose=advice.number)
        return PlaysAnswer(level=advice.level, ranking=BoardRanking.of(advice.ranking))
    evaluation = evaluate(game, level, cubeful=cubeful, stop=lambda: job.stopped)
    has_cube = game.settings.variant.cube and cubeful
    advice = hint(game, level, stop=lambda: job.stopped) if has_cube else Hint()
    return PositionAnswer(
        level=level,
        per_checker=evaluation.per_checker,
        evaluation=evaluation,
        cube=advice.cube,
        answer=advice.answer,
    )


def open_engine(variant: Variant, job: Job) -> None:
    """Open the engine (which the first time is compiled) before the job's time begins; raises NetError."""
    shared.engine_for(variant)
    job.start_clock()


def check_limits(options: RolloutOptions) -> RolloutOptions:
    """Options of a rollout for many visitors: raises SettingsError beyond what one of them may ask for."""
    if not 36 <= options.trials <= MOST_TRIALS:
        raise SettingsError(f"a rollout here has 36 to {MOST_TRIALS} trials, not {options.trials}")
    if not (0 <= options.ply <= 1 and 0 <= options.cube_ply <= 1):
        raise SettingsError("rollouts here look ahead 0 or 1 plies")
    return replace(options, threads=1)


def roll_out_plays(game: Game, plays: Sequence[str], options: RolloutOptions, job: Job) -> RolloutAnswer:
    """Roll out plays, or the cube, or the position; tells the running equities as it goes."""
    if len(plays) > MOST_PLAYS:
        raise SettingsError(f"at most {MOST_PLAYS} plays are rolled out together")
    open_engine(game.settings.variant, job)
    if options.cubeful and not game.settings.variant.cube:
        options = replace(options, cubeful=False)
    result = roll_out(game, options, plays=tuple(plays), progress=_reporter(job), stop=lambda: job.stopped)
    return RolloutAnswer(rollout=result)


def compare(game: Game, first: str, second: str) -> CompareAnswer:
    """Two plays of a roll, roll by roll of the opponent: the equity that each leaves us when he plays every roll best.

    ``difference`` is the first's equity less the second's, all for the player who makes the play.
    """
    from fullprime.reviews.maps import roll_map

    if game.dice is None:
        raise IllegalAction("two plays are compared for a roll: throw the dice first")
    plays = [read_play(text, game.position, game.dice, game.settings.variant) for text in (first, second)]
    engine = shared.engine_for(game.settings.variant)
    context = _opponents(game, engine)
    maps = [roll_map(engine, play.position, context) for play in plays]
    pairs = [(roll, maps[0].of(roll), maps[1].of(roll)) for roll in ALL_ROLLS]
    means = (-maps[0].mean, -maps[1].mean)
    return CompareAnswer(
        plays=(format_play(plays[0]), format_play(plays[1])),
        means=means,
        difference=means[0] - means[1],
        rolls=tuple(
            ComparedRoll(
                dice=roll,
                weight=roll.weight,
                equities=(-first.equity, -second.equity),
                difference=second.equity - first.equity,
                replies=(first.play, second.play),
            )
            for roll, first, second in pairs
        ),
    )


def map_rolls(game: Game, threads: int = 1) -> RollsAnswer:
    """The worth of every roll to the player who is about to throw."""
    from fullprime.reviews.maps import roll_map

    waiting = replace(game, dice=None, phase=Phase.ROLL, follow_ups=())
    return RollsAnswer(map=roll_map(shared.engine_for(game.settings.variant, threads), waiting))


def map_scores(
    game: Game,
    length: int = 7,
    level: str = "1-ply",
    *,
    threads: int = 1,
    seconds: float | None = None,
    progress: Callable[[ScoreMap], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> ScoresAnswer:
    """The best play of a roll, or the cube action, at every score. Raises MapError for a game without a cube."""
    from fullprime.reviews.score_maps import score_map

    engine = shared.engine_for(game.settings.variant, threads)
    return ScoresAnswer(
        map=score_map(engine, game, length=length, level=level, seconds=seconds, progress=progress, stop=stop)
    )


def report_scores(game: Game, length: int, level: str, job: Job) -> ScoresAnswer:
    """The same as the work of a job, which tells the cells that are known as they come."""
    open_engine(game.settings.variant, job)
    return map_scores(game, length, level, progress=_reporter(job, share=0.03), stop=lambda: job.stopped)


def _reporter(job: Job, share: float = 0.0) -> Callable[[object], None]:
    """Reports the progress of a job, not too often; large progress no more often than after a share of the time."""
    began = reported = time.monotonic()

    def report(progress: object) -> None:
        nonlocal reported
        now = time.monotonic()
        if now - reported >= max(_EVERY, share * (now - began)):
            reported = now
            job.report(to_json(progress))

    return report


def _opponents(game: Game, engine: Engine) -> CubeContext:
    """Cube and score as the opponent sees them: after a play, the opponent is on roll."""
    from fullprime.engine.cube.context import CUBELESS, context_of

    return CUBELESS if engine.per_checker else context_of(game).swapped


__all__ = [
    "MOST_PLAYS",
    "MOST_TRIALS",
    "SECONDS",
    "analyse",
    "check_limits",
    "compare",
    "map_rolls",
    "map_scores",
    "open_engine",
    "report_scores",
    "roll_out_plays",
]  # fmt: skip
