"""``fullprime puzzles``: the stock of puzzles made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.progress import bar


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = add_group(app, "puzzles", "Puzzles: one best play, and one that tempts.", "fullprime puzzles make dutch")
    group.callback()(_group)
    add(group, "make", make, "fullprime puzzles make", "fullprime puzzles make dutch --count 300 --to my-puzzles")


def _group() -> None:
    """Puzzles: one best play, and one that tempts."""


def make(
    games: Annotated[list[str] | None, typer.Argument(metavar="[VARIANT]...", help="Games; all unless said.")] = None,
    *,
    count: Annotated[int | None, typer.Option("--count", min=1, help="So many puzzles of each game.")] = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="The folder of the stock; the package's own unless said.")
    ] = None,
) -> None:
    """Make puzzles out of self-play, each verified by a rollout; the command goes on from where it stopped.

    Every puzzle is on the disk as soon as it is found: end the command when you like.
    """
    from fullprime.app.drills.making import AIMS, make_stock
    from fullprime.cli.terminal import show_text
    from fullprime.rules.variants import variant_named

    for name in [variant_named(each).name for each in games or AIMS]:
        wanted = AIMS[name] if count is None else count
        try:
            with bar() as tell:
                found = make_stock(name, wanted, to, told=tell)
        except KeyboardInterrupt:
            show_text(f"{name}: stopped; the command goes on from here.")
            raise typer.Exit(130) from None
        show_text(f"{name}: {len(found)} puzzles out of {found.games} games.")
