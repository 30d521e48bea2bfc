"""Saved games: every action that has been confirmed to a player is on the disk."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, and_, bindparam, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from fullprime.formats.ours.form import from_json, to_json
from fullprime.rules.game import Action, Game
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Settings
from fullprime.store.database import by_driver, open_database, reason, snapshot
from fullprime.store.errors import StoreError
from fullprime.store.games.writing import EventRow, EventWriter, SingleWriter
from fullprime.store.schema.tables import events, matches, rooms
from fullprime.store.times import utc_now

PLAYING, OVER = "playing", "over"
_LINKS = "links"

_LATER = (
    # One statement sees one moment: dice of another moment than the events would be the wrong ones.
    select(rooms.c.revision, matches.c.drawn, events.c.game_no, events.c.event, events.c.at)
    .select_from(
        rooms.join(matches, matches.c.id == rooms.c.match_id).outerjoin(
            events, and_(events.c.match_id == matches.c.id, events.c.seq > bindparam("after"))
        )
    )
    .where(rooms.c.id == bindparam("room"))
    .order_by(events.c.seq)
)


_LATER_OF_MANY = """
SELECT rooms.id, rooms.revision, matches.drawn, events.game_no, events.event, events.at
FROM unnest(%(rooms)s::text[], %(after)s::integer[]) AS asked (room, after)
JOIN rooms ON rooms.id = asked.room JOIN matches ON matches.id = rooms.match_id
LEFT JOIN events ON events.match_id = matches.id AND events.seq > asked.after
ORDER BY rooms.id, events.seq
"""


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
    """The number of events stored; the next has the number after it."""
    times: tuple[datetime | None, ...] = ()
    """The time at which each event was stored (UTC, without a zone); None for those of an older version."""
    links: tuple[Mapping[str, str], ...] = ()
    """The links (by side) with which each event was thrown; empty where it needed none."""


@dataclass(frozen=True, slots=True)
class Later:
    """The events stored after one event of a match, and the count of its room's changes, all at one moment."""

    revision: int
    events: tuple[tuple[int, Event], ...]
    """Each with the number of its game."""
    times: tuple[datetime | None, ...]
    drawn: int
    """The number of dice that have been thrown after the last of them."""
    links: tuple[Mapping[str, str], ...] = ()
    """The links (by side) with which each was thrown."""

    def without(self, number: int) -> Later:
        """The same without so many of the first events."""
        return replace(self, events=self.events[number:], times=self.times[number:], links=self.links[number:])


class GameStore:
    """The saved games of one database; ``url`` may be an engine that is open already.

    ``writer`` makes the writer that puts events on the disk (see ``writing``).
    """

    def __init__(self, url: str | Engine | None = None, writer: Callable[[Engine], EventWriter] = SingleWriter) -> None:
        self._engine = url if isinstance(url, Engine) else open_database(url)
        self._writer = writer(self._engine)
        self._later = str(_LATER.compile(self._engine)) if self._engine.dialect.name == "postgresql" else None

    @property
    def url(self) -> str:
        """The address of the database, without a password."""
        return self._engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Finish the writes under way, and let go of the database."""
        self._writer.close()
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

    def append(
        self,
        number: int,
        seq: int,
        game_no: int,
        event: Event,
        drawn: int,
        *,
        over: bool = False,
        falls: Callable[[datetime], datetime | None] | None = None,
        links: Mapping[str, str] | None = None,
    ) -> datetime:
        """Store one event and give the time it bears; when this returns, it is on the disk.

        ``falls`` gives for that time the moment at which the flag of the player who must act then will fall, if there
        is a clock. ``links`` are those by side with which the event was thrown.
        Raises StoreConflict when another process has gone on with the same game, StoreError when it cannot be stored
        (or when a broken connection leaves that unknown).
        """
        now = utc_now()
        row: EventRow = {
            "number": number, "place": seq, "game": game_no, "what": _dump(_with(to_json(event), links)),
            "thrown": drawn, "standing": OVER if over else PLAYING,
            "now": now, "falls": None if falls is None else falls(now),
        }  # fmt: skip
        self._writer.write(row)
        return now

    def later(self, room_id: str, seq: int, settings: Settings) -> Later | None:
        """The events stored of the match of a room after the event of that number; None when there is no match.

        ``settings`` are those of the match.
        """
        try:
            asked = {"room": room_id, "after": seq}
            if self._later is not None:
                rows = by_driver(self._engine, self._later, asked)
            else:
                with self._engine.begin() as connection:
                    rows = [tuple(row) for row in connection.execute(_LATER, asked)]
        except SQLAlchemyError as error:
            raise StoreError(f"game {room_id} cannot be read: {reason(error)}") from error
        return _later(rows, settings) if rows else None

    def later_of_many(self, asked: Mapping[str, tuple[int, Settings]]) -> dict[str, Later]:
        """The results of :meth:`later` for many rooms, each from the number of an event, by one trip to PostgreSQL."""
        rows: dict[str, list[Any]] = {}
        try:
            values = {"rooms": list(asked), "after": [after for after, _ in asked.values()]}
            for room_id, *row in by_driver(self._engine, _LATER_OF_MANY, values):
                rows.setdefault(str(room_id), []).append(row)
        except SQLAlchemyError as error:
            raise StoreError(f"{len(asked)} games cannot be read: {reason(error)}") from error
        return {room_id: _later(found, asked[room_id][1]) for room_id, found in rows.items()}

    def load(self, number: int) -> SavedMatch:
        """A stored match, replayed; raises StoreError when there is none of that number."""
        with snapshot(self._engine) as connection:
            row = connection.execute(select(matches).where(matches.c.id == number)).mappings().first()
            if row is None:
                raise StoreError(f"there is no stored game {number}")
            columns = (events.c.game_no, events.c.event, events.c.at)
            wanted = select(*columns).where(events.c.match_id == number).order_by(events.c.seq)
            stored = connection.execute(wanted).all()
        found = [(int(game_no), str(event)) for game_no, event, _ in stored]
        settings = from_json(Settings, json.loads(row["settings"]))
        names, seats = json.loads(row["names"]), json.loads(row["seats"])
        match = Match(settings, (names[0], names[1]))
        start = from_json(Game, json.loads(row["first_game"]), settings)
        for game_no in range(1, (found[-1][0] if found else 1) + 1):
            happened = tuple(_event(text, settings) for no, text in found if no == game_no)
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
            events=len(found),
            times=tuple(at for _, _, at in stored),
            links=tuple(_links(text) for _, text in found),
        )

    def last_unfinished(self) -> int | None:
        """The number of the match that was played last and is not over."""
        wanted = (
            select(matches.c.id)
            .where(matches.c.status == PLAYING)
            .order_by(matches.c.updated.desc(), matches.c.id.desc())
        )
        with self._engine.begin() as connection:
            return connection.execute(wanted.limit(1)).scalar()

    def count(self) -> int:
        """The number of matches stored."""
        with self._engine.begin() as connection:
            return int(connection.execute(select(func.count()).select_from(matches)).scalar_one())

    def numbers(self) -> Sequence[int]:
        """The numbers of all stored matches, oldest first."""
        with self._engine.begin() as connection:
            return [int(number) for number in connection.execute(select(matches.c.id).order_by(matches.c.id)).scalars()]

    def remove(self, number: int) -> None:
        """Forget a match and everything that happened in it."""
        with self._engine.begin() as connection:
            connection.execute(delete(events).where(events.c.match_id == number))
            if not connection.execute(delete(matches).where(matches.c.id == number)).rowcount:
                raise StoreError(f"there is no stored game {number}")


def _later(rows: Sequence[Any], settings: Settings) -> Later:
    revision, drawn, *_ = rows[0]
    found = [(game_no, text, at) for _, _, game_no, text, at in rows if text is not None]
    return Later(
        revision=int(revision),
        events=tuple((int(game_no), _event(str(text), settings)) for game_no, text, _ in found),
        times=tuple(at for _, _, at in found),
        drawn=int(drawn),
        links=tuple(_links(str(text)) for _, text, _ in found),
    )


def _links(text: str) -> Mapping[str, str]:
    """The links that are stored in the text of an event: they are part of it, so that none is without the other."""
    data = json.loads(text) if f'"{_LINKS}"' in text else None
    found = data.get(_LINKS) if isinstance(data, dict) else None
    return {str(side): str(link) for side, link in found.items()} if isinstance(found, dict) else {}


def _with(event: object, links: Mapping[str, str] | None) -> object:
    """An event as JSON, with its links if it has some."""
    return {**event, _LINKS: dict(links)} if links and isinstance(event, dict) else event


def _event(text: str, settings: Settings) -> Event:
    data = json.loads(text)
    if isinstance(data, dict):
        data.pop(_LINKS, None)
    kind: type[Action | Setup] = Setup if isinstance(data, dict) and "setup" in data else Action
    return from_json(kind, data, settings)


_dump: Callable[[object], str] = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
"""An event as JSON; ``json.dumps`` would make an encoder for each."""
