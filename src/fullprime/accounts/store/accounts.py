"""Accounts as they are stored, the browsers that are signed in, and the tokens of programs; secrets only as hashes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from fullprime.common.skeletons import skeleton
from fullprime.db.database import DatabaseStore, keep_others_out
from fullprime.db.errors import StoreRefused
from fullprime.db.schema.tables import accounts, played, sessions, tokens
from fullprime.db.times import utc_now
from fullprime.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A person with an account; the proof of identity stays in the store."""

    id: int
    name: str
    bot: bool
    public: bool
    """Set whether others may read the profile."""
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A token, without its secret; times are seconds since 1970, UTC."""

    id: int
    """The number by which it is revoked."""
    name: str
    """The name by which its owner knows it."""
    scopes: tuple[str, ...]
    """The uses that it is for."""
    created: datetime
    """The time when it was made."""
    used: datetime | None
    """The day on which it was used last."""


_ACCOUNT = (accounts.c.id, accounts.c.name, accounts.c.bot, accounts.c.public, accounts.c.created)


class AccountStore(DatabaseStore):
    """The accounts of one database."""

    # -- accounts -----------------------------------------------------------------------------------------
    def create(self, name: str, password: str) -> Account:
        """A new account with the hash of its password; raises StoreRefused when the name is taken."""
        at = utc_now()
        row = {
            "name": name,
            "folded": name.casefold(),
            "skeleton": skeleton(name),
            "password": password,
            "bot": False,
            "public": True,
            "created": at,
        }
        try:
            with self._engine.begin() as connection:
                key = connection.execute(insert(accounts).values(row)).inserted_primary_key
        except IntegrityError as error:
            raise StoreRefused(Message("the name {name} is taken", name=name)) from error
        assert key is not None
        return Account(id=int(key[0]), name=name, bot=False, public=True, created=at)

    def find_by_name(self, name: str) -> Account | None:
        """The account of that name, however its letters are written."""
        with self._engine.begin() as connection:
            row = connection.execute(select(*_ACCOUNT).where(accounts.c.folded == name.casefold())).first()
        return None if row is None else account_of(row)

    def find_alike(self, name: str) -> Account | None:
        """An account whose name looks like this one."""
        with self._engine.begin() as connection:
            row = connection.execute(select(*_ACCOUNT).where(accounts.c.skeleton == skeleton(name))).first()
        return None if row is None else account_of(row)

    def find_many(self, numbers: Iterable[int]) -> dict[int, Account]:
        """Accounts by their numbers, without numbers that no account has."""
        distinct = set(numbers)
        if not distinct:
            return {}
        with self._engine.begin() as connection:
            rows = connection.execute(select(*_ACCOUNT).where(accounts.c.id.in_(distinct)))
            return {int(row.id): account_of(row) for row in rows}

    def find_with_password(self, name: str) -> tuple[Account, str] | None:
        """The account of that name with the hash of its password."""
        query = select(*_ACCOUNT, accounts.c.password).where(accounts.c.folded == name.casefold())
        with self._engine.begin() as connection:
            row = connection.execute(query).first()
        return None if row is None else (account_of(row), str(row.password))

    def set_password(
        self, account: int, password: str, *, keep_session: str | None = None, revoke: bool = False
    ) -> None:
        """Store the hash of a new password, and end all sessions but the one of the hash ``keep_session``.

        With ``revoke`` all tokens of the account end as well.
        """
        others = sessions.c.account_id == account
        if keep_session is not None:
            others &= sessions.c.hash != keep_session
        with self._engine.begin() as connection:
            connection.execute(update(accounts).where(accounts.c.id == account).values(password=password))
            _end_access(connection, account, others, revoke=revoke)

    def rehash_password(self, account: int, password: str) -> None:
        """Store the same password with a stronger hash."""
        with self._engine.begin() as connection:
            connection.execute(update(accounts).where(accounts.c.id == account).values(password=password))

    def set_public(self, account: int, *, public: bool) -> None:
        """Set whether others may read the profile."""
        with self._engine.begin() as connection:
            connection.execute(update(accounts).where(accounts.c.id == account).values(public=public))

    def mark_as_bot(self, account: int) -> None:
        """Mark an account as that of a program, for good; raises StoreRefused when a game has been played with it."""
        mine = (played.c.x_account == account) | (played.c.o_account == account)
        with self._engine.begin() as connection:
            # A seat that is taken at the same moment locks the account's row by its reference to it.
            connection.execute(select(accounts.c.id).where(accounts.c.id == account).with_for_update())
            if connection.execute(select(played.c.session_id).where(mine).limit(1)).first() is not None:
                raise StoreRefused(
                    Message("an account with which a person has played does not become a bot: make a new one")
                )
            connection.execute(update(accounts).where(accounts.c.id == account).values(bot=True))

    def delete(self, account: int) -> None:
        """Forget an account with its sessions, tokens and ratings; its games stay, under the names played with."""
        with self._engine.begin() as connection:
            connection.execute(delete(accounts).where(accounts.c.id == account))

    def count(self) -> int:
        """The number of accounts."""
        with self._engine.begin() as connection:
            return int(connection.execute(select(func.count()).select_from(accounts)).scalar_one())

    # -- browsers -----------------------------------------------------------------------------------------
    def open_session(self, account: int, digest: str, lasting: timedelta) -> None:
        """Store the session of a browser that has signed in, and forget sessions that have expired."""
        at = utc_now()
        row = {"hash": digest, "account_id": account, "created": at, "expires": at + lasting}
        with self._engine.begin() as connection:
            connection.execute(delete(sessions).where(sessions.c.expires < at))
            connection.execute(insert(sessions).values(row))

    def find_by_session(self, digest: str) -> Account | None:
        """The account signed in with the session of that hash."""
        query = select(*_ACCOUNT).join(sessions).where(sessions.c.hash == digest, sessions.c.expires > utc_now())
        with self._engine.begin() as connection:
            row = connection.execute(query).first()
        return None if row is None else account_of(row)

    def close_sessions(self, account: int, *, digest: str | None = None, revoke: bool = False) -> None:
        """End the session of that hash, or all of an account; with ``revoke`` all its tokens end as well."""
        ended = sessions.c.account_id == account
        if digest is not None:
            ended &= sessions.c.hash == digest
        with self._engine.begin() as connection:
            _end_access(connection, account, ended, revoke=revoke)

    # -- programs -----------------------------------------------------------------------------------------
    def add_token(
        self, account: int, name: str, digest: str, scopes: Sequence[str], most: int | None = None
    ) -> Token | None:
        """A new token; None, with nothing stored, when the account has ``most`` already."""
        at = utc_now()
        count = select(func.count()).select_from(tokens).where(tokens.c.account_id == account)
        row = {"account_id": account, "name": name, "hash": digest, "scopes": " ".join(scopes), "created": at}
        with self._engine.begin() as connection:
            keep_others_out(connection, f"tokens of {account}")
            if most is not None and connection.execute(count).scalar_one() >= most:
                return None
            key = connection.execute(insert(tokens).values(row)).inserted_primary_key
        assert key is not None
        return Token(id=int(key[0]), name=name, scopes=tuple(scopes), created=at, used=None)

    def list_tokens(self, account: int) -> list[Token]:
        """The tokens of an account, oldest first."""
        with self._engine.begin() as connection:
            rows = connection.execute(select(tokens).where(tokens.c.account_id == account).order_by(tokens.c.id))
            return [
                Token(
                    id=int(row.id), name=row.name, scopes=tuple(row.scopes.split()), created=row.created, used=row.used
                )
                for row in rows
            ]

    def find_by_token(self, digest: str) -> tuple[Account, tuple[str, ...]] | None:
        """The owner of the token of that hash, and its scopes; notes the day of its use."""
        query = select(*_ACCOUNT, tokens.c.id.label("token"), tokens.c.scopes, tokens.c.used)
        query = query.select_from(tokens.join(accounts)).where(tokens.c.hash == digest)
        today = utc_now().replace(hour=0, minute=0, second=0, microsecond=0)
        with self._engine.begin() as connection:
            row = connection.execute(query).first()
            if row is None:
                return None
            if row.used != today:
                connection.execute(update(tokens).where(tokens.c.id == row.token).values(used=today))
        return account_of(row), tuple(row.scopes.split())

    def revoke_token(self, account: int, token: int) -> bool:
        """Revoke a token; False when the account has none of that number."""
        which = (tokens.c.id == token) & (tokens.c.account_id == account)
        with self._engine.begin() as connection:
            return bool(connection.execute(delete(tokens).where(which)).rowcount)


def _end_access(connection: Connection, account: int, ended: ColumnElement[bool], *, revoke: bool) -> None:
    """End the sessions for which the condition holds; with ``revoke`` all tokens of the account as well."""
    connection.execute(delete(sessions).where(ended))
    if revoke:
        connection.execute(delete(tokens).where(tokens.c.account_id == account))


def account_of(row: Any) -> Account:
    """The account of a row of the table."""
    return Account(id=int(row.id), name=row.name, bot=bool(row.bot), public=bool(row.public), created=row.created)
