"""The friends of accounts, as they are stored: which accounts an account follows."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from fullprime.accounts.store.accounts import Account, account_of
from fullprime.db.database import DatabaseStore, keep_others_out
from fullprime.db.errors import StoreRefused
from fullprime.db.schema.tables import accounts, follows
from fullprime.db.times import utc_now
from fullprime.messages import Message


class FriendStore(DatabaseStore):
    """The friends of all accounts of one database."""

    def follow(self, account: int, followed: int, most: int) -> bool:
        """Follow an account; to follow it again changes nothing.

        False, with nothing stored, when the account follows ``most`` already. Raises StoreRefused when one of the two
        has just been removed.
        """
        pair = (follows.c.account_id == account) & (follows.c.followed_id == followed)
        count = select(func.count()).select_from(follows).where(follows.c.account_id == account)
        try:
            with self._engine.begin() as connection:
                keep_others_out(connection, f"friends of {account}")
                if connection.execute(select(follows.c.since).where(pair)).first() is not None:
                    return True
                if connection.execute(count).scalar_one() >= most:
                    return False
                row = {"account_id": account, "followed_id": followed, "since": utc_now()}
                connection.execute(insert(follows).values(row))
        except IntegrityError as error:
            raise StoreRefused(Message("this account has just been removed")) from error
        return True

    def unfollow(self, account: int, followed: int) -> None:
        """Stop following an account."""
        pair = (follows.c.account_id == account) & (follows.c.followed_id == followed)
        with self._engine.begin() as connection:
            connection.execute(delete(follows).where(pair))

    def list_friends(self, account: int) -> list[tuple[Account, datetime]]:
        """The accounts that an account follows, by name, each with the time since when."""
        query = select(accounts, follows.c.since).join(follows, follows.c.followed_id == accounts.c.id)
        query = query.where(follows.c.account_id == account).order_by(accounts.c.folded)
        with self._engine.begin() as connection:
            return [(account_of(row), row.since) for row in connection.execute(query)]
