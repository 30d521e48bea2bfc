"""Program 9 of docs/first-hour-python.md: a running server joined as a player."""

from __future__ import annotations

import pytest
from tests.client.conftest import new_token
from tests.front.test_programs import run
from tests.web.conftest import Server

from fullprime.client import RemoteGame


@pytest.mark.broad
def test_a_server_is_joined_and_a_game_played_to_its_end(running: Server, capsys: pytest.CaptureFixture[str]) -> None:
    inputs = {"http://127.0.0.1:8000": running.url, "TOKEN": new_token(running, "programmer")}
    output, names = run(9, inputs, capsys)
    game = names["game"]
    assert isinstance(game, RemoteGame)
    assert game.state.is_over
    assert game.state.result is not None
    assert output == f"{game.state.result} True\n"
