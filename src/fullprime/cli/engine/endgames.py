"""Commands that make exact tables: ``endgames`` and ``bearoff build``."""

from __future__ import annotations

import json as json_module
import os
from typing import Annotated

import typer

from fullprime.cli.progress import bar
from fullprime.cli.tools import Json


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("endgames")(endgames)
    group = typer.Typer(help="The exact bear-off tables: build.", no_args_is_help=True, rich_markup_mode=None)
    group.callback()(_group)
    group.command("build")(build_bearoff)
    app.add_typer(group, name="bearoff")


def _group() -> None:
    """The exact bear-off tables: build."""


def endgames(
    variant: Annotated[str, typer.Argument(help="The game; Hypergammon's table is the whole game.")] = "hypergammon",
    threads: Annotated[int, typer.Option("--threads", "-t", help="How many, 0 for one a core.")] = 0,
    json: Json = False,
) -> None:
    """Make the exact table of all positions of up to three checkers a side: many minutes, once.

    It is kept in the user's data folder and used from then on.
    """
    from fullprime.app.workshop.endgames import build

    with bar(quiet=json) as tell:
        found = build(variant, threads or os.cpu_count() or 1, lambda part, word: tell(word, round(100 * part), 100))
    print(json_module.dumps(found) if json else f"{found['variant']}: {found['file']}, {found['bytes']:,} bytes")


def build_bearoff(
    checkers: Annotated[
        int, typer.Option("--checkers", "-c", help="Checkers a side of the two-sided table, 1 to 8.")
    ] = 6,
    json: Json = False,
) -> None:
    """Make the exact tables of the bear-off afresh: a few seconds.

    They are kept in the user's cache folder, where the engine maps the largest that is there.
    """
    from fullprime.app.workshop.endgames import build_bearoff as build

    with bar(quiet=json) as tell:
        found = build(checkers, lambda part, _word: tell("bear-off tables", round(100 * part), 100))
    if json:
        print(json_module.dumps(found))
        return
    sides = f"two-sided up to {found['checkers']} checkers a side: {found['two_sided']:,}"
    print(f"one-sided: {found['one_sided']:,} positions; {sides}; {found['bytes']:,} bytes in {found['folder']}")
