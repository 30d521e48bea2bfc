"""Shared code of the library's commands: options, the library opened, lines of output."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fullprime.cli.options import VARIANT_HELP
from fullprime.rules.words import format_players, format_score

if TYPE_CHECKING:
    from fullprime.library.service import LibraryStore, MatchRow, Wanted

PARTLY = 1
"""Exit code: something was done, something could not be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOptions:
    """The matches asked for: all conditions must hold."""

    opponent: Annotated[str | None, typer.Option("--opponent", help="Against this player.")] = None
    event: Annotated[str | None, typer.Option("--event", help="A part of the event, round or site.")] = None
    since: Annotated[str | None, typer.Option("--since", help="From this day on: 2026-11-21.")] = None
    until: Annotated[str | None, typer.Option("--until", help="Up to this day.")] = None
    length: Annotated[int | None, typer.Option("--length", "-n", min=0, help="Matches of this length; 0 is money.")] = (
        None
    )
    variant: Annotated[str | None, typer.Option("--variant", "-v", help=VARIANT_HELP)] = None
    score: Annotated[
        str | None, typer.Option("--score", help="A game began at this score, the player's points first: 4-0.")
    ] = None
    away: Annotated[str | None, typer.Option("--away", help="The same as points still needed: 3-5.")] = None

    def to_wanted(self, player: str | None, **more: Any) -> Wanted:
        """The question to the library; ``more`` are other fields of it."""
        from fullprime.library.service import make_wanted

        return make_wanted(
            player=player,
            opponent=self.opponent,
            event=self.event,
            since=self.since,
            until=self.until,
            length=self.length,
            variant=self.variant,
            score=self.score,
            away=self.away,
            **more,
        )


OfLevel = Annotated[str | None, typer.Option("--level", "-l", help="Only reviews of this level.")]
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="A player, under any name, or a part of one.")]


@contextmanager
def open_store(database: str | None) -> Iterator[LibraryStore]:
    """The library at that place, closed afterwards."""
    from fullprime.library.service import open_library

    store = open_library(database)
    try:
        yield store
    finally:
        store.close()


def to_limit(limit: int) -> int | None:
    """A limit of which 0 means none."""
    return limit if limit > 0 else None


MATCH_HEAD = f"{'#':>6}  {'date':<10}  {'score':>7}  {'to':>5}  r  players, event"
"""The line above the lines of :func:`match_line`."""


def match_line(row: MatchRow) -> str:
    """A match in a line of a list."""
    to = "money" if row.length == 0 else str(row.length)
    score = format_score(min(points, row.length or points) for points in row.points)
    event = f", {row.event}" if row.event else ""
    names = format_players(row.names)
    game = "" if row.variant == "backgammon" else f" ({row.variant})"
    mark = "r" if row.reviewed else " "
    return f"{row.number:>6}  {row.date or '-':<10}  {score:>7}  {to:>5}  {mark}  {names}{game}{event}"
