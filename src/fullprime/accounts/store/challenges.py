"""Challenges that nobody has accepted yet, as they are stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, case, delete, false, func, insert, or_, select, text, update
from typing_extensions import TypedDict

from fullprime.db.database import DatabaseStore
from fullprime.db.schema.tables import challenges
from fullprime.db.times import utc_now
from fullprime.messages import messages_from_json, messages_to_json


class ChallengeFacts(TypedDict):
    """The terms of a challenge, for readers of the list."""

    account: bool
    """True if the creator has an account."""
    bot: bool
    """True if that is the account of a program."""
    target: str | None
    """The account that is challenged; None for everybody."""
    variant: str
    """The game."""
    title: str
    """Its name in words."""
    length: int
    """Points of the match; 0 for money."""
    played_for: str
    """The same in words, with the rules that are not the usual ones."""
    clock: str | None
    """As it was asked for: a name, ``12+600`` or ``3d``; None without one."""
    spectators: bool
    """True if others may watch."""
    rating: list[int] | None
    """The creator's rating of that kind and its deviation; None without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """A room that waits for its second player, and the accounts that may join."""

    id: str
    room: str
    invitation: str
    """Opens the free seat of the room."""
    creator: int | None
    """The creator's account; None for a guest."""
    target: int | None
    """The account that is challenged; None for everybody."""
    name: str
    """The creator's name."""
    rated: bool
    created: datetime
    expires: datetime
    facts: ChallengeFacts
    """The terms of the game."""
    address: str | None = None
    """The address from which it was made; None where addresses are not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The challenges that stand, counted for one more."""

    own: int
    """Of the same account."""
    of_address: int
    """From the same address."""
    of_guests_of_address: int
    to_target: int
    """To the same account."""
    public: int
    """To everybody."""
    public_of_guests: int


class ChallengeStore(DatabaseStore):
    """The challenges of one database. Those that have expired are not there."""

    def add(self, challenge: Challenge, check: Callable[[Standing], None] | None = None) -> None:
        """Store a challenge, unless ``check`` raises for those that stand: no other is added meanwhile."""
        row = {
            "id": challenge.id, "room_id": challenge.room, "invitation": challenge.invitation,
            "creator": challenge.creator, "target": challenge.target, "name": challenge.name,
            "facts": json.dumps(messages_to_json(dict(challenge.facts)), ensure_ascii=False, separators=(",", ":")),
            "rated": challenge.rated, "created": challenge.created, "expires": challenge.expires,
            "address": challenge.address,
        }  # fmt: skip
        with self._engine.begin() as connection:
            if check is not None:
                _keep_others_out(connection)
                check(_standing(connection, challenge.creator, challenge.target, challenge.address))
            connection.execute(insert(challenges).values(row))

    def one(self, name: str) -> Challenge | None:
        """The challenge of that id."""
        wanted = select(challenges).where(challenges.c.id == name, challenges.c.expires > utc_now())
        with self._engine.begin() as connection:
            row = connection.execute(wanted).first()
        return None if row is None else _challenge(row)

    def open_ones(self, limit: int) -> list[Challenge]:
        """Challenges to everybody, the latest first: so many of accounts, and so many of guests."""
        wanted = select(challenges).where(challenges.c.target.is_(None), challenges.c.expires > utc_now())
        wanted = wanted.order_by(challenges.c.created.desc(), challenges.c.id).limit(limit)
        rows: list[Any] = []
        with self._engine.begin() as connection:
            for of_guests in (challenges.c.creator.is_(None), challenges.c.creator.is_not(None)):
                rows += connection.execute(wanted.where(of_guests))
        return [_challenge(row) for row in sorted(rows, key=lambda row: row.created, reverse=True)]

    def of_account(self, account: int) -> list[Challenge]:
        """Challenges that an account has made, or that are meant for it, the oldest first."""
        mine = or_(challenges.c.target == account, challenges.c.creator == account)
        wanted = select(challenges).where(and_(mine, challenges.c.expires > utc_now()))
        with self._engine.begin() as connection:
            return [_challenge(row) for row in connection.execute(wanted.order_by(challenges.c.created))]

    def of_room(self, room: str) -> list[Challenge]:
        """Challenges that lead into a room."""
        with self._engine.begin() as connection:
            return [
                _challenge(row) for row in connection.execute(select(challenges).where(challenges.c.room_id == room))
            ]

    def count(self, creator: int | None, target: int | None, address: str | None) -> Standing:
        """The challenges that stand, counted for one more of that account (None: a guest) to that one, from there."""
        with self._engine.begin() as connection:
            return _standing(connection, creator, target, address)

    def standing(self, limit: int) -> list[Challenge]:
        """All challenges, the latest first."""
        wanted = select(challenges).where(challenges.c.expires > utc_now())
        with self._engine.begin() as connection:
            rows = connection.execute(wanted.order_by(challenges.c.created.desc(), challenges.c.id).limit(limit))
            return [_challenge(row) for row in rows]

    def expire(self, names: Sequence[str], addresses: Sequence[str], *, guests: bool) -> int:
        """Have challenges expire now: those of these ids, from these addresses, and of guests; gives their number."""
        at = utc_now()
        meant = or_(challenges.c.id.in_(names), challenges.c.address.in_(addresses))
        if guests:
            meant = or_(meant, challenges.c.creator.is_(None))
        with self._engine.begin() as connection:
            ended = update(challenges).where(meant, challenges.c.expires > at).values(expires=at)
            return int(connection.execute(ended).rowcount)

    def forget_expired(self) -> list[str]:
        """Forget the challenges that have expired; gives the rooms that they led into."""
        expired = delete(challenges).where(challenges.c.expires <= utc_now()).returning(challenges.c.room_id)
        with self._engine.begin() as connection:
            return [str(room) for room in connection.execute(expired).scalars()]

    def remove(self, name: str) -> bool:
        """Take a challenge away; False when it was gone already."""
        with self._engine.begin() as connection:
            return bool(connection.execute(delete(challenges).where(challenges.c.id == name)).rowcount)


def _keep_others_out(connection: Connection) -> None:
    """Let nothing else be added until the transaction ends; on SQLite it keeps all other writers out by itself."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE challenges IN SHARE ROW EXCLUSIVE MODE"))


def _standing(connection: Connection, creator: int | None, target: int | None, address: str | None) -> Standing:
    table = challenges.c
    is_public, is_guests, from_there = table.target.is_(None), table.creator.is_(None), table.address == address
    conditions = {
        "own": table.creator == creator,
        "of_address": from_there,
        "of_guests_of_address": from_there & is_guests,
        "to_target": table.target == target,
        "public": is_public,
        "public_of_guests": is_public & is_guests,
    }
    if creator is None:
        conditions["own"] = false()
    if target is None:
        conditions["to_target"] = false()
    if address is None:
        conditions["of_address"] = conditions["of_guests_of_address"] = false()
    counts = [func.count(case((condition, 1))).label(name) for name, condition in conditions.items()]
    row = connection.execute(select(*counts).where(table.expires > utc_now())).one()
    return Standing(**{name: int(number) for name, number in row._mapping.items()})


def _challenge(row: Any) -> Challenge:
    return Challenge(
        id=row.id,
        room=row.room_id,
        invitation=row.invitation,
        creator=row.creator,
        target=row.target,
        name=row.name,
        rated=bool(row.rated),
        created=row.created,
        expires=row.expires,
        facts=messages_from_json(json.loads(row.facts)),
        address=row.address,
    )
