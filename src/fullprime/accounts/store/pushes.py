"""Subscriptions of browsers to push messages, as they are stored.

A browser belongs to an account as long as it is signed in there, or to one seat of a game. The browsers are looked up
when a message is sent, so one that has signed out, or whose seat is gone, gets none.
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
    """The address of one browser, as it got it from its push service."""

    endpoint: str = field(repr=False)
    """An address that the browser's push service has made for it. Knowing it is enough to send there."""
    p256dh: str
    """The browser's public key, in base64url."""
    auth: str = field(repr=False)
    """A secret that the browser shares with us, in base64url."""


@dataclass(frozen=True, slots=True)
class PushSubscription:
    """A browser that gets messages."""

    id: int
    address: PushAddress
    origin: str | None
    """The address at which the browser reaches this server; None if it is not known."""
    language: str | None = None
    """The language of its user; None if it is not known."""


@dataclass(frozen=True, slots=True)
class PushOwner:
    """The owner of the messages that a browser gets: a login session of an account, or a seat of a game."""

    session: str | None = None
    """The hash of the session."""
    account: int | None = None
    """The account of the session."""
    session_id: str | None = None
    side: str | None = None


class PushStore(DatabaseStore):
    """The subscriptions of one database."""

    def add(
        self, owner: PushOwner, address: PushAddress, origin: str | None, most: int, language: str | None = None
    ) -> None:
        """Store a subscription, unless it is stored already. Of more than ``most`` the oldest ones are removed."""
        name = _name(owner, address)
        row = {
            "name": name, "endpoint": address.endpoint, "p256dh": address.p256dh, "auth": address.auth,
            "origin": origin, "language": language, "session": owner.session,
            "session_id": owner.session_id, "side": owner.side,
            "created": utc_now(), "failures": 0,
        }  # fmt: skip
        try:
            self._add(name, row, owner, most)
        except IntegrityError:  # another request of the same browser has been quicker
            self._add(name, row, owner, most)

    def _add(self, name: str, row: dict[str, Any], owner: PushOwner, most: int) -> None:
        table = push_subscriptions
        with self._engine.begin() as connection:
            keep_others_out(connection, f"messages of {owner.account} at {owner.session_id} {owner.side}")
            connection.execute(delete(table).where(table.c.name == name))
            connection.execute(insert(table).values(row))
            owned = connection.execute(_of(owner).with_only_columns(table.c.id).order_by(table.c.id.desc())).scalars()
            surplus = list(owned)[most:]
            if surplus:
                connection.execute(delete(table).where(table.c.id.in_(surplus)))

    def has(self, owner: PushOwner, address: PushAddress, language: str | None = None) -> bool:
        """True if that browser gets the messages of that owner; a ``language`` that is named holds from now on."""
        table = push_subscriptions
        condition = table.c.name == _name(owner, address)
        with self._engine.begin() as connection:
            row = connection.execute(select(table.c.language).where(condition)).first()
            if row is not None and language is not None and row.language != language:
                connection.execute(update(table).where(condition).values(language=language))
            return row is not None

    def list_for_owner(self, owner: PushOwner) -> list[PushSubscription]:
        """The browsers that get the messages of an account or of a seat."""
        table = push_subscriptions
        with self._engine.begin() as connection:
            return [
                PushSubscription(int(row.id), PushAddress(row.endpoint, row.p256dh, row.auth), row.origin, row.language)
                for row in connection.execute(_of(owner).order_by(table.c.id))
            ]

    def delete_browser(self, address: PushAddress) -> None:
        """Remove all subscriptions of a browser, which must know the secret that it shares with us."""
        with self._engine.begin() as connection:
            connection.execute(delete(push_subscriptions).where(*_is(address)))

    def delete_endpoint(self, endpoint: str) -> None:
        """Remove an address that the push service does not know any more."""
        with self._engine.begin() as connection:
            connection.execute(delete(push_subscriptions).where(push_subscriptions.c.endpoint == endpoint))

    def replace_address(self, old: PushAddress, new: PushAddress) -> None:
        """Replace the address of a browser."""
        table = push_subscriptions
        with self._engine.begin() as connection:
            for row in connection.execute(select(table).where(*_is(old))).all():
                owner = PushOwner(session=row.session, session_id=row.session_id, side=row.side)
                name = _name(owner, new)
                connection.execute(delete(table).where(table.c.name == name))
                connection.execute(
                    update(table)
                    .where(table.c.id == row.id)
                    .values(name=name, endpoint=new.endpoint, p256dh=new.p256dh, auth=new.auth, failures=0)
                )

    def note_delivered(self, number: int) -> None:
        """Note that the push service has taken a message."""
        table = push_subscriptions
        with self._engine.begin() as connection:
            connection.execute(update(table).where(table.c.id == number, table.c.failures > 0).values(failures=0))

    def note_failed(self, number: int, most: int) -> None:
        """Note a message that was not delivered; after ``most`` of them in a row the browser is removed."""
        table = push_subscriptions
        with self._engine.begin() as connection:
            connection.execute(update(table).where(table.c.id == number).values(failures=table.c.failures + 1))
            connection.execute(delete(table).where(table.c.id == number, table.c.failures >= most))


def _of(owner: PushOwner) -> Any:
    table = push_subscriptions
    if owner.account is None:
        return select(table).where(table.c.session_id == owner.session_id, table.c.side == owner.side)
    signed_in = (sessions.c.account_id == owner.account) & (sessions.c.expires > utc_now())
    return select(table).join(sessions, sessions.c.hash == table.c.session).where(signed_in)


def _is(address: PushAddress) -> tuple[Any, ...]:
    table = push_subscriptions
    return (
        table.c.endpoint == address.endpoint,
        table.c.p256dh == address.p256dh,
        table.c.auth == address.auth,
    )


def _name(owner: PushOwner, address: PushAddress) -> str:
    """One key for a browser and its owner; a browser has one account at a time."""
    keys = ["account"] if owner.session_id is None else [owner.session_id, owner.side]
    text = "\n".join([address.endpoint, address.p256dh, address.auth, *map(str, keys)])
    return hashlib.sha256(text.encode()).hexdigest()
