"""A fork server, by which commands start at once: a process that has imported everything forks for each start.

Importing the modules of a server takes three seconds of processor time, which tests would pay for every server.
"""

from __future__ import annotations

import array
import atexit
import gc
import hashlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO

sys.path.insert(0, str(Path(__file__).parents[2]))

CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds") and hasattr(os, "pidfd_open")
_MAIN = "from fullprime.cli.main import main; main()"
_LARGEST = 1 << 20


class ForkedProcess:
    """A child of the server, with as much of `subprocess.Popen` as tests need."""

    def __init__(self, server: ForkServer, pid: int, stdout: IO[str]) -> None:
        self.pid, self.stdout = pid, stdout
        self._server = server
        self._watched = os.pidfd_open(pid)
        self._code: int | None = None

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        if self._code is None and select.select([self._watched], [], [], 0)[0]:
            self._reap()
        return self._code

    def wait(self, timeout: float) -> int:
        """The exit code, when it has ended."""
        if self._code is None:
            if not select.select([self._watched], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(_MAIN, timeout)
            self._reap()
        assert self._code is not None
        return self._code

    def send_signal(self, number: int) -> None:
        """Send a signal, as `Popen` does."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._watched, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def _reap(self) -> None:
        self._code = self._server.reap(self.pid)
        os.close(self._watched)


class ForkServer:
    """The process that forks, and the line to it."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, __file__, str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
        atexit.register(self.close)

    def start(self, arguments: list[str], stderr: IO[bytes], chance: str | None = None) -> ForkedProcess:
        """Run ``fullprime ARGUMENTS`` with this process's environment and working directory."""
        reading, writing = os.pipe()
        order = {
            "arguments": arguments,
            "environment": dict(os.environ),
            "folder": str(Path.cwd()),
            "chance": chance,
        }
        try:
            socket.send_fds(self._line, [json.dumps(order).encode()], [writing, stderr.fileno()])
        finally:
            os.close(writing)
        return ForkedProcess(self, self._answer(), os.fdopen(reading, encoding="utf-8"))

    def reap(self, pid: int) -> int:
        """The exit code of a child that has ended."""
        self._line.sendall(json.dumps({"reap": pid}).encode())
        return self._answer()

    def close(self) -> None:
        """End the process and its children."""
        self._line.close()
        self._process.wait(60)

    def _answer(self) -> int:
        message = self._line.recv(_LARGEST)
        assert message, "the process that forks has ended"
        return int(json.loads(message))


@cache
def fork_server() -> ForkServer:
    """The fork server of this process."""
    return ForkServer()


def start(arguments: list[str], stderr: IO[bytes], chance: str | None = None) -> subprocess.Popen[str] | ForkedProcess:
    """``fullprime ARGUMENTS`` in a process of its own, whose standard output is a pipe.

    The server's part of all dice follows from ``chance``, where it is given and processes can be forked.
    """
    if CAN_FORK:
        return fork_server().start(arguments, stderr, chance)
    command = [sys.executable, "-c", _MAIN, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)


# -- in the process that forks ----------------------------------------------------------------------------------
def _serve(line: socket.socket) -> None:
    gc.disable()
    import fullprime.cli.main
    import fullprime.web.run  # noqa: F401 - to have it imported
    from fullprime.engine.shared import engine_for
    from fullprime.engine.warmup import is_prepared
    from fullprime.rules.variants import BACKGAMMON

    if is_prepared():
        engine_for(BACKGAMMON)
    gc.freeze()  # a child then looks for no garbage in shared memory
    gc.enable()

    handle = socket.CMSG_SPACE(2 * array.array("i").itemsize)
    children: set[int] = set()
    while True:
        message, passed, _, _ = line.recvmsg(_LARGEST, handle)
        if not message:
            break
        order = json.loads(message)
        if "reap" in order:
            children.discard(order["reap"])
            line.sendall(str(os.waitstatus_to_exitcode(os.waitpid(order["reap"], 0)[1])).encode())
            continue
        files = array.array("i", passed[0][2])
        pid = os.fork()
        if pid == 0:
            line.close()
            _become(files[0], files[1], order)
        for file in files:
            os.close(file)
        children.add(pid)
        line.sendall(str(pid).encode())
    for pid in children:
        os.kill(pid, signal.SIGKILL)


def _become(stdout: int, stderr: int, order: dict[str, object]) -> None:
    """Be ``fullprime ARGUMENTS`` and end."""
    code = 1
    try:
        os.dup2(stdout, 1)
        os.dup2(stderr, 2)
        os.close(stdout)
        os.close(stderr)
        # Python looked at the output of the first process, which may be a file, and this one is a pipe.
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
        arguments, environment = order["arguments"], order["environment"]
        assert isinstance(arguments, list)
        assert isinstance(environment, dict)
        sys.argv = ["fullprime", *arguments]
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(str(order["folder"]))
        if isinstance(order["chance"], str):
            _settle_chance(order["chance"])
        from fullprime.cli.main import main

        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter does
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _settle_chance(seed: str) -> None:
    """Make the dice of the sessions of this process follow from a seed, with those that the players add."""
    from fullprime.play.server import service

    numbers = count(1)

    def draw() -> str:
        return hashlib.sha256(f"{seed}:{next(numbers)}".encode()).hexdigest()

    service.new_secret = draw
    service.new_id = lambda: draw()[:12].translate(str.maketrans("01", "xy"))


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as speaking:
        _serve(speaking)
