"""Friends: the accounts that an account follows, which of them are here, and their ratings.

To follow needs no consent, and the account that is followed is not told: no function tells who follows an account.
"""

from __future__ import annotations

from fullprime.accounts.model import Friend, FriendList
from fullprime.accounts.overview import KIND
from fullprime.accounts.pairing import LIVE_POOLS
from fullprime.accounts.ratings import RatingService, show_rating
from fullprime.accounts.service import Accounts
from fullprime.accounts.store.accounts import Account
from fullprime.accounts.store.friends import FriendStore
from fullprime.accounts.store.present import PresentStore
from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreRefused
from fullprime.messages import Message
from fullprime.rules.errors import SettingsError

MOST_FRIENDS = 200
"""The accounts that one account follows."""


class Friends:
    """The friends of the accounts of one database. Methods may be called from any thread."""

    def __init__(self, people: Accounts, rating_service: RatingService) -> None:
        self._people, self._rating_service = people, rating_service
        self._store, self._present = FriendStore(people.engine), PresentStore(people.engine, LIVE_POOLS)

    def follow(self, account: Account, name: str) -> None:
        """Follow the account of that name; to follow it again changes nothing.

        Raises SettingsError for its own name, Refusal for a private profile, for one too many, and where there is no
        such account.
        """
        followed = self._people.get_by_name(name)
        if followed.id == account.id:
            raise SettingsError(Message("you cannot follow yourself"))
        if not followed.public:
            raise Refusal(Message("{name} keeps the profile private", name=followed.name), "forbidden")
        try:
            is_stored = self._store.follow(account.id, followed.id, MOST_FRIENDS)
        except StoreRefused as error:
            raise Refusal(error.args[0], "missing") from error
        if not is_stored:
            raise Refusal(
                Message("you follow {count} accounts already: unfollow one first", count=MOST_FRIENDS), "busy"
            )

    def unfollow(self, account: Account, name: str) -> None:
        """Stop following the account of that name; raises Refusal where there is no such account."""
        self._store.unfollow(account.id, self._people.get_by_name(name).id)

    def list_friends(self, account: Account) -> FriendList:
        """The friends of an account: those who are here first, each group by name."""
        friends = self._store.list_friends(account.id)
        public = [friend.id for friend, _ in friends if friend.public]
        present = self._present.find_present(public)
        ratings = self._rating_service.played.find_ratings(public, KIND)
        listed = [
            Friend(
                name=friend.name,
                bot=friend.bot,
                is_here=friend.id in present if friend.public else None,
                short_rating=show_rating(ratings[friend.id]) if friend.id in ratings else None,
                since=since,
            )
            for friend, since in friends
        ]
        return FriendList(tuple(sorted(listed, key=lambda friend: not friend.is_here)))
