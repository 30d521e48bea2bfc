"""People are paired by length, clock and rating; a press makes one game, also of two at once; on both databases."""

from __future__ import annotations

import math
import threading
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.accounts.hall import Hall, rated_account

from fullprime.accounts import challenge_limits as limits
from fullprime.accounts.model import Seek
from fullprime.accounts.overview import Overview
from fullprime.accounts.pairing import NARROW, POOLS, Pool, rating_band
from fullprime.accounts.profiles import Profiles
from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.play.naming import UNNAMED
from fullprime.play.presence import PresenceStore
from fullprime.rules.score import Player

CASUAL = Pool(5, "fast", rated=False)
RATED = Pool(5, "fast", rated=True)
MINUTE = timedelta(minutes=1)


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Let the time of seeks be later than it is."""
    for module in ("seeks", "store.challenges"):
        monkeypatch.setattr(f"fullprime.accounts.{module}.utc_now", lambda: utc_now() + by)


def names_at(hall: Hall, seek: Seek) -> tuple[str, ...]:
    return hall.game_server.get_handle(seek.game).session.names


def numbers(hall: Hall, pool: Pool) -> tuple[int, int]:
    (now,) = [now for now in hall.seeks.list_pools() if now.pool == pool]
    return now.waiting, now.playing


@given(st.floats(0, 3), st.floats(0, 3))
def test_a_band_only_widens_until_it_holds_everybody(one: float, other: float) -> None:
    younger, older = sorted((one, other))
    assert NARROW <= rating_band(younger * MINUTE, MINUTE) <= rating_band(older * MINUTE, MINUTE)
    assert rating_band(-MINUTE, MINUTE) == NARROW, "clocks of two processes are never quite the same"
    assert rating_band((1 + older) * MINUTE, MINUTE) == math.inf


def test_the_second_who_looks_for_the_same_match_sits_down_opposite_the_first(hall: Hall) -> None:
    first = hall.seeks.seek(None, CASUAL, name="Ann Guest")
    assert first.waiting is not None
    assert numbers(hall, CASUAL) == (1, 0)
    elsewhere = hall.seeks.seek(None, Pool(5, "medium", rated=False), name="Eve Guest")
    assert elsewhere.waiting is not None, "another clock is another match"
    second = hall.seeks.seek(None, CASUAL, name="Bob Guest")
    assert (second.waiting, second.game) == (None, first.game)
    assert names_at(hall, second) == ("Ann Guest", "Bob Guest")
    terms = hall.game_server.get_handle(second.game).session.terms
    assert (terms.settings.length, terms.clock, terms.rated) == (5, "fast", False)
    renewed = hall.seeks.renew(first.game, first.key)
    assert (renewed.waiting, renewed.game, renewed.key) == (None, first.game, None), "the first hears of it"
    handle = hall.game_server.get_handle(second.game)
    for seat, seed in (("X", "ab"), ("O", "cd")):
        handle.add_seed(seat, seed)
    assert numbers(hall, CASUAL) == (0, 1)


@pytest.mark.parametrize(("waiting", "name"), [("Max", "m\u0430x"), ("Gu\u0435st", "Guest"), ("Guest", "Gu\u0435st")])
def test_a_guest_takes_no_seek_of_one_whose_name_looks_the_same(hall: Hall, waiting: str, name: str) -> None:
    """The board would refuse the name, after the seek was taken from the pool."""
    first = hall.seeks.seek(None, CASUAL, name=waiting)
    second = hall.seeks.seek(None, CASUAL, name=name)
    assert numbers(hall, CASUAL) == (2, 0)
    third = hall.seeks.seek(None, CASUAL, name="Eve")
    assert third.game == first.game
    assert second.waiting is not None


def test_nameless_guests_are_paired(hall: Hall) -> None:
    first, second = (hall.seeks.seek(None, CASUAL, name=UNNAMED) for _ in range(2))
    assert second.game == first.game


def test_seeks_are_not_listed_and_are_taken_in_their_pool_alone(hall: Hall) -> None:
    seek = hall.seeks.seek(None, CASUAL, name="Ann Guest")
    assert seek.waiting is not None
    assert hall.lobby.list_open() == ()
    with pytest.raises(Refusal, match="waits to be paired"):
        hall.lobby.accept(seek.waiting.challenge.id, None, "Eve")
    hall.lobby.withdraw(seek.waiting.challenge.id, None, seek.key)
    assert numbers(hall, CASUAL) == (0, 0)
    with pytest.raises(Refusal, match="no game"):
        hall.game_server.get_handle(seek.game)


def test_rated_matches_are_between_near_ratings_and_later_between_any(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = hall.seeks.seek(rated_account(hall, "Ann", 1400), RATED, name="")
    bob = hall.seeks.seek(rated_account(hall, "Bob", 1900), RATED, name="")
    assert None not in (ann.waiting, bob.waiting), "500 points are too many at first"
    near = hall.seeks.seek(rated_account(hall, "Eve", 1790), RATED, name="")
    assert (near.game, near.waiting) == (bob.game, None), "the nearest is taken, not the oldest"
    dan = hall.seeks.seek(rated_account(hall, "Dan", 1900), RATED, name="")
    assert dan.waiting
    assert hall.seeks.renew(dan.game, dan.key).waiting
    later(monkeypatch, MINUTE)
    renewed = hall.seeks.renew(dan.game, dan.key)
    assert renewed.game == ann.game
    assert names_at(hall, renewed) == ("Ann", "Dan")
    game = hall.rating_service.played.find(renewed.game)
    assert game is not None
    assert game.rated
    assert None not in game.accounts


def test_a_seek_that_is_not_renewed_lapses_and_one_that_is_stands(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    standing = hall.seeks.seek(None, CASUAL, name="Ann Guest")
    gone = hall.seeks.seek(None, Pool(1, "fast", rated=False), name="Bob Guest")
    later(monkeypatch, MINUTE)
    hall.seeks.renew(standing.game, standing.key)
    later(monkeypatch, 2 * MINUTE)
    assert hall.seeks.renew(standing.game, standing.key).waiting is not None
    with pytest.raises(Refusal, match="accepted, withdrawn or forgotten"):
        hall.seeks.renew(gone.game, gone.key)
    with pytest.raises(Refusal, match="not yours"):
        hall.seeks.renew(standing.game, None)


@pytest.mark.parametrize("people", [2, 5])
def test_people_who_press_at_once_are_paired_off(hall: Hall, people: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All look before any waits; then each has a seek, and looks again."""
    begin, looked = threading.Barrier(people), set[int]()
    list_for_pool = hall.seeks._challenges.list_for_pool

    def waiting(pool: str) -> Any:
        seeks = list_for_pool(pool)
        if threading.get_ident() not in looked:
            looked.add(threading.get_ident())
            begin.wait(60)
        return seeks

    monkeypatch.setattr(hall.seeks._challenges, "list_for_pool", waiting)
    answers: list[Seek] = []
    presses = [
        threading.Thread(target=lambda name=f"Guest {number}": answers.append(hall.seeks.seek(None, CASUAL, name=name)))
        for number in range(people)
    ]
    for press in presses:
        press.start()
    for press in presses:
        press.join()
    games = {answer.game for answer in answers if answer.waiting is None}
    left = [answer for answer in answers if answer.waiting is not None and answer.game not in games]
    taken = [answer for answer in answers if answer.waiting is not None and answer.game in games]
    assert len(games) == len(taken) == people // 2
    assert len(left) == people % 2
    assert all(not hall.game_server.get_handle(game).session.is_seat_free for game in games)
    assert numbers(hall, CASUAL)[0] == people % 2


def test_an_account_waits_for_one_live_match_at_a_time(hall: Hall) -> None:
    ann = hall.account("Ann")
    first = hall.seeks.seek(ann, RATED, name="")
    slow = hall.seeks.seek(ann, Pool(5, "1d", rated=True), name="")
    second = hall.seeks.seek(ann, Pool(7, "fast", rated=True), name="")
    assert {challenge.session_id for challenge in hall.standing} == {slow.game, second.game} - {first.game}
    assert hall.seeks.seek(ann, Pool(7, "fast", rated=True), name="").waiting is not None, "nobody plays oneself"


def test_the_limits_of_challenges_hold_for_seeks(hall: Hall) -> None:
    for number in range(limits.MOST_OF_GUESTS_OF_ADDRESS):
        hall.challenge(address="192.0.2.1") if number else hall.seeks.seek(
            None, CASUAL, name="Ann Guest", address="192.0.2.1"
        )
    with pytest.raises(Refusal, match="10 challenges of guests from your address"):
        hall.seeks.seek(None, Pool(1, "fast", rated=False), name="Bob Guest", address="192.0.2.1")
    assert hall.seeks.seek(None, CASUAL, name="Bob Guest", address="192.0.2.1").waiting is None, "to sit down is free"
    with pytest.raises(Refusal, match="sign in first"):
        hall.seeks.seek(None, RATED, name="Bob Guest")
    hall.account("Taken")
    with pytest.raises(Refusal, match="has an account here"):
        hall.seeks.seek(None, CASUAL, name="Taken")


def test_there_is_a_pool_for_each_length_and_clock() -> None:
    assert len(POOLS) == 24
    assert all(pool.name == name for name, pool in POOLS.items())


def test_the_overview_has_who_is_there_and_games_that_everybody_may_watch(hall: Hall) -> None:
    ann, bob, eve = (hall.account(name) for name in ("Ann", "Bob", "Eve"))
    hall.people.store.set_public(eve.id, public=False)
    private, _, invitation = hall.lobby.create_session(ann, opponent="friend", name="", rules={"length": 5})
    assert invitation is not None
    hall.lobby.join(private, eve, invitation, "")
    game = hall.seeks.seek(ann, RATED, name="").game
    assert hall.seeks.seek(bob, RATED, name="").game == game
    for handle in (private, hall.game_server.get_handle(game)):
        for seat, seed in (("X", "ab"), ("O", "cd")):
            handle.add_seed(seat, seed)
    presence = PresenceStore(hall.people.engine, "process")
    for number, side in ((private.id, Player.X), (private.id, Player.O), (game, Player.X), (game, Player.O)):
        presence.note_arrived(number, side, utc_now())
    presence.note_left(game, Player.O, utc_now())
    fay = hall.account("Fay")
    hall.seeks.seek(fay, CASUAL, name="")
    hall.seeks.seek(None, Pool(1, "fast", rated=False), name="Guest")
    hall.seeks.seek(hall.account("Gus"), Pool(5, "1d", rated=False), name="")
    overview = Overview(hall.game_server, hall.rating_service, Profiles(hall.rating_service, hall.lobby))
    now = overview.get_lobby()
    assert (now.present, [person.name for person in now.people]) == (5, ["Ann", "Fay"]), (
        "Bob is away, Eve is private, and Gus, who has a day a turn, may be elsewhere"
    )
    assert [(watched.id, watched.names, watched.length) for watched in now.games] == [(game, ("Ann", "Bob"), 5)]
    assert sum(now.games[0].x) == sum(now.games[0].o) == 15
    hall.lobby.close_game(hall.game_server.get_handle(game), "X", "leave")
    assert overview.get_lobby() is now, "it is gathered once for all who ask within a few seconds"
    assert (
        Overview(hall.game_server, hall.rating_service, Profiles(hall.rating_service, hall.lobby)).get_lobby().games
        == ()
    )
