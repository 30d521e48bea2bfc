"""Whole games against a running server, plain and asynchronous."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest
from tests.client.conftest import new_token
from tests.client.playing import begin_both, choice, play_both, play_out_async
from tests.web.conftest import Server

import fullprime.client as client
from fullprime.formats import read
from fullprime.rules.game import DOUBLE, ActionKind, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.plays import legal_plays
from fullprime.rules.score import Player


def events_of(states: list[client.RemoteState]) -> list[client.RemoteEvent]:
    return [event for state in states for event in state.events]


@pytest.mark.broad
def test_two_guests_play_a_match_by_a_link(running: Server) -> None:
    with client.connect(running.url, name="Ann") as ann, client.connect(running.url, name="Bob") as bob:
        mine = ann.create(variant="hypergammon", length=7, rules={"cube": False})
        assert mine.state.status == "waiting"
        assert mine.state.free_seat
        assert str(mine).endswith("waits for somebody to sit down")
        theirs = bob.join(mine.url)
        assert (mine.state.you, theirs.state.you) == (Player.X, Player.O)
        first, second = play_both(mine, theirs)
        for states in (first, second):
            assert [state.is_over for state in states] == [False] * (len(states) - 1) + [True]
            last = states[-1]
            assert last.match_over
            assert last.winner is not None
            assert last.score.points[last.winner] >= 7
            assert last.game > 1, "the next game began by itself"
            # Told once each, although states are passed over: as many events of the match as the server has.
            stored = [event for event in events_of(states) if event.kind in client.state.STORED_KINDS]
            assert len(stored) == last.sequence
        assert all(state.position == state.position_of(state.turn) for state in first if state.phase is Phase.PLAY)
        proofs = mine.verify(), theirs.verify()
        assert all(proof.holds and proof.is_own for proof in proofs)
        throws = [event for event in events_of(first) if event.kind in ("opening", "tie", "roll")]
        assert {proof.throws for proof in proofs} == {len(throws)}
        (document,) = read(mine.record("mat")).documents
        match = document.match
        assert match.names == ("Ann", "Bob")
        assert match.score.points == first[-1].score.points


@pytest.mark.broad
def test_the_six_lines_of_a_program_against_a_bot(running: Server) -> None:
    token = new_token(running, "Sixlines")
    with client.connect(running.url, token) as server:
        game = server.challenge(bot="heuristic", length=1)
        for state in game:
            if state.is_mine:
                game.act(state.plays[0] if state.plays else state.legal[0])
        assert state.match_over
        assert state.names == ("Sixlines", "Pippa")
        assert game.verify()
        assert server.games() == ()


@pytest.mark.broad
def test_two_programs_meet_by_a_challenge_asynchronously(running: Server) -> None:
    tokens = new_token(running, "Asa"), new_token(running, "Bea")

    async def meet() -> None:
        one, other = (client.connect_async(running.url, token) for token in tokens)
        async with one, other:
            assert one.account.name == "Asa"
            own_challenge = await one.challenge("Bea", variant="hypergammon", length=1)
            (challenge,) = await other.challenges()
            assert str(challenge).startswith(f"{challenge.id}: Asa to Bea, Hypergammon")
            with pytest.raises(client.ClientError, match="meant for somebody else"):
                await one.accept(challenge)
            taken = await other.accept(challenge)
            assert taken.id == own_challenge.id
            assert [listed_game.opponent for listed_game in await other.games()] == ["Asa"]
            await own_challenge.say("good luck")
            await taken.say(phrase="thanks")
            assert [line.text for line in await own_challenge.talk()] == ["good luck", "Thank you"]
            first, second = await asyncio.gather(play_out_async(own_challenge, 1), play_out_async(taken, 2))
            assert first[-1].winner == second[-1].winner is not None
            assert [line.said for line in events_of(second) if line.kind == "chat"] == ["good luck", "Thank you"]
            assert (await taken.verify()).holds
            assert (await own_challenge.record("json")).startswith(b"{")
            assert await own_challenge.rematch() is None
            again = await taken.rematch()
            assert again is not None
            assert (await again.read()).you is Player.O
            assert await own_challenge.rematch() is not None
            assert {state.status for state in [await own_challenge.read()]} == {"over"}

    asyncio.run(meet())


def test_a_game_in_which_nothing_goes_by_itself(running: Server) -> None:
    """Dice are thrown, and forced plays made, by the players: with words, values and actions of the rules."""
    with client.connect(running.url, name="Cy") as cy:
        game = cy.create(bot="random", variant="hypergammon", length=1, automatic=False)
        chance, did = random.Random(5), set[str]()
        for state in game:
            if not state.is_mine:
                continue
            if state.phase is Phase.PLAY:
                assert state.position is not None
                assert state.dice is not None
                play = chance.choice(legal_plays(state.position, state.dice))
                assert format_play(play) in state.plays
                events = game.act(play)
            else:
                action = choice(state, chance)
                events = game.act(DOUBLE if action == "double" else ActionKind(action))
            did.update(event.kind for event in events if event.player is state.you)
        assert did >= {"roll", "play"}
        assert game.verify()


@pytest.mark.broad
def test_a_session_for_money_ends_when_it_is_closed(running: Server) -> None:
    with client.connect(running.url) as guest:
        game = guest.create(bot="random", variant="hypergammon", length=0)
        finished = 0
        chance = random.Random(3)
        for state in game:
            finished += state.is_between_games
            if finished == 2 and state.is_between_games:
                assert game.verify().throws > 2, "the links are told with each throw"
                game.close()
            elif state.is_mine:
                game.act(choice(state, chance))
        assert (state.status, finished, state.game) == ("over", 2, 2)
        assert game.verify().throws > 2


def test_a_resignation_and_a_game_that_is_found_again(running: Server) -> None:
    with client.connect(running.url, name="Dan") as dan, client.connect(running.url, name="Eve") as eve:
        mine = dan.create(length=1)
        theirs = eve.join(mine.url)
        assert dan.game(mine.id, mine.key).state.you is Player.X, "a key opens its seat again"
        assert eve.game(mine.id).state.you is None, "without a key one watches"
        begin_both(mine, theirs)
        for state in mine:
            if state.is_mine and state.resigning is None:
                mine.resign(2)
            elif theirs.read().is_mine:
                theirs.act("accept" if theirs.state.resignation else theirs.state.plays[0])
        assert state.result is not None
        assert (state.winner, state.result.how, state.result.level) == (Player.O, "resignation", 2)
        watched = eve.game(mine.id).verify()
        assert watched.holds
        assert not watched.is_own


def test_what_can_be_chosen(running: Server) -> None:
    with client.connect(running.url) as guest:
        options = guest.options()
        assert "heuristic" in options.variants["backgammon"].bots
        assert options.bot is None or options.bot in options.variants["backgammon"].bots
        assert options.rules["length"] == ()
        assert len(options.rules["jacoby"]) == 2
        game = guest.create(bot="random", preset=next(iter(options.presets)))
        assert game.state.status == "playing"
        with pytest.raises(TypeError, match="colour"):
            guest.create(colour="red")  # type: ignore[call-arg]


def test_challenges_are_declined_withdrawn_and_listed(running: Server) -> None:
    with (
        client.connect(running.url, new_token(running, "Fay")) as fay,
        client.connect(running.url, new_token(running, "Gus")) as gus,
        client.connect(running.url) as guest,
    ):
        fay.challenge("Gus", length=3)
        (challenge,) = gus.challenges()
        assert (challenge.target, challenge.length, challenge.is_account) == ("Gus", 3, True)
        gus.decline(challenge)
        assert gus.challenges() == ()
        fay.challenge(length=5, clock="12+600")
        (shown,) = guest.challenges()
        assert (shown.name, shown.length, shown.target) == ("Fay", 5, None)
        assert [challenge.id for challenge in fay.challenges()] == [shown.id]
        fay.cancel(shown)
        assert guest.challenges() == ()
        with pytest.raises(client.ClientError, match="not for both"):
            fay.challenge("Gus", bot="random")


def test_friends_are_followed_listed_and_unfollowed(running: Server) -> None:
    token = new_token(running, "Jon", scopes=("follow:read", "follow:write"))
    new_token(running, "Kim")
    with client.connect(running.url, token) as jon, client.connect(running.url, new_token(running, "Lea")) as lea:
        jon.follow("Kim")
        (friend,) = jon.friends()
        assert (friend.name, friend.is_here, friend.rating, str(friend)) == ("Kim", False, None, "Kim")
        jon.unfollow("Kim")
        assert jon.friends() == ()
        with pytest.raises(client.ClientError, match="this token is not for follow:write"):
            lea.follow("Kim")


@pytest.mark.broad
def test_the_news_of_an_account(running: Server) -> None:
    with (
        client.connect(running.url, new_token(running, "Hal", is_bot=True)) as hal,
        client.connect(running.url, new_token(running, "Ina")) as ina,
    ):
        assert hal.account.is_bot
        news = hal.news()
        own_challenge = ina.challenge("Hal", variant="hypergammon", length=1)
        message = next(news)
        assert message.kind == "challenge"
        assert message.challenge is not None
        game = hal.accept(message.challenge)
        started = next(message for message in news if message.kind == "gameStart")
        assert started.game is not None
        assert started.game.id == game.id == own_challenge.id
        assert str(started.game) == f"{own_challenge.id}: Hal - Ina, hypergammon, match to 1"
        play_both(own_challenge, game)
        finished = next(message for message in news if message.kind == "gameFinish")
        assert finished.game is not None
        assert finished.game.winner is game.read().winner
        news.close()  # type: ignore[attr-defined]


def test_a_state_prints_as_a_board(running: Server) -> None:
    with client.connect(running.url, name="Jo") as jo:
        game = jo.create(bot="random", length=5)
        state = next(game_state for game_state in game if game_state.is_mine)
        text = str(state)
        assert "Jo" in text
        assert "score 0 of 5" in text
        assert text.splitlines()[-1] == f"Your turn: {', '.join(state.legal)}"
        assert len({state, replace(state)}) == 1


def test_a_match_is_ended_by_both_or_left(running: Server) -> None:
    with client.connect(running.url, name="Ann") as ann, client.connect(running.url, name="Bob") as bob:
        for how in ("agreed", "left"):
            mine = ann.challenge(length=3)
            theirs = bob.join(mine.url)
            begin_both(mine, theirs)
            with pytest.raises(client.ClientError, match="a match ends by play"):
                mine.close()
            if how == "agreed":
                mine.close("agree")
                assert theirs.read().end_offered == (Player.X,)
                theirs.close("agree")
            else:
                theirs.close("leave")
            state = mine.read()
            assert (state.is_over, state.ending, state.rated) == (True, how, False)
            assert state.winner is (None if how == "agreed" else Player.X)
