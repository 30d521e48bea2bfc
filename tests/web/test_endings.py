"""Ends of games that are not played out: nobody cancels a match alone, and what it costs to go is said before."""

from __future__ import annotations

import random
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import Server
from tests.web.people import Browser, guest, one_accepts, person, play_on, rated_match
from tests.web.seat import Seat, create, friends, some_line

from fullprime.accounts.ratings import PLAYS
from fullprime.common.refusals import Refusal
from fullprime.db.times import utc_now
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.upkeep import UNBEGUN


def plays_on(seats: tuple[Seat, ...], turns: int = 4, seed: int = 1) -> None:
    """So many plays and throws by chance; nobody gives up or doubles."""
    chance = random.Random(seed)
    for _ in range(turns):
        for seat in seats:
            state = seat.state
            words = [word for word in state["legal_actions"] if word not in ("resign", "double", "next")]
            if words:
                seat.does(some_line({**state, "legal_actions": words}, chance), sequence=state["sequence"])


def ends(seat: Seat, how: str, status: int = 204) -> str:
    """End the game in that way; gives the reason of a refusal."""
    answer = seat.post("close", {"how": how})
    assert answer.status_code == status, answer.text
    return str(answer.json()["error"]) if answer.content else ""


def resigns_a_game(loser: Seat, winner: Seat) -> None:
    for _ in range(20):
        if "resign" in loser.state["legal_actions"]:
            loser.does("resign")
            winner.does("accept")
            return
        plays_on((loser, winner), 1)
    raise AssertionError("nobody could resign")


@pytest.fixture
def shared(shared_server: Server) -> Any:
    with guest(shared_server) as client:
        yield client


@pytest.mark.broad
def test_the_loser_of_a_rated_match_cannot_cancel_it(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        game = rated_match(ann, bob, rules={"length": 3})
        loser, winner = ann.seat(game), bob.seat(game)
        play_on(game, ann, bob, PLAYS)
        resigns_a_game(loser, winner)
        state = loser.state
        assert (state["score"], state["game_over"], state["rated"]) == ([0, 1], True, True)
        for body in ({}, {"how": "end"}):
            answer = loser.post("close", body)
            assert answer.status_code == 400
            assert "a match ends by play, resignation, time or absence" in answer.json()["error"]
        assert "first moves" in ends(loser, "abort", 400)
        ends(loser, "agree")
        assert loser.state["status"] == "playing", "one alone ends nothing"
        assert winner.state["ending"] == {
            "offered": ["X"], "alone": None, "costs": [2, 3], "how": None, "by": None,
        }  # fmt: skip
        winner.does("next")
        ends(loser, "leave")
        state = winner.state
        assert (state["status"], state["match_winner"], state["score"]) == ("over", "O", [0, 3])
        assert (state["ending"]["how"], state["ending"]["by"]) == ("left", "X")
        profile = bob.read(f"/api/users/{bob.name}")
        assert profile["ratings"]["backgammon:short"]["rating"] > 1500
        assert (profile["tallies"][0]["won"], profile["endings"]["left"], profile["endings"]["games"]) == (1, 0, 1)
        assert ann.read(f"/api/users/{ann.name}")["endings"] == {
            "games": 1, "left": 1, "absent": 0, "late": 0, "aborted": 0,
        }  # fmt: skip
        (played,) = ann.read(f"/api/users/{ann.name}/games")["games"]
        assert (played["ending"], played["ended_by"], played["winner"]) == ("left", "X", "O")
        assert shared_server.verify(game).faults == ()
        assert "Wins 2 points and the match" in ann.get(f"/api/games/{game}/record").text


def test_a_match_is_ended_without_a_result_by_both(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        game = rated_match(ann, bob, rules={"length": 5})
        seats = ann.seat(game), bob.seat(game)
        plays_on(seats)
        ends(seats[0], "agree")
        assert seats[1].state["ending"]["offered"] == ["X"]
        assert any("would end the match without a result" in event["text"] for event in seats[1].get()["events"])
        plays_on(seats, 3, seed=2)
        assert seats[1].state["ending"]["offered"] == [], "an offer lapses when the game has gone on"
        ends(seats[1], "agree")
        ends(seats[0], "agree")
        state = seats[0].state
        assert (state["status"], state["match_winner"], state["ending"]["how"]) == ("over", None, "agreed")
        assert state["legal_actions"] == []
        assert seats[0].act("roll").status_code == 400
        assert seats[0].get("/proof")["secret"] is not None
        assert ann.read(f"/api/users/{ann.name}")["ratings"] == {}
        assert shared_server.verify(game).faults == ()


def test_a_match_is_aborted_in_its_first_moves_and_that_is_seen(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        for number in range(4):
            game = rated_match(ann, bob, rules={"length": 1})
            seat = ann.seat(game)
            assert seat.state["ending"]["alone"] == "abort"
            if number == 3:
                assert "aborted 3 rated matches within a day" in ends(seat, "abort", 429)
                plays_on((seat, bob.seat(game)))
                assert seat.state["ending"]["alone"] is None
                assert "first moves" in ends(bob.seat(game), "abort", 400)
                break
            ends(seat, "abort")
            state = bob.seat(game).state
            assert (state["status"], state["ending"]["how"], state["ending"]["by"]) == ("over", "aborted", "X")
            # Only a game that its accounts have looked for is surely noted.
            assert ann.read(f"/api/users/{ann.name}")["endings"]["aborted"] == number + 1
        assert bob.read(f"/api/users/{bob.name}")["endings"]["aborted"] == 0
        assert bob.read(f"/api/users/{bob.name}")["ratings"] == {}


def test_a_session_is_left_between_games_for_nothing_and_in_a_game_at_its_price(shared: Browser) -> None:
    seats = friends(shared, rules={"length": 0, "jacoby": False})
    plays_on(seats)
    assert seats[0].state["ending"]["alone"] is None
    assert "between two games" in ends(seats[0], "end", 400)
    assert seats[0].state["ending"]["costs"] == [3, 3], "as if the other one had just borne off: a backgammon"
    ends(seats[0], "leave")
    state = seats[1].state
    assert (state["status"], state["score"], state["result"]["how"]) == ("over", [0, 3], "by leaving")
    assert (state["ending"]["how"], state["ending"]["by"]) == ("left", "X")
    session = friends(shared, rules={"length": 0})
    resigns_a_game(*session)
    assert session[1].state["ending"]["alone"] == "end"
    ends(session[1], "end")
    assert (session[0].state["status"], session[0].state["score"]) == ("over", [0, 1])
    ends(session[1], "leave")
    assert session[0].state["ending"]["how"] == "ended", "what is over stays as it is"
    another = friends(shared, rules={"length": 0})
    resigns_a_game(*another)
    assert another[0].state["ending"]["costs"] == [0, 0]
    ends(another[0], "leave")
    assert another[1].state["ending"]["how"] == "ended", "between two games nobody is left"


def test_two_at_one_screen_end_whenever_they_like(shared: Browser) -> None:
    seat, _ = create(shared, opponent="screen", name="Ann", rules={"length": 3})
    assert seat.state["ending"]["alone"] == "end"
    assert "neither loses" in ends(seat, "leave", 400)
    ends(seat, "end")
    assert (seat.state["status"], seat.state["ending"]["by"]) == ("over", None)


def test_against_a_bot_a_match_is_aborted_or_left(shared: Browser) -> None:
    seat, _ = create(shared, rules={"length": 3})
    for _ in range(30):
        state = seat.state
        if state["ending"]["alone"] is None:
            break
        if state["legal_actions"]:
            seat.act(some_line(state, random.Random(3)))
    assert ends(seat, "end", 400)
    assert "a bot agrees to nothing" in ends(seat, "agree", 400)
    ends(seat, "leave")
    assert seat.state["match_winner"] == "O"


def test_nobody_ends_the_game_of_others(shared: Browser) -> None:
    host, _ = friends(shared)
    for how in ("end", "abort", "agree", "leave"):
        ends(Seat(shared, host.game, None), how, 403)
    assert host.post("close", {"how": "cancel"}).status_code == 422
    assert host.state["status"] == "playing"


def test_a_guest_does_not_sit_down_at_a_rated_match(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob, guest(shared_server) as eve:
        created = ann.asks("/api/lobby", {"rated": True, "clock": "usbgf", "rules": {"length": 1}})
        game = created["challenge"]["game"]
        joining = {"invitation": created["invitation"], "name": "Eve"}
        code, why = eve.refusal(f"/api/games/{game}/join", joining)
        assert (code, why) == (401, "this match is rated, between two accounts: sign in first")
        assert eve.refusal(f"/api/challenge/{created['challenge']['id']}/accept")[0] == 401
        assert ann.seat(game).state["free_seat"] is True
        assert ann.seat(game).state["rated"] is True
        bob.asks(f"/api/games/{game}/join", joining)
        assert ann.seat(game).state["names"] == [ann.name, bob.name]


def test_a_rematch_of_a_rated_match_is_rated(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        game = rated_match(ann, bob)
        resigns_a_game(ann.seat(game), bob.seat(game))
        ann.asks(f"/api/games/{game}/rematch")
        again = bob.asks(f"/api/games/{game}/rematch")["game"]
        assert bob.seat(again).state["rated"] is True
        state = bob.seat(again).state
        assert (state["ending"]["offered"], state["status"]) == ([], "waiting")


# -- games that have not begun ---------------------------------------------------------------------------------------
def test_a_game_that_has_not_begun_is_called_off(shared_server: Server) -> None:
    """By whoever sits there: at once and at no cost; nobody can join it or add a seed any more."""
    with guest(shared_server) as ann, guest(shared_server) as bob:
        options = {"opponent": "friend", "name": "Ann", "rules": {"length": 3}}
        created = ann.asks("/api/games", options)
        joined = bob.asks(f"/api/games/{created['id']}/join", {"invitation": created["invitation"], "name": "Bob"})
        x, o = Seat(ann, created["id"], created["key"]), Seat(bob, created["id"], joined["key"])
        assert x.post("seed", {"seed": "ab"}).status_code == 204
        state = x.state
        assert (state["status"], state["missing_seeds"], state["ending"]["alone"]) == ("waiting", ["O"], "abort")
        assert bob.post(f"/api/games/{created['id']}/close", json={}).status_code in (401, 403), (
            "not by those who watch"
        )
        ends(x, "abort")
        ends(x, "abort")
        for seat in (x, o):
            assert (seat.state["status"], seat.state["ending"]["how"], seat.state["ending"]["by"]) == (
                "waiting", "aborted", "X",
            )  # fmt: skip
        late = o.post("seed", {"seed": "ab"})
        assert (late.status_code, late.json()["error"]) == (400, "this game was called off")
        created = ann.asks("/api/games", options)
        ends(Seat(ann, created["id"], created["key"]), "end")
        late = bob.post(f"/api/games/{created['id']}/join", json={"invitation": created["invitation"], "name": "Bob"})
        assert (late.status_code, late.json()["error"]) == (403, "this game was called off")


def test_a_challenge_whose_game_is_called_off_is_gone(shared_server: Server) -> None:
    with person(shared_server) as ann, person(shared_server) as bob:
        created = ann.asks(f"/api/challenge/{bob.name}", {"rules": {"length": 3}, "clock": "usbgf", "rated": True})
        assert len(bob.read("/api/challenge")["incoming"]) == 1
        ends(ann.seat(created["challenge"]["game"]), "abort")
        assert bob.read("/api/challenge")["incoming"] == []
        game = str(
            one_accepts(bob, ann.asks("/api/lobby", {"rated": True, "clock": "usbgf", "rules": {"length": 1}}))["game"]
        )
        ends(bob.seat(game), "abort")
        assert game not in [game["id"] for game in ann.read(f"/api/users/{ann.name}/games")["games"]]
        assert ann.read(f"/api/users/{ann.name}")["endings"]["games"] == 0


def test_a_game_that_never_begins_is_forgotten(tmp_path: Path) -> None:
    now = utc_now()
    with closing(GameServer(str(tmp_path / "games.db"), clock=lambda: now)) as game_server:
        unbegun, _, invitation = game_server.create(opponent="friend", rules={"length": 3})
        begun, _, _ = game_server.create(opponent="screen", rules={"length": 3})
        begun.add_seed("both", "ab")
        assert game_server.delete_unbegun() == 0
        now += UNBEGUN + timedelta(seconds=1)
        assert game_server.delete_unbegun() == 1
        with pytest.raises(Refusal, match="there is no game"):
            game_server.get_handle(unbegun.id)
        with pytest.raises(Refusal, match="there is no game"):
            unbegun.join(str(invitation), "Bob")
        assert game_server.get_handle(begun.id).live is begun.live
