"""Challenges are shared out: no account, address or guest fills the lobby; on SQLite and PostgreSQL."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from tests.accounts.hall import Hall

from fullprime.accounts import challenge_limits as limits
from fullprime.accounts.challenge_limits import remove_challenges
from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.rules.errors import SettingsError


@pytest.mark.broad
def test_one_address_of_guests_does_not_close_the_lobby(hall: Hall) -> None:
    for _ in range(limits.MOST_OF_GUESTS_OF_ADDRESS):
        hall.challenge()
    with pytest.raises(Refusal, match="10 challenges of guests from your address: withdraw one first, or sign in"):
        hall.challenge()
    with pytest.raises(Refusal, match="from your address"):
        hall.challenge(target=hall.account("Target"))
    hall.challenge(address="192.0.2.2")
    hall.challenge(hall.account("Ann"))
    assert len(hall.standing) == limits.MOST_OF_GUESTS_OF_ADDRESS + 2


def test_many_accounts_of_one_address_share_it(hall: Hall) -> None:
    ann = hall.account("Ann")
    hall.challenge(ann)
    hall.fill(limits.MOST_OF_ADDRESS - 1, "192.0.2.1", creator=hall.account("Bob"))
    with pytest.raises(Refusal, match="30 challenges from your address"):
        hall.challenge(ann)
    hall.challenge(ann, address="192.0.2.2")
    hall.challenge(ann, address=None)


def test_an_account_has_ten(hall: Hall) -> None:
    ann = hall.account("Ann")
    for number in range(limits.MOST_OWN):
        hall.challenge(ann, address=f"192.0.2.{number}")
    with pytest.raises(Refusal, match="you have 10 challenges already"):
        hall.challenge(ann, address="192.0.2.99")


def test_a_guest_with_a_whole_site_of_ipv6_leaves_room_for_others(hall: Hall) -> None:
    """A provider gives one customer 65,536 networks, each of which is an address."""
    hall.challenge(address="2001:db8:7::/64")
    for number in range(1, limits.MOST_OF_GUESTS_OF_SITE):
        hall.fill(1, f"2001:db8:7:{number:x}::/64")
    with pytest.raises(Refusal, match="40 challenges of guests from your network"):
        hall.challenge(address="2001:db8:7:ffff::/64")
    hall.challenge(address="2001:db8:8::/64")
    hall.challenge(hall.account("Ann"), address="2001:db8:7:ffff::/64")


@pytest.mark.broad
def test_guests_of_many_addresses_leave_room_for_accounts(hall: Hall) -> None:
    ann, bob = hall.account("Ann"), hall.account("Bob")
    hall.challenge()
    hall.fill(limits.MOST_OF_GUESTS - 1, "192.0.2.7")
    with pytest.raises(Refusal, match="too many challenges of guests at the moment"):
        hall.challenge(address="192.0.2.2")
    hall.challenge(target=ann, address="192.0.2.2")
    first = hall.challenge(ann)
    hall.fill(100, "192.0.2.8")
    assert first in [challenge.id for challenge in hall.lobby.list_open()], "later ones of guests push none out"
    hall.fill(limits.MOST, "192.0.2.9", creator=ann)
    with pytest.raises(Refusal, match="there are too many challenges at the moment"):
        hall.challenge(bob)
    hall.challenge(bob, target=ann)


def test_those_to_one_account_are_not_counted_with_those_to_everybody(hall: Hall) -> None:
    ann, bob = hall.account("Ann"), hall.account("Bob")
    hall.challenge(target=ann)
    hall.fill(limits.MOST, "192.0.2.7", target=ann)
    hall.challenge(address="192.0.2.2")
    with pytest.raises(Refusal, match="this account has too many challenges"):
        hall.challenge(bob, target=ann)
    hall.challenge(ann, target=bob)


def test_the_challenge_of_a_guest_is_short_lived(hall: Hall) -> None:
    for minutes in (0, limits.MOST_MINUTES_OF_GUEST + 1, limits.MOST_MINUTES):
        with pytest.raises(SettingsError, match="a guest's challenge stands for 1 to 60 minutes: sign in"):
            hall.challenge(minutes=minutes)
    hall.challenge(minutes=limits.MOST_MINUTES_OF_GUEST)
    hall.challenge(hall.account("Ann"), minutes=limits.MOST_MINUTES)
    with pytest.raises(SettingsError, match="a week"):
        hall.challenge(hall.account("Bob"), minutes=limits.MOST_MINUTES + 1)


def test_challenges_at_once_are_no_more_than_allowed(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """All have seen that there is room, and add theirs together; the rooms of those refused are not kept."""
    monkeypatch.setattr(limits, "MOST_OWN", 3)
    ann = hall.account("Ann")
    count, begin = hall.lobby._challenges.count, threading.Barrier(8)

    def counted(*arguments: Any) -> Any:
        number = count(*arguments)
        begin.wait(60)
        return number

    monkeypatch.setattr(hall.lobby._challenges, "count", counted)
    refused: list[str] = []

    def make() -> None:
        try:
            hall.challenge(ann)
        except Refusal as error:
            refused.append(str(error))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == ["you have 3 challenges already: withdraw one first"] * 5
    assert len(hall.standing) == hall.rooms_kept() == 3
    assert hall.game_server.count_sessions()["open"] == 3


def test_the_operator_lists_and_ends_challenges(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = hall.account("Ann")
    by_id, by_address = hall.challenge(ann), hall.challenge(ann, address="2001:db8:1:2::/64")
    guests = [hall.challenge(address=f"192.0.2.{number}") for number in (5, 6)]
    for_bob = hall.challenge(ann, target=hall.account("Bob"))
    assert {challenge.id: challenge.address for challenge in hall.standing} == {
        by_id: "192.0.2.1", by_address: "2001:db8:1:2::/64", guests[0]: "192.0.2.5", guests[1]: "192.0.2.6",
        for_bob: "192.0.2.1",
    }  # fmt: skip
    game = next(challenge.session_id for challenge in hall.standing if challenge.id == by_id)
    assert remove_challenges(hall.url, names=(by_id, "no-such"), addresses=("2001:db8:1:2::/64",)) == 2
    assert {challenge.id for challenge in hall.lobby.list_open()} == set(guests)
    assert remove_challenges(hall.url, guests=True) == 2
    assert remove_challenges(hall.url, guests=True) == 0
    assert [challenge.id for challenge in hall.standing] == [for_bob]
    with pytest.raises(Refusal, match="accepted, withdrawn or forgotten"):
        hall.lobby.accept(by_id, None, "Eve")
    hall.lobby.delete_expired()
    with pytest.raises(Refusal, match="no game"):
        hall.game_server.get_handle(game)
    later = utc_now() + timedelta(days=8)
    monkeypatch.setattr("fullprime.accounts.store.challenges.utc_now", lambda: later)
    assert hall.standing == []
