from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

pytest.importorskip("fastapi", reason="the extra `web` is not installed")


class Server:
    """``fullprime serve`` as people start it; ``kill`` ends it as a power cut would."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", "from fullprime.cli.main import main; main()", "serve"]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "--db", str(self.database)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", said)
        assert found is not None, said
        self.url, self.port = found[0], int(found[1])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._ended()

    def stop(self) -> int:
        self.process.terminate()
        return self._ended()

    def _ended(self) -> int:
        code = self.process.wait(timeout=20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "games.db")
    yield running
    if running.process.poll() is None:
        running.stop()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for tests that only add games of their own."""
    running = Server(tmp_path_factory.mktemp("web") / "games.db")
    yield running
    running.stop()


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url) as client:
        yield client


def chromium() -> str | None:
    return os.environ.get("FULLPRIME_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
