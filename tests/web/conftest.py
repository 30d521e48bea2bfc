from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.web.fork_server import start
from tests.web.sample_server import fill_server
from tests.web.seat import START, Seat, create
from tests.web.server_log import ServerLog
from tests.web.slow_line import slow_down

from fullprime.play.proof import Verification
from fullprime.play.server.game_server import GameServer

pytest.importorskip("fastapi", reason="the extra `web` is not installed")
from tests.web.inside import application

if TYPE_CHECKING:
    from fullprime.web.server import Application


@pytest.fixture(scope="session", autouse=True)
def line() -> None:
    if milliseconds := os.environ.get("FULLPRIME_SLOW_LINE"):
        slow_down(int(milliseconds))


class Server:
    """``fullprime serve`` as people start it; ``kill`` ends it as a power cut would."""

    def __init__(self, database: Path | str, *options: str, log: Path | None = None, chance: str | None = None) -> None:
        """``database`` is a file or an address; ``options`` are those of the command; ``log`` is a file for its log.

        The server's part of the dice follows from ``chance``.
        """
        self.database, self.options, self.log, self.chance = database, options, log, chance
        self.port = 0
        self.start()

    def start(self) -> None:
        self._errors = ServerLog()
        with ExitStack() as files:
            log = self._errors.file if self.log is None else files.enter_context(self.log.open("ab"))
            arguments = ["serve", "--port", str(self.port), "--db", str(self.database), *self.options]
            self.process = start(arguments, log, self.chance)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        match = re.search(r"https?://127\.0\.0\.1:(\d+)", line)
        assert match is not None, line
        self.url, self.port = match[0], int(match[1])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._ended()

    def stop(self) -> int:
        self.process.terminate()
        return self._ended()

    def verify(self, game: str) -> Verification:
        """What its database says of the dice of a game; the server may be running or not."""
        with closing(GameServer(str(self.database))) as game_server:
            return game_server.verify(game)

    def close(self) -> None:
        """Stop it if it still runs."""
        if self.process.poll() is None:
            self.stop()

    def _ended(self) -> int:
        code = self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._errors.close()
        return code


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "games.db")
    yield running
    running.close()


@pytest.fixture(scope="session")
def shared_server() -> Iterator[Server]:
    """One server for tests that only add games of their own; in memory where there is such a folder, for the speed."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        running = Server(Path(folder) / "games.db")
        yield running
        running.stop()


@pytest.fixture
def seat(shared_server: Server) -> Iterator[Seat]:
    """A player of a match of the test's own who is to throw; some modules have one that begins otherwise."""
    with httpx.Client(base_url=shared_server.url, timeout=60) as client:
        yield create(client, position=START, rules={"length": 5})[0]


@pytest.fixture(scope="session")
def sample_ids(shared_server: Server) -> dict[str, str]:
    """What `fill_server` made of the shared server, once."""
    return fill_server(shared_server.url)


@pytest.fixture(scope="session")
def warm_server(shared_server: Server) -> Server:
    """The same, its engine compiled: on a new machine that alone takes minutes."""
    with httpx.Client(base_url=f"{shared_server.url}/api/analysis", timeout=1200) as client:
        job = client.post("/jobs", json={"kind": "analyse", "setup": {"dice": [3, 1]}, "level": "1-ply"}).json()
        assert '"state": "done"' in client.get(f"/jobs/{job['id']}/stream").text
    return shared_server


@pytest.fixture(scope="session")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows the pseudo-language, too; for tests that only add games of their own."""
    from tests.web import pseudo_language  # it reads all that the program says

    folder = tmp_path_factory.mktemp("texts")
    pseudo_language.write_catalogue(folder)
    os.environ["FULLPRIME_TEXTS"] = str(folder)
    try:
        running = Server(folder / "games.db")
    finally:
        del os.environ["FULLPRIME_TEXTS"]
    yield running
    running.stop()


@pytest.fixture
def make_app() -> Iterator[Callable[..., Application]]:
    """Makes applications (tests/web/inside.py) that are closed at the end of the test."""
    with ExitStack() as applications:
        yield lambda *args, **options: applications.enter_context(application(*args, **options))


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell first: a window of the whole browser takes five times as long to open, and nobody looks at it."""


def chromium() -> str | None:
    return os.environ.get("FULLPRIME_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def whole_chromium() -> str | None:
    """The browser with windows: the shell shows no notification, and says that they are denied."""
    return next(filter(None, map(shutil.which, BROWSERS[1:])), None)
