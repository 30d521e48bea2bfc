"""A real server, and accounts with tokens for the programs that join it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from tests.web.conftest import Server

from fullprime.accounts.service import Accounts

pytest.importorskip("httpx", reason="the extra `client` is not installed")

SCOPES = ("challenge:read", "challenge:write")


@pytest.fixture(scope="session")
def running() -> Iterator[Server]:
    """One server for tests that only add games of their own; in memory where there is such a folder, for the speed."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        server = Server(Path(folder) / "games.db")
        yield server
        server.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    server = Server(tmp_path / "games.db")
    yield server
    server.close()


def new_token(server: Server, name: str, *, is_bot: bool = False, scopes: tuple[str, ...] = SCOPES) -> str:
    """The token of a new account, made in the database by a hash that takes no time."""
    people = Accounts(str(server.database), PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    try:
        account = people.sign_up(name, "tiger lilies")
        if is_bot:
            account = people.mark_as_bot(account) or people.get_by_name(name)
        return people.create_token(account, "a program", [*scopes, "bot:play" if is_bot else "board:play"])[1]
    finally:
        people.close()
