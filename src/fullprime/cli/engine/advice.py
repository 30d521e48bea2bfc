"""Commands that ask the engine: ``hint``, ``evaluate``, ``rollout``, ``duel``, ``levels``; ``engine`` for programs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.options import (
    Cubeful,
    Json,
    Plays,
    PositionId,
    PositionOptions,
    RollWords,
    Seed,
    ThinkingOptions,
    Threads,
    Variant,
    seed_number,
    threads_of,
)
from fullprime.cli.progress import show_progress_bar
from fullprime.cli.standard_input import read_available
from fullprime.cli.terminal import say, say_json
from fullprime.rules.words import format_signed

if TYPE_CHECKING:
    from fullprime.analysis.rollouts import Progress, RolloutOptions

START = "4HPwATDgc/ABMA"
"""The start of backgammon in the examples."""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, "hint", hint, f"fullprime hint {START} 31", "fullprime hint '5 2 / 1' --score 2-4 --length 7")
    add(app, "evaluate", evaluate, "fullprime evaluate '1:4 / 1:4'", f"fullprime evaluate {START} --level 1-ply")
    add(
        app,
        "rollout",
        rollout,
        f"fullprime rollout {START} 31 --trials 144",
        f"fullprime rollout {START} 31 -p '8/5 6/5'",
    )
    add(app, "levels", levels, "fullprime levels")
    add(app, "duel", duel, "fullprime duel 1-ply 0-ply --games 200")
    add(app, "engine", engine, 'echo \'{"position": "4HPwATDgc/ABMA", "dice": [3, 1]}\' | fullprime engine')


def hint(
    position: PositionId,
    roll: RollWords = None,
    *,
    most: Annotated[int, typer.Option("--most", min=0, help="How many plays to show; 0 for all.")] = 10,
    same_depth: Annotated[
        int, typer.Option("--same-depth", min=1, max=100, help="Look at this many of the best plays equally far.")
    ] = 1,
    think: ThinkingOptions,
    nodes: Annotated[int | None, typer.Option("--nodes", min=1, help="The greatest number of boards to judge.")] = None,
    at: PositionOptions,
    json: Json = False,
) -> None:
    """Rank the plays of a roll, or without a roll the cube actions."""
    from fullprime.engine import api

    game = at.game(position, roll, quiet=json)
    with show_progress_bar() as progress:
        advice = api.hint(
            game,
            think.level,
            cubeful=think.cubeful,
            threads=threads_of(think.threads),
            seconds=think.seconds,
            nodes=nodes,
            same_depth=same_depth,
            progress=lambda done, there_are: progress("thinking", done, there_are),
        )
    if json:
        say_json(advice)
    else:
        say(advice.text(most or None))


def evaluate(position: PositionId, *, think: ThinkingOptions, at: PositionOptions, json: Json = False) -> None:
    """How good a position is for the player on roll, before the roll."""
    from fullprime.common.json_values import to_json
    from fullprime.engine import api

    game = at.game(position, quiet=json)
    evaluation = api.evaluate(
        game, think.level, cubeful=think.cubeful, threads=threads_of(think.threads), seconds=think.seconds
    )
    if json:
        say_json({"level": think.level, **to_json(evaluation)})
    else:
        say(evaluation)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialOptions:
    """The play of a rollout, and its end."""

    trials: Annotated[int, typer.Option("--trials", "-t", min=1, help="The greatest number of trials of each.")] = 1296
    seed: Seed = "0"
    truncate: Annotated[
        int | None, typer.Option("--truncate", min=1, help="Cut trials after this number of plies; else to the end.")
    ] = None
    ply: Annotated[int, typer.Option("--ply", min=0, help="Look-ahead behind plays within trials.")] = 0
    cube_ply: Annotated[
        int, typer.Option("--cube-ply", min=0, help="Look-ahead behind cube decisions within trials.")
    ] = 0
    level: Annotated[
        str | None,
        typer.Option(
            "--level", "-l", help="Play trials as roller or roller+ does, instead of --truncate and the two above."
        ),
    ] = None
    variance_reduction: Annotated[
        bool, typer.Option("--variance-reduction/--no-variance-reduction", help="Take the luck of the dice out.")
    ] = True
    apart: Annotated[
        float | None, typer.Option("--apart", help="Stop when the best is this number of joint standard errors ahead.")
    ] = None
    error: Annotated[float | None, typer.Option("--error", help="Stop when all standard errors are this small.")] = None
    cubeful: Cubeful = True
    threads: Threads = None
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="The address of a Dask scheduler: tcp://HOST:8786.")
    ] = None

    def options(self) -> RolloutOptions:
        """The options of the rollout itself."""
        from fullprime.analysis.rollouts import RolloutOptions

        return RolloutOptions(
            trials=self.trials,
            seed=seed_number(self.seed),
            truncate=self.truncate,
            ply=self.ply,
            cube_ply=self.cube_ply,
            level=self.level,
            variance_reduction=self.variance_reduction,
            apart=self.apart,
            error=self.error,
            cubeful=self.cubeful,
            threads=self.threads,
            cluster=self.cluster,
        )


def rollout(
    position: PositionId,
    roll: RollWords = None,
    *,
    play: Plays = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Without --play: the number of best plays.")] = 3,
    how: TrialOptions,
    at: PositionOptions,
    save: Annotated[Path | None, typer.Option("--save", help="Keep what is played, to go on with it.")] = None,
    load: Annotated[Path | None, typer.Option("--load", help="Go on with a rollout that was kept.")] = None,
    json: Json = False,
) -> None:
    """Play positions out many times: plays of a roll, or the cube. Ctrl-C shows what is known."""
    from fullprime.analysis.rollouts import Keeping, resume_file, roll_out

    game = at.game(position, roll, quiet=json)
    with show_progress_bar() as progress:
        best = "{0.name} {1} ± {0.error:.4f}".format
        shown: Progress = lambda now: progress(  # noqa: E731
            "trials", now.trials, now.asked, best(now.best, format_signed(now.best.equity, 4))
        )
        report = shown if save is None else Keeping(save, shown)
        if load is not None:
            outcome = resume_file(load, game, how.options(), report)
        else:
            outcome = roll_out(game, how.options(), plays=play or (), most=most, progress=report)
    if save is not None:
        outcome.state.save(save)
    if json:
        say_json(outcome)
        return
    say(outcome)
    if any(candidate.action for candidate in outcome.rolled):
        say(outcome.decision)


def levels(json: Json = False) -> None:
    """The playing strengths there are, with their PR at backgammon."""
    from fullprime.common.json_values import to_json
    from fullprime.engine.api import levels as playing_levels
    from fullprime.play.options.strengths import MEASURED_PR, pr_words

    if json:
        say_json([{**to_json(level), "pr": MEASURED_PR.get(level.name)} for level in playing_levels()])
        return
    for level in playing_levels():
        measured = MEASURED_PR.get(level.name)
        pr = "" if measured is None else pr_words(measured)
        say(f"  {level.name:<13}{pr:<9}{level.about}")


def duel(
    first: Annotated[str, typer.Argument(help="A level, heuristic, random, FILE.npz, gnubg-nn:0, bgsage:1ply, a .pt.")],
    second: Annotated[str, typer.Argument(help="The other side.")],
    games: Annotated[int | None, typer.Option("--games", "-g", min=1, help="How many games (1000).")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Or for how long.")] = None,
    seed: Seed = "1",
    luck: Annotated[bool, typer.Option("--luck/--no-luck", help="Also take the luck of the dice out.")] = True,
    variant: Variant = "backgammon",
    json: Json = False,
) -> None:
    """Let two players play money games with the same dice. The games are cubeless, in mirrored pairs."""
    from dataclasses import asdict

    from fullprime.engine import api

    wanted = 1000 if games is None and seconds is None else games
    with show_progress_bar() as progress:
        outcome = api.duel(
            first, second, variant=variant, games=wanted, seconds=seconds, seed=seed_number(seed), luck=luck,
            progress=lambda now: progress("games", now.games, wanted, _lead(*now.clearest)),
        )  # fmt: skip
    if json:
        say_json({**asdict(outcome), "seed": seed_number(seed)})
    else:
        say(outcome)


def _lead(points: float, error: float | None) -> str:
    return format_signed(points, 4) + (f" ± {error:.4f}" if error is not None else "")


def engine(threads: Threads = 1) -> None:
    """Answer requests of other programs, as lines of JSON. docs/engine.md has the fields."""
    from fullprime.analysis.engine_lines import answer_lines

    def write(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    answer_lines(lambda: read_available(1 << 16), write, threads_of(threads))
