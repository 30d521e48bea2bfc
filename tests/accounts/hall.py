"""A lobby on a database of its own, for tests without a server."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import insert

from fullprime.accounts.challenge_limits import list_challenges
from fullprime.accounts.lobby import Lobby
from fullprime.accounts.ratings import RatingService
from fullprime.accounts.seeks import Seeks
from fullprime.accounts.service import Accounts
from fullprime.accounts.store.accounts import Account
from fullprime.accounts.store.challenges import Challenge, ChallengeStore
from fullprime.db.schema.tables import ratings
from fullprime.db.times import utc_now
from fullprime.play.keys import new_id
from fullprime.play.server.game_server import GameServer


class Hall:
    """A lobby on a database of its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.game_server, self.people = GameServer(url), Accounts(url)
        self.rating_service = RatingService(self.people)
        self.lobby = Lobby(self.game_server, self.people, self.rating_service)
        self.seeks = Seeks(self.lobby, self.game_server, self.rating_service)
        self.store = ChallengeStore(self.people.engine)

    def account(self, name: str) -> Account:
        return self.people.store.create(name, "hash")

    def challenge(self, creator: Account | None = None, address: str | None = "192.0.2.1", **options: Any) -> str:
        return self.lobby.challenge(creator, name="Visitor", address=address, **options)[0].challenge.id

    def fill(self, number: int, address: str, *, creator: Account | None = None, target: Account | None = None) -> None:
        """Store so many more challenges like the one that stands, without their rooms."""
        (pattern, *_) = list_challenges(self.url, 1)
        ids = {"creator": creator and creator.id, "target": target and target.id}
        for _ in range(number):
            self.store.add(replace(pattern, id=new_id(10), address=address, **ids))

    def rooms_kept(self) -> int:
        return len(self.game_server.service.store.find_sequences(challenge.session_id for challenge in self.standing))

    @property
    def standing(self) -> list[Challenge]:
        return list_challenges(self.url, 1000)

    def close(self) -> None:
        self.lobby.close()
        self.people.close()
        self.game_server.close()


def rated_account(hall: Hall, name: str, rating: float) -> Account:
    account = hall.account(name)
    row = {"account_id": account.id, "kind": "backgammon:short", "rating": rating, "deviation": 60.0}
    with hall.people.engine.begin() as connection:
        at = utc_now()
        connection.execute(insert(ratings).values(**row, volatility=0.06, matches=30, updated=at, established=at))
    return account
