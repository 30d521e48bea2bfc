"""A command at a pseudo terminal of 80 columns, and somebody who reads its prompts and types."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS = 120
PROMPT = " > "
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\r\x01\x02]")
_CODE = "from fullprime.cli.main import main; main()"
_ERASED = "\x1b[2K"
"""The line is erased, as before each frame of a bar: what follows is a line of its own."""
_CHANCE = """
import random, secrets
chance = random.Random({seed!r})
secrets.randbelow = chance.randrange
secrets.token_hex = lambda count=32: chance.randbytes(count).hex()
"""


class Terminal:
    """The conversation so far; ``said`` is what has come since the last line that was typed."""

    def __init__(self, process: subprocess.Popen[bytes], line: int) -> None:
        self.process, self._line = process, line
        self.whole = self.said = ""
        self._bytes = b""

    def type(self, text: str) -> None:
        """Type a line, when the prompt has come."""
        self.whole += self.said
        self.said, self._bytes = "", b""
        os.write(self._line, f"{text}\n".encode())

    def prompt(self) -> str:
        """Wait for a prompt and give it; empty when the command has ended."""
        while not self.said.endswith(PROMPT):
            assert select.select([self._line], [], [], SECONDS)[0], self.whole + self.said
            try:
                new = os.read(self._line, 65536)
            except OSError:  # Linux: the other end has been closed
                new = b""
            if not new:
                self.whole += self.said
                return ""
            self._bytes += new
            text = self._bytes.decode(errors="ignore").replace(_ERASED, "\n")
            self.said = _CODES.sub("", text)
        return self.said.rpartition("\n")[2].strip()


@contextmanager
def terminal(folder: Path, *arguments: str, chance: int = 1, before: str = "") -> Iterator[Terminal]:
    """``fullprime ARGUMENTS`` at a terminal; the system's dice follow from ``chance`` here and in its children.

    ``before`` is code that runs first in its process.
    """
    import fcntl
    import pty
    import struct
    import termios

    (folder / "sitecustomize.py").write_text(_CHANCE.format(seed=chance))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    process = subprocess.Popen(
        [sys.executable, "-c", before + _CODE, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, **homes, "PYTHONPATH": path, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
