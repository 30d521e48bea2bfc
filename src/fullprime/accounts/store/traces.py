"""Traces of accounts (addresses, browsers), and the rated matches between two accounts that share one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from fullprime.db.database import DatabaseStore
from fullprime.db.schema.tables import account_traces, accounts, rated_pairs
from fullprime.db.times import utc_now

ADDRESS, BROWSER = "address", "browser"
"""Kinds of traces."""


@dataclass(frozen=True, slots=True)
class RatedPair:
    """A rated match between two accounts that were used from one address or in one browser."""

    room: str
    names: tuple[str, str]
    shared: tuple[str, ...]
    """``address``, ``browser``, or both."""
    at: datetime
    matches: int
    """The number of such matches between the two, this one included."""


class TraceStore(DatabaseStore):
    """The traces in one database; ``url`` may be an engine that is open already."""

    def note(self, account: int, kind: str, value: str) -> None:
        """The account was used from there just now."""
        row = {"account_id": account, "kind": kind, "value": value}
        table = account_traces.c
        mine = (table.account_id == account) & (table.kind == kind) & (table.value == value)
        try:
            with self._engine.begin() as connection:
                if not connection.execute(update(account_traces).where(mine).values(seen=utc_now())).rowcount:
                    connection.execute(insert(account_traces).values(**row, seen=utc_now()))
        except IntegrityError:
            return  # another process has noted it, or the account has just been removed

    def forget(self, before: datetime) -> None:
        """Forget the traces that are older than that."""
        with self._engine.begin() as connection:
            connection.execute(delete(account_traces).where(account_traces.c.seen < before))

    def knows(self, name: str, kind: str, value: str) -> bool:
        """True if the account of that name was used from there."""
        table = account_traces.c
        wanted = select(table.account_id).join(accounts, accounts.c.id == table.account_id)
        wanted = wanted.where(accounts.c.folded == name.casefold(), table.kind == kind, table.value == value)
        with self._engine.begin() as connection:
            return connection.execute(wanted).first() is not None

    def shared(self, one: int, other: int) -> tuple[str, ...]:
        """The kinds of traces that two accounts share, in alphabetical order."""
        mine, theirs = account_traces.alias(), account_traces.alias()
        same = (mine.c.kind == theirs.c.kind) & (mine.c.value == theirs.c.value)
        wanted = select(mine.c.kind).distinct().join(theirs, same)
        wanted = wanted.where(mine.c.account_id == one, theirs.c.account_id == other).order_by(mine.c.kind)
        with self._engine.begin() as connection:
            return tuple(connection.execute(wanted).scalars())

    def flag(self, room: str, names: tuple[str, str], shared: tuple[str, ...]) -> bool:
        """Note a rated match between two accounts that share something; False when it had been noted."""
        row = {
            "room_id": room,
            "x_name": names[0],
            "o_name": names[1],
            "shared": " ".join(shared),
            "at": utc_now(),
        }
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(rated_pairs).values(row))
        except IntegrityError:
            return False
        return True

    def flagged(self, most: int) -> list[RatedPair]:
        """The latest of these matches, the newest first."""
        wanted = select(rated_pairs).order_by(rated_pairs.c.at.desc(), rated_pairs.c.room_id).limit(most)
        with self._engine.begin() as connection:
            rows = connection.execute(wanted).all()
            names = connection.execute(select(rated_pairs.c.x_name, rated_pairs.c.o_name)).all()
        count = Counter(frozenset((x_name, o_name)) for x_name, o_name in names)
        return [
            RatedPair(
                room=str(row.room_id),
                names=(row.x_name, row.o_name),
                shared=tuple(row.shared.split()),
                at=row.at,
                matches=count[frozenset((row.x_name, row.o_name))],
            )
            for row in rows
        ]
