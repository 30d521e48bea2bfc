"""Locks between processes: a file that one process holds at a time.

The lock ends with the process however it ends, also by ``kill -9``, and also where processes that it has forked live
on. ``filelock`` would hold it for those, because its ``flock`` belongs to the open file. Importing it takes about 70 ms
(``python -X importtime -c "import filelock"``, version 4.3.1 on 2026-11-27, virtual machine with two busy cores).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from fullprime.rules.errors import FullprimeError


class FileLocked(FullprimeError):
    """Another process holds the lock."""

    def __init__(self, path: Path, process: int | None) -> None:
        super().__init__(f"{path} is held by {'another process' if process is None else f'process {process}'}")
        self.path, self.process = path, process

    def __reduce__(self) -> tuple[type[FileLocked], tuple[Path, int | None]]:
        return FileLocked, (self.path, self.process)


@contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Hold a lock file, which is made where there is none and stays; raises FileLocked with the process that holds it.

    The lock keeps out other processes, not other threads of this one, and is lost when this process opens the file once
    more and closes it. Where the system knows no locks, as on some
    network drives, nothing is held. Raises OSError where the file cannot be opened.
    """
    with path.open("a+", encoding="utf-8") as file:
        if not _lock(file):
            file.seek(0)
            process = file.read(20).strip()
            raise FileLocked(path, int(process) if process.isdecimal() else None)
        with suppress(OSError):  # The number is for the error of the next process; a full disk has no room for it.
            os.ftruncate(file.fileno(), 0)
            os.write(file.fileno(), f"{os.getpid()}\n".encode())
        yield


def _lock(file: IO[str]) -> bool:
    """Lock a file for this process; False if another one has it."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415

            file.seek(1 << 20)  # a place without text, which can be read meanwhile
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            # A lock of the process, not of the open file: what it starts does not keep it.
            fcntl.lockf(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # no locks here, as on some network drives
    return True
