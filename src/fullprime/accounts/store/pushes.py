"""Browsers that want to be told when it is their turn, as they are stored.

A browser belongs to an account as long as it is signed in there, or to one seat of a game. Who is told of something is
looked up when it is told: a browser that has signed out, or whose seat is gone, is not there any more.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from fullprime.db.database import DatabaseStore, keep_others_out
from fullprime.db.schema.tables import push_subscriptions, sessions
from fullprime.db.times import utc_now


@dataclass(frozen=True, slots=True)
class PushAddress:
    """The place where one browser is reached: what it got from its push service."""

    endpoint: str = field(repr=False)
    """An address that the browser's push service has made for it: whoever knows it can send there."""
    p256dh: str
    """The browser's public key, in base64url."""
    auth: str = field(repr=False)
    """A secret that the browser shares with us, in base64url."""


@dataclass(frozen=True, slots=True)
class PushSubscription:
    """A browser that wants to be told."""

    id: int
    address: PushAddress
    origin: str | None
    """The address at which the browser knows this server; None if it did not say."""
    language: str | None = None
    """The language that its person reads; None if it is not known."""


@dataclass(frozen=True, slots=True)
class PushOwner:
    """Whose news a browser gets: those of a session (of an account that is signed in), or those of a seat."""

    session: str | None = None
    """The hash of the session."""
    account: int | None = None
    """The account of the session."""
    room: str | None = None
    side: str | None = None


class PushStore(DatabaseStore):
    """The subscriptions of one database."""

    def add(
        self, owner: PushOwner, address: PushAddress, origin: str | None, most: int, language: str | None = None
    ) -> None:
        """Store that a browser wants to be told; once more is no harm. Of more than ``most`` the oldest ones go."""
        name = _name(owner, address)
        row = {
            "name": name, "endpoint": address.endpoint, "p256dh": address.p256dh, "auth": address.auth,
            "origin": origin, "language": language, "session": owner.session, "room_id": owner.room, "side": owner.side,
            "created": utc_now(), "failures": 0,
        }  # fmt: skip
        try:
            self._add(name, row, owner, most)
        except IntegrityError:  # another request of the same browser has been quicker
            self._add(name, row, owner, most)

    def _add(self, name: str, row: dict[str, Any], owner: PushOwner, most: int) -> None:
        table = push_subscriptions
        with self._engine.begin() as connection:
            keep_others_out(connection, f"messages of {owner.account} at {owner.room} {owner.side}")
            connection.execute(delete(table).where(table.c.name == name))
            connection.execute(insert(table).values(row))
            owned = connection.execute(_of(owner).with_only_columns(table.c.id).order_by(table.c.id.desc())).scalars()
            surplus = list(owned)[most:]
            if surplus:
                connection.execute(delete(table).where(table.c.id.in_(surplus)))

    def has(self, owner: PushOwner, address: PushAddress, language: str | None = None) -> bool:
        """True if that browser is told the news of that owner; from now on in that language, if one is named."""
        table = push_subscriptions
        this = table.c.name == _name(owner, address)
        with self._engine.begin() as connection:
            found = connection.execute(select(table.c.language).where(this)).first()
            if found is not None and language is not None and found.language != language:
                connection.execute(update(table).where(this).values(language=language))
            return found is not None

    def of(self, owner: PushOwner) -> list[PushSubscription]:
        """The browsers that are told the news of an account or of a seat."""
        table = push_subscriptions
        with self._engine.begin() as connection:
            return [
                PushSubscription(int(row.id), PushAddress(row.endpoint, row.p256dh, row.auth), row.origin, row.language)
                for row in connection.execute(_of(owner).order_by(table.c.id))
            ]

    def remove_browser(self, address: PushAddress) -> None:
        """Tell a browser nothing more at all; it must know the secret that it shares with us."""
        with self._engine.begin() as connection:
            connection.execute(delete(push_subscriptions).where(*_is(address)))

    def remove_endpoint(self, endpoint: str) -> None:
        """Forget an address that the push service does not know any more."""
        with self._engine.begin() as connection:
            connection.execute(delete(push_subscriptions).where(push_subscriptions.c.endpoint == endpoint))

    def renew(self, old: PushAddress, new: PushAddress) -> None:
        """A browser has got another address."""
        table = push_subscriptions
        with self._engine.begin() as connection:
            for row in connection.execute(select(table).where(*_is(old))).all():
                owner = PushOwner(session=row.session, room=row.room_id, side=row.side)
                name = _name(owner, new)
                connection.execute(delete(table).where(table.c.name == name))
                connection.execute(
                    update(table)
                    .where(table.c.id == row.id)
                    .values(name=name, endpoint=new.endpoint, p256dh=new.p256dh, auth=new.auth, failures=0)
                )

    def delivered(self, number: int) -> None:
        """A message has been taken by the push service."""
        table = push_subscriptions
        with self._engine.begin() as connection:
            connection.execute(update(table).where(table.c.id == number, table.c.failures > 0).values(failures=0))

    def failed(self, number: int, most: int) -> None:
        """A message could not be delivered; after so many in a row the browser is forgotten."""
        table = push_subscriptions
        with self._engine.begin() as connection:
            connection.execute(update(table).where(table.c.id == number).values(failures=table.c.failures + 1))
            connection.execute(delete(table).where(table.c.id == number, table.c.failures >= most))


def _of(owner: PushOwner) -> Any:
    table = push_subscriptions
    if owner.account is None:
        return select(table).where(table.c.room_id == owner.room, table.c.side == owner.side)
    held = (sessions.c.account_id == owner.account) & (sessions.c.expires > utc_now())
    return select(table).join(sessions, sessions.c.hash == table.c.session).where(held)


def _is(address: PushAddress) -> tuple[Any, ...]:
    table = push_subscriptions
    return (
        table.c.endpoint == address.endpoint,
        table.c.p256dh == address.p256dh,
        table.c.auth == address.auth,
    )


def _name(owner: PushOwner, address: PushAddress) -> str:
    """One name for a browser and whose news it gets; of accounts a browser has one at a time."""
    whose = ["account"] if owner.room is None else [owner.room, owner.side]
    said = "\n".join([address.endpoint, address.p256dh, address.auth, *map(str, whose)])
    return hashlib.sha256(said.encode()).hexdigest()
