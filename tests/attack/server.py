"""A server as people start it, with 1,024 descriptors, and what it takes of the machine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

ROOT = Path(__file__).resolve().parents[2]
DESCRIPTORS = 1024
CERTIFICATE = "push-service.pem"
"""The file, beside the database, with the certificate of these services."""
PUSH_HOSTS = ("127.0.0.1", "127.0.9.1", "127.0.9.2")
"""Hosts of push services that an attack has on this machine."""


@dataclass(frozen=True)
class Taken:
    """Memory in MiB, descriptors and threads of a server and of the processes that it has started."""

    memory: float
    descriptors: int
    threads: int
    processor: float
    """Seconds of processor time used so far."""


class Served:
    """``fullprime serve`` with its default limits and ``ulimit -n 1024``."""

    def __init__(self, folder: Path, source: Path, descriptors: int = DESCRIPTORS, options: Sequence[str] = ()) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop
        command = [sys.executable, "-c", "from fullprime.cli.main import main; main()", "serve"]
        command += ["--port", "0", "--db", str(folder / "games.db"), "--metrics", *options]
        for host in PUSH_HOSTS:
            command += ["--push-host", host]
        kernels = os.environ.get("FULLPRIME_KERNEL_CACHE") or str(user_cache_path("fullprime") / "kernels")
        self.process = subprocess.Popen(
            # The shell sets the limit and becomes the server.
            ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *command],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": str(source),
                "XDG_CACHE_HOME": str(folder / "cache"),
                "FULLPRIME_KERNEL_CACHE": kernels,
                "SSL_CERT_FILE": str(folder / CERTIFICATE),
            },
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert match is not None, f"the server has not started: {line!r} {self.log[-2000:]}"
        self.port = int(match[1])

    @property
    def is_up(self) -> bool:
        """True while the process runs."""
        return self.process.poll() is None

    @property
    def log(self) -> str:
        """All that it has logged."""
        self._log.seek(0)
        return self._log.read().decode("utf-8", "replace")

    def taken(self) -> Taken:
        """Its memory, descriptors and threads now."""
        memory = threads = descriptors = ticks = 0
        command = _command(self.process.pid)
        for process in family(self.process.pid):
            if process != self.process.pid and _command(process) == command:
                continue  # it is about to become another program, and shares the memory of the server until then
            try:
                status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
                used = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
                opened = len(list(Path(f"/proc/{process}/fd").iterdir())) if process == self.process.pid else 0
            except OSError:
                continue
            memory += int(_field("VmRSS", status))
            ticks += sum(map(int, used[11:15]))
            if process == self.process.pid:
                threads, descriptors = int(_field("Threads", status)), opened
        return Taken(memory / 1024, descriptors, threads, ticks / os.sysconf("SC_CLK_TCK"))

    def stop(self) -> int:
        """Stop it as an operator does; gives the exit code."""
        self.process.terminate()
        try:
            code = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()
        return code


def family(root: int) -> list[int]:
    """A process and all that it has started."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    processes = [root]
    for process in processes:
        processes += [child for child, parent in parents.items() if parent == process]
    return processes


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _field(name: str, status: str) -> str:
    match = re.search(rf"^{name}:\s+(\d+)", status, re.MULTILINE)
    return match[1] if match else "0"
