"""Challenges that wait to be accepted, as they are stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import Connection, and_, case, delete, false, func, insert, or_, select, text, update

from fullprime.common.json_values import JsonFields, from_json, json_names, to_json
from fullprime.common.networks import site_of
from fullprime.db.database import DatabaseStore
from fullprime.db.schema.sessions import game_sessions
from fullprime.db.schema.tables import challenges
from fullprime.db.times import utc_now
from fullprime.messages import messages_from_json, messages_to_json


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeTerms:
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
    """The clock as its creator named it: a name, ``12+600`` or ``3d``; None without one."""
    spectators: bool
    """True if others may watch."""
    rating: tuple[int, int] | None
    """The creator's rating of that kind and its deviation; None without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """A challenge: a session that waits for its second player."""

    __json__: ClassVar[JsonFields] = json_names("id", "name", "rated", "created", "expires", merged=("terms",))

    id: str
    """The id with which the challenge is accepted."""
    session_id: str
    """The game that waits for the second player."""
    invitation: str
    """Opens the free seat of the session."""
    creator: int | None
    """The creator's account; None for a guest."""
    target: int | None
    """The account that is challenged; None for everybody."""
    name: str
    """The name of its creator."""
    rated: bool
    """True if the match changes ratings."""
    created: datetime
    """The time when it was made."""
    expires: datetime
    """The time when it expires."""
    terms: ChallengeTerms
    """The terms of the game."""
    address: str | None = None
    """The address from which it was made; None where addresses are not counted."""
    pool: str | None = None
    """The pool in which it waits to be paired; None for one that is listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeCounts:
    """Counts of the open challenges, which decide whether one more is allowed."""

    of_creator: int
    """Challenges by the same account."""
    of_address: int
    """Challenges from the same address."""
    of_guests_of_address: int
    of_guests_of_site: int
    """Of guests whose addresses belong to the same site (:func:`site_of`); 0 where it is an account's."""
    to_target: int
    """Challenges to the same account."""
    public: int
    """Challenges to everybody."""
    public_of_guests: int


class ChallengeStore(DatabaseStore):
    """The challenges of one database, without those that have expired."""

    def add(self, challenge: Challenge, check: Callable[[ChallengeCounts], None] | None = None) -> None:
        """Store a challenge, unless ``check`` raises for the counts of the open ones; none is added between the two."""
        row = {
            "id": challenge.id, "session_id": challenge.session_id, "invitation": challenge.invitation,
            "creator": challenge.creator, "target": challenge.target, "name": challenge.name,
            "facts": _text(challenge.terms),
            "rated": challenge.rated, "created": challenge.created, "expires": challenge.expires,
            "address": challenge.address, "pool": challenge.pool,
        }  # fmt: skip
        with self._engine.begin() as connection:
            if check is not None:
                _keep_others_out(connection)
                check(_count_open(connection, challenge.creator, challenge.target, challenge.address))
            connection.execute(insert(challenges).values(row))
            if challenge.pool is not None:
                of_session = game_sessions.c.session_id == challenge.session_id
                connection.execute(update(game_sessions).where(of_session).values(pool=challenge.pool))

    def find(self, name: str) -> Challenge | None:
        """The challenge of that id."""
        query = select(challenges).where(challenges.c.id == name, challenges.c.expires > utc_now())
        with self._engine.begin() as connection:
            row = connection.execute(query).first()
        return None if row is None else _challenge(row)

    def list_open(self, limit: int) -> list[Challenge]:
        """Challenges to everybody, the latest first, with a limit each for those of accounts and of guests."""
        is_listed = challenges.c.target.is_(None) & challenges.c.pool.is_(None)
        query = select(challenges).where(is_listed, challenges.c.expires > utc_now())
        query = query.order_by(challenges.c.created.desc(), challenges.c.id).limit(limit)
        rows: list[Any] = []
        with self._engine.begin() as connection:
            for of_guests in (challenges.c.creator.is_(None), challenges.c.creator.is_not(None)):
                rows += connection.execute(query.where(of_guests))
        return [_challenge(row) for row in sorted(rows, key=lambda row: row.created, reverse=True)]

    def list_for_account(self, account: int) -> list[Challenge]:
        """Challenges that an account has made, or that are meant for it, the oldest first."""
        mine = or_(challenges.c.target == account, challenges.c.creator == account)
        query = select(challenges).where(and_(mine, challenges.c.expires > utc_now()))
        with self._engine.begin() as connection:
            return [_challenge(row) for row in connection.execute(query.order_by(challenges.c.created))]

    def list_for_session(self, session_id: str) -> list[Challenge]:
        """Challenges that lead into a session."""
        with self._engine.begin() as connection:
            return [
                _challenge(row)
                for row in connection.execute(select(challenges).where(challenges.c.session_id == session_id))
            ]

    # -- pools --------------------------------------------------------------------------------------------
    def list_for_pool(self, pool: str) -> list[Challenge]:
        """The challenges that wait in a pool, the oldest first."""
        query = select(challenges).where(challenges.c.pool == pool, challenges.c.expires > utc_now())
        with self._engine.begin() as connection:
            return [_challenge(row) for row in connection.execute(query.order_by(challenges.c.created))]

    def claim(self, names: Sequence[str]) -> bool:
        """Take all of these challenges away; False, and none is taken, where one of them is gone already."""
        condition = challenges.c.id.in_(names) & (challenges.c.expires > utc_now())
        with self._engine.begin() as connection:
            _keep_others_out(connection)
            if connection.execute(select(func.count()).where(condition)).scalar_one() < len(names):
                return False
            connection.execute(delete(challenges).where(condition))
            return True

    def extend(self, name: str, expires: datetime) -> None:
        """Let a challenge that stands expire at another time."""
        condition = (challenges.c.id == name) & (challenges.c.expires > utc_now())
        with self._engine.begin() as connection:
            connection.execute(update(challenges).where(condition).values(expires=expires))

    def count_by_pool(self) -> tuple[dict[str, int], dict[str, int]]:
        """The challenges that wait in each pool, and the games of each that are played now."""
        condition = challenges.c.pool.is_not(None) & (challenges.c.expires > utc_now())
        waiting = select(challenges.c.pool, func.count()).where(condition).group_by(challenges.c.pool)
        is_played = game_sessions.c.pool.is_not(None) & (game_sessions.c.status == "playing")
        playing = select(game_sessions.c.pool, func.count()).where(is_played).group_by(game_sessions.c.pool)
        with self._engine.begin() as connection:
            counts = [connection.execute(query) for query in (waiting, playing)]
            first, second = ({str(pool): int(count) for pool, count in rows} for rows in counts)
            return first, second

    # -- counting and ending ------------------------------------------------------------------------------
    def count(self, creator: int | None, target: int | None, address: str | None) -> ChallengeCounts:
        """Count the open challenges by this account (None: a guest), to that account and from this address."""
        with self._engine.begin() as connection:
            return _count_open(connection, creator, target, address)

    def list_latest(self, limit: int) -> list[Challenge]:
        """All challenges, the latest first."""
        query = select(challenges).where(challenges.c.expires > utc_now())
        with self._engine.begin() as connection:
            rows = connection.execute(query.order_by(challenges.c.created.desc(), challenges.c.id).limit(limit))
            return [_challenge(row) for row in rows]

    def expire(self, names: Sequence[str], addresses: Sequence[str], *, guests: bool) -> int:
        """Have challenges expire now: those of these ids, from these addresses, and of guests; gives their number."""
        at = utc_now()
        condition = or_(challenges.c.id.in_(names), challenges.c.address.in_(addresses))
        if guests:
            condition = or_(condition, challenges.c.creator.is_(None))
        with self._engine.begin() as connection:
            ended = update(challenges).where(condition, challenges.c.expires > at).values(expires=at)
            return int(connection.execute(ended).rowcount)

    def delete_expired(self) -> list[str]:
        """Forget the challenges that have expired; gives the ids of the sessions that they led into."""
        expired = delete(challenges).where(challenges.c.expires <= utc_now()).returning(challenges.c.session_id)
        with self._engine.begin() as connection:
            return [str(session_id) for session_id in connection.execute(expired).scalars()]

    def delete(self, name: str) -> bool:
        """Take a challenge away; False when it was gone already."""
        with self._engine.begin() as connection:
            return bool(connection.execute(delete(challenges).where(challenges.c.id == name)).rowcount)


def _text(terms: ChallengeTerms) -> str:
    return json.dumps(messages_to_json(to_json(terms)), ensure_ascii=False, separators=(",", ":"))


def _keep_others_out(connection: Connection) -> None:
    """Lock out other additions until the transaction ends; an SQLite transaction does so anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("LOCK TABLE challenges IN SHARE ROW EXCLUSIVE MODE"))


def _count_open(
    connection: Connection, creator: int | None, target: int | None, address: str | None
) -> ChallengeCounts:
    table = challenges.c
    is_public, is_guests, from_there = table.target.is_(None), table.creator.is_(None), table.address == address
    conditions = {
        "of_creator": table.creator == creator,
        "of_address": from_there,
        "of_guests_of_address": from_there & is_guests,
        "to_target": table.target == target,
        "public": is_public,
        "public_of_guests": is_public & is_guests,
    }
    if creator is None:
        conditions["of_creator"] = false()
    if target is None:
        conditions["to_target"] = false()
    if address is None:
        conditions["of_address"] = conditions["of_guests_of_address"] = false()
    counts = [func.count(case((condition, 1))).label(name) for name, condition in conditions.items()]
    stands = table.expires > utc_now()
    row = connection.execute(select(*counts).where(stands)).one()
    of_site = 0
    if creator is None and address is not None:
        addresses = connection.execute(select(table.address).where(stands, is_guests, table.address.is_not(None)))
        of_site = sum(site_of(other) == site_of(address) for other in addresses.scalars())
    return ChallengeCounts(of_guests_of_site=of_site, **{name: int(number) for name, number in row._mapping.items()})


def _challenge(row: Any) -> Challenge:
    return Challenge(
        id=row.id,
        session_id=row.session_id,
        invitation=row.invitation,
        creator=row.creator,
        target=row.target,
        name=row.name,
        rated=bool(row.rated),
        created=row.created,
        expires=row.expires,
        terms=from_json(ChallengeTerms, messages_from_json(json.loads(row.facts))),
        address=row.address,
        pool=row.pool,
    )
