"""``fullprime serve`` and ``verify`` on the command line: what they say when something is not as it should be."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import httpx
import pytest
from tests.cli.commandline import CommandLine
from tests.web.conftest import Server
from tests.web.seat import create


def test_without_the_extra_it_says_what_to_install(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "fullprime.web.run", raising=False)
    done = fullprime.run("serve")
    assert done.code == 2
    assert "pip install 'fullprime[web]'" in done.err


def test_a_port_in_use(fullprime: CommandLine, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = fullprime.run("serve", "--port", port, "--db", str(tmp_path / "games.db"))
    assert done.code == 2
    assert f"127.0.0.1:{port} cannot be listened at" in done.err


def test_verify_says_what_it_has_checked(fullprime: CommandLine, client: httpx.Client, server: Server) -> None:
    seat, _ = create(client, rules={"length": 1}, position="24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")
    done = fullprime.run("verify", seat.game, "--db", str(server.database))
    assert (done.code, done.out) == (
        0,
        (
            "1 throw and 0 choices of bots follow from the links and seeds\n"
            "1 of the throws had no link of a player: the server knew of them before\n"
        ),
    )
    for unknown in ("nothing", "99"):
        assert fullprime.run("verify", unknown, "--db", str(server.database)).code == 2
    some = fullprime.run("verify", seat.game, "99", "98", "--db", str(server.database))
    assert some.code == 1
    assert some.out.splitlines()[-3:] == [
        "1 game: 1 throw and 0 choices of bots follow from the links and seeds",
        "1 of the throws had no link of a player: the server knew of them before",
        "2 of the 3 that were named could not be verified",
    ]
    none = fullprime.run("verify", "98", "99", "--db", str(server.database))
    assert none.code == 1
    assert "follow" not in none.out, "nothing was verified, and nothing was found wrong"
