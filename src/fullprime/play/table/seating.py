"""Sitting down: a new table from the choices of its players, or the table that was left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fullprime.common.atomic_write import atomic_write
from fullprime.play.naming import UNNAMED, check_apart, seat_name
from fullprime.play.options.opponents import SIMPLE_BOT
from fullprime.play.options.strengths import check_bot
from fullprime.play.table.table import Table
from fullprime.play.terms import HUMAN, Terms
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game
from fullprime.rules.score import Score, Settings

if TYPE_CHECKING:
    from fullprime.play.table.terminal_store import TerminalStore

_KNOWN_AFTER = 3
"""The number of stored games after which the prompt stops explaining itself."""


def open_store(url: str | None = None) -> TerminalStore:
    """The games of the terminal, in the database of that URL or in the usual place; raises StoreError."""
    from fullprime.play.table.terminal_store import TerminalStore

    return TerminalStore(url)


def is_newcomer(store: TerminalStore | None) -> bool:
    """True if the person at this computer has played so little that hints may help."""
    return store is None or store.count() < _KNOWN_AFTER


def new_table(
    settings: Settings,
    *,
    bot: str | None = SIMPLE_BOT,
    names: tuple[str, ...] = (),
    game: Game | None = None,
    score: Score | None = None,
    seed: str | None = None,
    types_dice: bool = False,
    store: TerminalStore | None = None,
    automatic: bool = True,
    confirm: bool = False,
) -> Table:
    """A table for a new match. X is a person, O a bot or (``bot`` None) another person.

    ``game`` is the position to begin with; without it the match begins with an opening roll at ``score``. The dice
    follow from the ``seed`` (a new one where it is None), unless people throw real dice (``types_dice``), where bots
    alone need it. With ``automatic`` throws and plays without a choice make themselves.
    """
    if bot is not None:
        bot = check_bot(bot)
    seats = (HUMAN, bot or HUMAN)
    own_names = tuple(map(seat_name, names))
    if len(own_names) > 2:
        raise SettingsError(f"there are two names, X's and O's, not {len(own_names)}")
    usual = ("X", "O") if bot is None else (UNNAMED, bot)
    both = (*own_names, *usual[len(own_names) :])
    check_apart(*both)
    start = game if game is not None else Game.new(settings, score)
    terms = Terms(
        settings=start.settings,
        opponent="screen" if bot is None else "bot",
        dice="typed" if types_dice else "seed",
        automatic=automatic,
        spectators=False,
        start=start,
    )
    return Table.open(terms, (both[0], both[1]), seats, seed=seed, store=store, confirm=confirm)


def resume_table(
    store: TerminalStore, number: int | None = None, *, automatic: bool = True, confirm: bool = False
) -> Table:
    """The table that was left last, or that of this number; raises StoreError or SettingsError."""
    if number is None:
        number = store.find_last_unfinished()
        if number is None:
            raise SettingsError("there is no unfinished game to resume")
    stored = store.load(number)
    session = replace(stored.session, terms=replace(stored.session.terms, automatic=automatic))
    return Table(session, stored.secret, store=store, number=number, confirm=confirm)


def record_format(path: Path) -> str:
    """The format in which a record is kept in that file, by its extension; raises SettingsError."""
    from fullprime.formats import FORMATS, writable

    kinds = {extension: name for name in writable(matches=True) for extension in FORMATS[name].extensions}
    if path.suffix.lower() not in kinds:
        raise SettingsError(f"{path.name!r}: a record is kept as {', '.join(kinds)}")
    if not path.parent.is_dir():
        raise SettingsError(f"there is no folder {path.parent}")
    return kinds[path.suffix.lower()]


def write_record(table: Table, path: Path) -> tuple[str, ...]:
    """Write the whole match in the format of the file; gives the facts that the format cannot carry.

    Raises FormatError for a match that it cannot carry, SettingsError when the file cannot be written.
    """
    from fullprime.formats import Document, write

    data, losses = write(Document(table.match), record_format(path))
    try:
        atomic_write(path, data, follow_links=True)
    except OSError as error:
        raise SettingsError(f"the record cannot be written to {path}: {error.strerror}") from error
    return losses.losses
