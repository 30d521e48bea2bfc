"""Challenges that nobody has accepted yet, as they are stored."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, and_, delete, func, insert, or_, select
from typing_extensions import TypedDict

from fullprime.store.database import open_database
from fullprime.store.schema.tables import challenges
from fullprime.store.times import utc_now


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


class ChallengeStore:
    """The challenges of one database. Those that have expired are not there."""

    def __init__(self, url: str | Engine | None = None) -> None:
        self._engine = url if isinstance(url, Engine) else open_database(url)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def add(self, challenge: Challenge) -> None:
        """Store a challenge."""
        row = {
            "id": challenge.id, "room_id": challenge.room, "invitation": challenge.invitation,
            "creator": challenge.creator, "target": challenge.target, "name": challenge.name,
            "facts": json.dumps(dict(challenge.facts), ensure_ascii=False, separators=(",", ":")),
            "rated": challenge.rated, "created": challenge.created, "expires": challenge.expires,
        }  # fmt: skip
        with self._engine.begin() as connection:
            connection.execute(insert(challenges).values(row))

    def one(self, name: str) -> Challenge | None:
        """The challenge of that id."""
        wanted = select(challenges).where(challenges.c.id == name, challenges.c.expires > utc_now())
        with self._engine.begin() as connection:
            row = connection.execute(wanted).first()
        return None if row is None else _challenge(row)

    def open_ones(self, limit: int) -> list[Challenge]:
        """Challenges to everybody, the latest first."""
        wanted = select(challenges).where(challenges.c.target.is_(None), challenges.c.expires > utc_now())
        with self._engine.begin() as connection:
            rows = connection.execute(wanted.order_by(challenges.c.created.desc(), challenges.c.id).limit(limit))
            return [_challenge(row) for row in rows]

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

    def count(self, account: int | None = None) -> int:
        """The number of challenges, all of them or those that an account has made."""
        wanted = select(func.count()).select_from(challenges).where(challenges.c.expires > utc_now())
        if account is not None:
            wanted = wanted.where(challenges.c.creator == account)
        with self._engine.begin() as connection:
            return int(connection.execute(wanted).scalar_one())

    def forget_expired(self) -> list[str]:
        """Forget the challenges that have expired; gives the rooms that they led into."""
        expired = delete(challenges).where(challenges.c.expires <= utc_now()).returning(challenges.c.room_id)
        with self._engine.begin() as connection:
            return [str(room) for room in connection.execute(expired).scalars()]

    def remove(self, name: str) -> bool:
        """Take a challenge away; False when it was gone already."""
        with self._engine.begin() as connection:
            return bool(connection.execute(delete(challenges).where(challenges.c.id == name)).rowcount)


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
        facts=json.loads(row.facts),
    )
