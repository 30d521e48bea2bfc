"""Commands that ask the engine: ``hint``, ``evaluate``, ``duel``, ``levels``, and ``engine`` for programs."""

from __future__ import annotations

import json as json_module
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from fullprime.cli.tools import Json, Variant

if TYPE_CHECKING:
    from fullprime.rules.game import Game

Position = Annotated[str, typer.Argument(metavar="ID", help="Any ID, or our text form.")]
LevelName = Annotated[str, typer.Option("--level", "-l", help="How strong, one of fullprime levels.")]
Dice = Annotated[str | None, typer.Option("--dice", "-d", help="The roll, 31; else that of the ID.")]
Length = Annotated[int | None, typer.Option("--length", "-n", help="A match to so many points; 0 is money.")]
ScoreText = Annotated[str | None, typer.Option("--score", help="The score, X's points first: 4-0.")]
PostCrawford = Annotated[bool, typer.Option("--post-crawford", help="With --score: the Crawford game has been played.")]
CubeAt = Annotated[str | None, typer.Option("--cube-at", help="The cube's value and owner, 4:X.")]
OnRoll = Annotated[str | None, typer.Option("--on-roll", help="Who is on roll, X or O.")]
Jacoby = Annotated[bool | None, typer.Option("--jacoby/--no-jacoby", help="The Jacoby rule (money).")]
Beavers = Annotated[bool | None, typer.Option("--beavers/--no-beavers", help="Beavers (money).")]
Rule = Annotated[list[str] | None, typer.Option("--rule", help="Any option, name=value.")]
Cubeless = Annotated[bool, typer.Option("--cubeless", help="Leave the cube out.")]
Threads = Annotated[int | None, typer.Option("--threads", help="Threads to think with (all cores).")]
Seconds = Annotated[float | None, typer.Option("--seconds", help="Stop after so long; what is known is shown.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("hint")(hint)
    app.command("evaluate")(evaluate)
    app.command("rollout")(rollout)
    app.command("levels")(levels)
    app.command("duel")(duel)
    app.command("engine")(engine)


def hint(
    position: Position,
    dice: Dice = None,
    level: LevelName = "2-ply",
    variant: Variant = "backgammon",
    plays: Annotated[int, typer.Option("--plays", "-p", help="How many plays to show; 0 for all.")] = 10,
    length: Length = None,
    score: ScoreText = None,
    post_crawford: PostCrawford = False,
    cube_at: CubeAt = None,
    on_roll: OnRoll = None,
    jacoby: Jacoby = None,
    beavers: Beavers = None,
    rule: Rule = None,
    cubeless: Cubeless = False,
    threads: Threads = None,
    seconds: Seconds = None,
    nodes: Annotated[int | None, typer.Option("--nodes", help="Judge at most so many boards.")] = None,
    json: Json = False,
) -> None:
    """Ranked plays of a roll, or, without a roll, what to do with the cube."""
    from fullprime.app.advice import study
    from fullprime.rules.dice import Roll

    game = game_of(
        position,
        variant,
        length=length,
        score=score,
        post_crawford=post_crawford,
        cube_at=cube_at,
        on_roll=on_roll,
        jacoby=jacoby,
        beavers=beavers,
        rule=rule,
        quiet=json,
    )
    found = study.hint(
        game,
        level,
        dice=Roll.from_text(dice) if dice else None,
        cubeful=not cubeless,
        threads=threads_of(threads),
        seconds=seconds,
        nodes=nodes,
    )
    print(json_module.dumps(found.json) if json else found.text(plays or None))


def evaluate(
    position: Position,
    level: LevelName = "2-ply",
    variant: Variant = "backgammon",
    length: Length = None,
    score: ScoreText = None,
    post_crawford: PostCrawford = False,
    cube_at: CubeAt = None,
    on_roll: OnRoll = None,
    jacoby: Jacoby = None,
    beavers: Beavers = None,
    rule: Rule = None,
    cubeless: Cubeless = False,
    threads: Threads = None,
    seconds: Seconds = None,
    json: Json = False,
) -> None:
    """How good a position is for the player on roll, before the roll."""
    from fullprime.app.advice import study

    game = game_of(
        position,
        variant,
        length=length,
        score=score,
        post_crawford=post_crawford,
        cube_at=cube_at,
        on_roll=on_roll,
        jacoby=jacoby,
        beavers=beavers,
        rule=rule,
        quiet=json,
    )
    found = study.evaluate(game, level, cubeful=not cubeless, threads=threads_of(threads), seconds=seconds)
    print(json_module.dumps({"level": level, **study.evaluation_json(found)}) if json else found)


def rollout(
    position: Position,
    dice: Dice = None,
    play: Annotated[
        list[str] | None, typer.Option("--play", "-p", help="A play to roll out; as often as you like.")
    ] = None,
    most: Annotated[int, typer.Option("--plays", help="Without --play: so many of the best.")] = 3,
    trials: Annotated[int, typer.Option("--trials", "-t", help="At most so many trials of each.")] = 1296,
    seed: Annotated[int, typer.Option("--seed", help="The dice follow from it.")] = 0,
    truncate: Annotated[
        int | None, typer.Option("--truncate", help="Cut trials after so many plies; else to the end.")
    ] = None,
    ply: Annotated[int, typer.Option("--ply", help="Look-ahead behind plays within trials.")] = 0,
    cube_ply: Annotated[int, typer.Option("--cube-ply", help="Look-ahead behind cube decisions within trials.")] = 0,
    variance_reduction: Annotated[
        bool, typer.Option("--variance-reduction/--no-variance-reduction", help="Take the luck of the dice out.")
    ] = True,
    apart: Annotated[
        float | None, typer.Option("--apart", help="Stop when the best is so many joint standard errors ahead.")
    ] = None,
    error: Annotated[
        float | None, typer.Option("--error", help="Stop when all standard errors are this small.")
    ] = None,
    variant: Variant = "backgammon",
    length: Length = None,
    score: ScoreText = None,
    post_crawford: PostCrawford = False,
    cube_at: CubeAt = None,
    on_roll: OnRoll = None,
    jacoby: Jacoby = None,
    beavers: Beavers = None,
    rule: Rule = None,
    cubeless: Cubeless = False,
    threads: Threads = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="The address of a Dask scheduler: tcp://HOST:8786.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", help="Keep what was played, to go on with it.")] = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on with a rollout that was kept.")] = None,
    json: Json = False,
) -> None:
    """Play positions out many times: plays of a roll, or the cube; with standard errors. Ctrl-C shows what is known."""
    from fullprime.app.advice.rollouts import RolloutOptions, go_on, roll_out, rollout_json
    from fullprime.rules.dice import Roll

    game = game_of(
        position,
        variant,
        length=length,
        score=score,
        post_crawford=post_crawford,
        cube_at=cube_at,
        on_roll=on_roll,
        jacoby=jacoby,
        beavers=beavers,
        rule=rule,
        quiet=json,
    )
    options = RolloutOptions(
        trials=trials,
        seed=seed,
        truncate=truncate,
        ply=ply,
        cube_ply=cube_ply,
        variance_reduction=variance_reduction,
        apart=apart,
        error=error,
        cubeful=not cubeless,
        threads=threads,
        cluster=cluster,
    )
    with _RolloutBar(trials, shown=not json and sys.stderr.isatty()) as bar:
        if resume is not None:
            found = go_on(resume, game, options, bar)
        else:
            roll = Roll.from_text(dice) if dice else None
            found = roll_out(game, options, dice=roll, plays=play or (), most=most, progress=bar)
    if save is not None:
        found.state.save(save)
    if json:
        print(json_module.dumps(rollout_json(found)))
        return
    print(found)
    if any(each.action for each in found.rolled):
        print(found.decision)


class _RolloutBar:
    """Trials played and the running standard error, on standard error where that is a terminal."""

    def __init__(self, trials: int, *, shown: bool) -> None:
        self._trials, self._shown = trials, shown
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        if self._shown:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task("", total=self._trials)
        return self

    def __call__(self, result: Any) -> None:
        if self._bar is not None:
            best = result.best
            words = f"{best.name} {best.equity:+.4f} ± {best.error:.4f}"
            self._bar.update(self._task, completed=result.trials, total=result.asked, description=words)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def levels(json: Json = False) -> None:
    """The playing strengths there are, the weakest first."""
    from fullprime.app.advice.study import levels as known

    found = known()
    if json:
        print(json_module.dumps(found))
        return
    for each in found:
        print(f"  {each['name']:<13} {each['about']}")


def duel(
    first: Annotated[str, typer.Argument(help="A level, heuristic, random, FILE.npz, gnubg-nn:0, bgsage:1ply.")],
    second: Annotated[str, typer.Argument(help="The other side.")],
    games: Annotated[int | None, typer.Option("--games", "-g", help="How many games (1000).")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Or for how long.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="The dice follow from it.")] = 1,
    luck: Annotated[bool, typer.Option("--luck/--no-luck", help="Also take the luck of the dice out.")] = True,
    variant: Variant = "backgammon",
    json: Json = False,
) -> None:
    """Cubeless money games in mirrored pairs with the same dice: points a game with their standard error."""
    from dataclasses import asdict

    from fullprime.app.advice import study

    shown = not json and sys.stderr.isatty()

    def progress(result: Any) -> None:
        points, error = result.clearest
        plus_minus = f" ± {error:.4f}" if error is not None else ""
        print(f"\r  {result.games} games: {points:+.4f}{plus_minus}   ", end="", file=sys.stderr, flush=True)

    found = study.duel(
        first,
        second,
        variant=variant,
        games=1000 if games is None and seconds is None else games,
        seconds=seconds,
        seed=seed,
        luck=luck,
        progress=progress if shown else None,
    )
    if shown:
        print("\r\033[K", end="", file=sys.stderr)
    print(json_module.dumps({**asdict(found), "seed": seed}) if json else found)


def engine(threads: Threads = 1) -> None:
    """Answer requests of other programs: a line of JSON in, a line of JSON out (docs/engine.md)."""
    from fullprime.app.advice.engine_lines import conversation

    def write(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    conversation(lambda: os.read(sys.stdin.fileno(), 1 << 16), write, threads_of(threads))


def game_of(
    position: str,
    variant: str,
    *,
    length: int | None = None,
    score: str | None = None,
    post_crawford: bool = False,
    cube_at: str | None = None,
    on_roll: str | None = None,
    jacoby: bool | None = None,
    beavers: bool | None = None,
    rule: list[str] | None = None,
    quiet: bool = False,
) -> Game:
    """The game that an ID describes, with what the options say in its place; notes go to standard error."""
    from fullprime.app.choices.options import make_settings, read_score
    from fullprime.app.choices.positions import game_from_id
    from fullprime.cli.terminal import note

    settings = make_settings(variant, rules=rule or [], default_length=0, length=length, jacoby=jacoby, beavers=beavers)
    said = bool(rule) or any(value is not None for value in (length, jacoby, beavers, score))
    begun = read_score(score, settings, post_crawford=post_crawford) if score else None
    game, notes = game_from_id(position, settings, override=said, score=begun, on_roll=on_roll, cube=cube_at)
    if not quiet:
        for each in notes:
            note(f"{position.strip()[:40]} {each}")
    return game


def threads_of(asked: int | None) -> int:
    """So many threads as were asked for, else one for each core."""
    return asked if asked is not None else os.cpu_count() or 1
