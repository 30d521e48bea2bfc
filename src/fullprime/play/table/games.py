"""Saved games: every action that has been confirmed to a player is on the disk."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from fullprime.db.database import begin_snapshot, open_database, reason
from fullprime.db.errors import StoreConflict, StoreError
from fullprime.db.schema.tables import events, matches
from fullprime.db.times import utc_now
from fullprime.formats.ours.form import from_json, to_json
from fullprime.rules.game import Action, Game
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Settings

PLAYING, OVER = "playing", "over"


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match as it was left. ``seats`` and ``dice`` have the meaning that the caller gave them."""

    number: int
    match: Match
    seats: tuple[str, str]
    dice: str
    drawn: int
    status: str
    updated: datetime
    events: int
    """The number of events stored; the next event gets this number plus one."""


class GameStore:
    """The saved games of one database; ``url`` may be an engine that is open already."""

    def __init__(self, url: str | Engine | None = None) -> None:
        self._engine = url if isinstance(url, Engine) else open_database(url)

    @property
    def url(self) -> str:
        """The address of the database, without a password."""
        return self._engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def create(self, match: Match, seats: tuple[str, str], dice: str) -> int:
        """Store a match whose first game has no events yet; gives its number."""
        if len(match.games) != 1 or match.games[0].events:
            raise StoreError("a match is stored before its first event")
        now = utc_now()
        row = {
            "settings": _dump(to_json(match.settings)),
            "names": _dump(list(match.names)),
            "seats": _dump(list(seats)),
            "dice": dice,
            "drawn": 0,
            "first_game": _dump(to_json(match.games[0].start)),
            "status": PLAYING,
            "created": now,
            "updated": now,
        }
        try:
            with self._engine.begin() as connection:
                number = connection.execute(insert(matches).values(row)).inserted_primary_key
        except SQLAlchemyError as error:
            raise StoreError(f"the game cannot be stored: {error}") from error
        assert number is not None
        return int(number[0])

    def append(self, number: int, seq: int, game_no: int, event: Event, drawn: int, *, over: bool = False) -> None:
        """Store one event; when this returns, it is on the disk.

        Raises StoreConflict when another process has added an event to the game, StoreError when it cannot be stored
        (or when a broken connection leaves that unknown).
        """
        now = utc_now()
        row = {"match_id": number, "seq": seq, "game_no": game_no, "event": _dump(to_json(event)), "at": now}
        state = {"drawn": drawn, "status": OVER if over else PLAYING, "updated": now}
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(events).values(row))
                connection.execute(update(matches).where(matches.c.id == number).values(state))
        except IntegrityError as error:
            raise StoreConflict(f"game {number} is being played somewhere else: it has gone on meanwhile") from error
        except SQLAlchemyError as error:
            raise StoreError(f"game {number} cannot be stored: {reason(error)}") from error

    def load(self, number: int) -> SavedMatch:
        """A stored match, replayed; raises StoreError when there is none of that number."""
        with begin_snapshot(self._engine) as connection:
            row = connection.execute(select(matches).where(matches.c.id == number)).mappings().first()
            if row is None:
                raise StoreError(f"there is no stored game {number}")
            columns = (events.c.game_no, events.c.event)
            query = select(*columns).where(events.c.match_id == number).order_by(events.c.seq)
            stored = connection.execute(query).all()
        rows = [(int(game_no), str(event)) for game_no, event in stored]
        settings = from_json(Settings, json.loads(row["settings"]))
        names, seats = json.loads(row["names"]), json.loads(row["seats"])
        match = Match(settings, (names[0], names[1]))
        start = from_json(Game, json.loads(row["first_game"]), settings)
        for game_no in range(1, (rows[-1][0] if rows else 1) + 1):
            happened = tuple(_event(text, settings) for no, text in rows if no == game_no)
            if game_no > 1:
                start = Game.new(settings, match.score)
            match = Match(settings, match.names, (*match.games, GameRecord(start, happened)))
        return SavedMatch(
            number=number,
            match=match,
            seats=(seats[0], seats[1]),
            dice=str(row["dice"]),
            drawn=int(row["drawn"]),
            status=str(row["status"]),
            updated=row["updated"],
            events=len(rows),
        )

    def find_last_unfinished(self) -> int | None:
        """The number of the match that was played last and is not over."""
        query = (
            select(matches.c.id)
            .where(matches.c.status == PLAYING)
            .order_by(matches.c.updated.desc(), matches.c.id.desc())
        )
        with self._engine.begin() as connection:
            return connection.execute(query.limit(1)).scalar()

    def count(self) -> int:
        """The number of matches stored."""
        with self._engine.begin() as connection:
            return int(connection.execute(select(func.count()).select_from(matches)).scalar_one())

    def list_numbers(self) -> Sequence[int]:
        """The numbers of all stored matches, oldest first."""
        with self._engine.begin() as connection:
            return [int(number) for number in connection.execute(select(matches.c.id).order_by(matches.c.id)).scalars()]

    def delete(self, number: int) -> None:
        """Forget a match and everything that happened in it."""
        with self._engine.begin() as connection:
            connection.execute(delete(events).where(events.c.match_id == number))
            if not connection.execute(delete(matches).where(matches.c.id == number)).rowcount:
                raise StoreError(f"there is no stored game {number}")


def _event(text: str, settings: Settings) -> Event:
    data = json.loads(text)
    kind: type[Action | Setup] = Setup if isinstance(data, dict) and "setup" in data else Action
    return from_json(kind, data, settings)


_dump: Callable[[object], str] = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
"""Writes an event as JSON; ``json.dumps`` would make a new encoder for each one."""
