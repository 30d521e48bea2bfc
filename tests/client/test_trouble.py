"""What goes wrong: connections that break, answers that are lost, servers that are gone, tokens that are not good."""

from __future__ import annotations

import asyncio
import http.server
import random
import threading
from contextlib import closing

import pytest
from tests.client.conftest import new_token
from tests.client.cutting import wire_to
from tests.client.playing import choice, play_out
from tests.web.conftest import Server

import fullprime.client as client
from fullprime.client.state import STORED_KINDS
from fullprime.rules.errors import FullprimeError


def stored(states: list[client.RemoteState]) -> list[str]:
    return [event.text for state in states for event in state.events if event.kind in STORED_KINDS]


@pytest.mark.broad
def test_a_game_survives_connections_that_are_cut(running: Server) -> None:
    with wire_to(running.port) as wire, client.connect(wire.url, name="Cut", patience=20) as guest:
        game = guest.create(bot="random", variant="hypergammon", length=1)
        chance, states = random.Random(1), []
        for state in game:
            states.append(state)
            if len(states) % 4 == 0:
                wire.cut()
            if state.is_mine:
                game.act(choice(state, chance))
        assert wire.cuts > 3
        assert state.match_over
        assert len(stored(states)) == state.sequence, "nothing is told twice, nothing is left out"
        assert game.verify().holds


@pytest.mark.broad
def test_an_action_whose_answer_is_lost_is_done_once(running: Server) -> None:
    with wire_to(running.port) as wire, client.connect(wire.url, name="Lost", patience=20) as guest:
        game = guest.create(bot="random", variant="hypergammon", length=1, automatic=False)
        chance, lost = random.Random(2), 0
        for state in game:
            if not state.is_mine:
                continue
            wire.lose(b"/act ")
            before = wire.cuts
            events = game.act(choice(state, chance))
            lost += wire.cuts > before
            assert not events or events[0].player is state.you or events[0].kind in ("opening", "tie")
        assert lost > 3
        assert game.verify().holds


@pytest.mark.broad
def test_a_game_goes_on_when_its_server_comes_back_and_says_when_it_does_not(own_server: Server) -> None:
    async def play() -> None:
        async with client.connect_async(own_server.url, patience=30) as guest:
            game = await guest.create(bot="random", variant="hypergammon", length=1)
            chance, killed, states = random.Random(7), False, []
            async for state in game:
                states.append(state)
                if len(states) == 5 and not killed:
                    killed = True
                    own_server.kill()
                    threading.Thread(target=own_server.start).start()
                if state.is_mine:
                    await game.act(choice(state, chance))
            assert killed
            assert state.match_over
            assert len(stored(states)) == state.sequence
            assert (await game.verify()).holds

    asyncio.run(play())
    with client.connect(own_server.url, patience=0.2) as guest:
        game = guest.create(bot="random", automatic=False)
        with closing(iter(game)) as states:  # type: ignore[type-var]
            next(states)
            own_server.kill()
            with pytest.raises(client.ServerGone) as gone:
                for _ in states:
                    pass
        assert own_server.url in gone.value.url
        with pytest.raises(client.ServerGone):
            game.act("roll")
        with pytest.raises(client.ServerGone):
            guest.create(bot="random")


def test_an_action_upon_an_old_state_is_refused(running: Server) -> None:
    token = new_token(running, "Twice")
    with client.connect(running.url, token) as one, client.connect(running.url, token) as other:
        game = one.create(bot="random", length=3)
        state = next(game_state for game_state in game if game_state.is_mine and not game_state.is_forced)
        (listed,) = other.games()
        same = other.game(listed)
        assert same.state.sequence == state.sequence
        game.act(choice(state, random.Random(1)))
        with pytest.raises(client.StaleAction, match="the game has gone on") as stale:
            same.act(choice(state, random.Random(2)))
        assert (stale.value.status, stale.value.url) == (409, f"{running.url}/api/games/{game.id}/act")
        with pytest.raises(client.StaleAction):
            game.act("resign", on=state)


def test_what_the_rules_refuse_is_told_in_the_servers_words(running: Server) -> None:
    with client.connect(running.url) as guest:
        game = guest.create(bot="random", length=1)
        state = next(game_state for game_state in game if game_state.plays and not game_state.is_forced)
        with pytest.raises(client.ClientError, match="1/off") as refused:
            game.act("1/off")
        assert refused.value.status == 400
        move = state.plays[0].split()[0].partition("(")[0]
        if move != state.plays[0]:
            with pytest.raises(client.ClientError, match="made at once"):
                game.act(move)
        assert game.read().sequence == state.sequence
        with pytest.raises(client.ClientError, match="there is no bot"):
            guest.create(bot="nobody")


def test_a_token_that_is_not_good(running: Server) -> None:
    with pytest.raises(client.ClientError, match="token") as refused:
        client.connect(running.url, "fpt_wrong")
    assert refused.value.status == 401
    assert "fpt_wrong" not in str(refused.value)

    async def join() -> None:
        await client.connect_async(running.url, "fpt_wrong")

    with pytest.raises(client.ClientError, match="token"):
        asyncio.run(join())
    token = new_token(running, "Nothing", scopes=())
    with client.connect(running.url, token) as server, pytest.raises(client.ClientError, match="this token is not for"):
        server.create(bot="random")


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://127.0.0.1", "", "http://", "http://127.0.0.1/?a=b"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(client.ClientError, match="no address of a server") as refused:
        client.connect(url)
    assert refused.value.url == url
    assert isinstance(refused.value, FullprimeError)


def test_where_nobody_answers() -> None:
    with pytest.raises(client.ServerGone, match="cannot be reached"):
        client.connect("http://127.0.0.1:1")


def test_where_another_server_answers() -> None:
    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, *args: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Other) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        try:
            with pytest.raises(client.ClientError, match="not the answer of a Fullprime server"):
                client.connect(f"http://127.0.0.1:{other.server_port}")
        finally:
            other.shutdown()
            thread.join()


def test_links_that_lead_nowhere(running: Server) -> None:
    with client.connect(running.url) as guest:
        with pytest.raises(client.ClientError, match="another server"):
            guest.join("http://example.org/game/abc#invite=x")
        with pytest.raises(client.ClientError, match="no invitation"):
            guest.join(f"{running.url}/game/abc")
        with pytest.raises(client.ClientError, match="no game") as refused:
            guest.join(f"{running.url}/game/abc#invite=x")
        assert refused.value.status == 404


@pytest.mark.broad
def test_one_who_watches_may_not_act(running: Server) -> None:
    with client.connect(running.url) as guest:
        game = guest.create(bot="random", length=1)
        watched = guest.game(game.id)
        with pytest.raises(client.ClientError, match="you are watching"):
            watched.act("roll")
        states = play_out(game, 6)
        assert [state.is_over for state in watched] == [True]
        assert states[-1].position == watched.state.position
