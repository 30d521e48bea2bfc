"""Programs that play: the board API with a token, and the bot of the examples against a person."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.conftest import Server
from tests.web.people import Browser, guest, person
from tests.web.seat import some_line

ROOT = Path(__file__).resolve().parents[2]
QUIET = 5
"""Signs of life in a row, without news, after which a game stands still."""


def bot_with_the_client() -> str:
    return (ROOT / "examples" / "bot.py").read_text(encoding="utf-8")


def bot_without_it() -> str:
    """The one of the page about the API, which needs nothing but HTTPX."""
    page = (ROOT / "docs" / "web-api.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return str(code)


def token(browser: Browser, *scopes: str) -> str:
    return str(browser.asks("/api/account/tokens", {"name": "a program", "scopes": list(scopes)})["token"])


def bot_account(server: Server, name: str) -> str:
    """The token of a new account that is marked as a bot."""
    with person(server, name) as owner:
        owner.asks("/api/account/bot")
        return token(owner, "challenge:read", "challenge:write", "bot:play")


def test_an_account_with_games_does_not_become_a_bot(shared_server: Server) -> None:
    with person(shared_server) as ann:
        ann.asks("/api/games", {"rules": {"length": 1}})
        assert ann.refusal("/api/account/bot")[0] == 403
        assert ann.read("/api/account")["bot"] is False


def test_a_program_plays_a_game_to_its_end(shared_server: Server) -> None:
    """The whole way of a program, and what its stream of the game tells."""
    secret = bot_account(shared_server, "Walker")
    with guest(shared_server) as program, person(shared_server) as ann, guest(shared_server) as reader:
        for token in (program, reader):
            token.headers["Authorization"] = f"Bearer {secret}"
        challenge = ann.asks("/api/lobby", {"rules": {"length": 1}})
        game = program.asks(f"/api/challenge/{challenge['challenge']['id']}/accept")["game"]
        board = f"/api/board/game/{game}"
        (playing,) = program.read("/api/board/playing")["playing"]
        assert (playing["id"], playing["side"], playing["opponent"]) == (game, "O", ann.name)
        assert ann.post(f"{board}/seed", json={"seed": "ab"}).status_code == 204, "a browser may, too"
        with reader.stream("GET", f"/api/board/game/stream/{game}") as stream:
            lines = (json.loads(line) for line in stream.iter_lines() if line)
            first = next(lines)
            assert first["type"] == "gameFull"
            assert first["commitment"] == challenge["commitment"]
            assert first["state"]["missing_seeds"] == ["O"]
            program.asks(f"{board}/seed", {"seed": "cd"})
            assert program.refusal(f"{board}/act", {"line": "resign", "sequence": 0})[0] in (403, 409)
            for message in lines:
                assert message["type"] == "gameState"
                state = message["state"]
                if state["status"] == "over":
                    break
                if "resign" in state.get("beside_actions", []):
                    program.post(f"{board}/resign/1", json={})  # refused when this is old news
                answers(ann, game)
            assert list(lines) == [], "the stream ends with the game"
        assert state["match_winner"] == "X"


def answers(browser: Browser, game: str) -> None:
    """The person does what is due, if anything is."""
    state = browser.seat(game).state
    words = [*state.get("beside_actions", []), *state.get("legal_actions", [])]
    words = [word for word in words if word not in ("resign", "double")]
    if not words:
        return
    line = "accept" if "accept" in words else state["plays"][0] if state["phase"] == "play" else words[0]
    browser.seat(game).does(line)


@pytest.mark.broad
@pytest.mark.parametrize(("name", "source"), [("Example", bot_with_the_client), ("Bare", bot_without_it)])
def test_the_bots_of_the_examples_play_a_person(
    shared_server: Server, tmp_path: Path, name: str, source: Callable[[], str]
) -> None:
    text = source()
    code = [line for line in text.splitlines() if line.strip() and not line.startswith(("import", "from", '"""'))]
    assert len(code) <= 30
    example = tmp_path / "bot.py"
    example.write_text(text, encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, "-W", "error", str(example), shared_server.url],
        env={**os.environ, "FULLPRIME_TOKEN": bot_account(shared_server, name)},
        stderr=subprocess.PIPE,
    )
    try:
        with person(shared_server) as ann:
            challenge = ann.asks(f"/api/challenge/{name}", {"rules": {"length": 1}, "automatic": True})
            game = challenge["challenge"]["game"]
            assert challenge["challenge"]["target"] == name
            ann.asks(f"/api/games/{game}/seed", {"seed": "ab"})
            state = played_out(ann, game, random.Random(4))
            assert state["match_over"]
            assert state["names"][1] == name
            profile = ann.read(f"/api/users/{name}")
            assert profile["bot"] is True
            assert profile["tallies"][0]["games"] == 1
        assert running.poll() is None, "it waits for the next challenge"
    finally:
        running.terminate()
        _, output = running.communicate(timeout=60)
    assert output == b""


def played_out(browser: Browser, game: str, chance: random.Random) -> dict[str, Any]:
    """Play by chance, told by the stream when it is one's turn."""
    seat = browser.seat(game)
    quiet, output = 0, ""
    with browser.stream("GET", f"/api/games/{game}/stream") as stream:
        for line in stream.iter_lines():
            quiet = 0 if line else quiet + 1
            assert quiet < QUIET, f"nothing happens any more; the last answer was {output}; the state is {seat.state}"
            if not line:
                continue
            state = dict(json.loads(line)["state"])
            if state["status"] == "over":
                return state
            words = [word for word in state.get("legal_actions", []) if word not in ("resign", "double")]
            if words:
                answer = seat.act(some_line({**state, "legal_actions": words}, chance), sequence=state["sequence"])
                output = f"{answer.status_code} {answer.text}"
    raise AssertionError("the stream has ended before the game")
