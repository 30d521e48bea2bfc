"""Servers that start in no time: one process has imported everything and forks another one for each start."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.web.server_log import ServerLog


class ForkingServer:
    """``fullprime serve`` in a process that is forked, so that it can be killed a hundred times."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.port = self.pid = 0
        self.url = ""
        self._log = ServerLog()
        self._parent = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log.file,
            text=True,
            bufsize=1,
        )

    def start(self) -> None:
        """Start, at the same port as before, and wait until it answers."""
        self._say(f"{self.port} {self.database}")
        self.pid = int(self._hear())
        found = re.search(r"http://127\.0\.0\.1:(\d+)", said := self._hear())
        assert found is not None, said
        self.url, self.port = found[0], int(found[1])

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask it to end."""
        self._end(signal.SIGTERM)

    def close(self) -> None:
        """End it and the process that it is forked from."""
        if self.pid:
            self.kill()
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.close()
        self._parent.stdout.close()
        self._parent.wait(30)
        self._log.close()

    def _end(self, how: signal.Signals) -> None:
        os.kill(self.pid, how)
        assert self._hear() == "ended"
        self.pid = 0

    def _say(self, line: str) -> None:
        assert self._parent.stdin is not None
        self._parent.stdin.write(line + "\n")

    def _hear(self) -> str:
        assert self._parent.stdout is not None
        return self._parent.stdout.readline().strip()


def _main() -> None:
    sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
    from fullprime.web.run import run_server

    for line in sys.stdin:
        port, database = line.split(maxsplit=1)
        child = os.fork()
        if child == 0:
            os.close(0)
            _tell(str(os.getpid()))
            os._exit(run_server("127.0.0.1", int(port), database=database.strip(), limited=False))
        os.waitpid(child, 0)
        _tell("ended")


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _main()
