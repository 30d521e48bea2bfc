"""What servers of tests log: a file for each, which must hold no error of a room when the server has ended."""

from __future__ import annotations

import tempfile
from typing import IO


class ServerLog:
    """A file for what a server writes to standard error."""

    def __init__(self) -> None:
        self.file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the server has ended

    def close(self) -> None:
        """Fail for a room that could not go on or had to be read again, which the people in it never see."""
        with self.file:
            self.file.seek(0)
            lines = self.file.read().decode("utf-8", "replace").splitlines()
        found = [line for line in lines if '"level": "error"' in line and '"logger": "fullprime.play.server' in line]
        assert not found, "\n".join(found)
