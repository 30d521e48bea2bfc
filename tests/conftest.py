from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine, text
from tests import postgres

if TYPE_CHECKING:
    from tests.cli.commandline import CommandLine

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a real server with ``{}`` for the name of a database."""
    why_not = postgres.why_not()
    if why_not is not None:
        pytest.skip(why_not)
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def any_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'library.db'}"
    url: str = request.getfixturevalue("postgresql")
    name = f"test{next(_NUMBERS)}"
    engine = create_engine(
        url.format("postgres").replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return url.format(name)


@pytest.fixture
def fullprime(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line, called within this process."""
    from tests.cli.commandline import CommandLine

    return CommandLine(monkeypatch, capsys)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for the tests of a module; ``window`` opens a page in it."""
    from tests.web.browsing import chromium_running

    with chromium_running() as running:
        yield running
