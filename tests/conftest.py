from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests import postgres

if TYPE_CHECKING:
    from tests.cli.commandline import CommandLine
    from tests.web.browsing import SharedBrowser


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a real server with ``{}`` for the name of a database."""
    why_not = postgres.why_not()
    if why_not is not None:
        pytest.skip(why_not)
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'library.db'}"
    return postgres.make_database(request.getfixturevalue("postgresql"))


@pytest.fixture(params=["sqlite", "postgresql"])
def any_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database of each kind with the tables, which is quicker copied than made, and no rows."""
    if request.param == "sqlite":
        shutil.copyfile(request.getfixturevalue("file_with_tables"), tmp_path / "library.db")
        return f"sqlite:///{tmp_path / 'library.db'}"
    return postgres.make_database(
        request.getfixturevalue("postgresql"), template=request.getfixturevalue("postgresql_with_tables")
    )


@pytest.fixture(scope="session")
def file_with_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the tables, only to be copied."""
    from fullprime.db.database import open_database

    path = tmp_path_factory.mktemp("tables") / "library.db"
    open_database(str(path)).dispose()
    return path


@pytest.fixture(scope="session")
def postgresql_with_tables(postgresql: str) -> str:
    """The name of a database with the tables, only to be copied."""
    from fullprime.db.database import open_database

    open_database(postgres.make_database(postgresql, "with_tables")).dispose()
    return "with_tables"


@pytest.fixture
def fullprime(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """The command line, called within this process."""
    from tests.cli.commandline import CommandLine

    return CommandLine(monkeypatch, capsys)


@pytest.fixture(scope="session")
def shared_browser() -> Iterator[SharedBrowser]:
    from tests.web.browsing import SharedBrowser

    shared = SharedBrowser()
    yield shared
    shared.close()


@pytest.fixture(scope="module")
def browser(shared_browser: SharedBrowser) -> Iterator[Any]:
    """A browser for the tests of a module; ``window`` opens a page in it."""
    with shared_browser.lend() as running:
        yield running
