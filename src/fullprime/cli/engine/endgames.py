"""Commands that make exact tables: ``endgames`` and ``bearoff build``."""

from __future__ import annotations

from typing import Annotated

import typer

from fullprime.cli.command import add, add_group
from fullprime.cli.options import Json, Threads, VariantName, threads_of
from fullprime.cli.progress import show_progress_bar
from fullprime.cli.terminal import say, say_json


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add(app, "endgames", endgames, "fullprime endgames hypergammon")
    group = add_group(app, "bearoff", "The exact bear-off tables: build.", "fullprime bearoff build --checkers 8")
    add(group, "build", build_bearoff, "fullprime bearoff build", "fullprime bearoff build --checkers 8")


def endgames(
    variant: VariantName = "hypergammon",
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Make the exact table of up to three checkers a side, once. It takes many minutes.

    It is kept in the user's data folder and used from then on. Hypergammon's table is the whole game.
    """
    from fullprime.analysis.exact_tables import build

    with show_progress_bar() as tell:
        table = build(variant, threads_of(threads), lambda part, word: tell(word, round(100 * part), 100))
    if json:
        say_json(table)
    else:
        say(f"{table.variant}: {table.file}, {table.bytes:,} bytes")


def build_bearoff(
    checkers: Annotated[
        int, typer.Option("--checkers", min=1, max=8, help="Checkers a side of the two-sided table, 1 to 8.")
    ] = 6,
    json: Json = False,
) -> None:
    """Make the exact tables of the bear-off afresh: a few seconds.

    They are kept in the user's cache folder, where the engine maps the largest that is there.
    """
    from fullprime.analysis.exact_tables import build_bearoff as build

    with show_progress_bar() as tell:
        tables = build(checkers, lambda part, _word: tell("bear-off tables", round(100 * part), 100))
    if json:
        say_json(tables)
        return
    sides = f"two-sided up to {tables.checkers} checkers a side: {tables.two_sided:,}"
    say(f"one-sided: {tables.one_sided:,} positions; {sides}; {tables.bytes:,} bytes in {tables.folder}")
