"""Ratings are not farmed: not by accounts that leave or resign at once, nor by one pair that plays all day."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from tests.web.conftest import Server
from tests.web.people import Browser, one_accepts, person, rated_match
from tests.web.test_endings import ends, resigns_a_game

from fullprime.accounts.ratings import MOST_OF_PAIR

KIND = "longgammon:single"
"""A game that no other test plays here for a rating."""


def rating_of(browser: Browser, kind: str = KIND) -> int:
    return int(browser.read(f"/api/users/{browser.name}")["ratings"].get(kind, {"rating": 1500})["rating"])


@pytest.mark.broad
def test_twelve_throw_away_accounts_make_no_first_place(shared_server: Server) -> None:
    with ExitStack() as stack:
        farmer, *accounts = (stack.enter_context(person(shared_server)) for _ in range(13))
        for number, account in enumerate(accounts):
            game = rated_match(farmer, account, variant="longgammon")
            if number % 3 == 0:
                resigns_a_game(account.seat(game), farmer.seat(game))
            else:
                game_seat = account.seat(game)
                ends(game_seat, "leave")
        assert rating_of(farmer) == 1500
        assert all(rating_of(account) < 1500 for account in accounts), "who leaves loses"
        won = farmer.read(f"/api/users/{farmer.name}/games", params={"variant": "longgammon"})["games"]
        assert [game["winner"] for game in won] == ["X"] * 12, "the matches are won all the same"
        assert farmer.read("/api/ratings", params={"kind": KIND})["best"] == []


@pytest.mark.broad
def test_eleven_rated_matches_of_a_pair_a_day_are_one_too_many(shared_server: Server) -> None:
    """Whichever way the next one is begun; an unrated one is, and so is one with somebody else."""
    with person(shared_server) as ann, person(shared_server) as bob, person(shared_server) as cyd:
        options = {"rated": True, "clock": "usbgf", "rules": {"length": 1}}
        waiting = ann.asks("/api/lobby", options)
        for _ in range(MOST_OF_PAIR):
            game = rated_match(ann, bob, variant="nackgammon")
            ends(ann.seat(game), "leave")
        bob.read(f"/api/users/{bob.name}")
        reason = (429, "you two have begun 10 rated matches within a day: play an unrated one, or wait until tomorrow")
        assert bob.refusal(f"/api/challenge/{ann.name}", options) == reason
        assert bob.refusal(f"/api/challenge/{waiting['challenge']['id']}/accept") == reason
        joining = {"invitation": waiting["invitation"], "name": "x"}
        assert bob.refusal(f"/api/games/{waiting['challenge']['game']}/join", joining) == reason
        assert ann.refusal(f"/api/games/{game}/rematch") == reason
        assert bob.asks(f"/api/challenge/{ann.name}", {**options, "rated": False})["challenge"]["rated"] is False
        assert one_accepts(cyd, waiting)["game"] == waiting["challenge"]["game"]
        assert rating_of(bob, "nackgammon:single") == 1500
