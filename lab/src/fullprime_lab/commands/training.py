"""Commands that make nets: ``train selfplay``, ``label``, ``dataset``, ``fit``, ``export``, ``gate``, ``cube``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.options import Json, Seed, Variant, seed_number
from fullprime.cli.progress import show_progress_bar
from fullprime.cli.terminal import say, say_json
from fullprime.rules.words import format_signed
from fullprime_lab.commands.options import Games

Config = Annotated[
    str, typer.Argument(metavar="CONFIG", help="A TOML file, or package:backgammon (or another variant).")
]
Folder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of the run.")]
Stage = Annotated[str, typer.Argument(help="A stage of the configuration.")]
Device = Annotated[
    str, typer.Option("--device", help="What fits: numpy (our kernels), or PyTorch on cpu, cuda, cuda:1.")
]

_say = partial(say, flush=True)


def add_to(app: typer.Typer) -> None:
    """Add the group."""
    example = "fullprime train run package:backgammon runs/backgammon"
    group = add_group(app, "train", "Make nets, from nothing (docs/training.md).", example)
    add(group, "run", run, example, f"{example} --pace 0.2")
    add(group, "selfplay", selfplay, "fullprime train selfplay package:backgammon runs/backgammon small")
    add(group, "label", label, "fullprime train label runs/a/shards runs/b/shards net.npz")
    add(group, "dataset", dataset, "fullprime train dataset runs/a/shards")
    add(group, "fit", fit, "fullprime train fit package:backgammon runs/backgammon small")
    add(group, "gate", gate, "fullprime train gate net.npz fast --games 10000")
    add(group, "export", export, "fullprime train export net.npz")
    add(group, "cube", cube, "fullprime train cube runs/cube --positions 20000")


def run(
    config: Config,
    folder: Folder,
    until: Annotated[str, typer.Option("--until", metavar="STAGE", help="Stop after this stage.")] = "",
    device: Device = "numpy",
    pace: Annotated[
        float, typer.Option("--pace", min=0.001, max=1000, help="A factor on the minutes of every stage.")
    ] = 1.0,
) -> None:
    """Everything: each stage's self-play and fitting side by side. Stopped and started again it goes on."""
    from fullprime_lab.training import steps

    say(steps.run(config, folder, until, device, pace, _say))


def selfplay(
    config: Config,
    folder: Folder,
    stage: Stage,
    shards: Annotated[int, typer.Option("--shards", min=1, help="How many shards to write.")] = 10,
    worker: Annotated[int, typer.Option("--worker", min=0, help="A number of its own for each process.")] = 0,
) -> None:
    """Play games for a stage and write what the positions were worth: RUN/STAGE/shards."""
    from fullprime_lab.training import steps

    steps.selfplay(config, folder, stage, worker, shards, _say)


def label(
    shards: Annotated[Path, typer.Argument(help="A folder of shards.")],
    out: Annotated[Path, typer.Argument(help="The folder for the new ones.")],
    net: Annotated[Path, typer.Argument(help="The net that judges; package: all of the package together.")],
    small: Annotated[Path | None, typer.Option("--filter", help="A small net that sees every play first.")] = None,
    variant: Variant = "backgammon",
) -> None:
    """Label positions anew by looking one ply ahead with a better net. Shards that are there are passed over."""
    from fullprime_lab.training import steps

    say(f"{steps.label(shards, out, net, small, variant, _say)} shards written to {out}")


def dataset(
    shards: Annotated[list[Path], typer.Argument(help="Folders of shards.")],
    out: Annotated[Path | None, typer.Option("--out", help="Join them to one shard in this folder.")] = None,
    room: Annotated[int, typer.Option("--room", min=1, help="The largest number, the newest ones.")] = 4_000_000,
    json: Json = False,
) -> None:
    """What shards hold: how many positions, how many of them different, races, targets on average."""
    from fullprime_lab.training import steps

    summary = steps.dataset(shards, out, room)
    if json:
        say_json(summary)
        return
    say(summary)
    if summary.written:
        say(f"  written: {summary.written}")


def fit(config: Config, folder: Folder, stage: Stage, device: Device = "numpy") -> None:
    """Fit the net of a stage to the shards that are there. Stopped and started again it goes on."""
    from fullprime_lab.training import steps

    say(steps.fit(config, folder, stage, device, _say))


def gate(
    first: Annotated[str, typer.Argument(help="The net file that wants to be promoted.")],
    second: Annotated[str, typer.Argument(help="A net file, a level, gnubg-nn:0; fast: the package's.")] = "fast",
    games: Games = 4000,
    seed: Seed = "1",
    variant: Variant = "backgammon",
    json: Json = False,
) -> None:
    """A mirrored duel. The exit code is 0 when FIRST is ahead by two standard errors, else 1."""
    from fullprime_lab.training import steps

    with show_progress_bar() as progress:
        verdict = steps.gate(
            first, second, variant, games, seed_number(seed),
            lambda now: progress("games", now.games, games, format_signed(now.clearest[0], 4)),
        )  # fmt: skip
    if json:
        from fullprime.common.json_values import to_json

        say_json(to_json(verdict.result) | {"promoted": verdict.promoted})
    else:
        say(verdict)
    if not verdict.promoted:
        raise typer.Exit(1)


def export(
    net: Annotated[Path, typer.Argument(help="A net file.")],
    phase: Annotated[
        str | None,
        typer.Option("--phase", help="contact, race, back_game, small, deep or deep_2, if not what it says."),
    ] = None,
    origin: Annotated[str, typer.Option("--origin", help="How it was made, kept in the file.")] = "",
    data: Annotated[Path | None, typer.Option("--data", help="Another folder than the package's.")] = None,
) -> None:
    """Put a net into the package, under the hash of its content, and name it in the manifest."""
    from fullprime_lab.training import steps

    say(steps.export(net, phase, origin, data))


def cube(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the positions; it goes on there.")],
    positions: Annotated[int, typer.Option("--positions", min=1000, help="Positions to look ahead from.")] = 20_000,
    ply: Annotated[int, typer.Option("--ply", min=1, max=3, help="The plies of the look-ahead.")] = 2,
    put: Annotated[bool, typer.Option("--export", help="Put what was learnt into the package.")] = False,
    seed: Seed = "1",
    variant: Variant = "backgammon",
) -> None:
    """Learn how live the cube is (its efficiency) from look-ahead. Stopped and started again it goes on."""
    from fullprime_lab.training import steps

    say(steps.efficiency(folder, variant, positions, seed_number(seed), ply, put, _say))
