"""The engine behind the analysis board: plays, cubes, rollouts, maps. Each answer is that of one job."""

from __future__ import annotations

import time
from collections.abc import Sequence
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
from fullprime.engine.api import evaluate, hint
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.variants.variant import Variant

if TYPE_CHECKING:
    from fullprime.engine.cube.equity import CubeContext
    from fullprime.engine.engine import Engine
    from fullprime.engine.rollouts.result import Rollout

SECONDS = {
    "analyse": 60.0,
    "compare": 60.0,
    "rolls": 60.0,
    "scores": 120.0,
    "rollout": 900.0,
    "review": 3600.0,
    "library": 12 * 3600.0,
}
"""The most that a job of each kind may take."""

MOST_TRIALS, MOST_PLAYS = 5184, 8
_EVERY = 0.15
"""Seconds between two reports of a rollout."""


def analyse(game: Game, level: str, job: Job, *, cubeful: bool = True) -> PlaysAnswer | ChoiceAnswer | PositionAnswer:
    """Ranked plays of the roll; or before it the chances, and the cube decision where there is a cube."""
    ready(game.settings.variant, job)
    if game.dice is not None or game.phase is Phase.CHOOSE_DOUBLE:
        found = hint(game, level, cubeful=cubeful, stop=lambda: job.stopped)
        if found.ranking is None:
            return ChoiceAnswer(level=found.level, choose=found.number)
        return PlaysAnswer(level=found.level, ranking=BoardRanking.of(found.ranking))
    evaluation = evaluate(game, level, cubeful=cubeful, stop=lambda: job.stopped)
    has_cube = game.settings.variant.cube and cubeful
    cube = hint(game, level, stop=lambda: job.stopped).cube if has_cube else None
    return PositionAnswer(level=level, per_checker=evaluation.per_checker, evaluation=evaluation, cube=cube)


def ready(variant: Variant, job: Job) -> None:
    """Open the engine (which the first time is compiled) before the job's time begins; raises NetError."""
    shared.engine_for(variant)
    job.start_clock()


def within_limits(options: RolloutOptions) -> RolloutOptions:
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
    ready(game.settings.variant, job)
    if options.cubeful and not game.settings.variant.cube:
        options = replace(options, cubeful=False)
    told = 0.0

    def progress(result: Rollout) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= _EVERY:
            told = now
            job.report(to_json(result))

    result = roll_out(game, options, plays=tuple(plays), progress=progress, stop=lambda: job.stopped)
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
                equities=(-one.equity, -other.equity),
                difference=other.equity - one.equity,
                replies=(one.play, other.play),
            )
            for roll, one, other in pairs
        ),
    )


def rolls(game: Game) -> RollsAnswer:
    """The worth of every roll to the player who is about to throw."""
    from fullprime.reviews.maps import roll_map

    waiting = replace(game, dice=None, phase=Phase.ROLL, follow_ups=())
    return RollsAnswer(map=roll_map(shared.engine_for(game.settings.variant), waiting))


def scores(game: Game, length: int = 7) -> ScoresAnswer:
    """The right action with a cube in the middle at every score; raises MapError for a game without a cube."""
    from fullprime.reviews.maps import score_map

    return ScoresAnswer(map=score_map(shared.engine_for(game.settings.variant), game.position, length))


def _opponents(game: Game, engine: Engine) -> CubeContext:
    """Cube and score as the opponent sees them: after a play, the opponent is on roll."""
    from fullprime.engine.cube.context import CUBELESS, context_of

    return CUBELESS if engine.per_checker else context_of(game).swapped


__all__ = [
    "MOST_PLAYS", "MOST_TRIALS", "SECONDS", "analyse", "compare", "ready", "roll_out_plays", "rolls", "scores",
    "within_limits",
]  # fmt: skip
