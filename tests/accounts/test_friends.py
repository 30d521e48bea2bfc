"""Friends: who is followed, how many, who of them is here, and what is forgotten with an account; on both databases."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import func, select
from tests.accounts.hall import Hall, rated_account

from fullprime.accounts import friends as limits
from fullprime.accounts.friends import Friends
from fullprime.accounts.pairing import Pool
from fullprime.accounts.store.accounts import Account
from fullprime.common.refusals import Refusal
from fullprime.db.schema.tables import follows
from fullprime.db.times import utc_now
from fullprime.play.presence import PresenceStore
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Player


@pytest.fixture
def friends(hall: Hall) -> Friends:
    return Friends(hall.people, hall.rating_service)


def names_of(friends: Friends, account: Account) -> list[str]:
    return [friend.name for friend in friends.list_friends(account).friends]


def test_an_account_follows_another_one_once_and_unfollows_it(hall: Hall, friends: Friends) -> None:
    ann, bob, cyd = (hall.account(name) for name in ("Ann", "Bob", "Cyd"))
    for name in ("Cyd", "bob", "BOB"):
        friends.follow(ann, name)
    (first, second) = friends.list_friends(ann).friends
    assert (first.name, second.name) == ("Bob", "Cyd")
    friends.follow(ann, "Bob")
    assert friends.list_friends(ann).friends == (first, second), "again changes nothing, the time neither"
    assert names_of(friends, bob) == names_of(friends, cyd) == [], "it is followed, and follows nobody"
    for _ in range(2):
        friends.unfollow(ann, "Bob")
    assert names_of(friends, ann) == ["Cyd"]


def test_what_cannot_be_followed_is_refused(hall: Hall, friends: Friends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_FRIENDS", 2)
    ann, _, _, _, hidden = (hall.account(name) for name in ("Ann", "Bob", "Cyd", "Dan", "Hidden"))
    hall.people.store.set_public(hidden.id, public=False)
    with pytest.raises(SettingsError, match="you cannot follow yourself"):
        friends.follow(ann, "ann")
    with pytest.raises(Refusal, match="Hidden keeps the profile private"):
        friends.follow(ann, "Hidden")
    with pytest.raises(Refusal, match="there is no account 'Eve'") as refused:
        friends.follow(ann, "Eve")
    assert refused.value.code == "missing"
    friends.follow(ann, "Bob")
    friends.follow(ann, "Cyd")
    with pytest.raises(Refusal, match="you follow 2 accounts already: unfollow one first") as full:
        friends.follow(ann, "Dan")
    assert full.value.code == "busy"
    friends.follow(ann, "Cyd")
    friends.unfollow(ann, "Bob")
    friends.follow(ann, "Dan")
    assert names_of(friends, ann) == ["Cyd", "Dan"]


def test_the_list_has_who_is_here_first_with_ratings_and_nothing_of_a_private_profile(
    hall: Hall, friends: Friends
) -> None:
    ann, zoe, eve = (
        rated_account(hall, name, rating) for name, rating in (("Ann", 1500), ("Zoe", 1640), ("Eve", 1700))
    )
    bob = hall.account("Bob")
    for name in ("Bob", "Eve", "Zoe"):
        friends.follow(ann, name)
    hall.people.store.set_public(eve.id, public=False)
    handle, _, invitation = hall.lobby.create_session(zoe, opponent="friend", name="", rules={"length": 5})
    assert invitation is not None
    hall.lobby.join(handle, eve, invitation, "")
    presence = PresenceStore(hall.people.engine, "process")
    for side in (Player.X, Player.O):
        presence.note_arrived(handle.id, side, utc_now())
    listed = [
        (friend.name, friend.is_here, friend.short_rating and friend.short_rating.rating)
        for friend in friends.list_friends(ann).friends
    ]
    assert listed == [("Zoe", True, 1640), ("Bob", False, None), ("Eve", None, None)]
    presence.note_left(handle.id, Player.X, utc_now())
    assert names_of(friends, ann) == ["Bob", "Eve", "Zoe"]
    hall.seeks.seek(zoe, Pool(5, "fast", rated=False), name="")
    assert names_of(friends, ann) == ["Zoe", "Bob", "Eve"], "who waits to be paired is here"
    assert names_of(friends, bob) == []


def test_an_account_that_is_removed_is_forgotten_on_both_sides(hall: Hall, friends: Friends) -> None:
    ann, bob, cyd = (hall.account(name) for name in ("Ann", "Bob", "Cyd"))
    for account, name in ((ann, "Bob"), (bob, "Ann"), (cyd, "Bob"), (cyd, "Ann")):
        friends.follow(account, name)
    hall.people.store.delete(ann.id)
    assert names_of(friends, bob) == []
    assert names_of(friends, cyd) == ["Bob"]
    with hall.people.engine.begin() as connection:
        assert connection.execute(select(func.count()).select_from(follows)).scalar_one() == 1
    with pytest.raises(Refusal, match="has just been removed") as gone:
        friends.follow(ann, "Bob")
    assert gone.value.code == "missing"
    another = replace(ann, id=hall.account("Ann").id)
    assert names_of(friends, another) == [], "a new account of the old name begins with nothing"
