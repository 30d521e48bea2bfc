"""Exact tables on demand, of endgames and of the bear-off: their making and their files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fullprime.rules.errors import SettingsError
from fullprime.rules.variants import variant_named


@dataclass(frozen=True, slots=True)
class EndgameFile:
    """A table of endgames that was made."""

    variant: str
    """The game."""
    file: str
    """The path of the file."""
    bytes: int
    """Its size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BearoffFiles:
    """The bear-off tables that were made."""

    folder: str
    """The folder that holds them."""
    checkers: int
    """Checkers of each side, in the two-sided table."""
    one_sided: int
    """Positions of one side."""
    two_sided: int
    """Positions of both sides."""
    bytes: int
    """Their size."""


def build(variant: str, threads: int, progress: Callable[[float, str], None] | None = None) -> EndgameFile:
    """Make a game's table of three checkers a side in the user's data folder; raises SettingsError, EndgameError."""
    from fullprime.engine.tables import endgames

    if threads < 1:
        raise SettingsError(f"{threads} threads: at least one is needed")
    game = variant_named(variant)
    try:
        path = endgames.build(game, progress=progress, threads=threads)
    except OSError as error:
        raise SettingsError(f"the table cannot be written: {error}") from None
    return EndgameFile(game.name, str(path), Path(path).stat().st_size)


def build_bearoff(checkers: int, progress: Callable[[float, str], None] | None = None) -> BearoffFiles:
    """Make the bear-off tables afresh in the user's cache folder; raises SettingsError, BearoffError."""
    from fullprime.engine.tables import bearoff

    folder = bearoff.cache_folder()
    try:
        tables = bearoff.Bearoff.build(folder, checkers=checkers, progress=progress)
    except OSError as error:
        raise SettingsError(f"the tables cannot be written: {error}") from None
    return BearoffFiles(
        folder=str(folder),
        checkers=tables.checkers,
        one_sided=len(tables.mean),
        two_sided=len(tables.two_sided) ** 2,
        bytes=tables.bytes,
    )
