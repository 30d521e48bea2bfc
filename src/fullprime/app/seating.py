"""Sitting down: a table made from what was chosen, or the one that was left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from fullprime.app.dice import TableDice
from fullprime.app.table import HUMAN, Table
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Score, Settings

if TYPE_CHECKING:
    from fullprime.store.games import GameStore

DEFAULT_BOT = "heuristic"


def open_store(url: str | None = None) -> GameStore:
    """The saved games, in the database of that URL or in the usual place; raises StoreError."""
    from fullprime.store.games import GameStore

    return GameStore(url)


def new_table(
    settings: Settings,
    *,
    bot: str | None = DEFAULT_BOT,
    names: tuple[str, ...] = (),
    game: Game | None = None,
    score: Score | None = None,
    dice: TableDice | None = None,
    store: GameStore | None = None,
    automatic: bool = True,
    confirm: bool = False,
) -> Table:
    """A table for a new match. X is a person, O a bot or (``bot`` None) another person.

    ``game`` is the position to begin with; without it the match begins with an opening roll at ``score``.
    """
    if bot is not None:
        from fullprime.engine.bots import BOTS

        if bot not in BOTS:
            raise SettingsError(f"there is no bot {bot[:40]!r}; there are {', '.join(BOTS)}")
    seats = (HUMAN, bot or HUMAN)
    given = tuple(_checked(name) for name in names)
    if len(given) > 2:
        raise SettingsError(f"there are two names, X's and O's, not {len(given)}")
    usual = ("X", "O") if bot is None else ("You", bot)
    both = (*given, *usual[len(given) :])
    if both[0] == both[1]:
        raise SettingsError(f"both players are called {both[0]!r}: nobody could tell them apart")
    start = game if game is not None else Game.new(settings, score)
    match = Match(start.settings, (both[0], both[1]), (GameRecord(start),))
    return Table(match, seats=seats, dice=dice, store=store, automatic=automatic, confirm=confirm)


def resume_table(
    store: GameStore, number: int | None = None, *, automatic: bool = True, confirm: bool = False
) -> Table:
    """The table that was left last, or that of this number; raises StoreError or SettingsError."""
    if number is None:
        number = store.last_unfinished()
        if number is None:
            raise SettingsError("there is no unfinished game to resume")
    return Table.resume(store.load(number), store, automatic=automatic, confirm=confirm)


def write_record(table: Table, path: Path) -> None:
    """Write everything that has happened as our own JSON; raises SettingsError when the file cannot be written."""
    from fullprime.store.codec import match_json

    try:
        path.write_text(json.dumps(match_json(table.match), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"the record cannot be written to {path}: {error.strerror}") from error


def check_record_path(path: Path) -> None:
    """Raise SettingsError unless a record can be kept there."""
    if path.suffix.lower() != ".json":
        raise SettingsError(f"a record is kept as .json for now, not {path.name!r}")
    if not path.parent.is_dir():
        raise SettingsError(f"there is no folder {path.parent}")


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > 40 or not name.isprintable():
        raise SettingsError(f"{name[:50]!r} is not a name: write 1 to 40 letters")
    return name
