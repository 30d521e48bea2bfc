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
MOST = 200
"""The traces of one kind that an account keeps, the latest, because a caller chooses the secrets of its browsers."""


@dataclass(frozen=True, slots=True)
class RatedPair:
    """A rated match between two accounts that were used from one address or in one browser."""

    session_id: str
    names: tuple[str, str]
    shared: tuple[str, ...]
    """``address``, ``browser``, or both."""
    at: datetime
    matches: int
    """The number of such matches between the two, this one included."""


class TraceStore(DatabaseStore):
    """The traces in one database; ``url`` may be an engine that is open already."""

    def note(self, account: int, kind: str, value: str) -> list[str]:
        """Note that the account was used with this trace; removes its oldest beyond ``MOST``, and gives them."""
        oldest: list[str] = []
        row = {"account_id": account, "kind": kind, "value": value}
        table = account_traces.c
        mine = (table.account_id == account) & (table.kind == kind) & (table.value == value)
        try:
            with self._engine.begin() as connection:
                if not connection.execute(update(account_traces).where(mine).values(seen=utc_now())).rowcount:
                    connection.execute(insert(account_traces).values(**row, seen=utc_now()))
                    same_kind = (table.account_id == account) & (table.kind == kind)
                    beyond = select(table.value).where(same_kind).order_by(table.seen.desc()).offset(MOST).limit(MOST)
                    oldest = list(connection.execute(beyond).scalars())
                    if oldest:
                        connection.execute(delete(account_traces).where(same_kind, table.value.in_(oldest)))
        except IntegrityError:
            return []  # another process has noted it, or the account has just been removed
        return oldest

    def delete_before(self, before: datetime) -> None:
        """Forget the traces from before a time."""
        with self._engine.begin() as connection:
            connection.execute(delete(account_traces).where(account_traces.c.seen < before))

    def has(self, name: str, kind: str, value: str) -> bool:
        """True if the account of that name was used with this trace."""
        table = account_traces.c
        query = select(table.account_id).join(accounts, accounts.c.id == table.account_id)
        query = query.where(accounts.c.folded == name.casefold(), table.kind == kind, table.value == value)
        with self._engine.begin() as connection:
            return connection.execute(query).first() is not None

    def find_shared(self, one: int, other: int) -> tuple[str, ...]:
        """The kinds of traces that two accounts share, in alphabetical order."""
        mine, theirs = account_traces.alias(), account_traces.alias()
        same = (mine.c.kind == theirs.c.kind) & (mine.c.value == theirs.c.value)
        query = select(mine.c.kind).distinct().join(theirs, same)
        query = query.where(mine.c.account_id == one, theirs.c.account_id == other).order_by(mine.c.kind)
        with self._engine.begin() as connection:
            return tuple(connection.execute(query).scalars())

    def flag(self, session_id: str, names: tuple[str, str], shared: tuple[str, ...]) -> bool:
        """Note a rated match between two accounts that share traces; False when it had been noted."""
        row = {
            "session_id": session_id,
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

    def list_flagged(self, most: int) -> list[RatedPair]:
        """The latest flagged matches, the newest first."""
        query = select(rated_pairs).order_by(rated_pairs.c.at.desc(), rated_pairs.c.session_id).limit(most)
        with self._engine.begin() as connection:
            rows = connection.execute(query).all()
            names = connection.execute(select(rated_pairs.c.x_name, rated_pairs.c.o_name)).all()
        count = Counter(frozenset((x_name, o_name)) for x_name, o_name in names)
        return [
            RatedPair(
                session_id=str(row.session_id),
                names=(row.x_name, row.o_name),
                shared=tuple(row.shared.split()),
                at=row.at,
                matches=count[frozenset((row.x_name, row.o_name))],
            )
            for row in rows
        ]
