"""The command that makes exact endgame tables: ``endgames``."""

from __future__ import annotations

import json as json_module
import os
from typing import Annotated

import typer

from fullprime.cli.progress import bar
from fullprime.cli.tools import Json


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("endgames")(endgames)


def endgames(
    variant: Annotated[str, typer.Argument(help="The game; Hypergammon's table is the whole game.")] = "hypergammon",
    threads: Annotated[int, typer.Option("--threads", "-t", help="How many, 0 for one a core.")] = 0,
    json: Json = False,
) -> None:
    """Make the exact table of all positions of up to three checkers a side: many minutes, once.

    It is kept in the user's data folder and used from then on.
    """
    from fullprime.app.endgames import build

    with bar(quiet=json) as tell:
        found = build(variant, threads or os.cpu_count() or 1, lambda part, word: tell(word, round(100 * part), 100))
    print(json_module.dumps(found) if json else f"{found['variant']}: {found['file']}, {found['bytes']:,} bytes")
