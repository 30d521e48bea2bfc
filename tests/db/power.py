"""Power that fails: every change of a folder's files is recorded, and what a disk may hold after any of them is made.

The recorder is `powerless.c`, loaded before the C library. A disk that loses its power keeps what was synced; of the
rest it may keep all, nothing, or any part. The same recorder plays a disk that is full.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).with_name("powerless.c")
SECTOR = 512


def why_not() -> str | None:
    """Why nothing can be recorded here; None where it can."""
    if not sys.platform.startswith("linux"):
        return "writes are recorded on Linux alone"
    return None if shutil.which("cc") else "there is no C compiler"


def recorder(folder: Path) -> Path:
    """The recorder, compiled into a folder."""
    library = folder / "powerless.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"], check=True)
    return library


def environment(library: Path, folder: Path, log: Path, *, full_after: int | None = None) -> dict[str, str]:
    """The environment of a process whose changes of a folder are recorded; its disk may be full after some bytes."""
    environment = {**os.environ, "LD_PRELOAD": str(library), "POWER_FOLDER": str(folder), "POWER_LOG": str(log)}
    return environment if full_after is None else {**environment, "POWER_FULL": str(full_after)}


@dataclass(frozen=True)
class Change:
    """Something that was done to a file: `w`rite, `t`runcate, `s`ync, `u`nlink."""

    what: str
    offset: int
    length: int
    path: str
    data: bytes


def changes(log: Path) -> list[Change]:
    """What was recorded, in order."""
    content, at, changes = log.read_bytes(), 0, []
    while at < len(content):
        end = content.index(b"\n", at)
        kind, offset, length, path = content[at:end].decode().split(" ", 3)
        size = int(length) if kind == "w" else 0
        changes.append(Change(kind, int(offset), int(length), path, content[end + 1 : end + 1 + size]))
        at = end + 1 + size
    return changes


@dataclass
class File:
    """A file on a disk: what is safe, and what was done since and may be lost."""

    safe: bytes | None = None
    """What is there after a power cut at least; None for no file."""
    waiting: list[Change] = field(default_factory=list)

    def after(self, changes: list[Change]) -> bytes | None:
        """The content when only these of the waiting changes came to the disk."""
        if self.safe is None and not self.waiting:
            return None
        content = bytearray(self.safe or b"")
        for change in changes:
            if change.what == "t":
                content[change.length :] = b"\0" * (change.length - len(content))
                continue
            content.extend(b"\0" * (change.offset - len(content)))
            content[change.offset : change.offset + len(change.data)] = change.data
        return bytes(content)


class Disk:
    """The files of a folder as the changes come; those that only memory shares (`-shm`) are never on it."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._files: dict[str, File] = {}
        self._gone: dict[str, bytes | None] = {}
        """Files that were deleted, and may be there again until the folder is synced."""

    def does(self, change: Change) -> None:
        if change.path == self._folder:
            self._gone.clear()
        elif not change.path.endswith("-shm"):
            file = self._files.setdefault(change.path, File())
            if change.what == "u":
                self._gone[change.path] = file.safe
                del self._files[change.path]
            elif change.what == "s":
                file.safe, file.waiting = file.after(file.waiting), []
            else:
                file.waiting.append(change)

    def whole(self) -> dict[str, bytes]:
        """Everything came to the disk, though nothing had been synced."""
        return _present({path: file.after(file.waiting) for path, file in self._files.items()})

    def bare(self) -> dict[str, bytes]:
        """Nothing came to the disk but what was synced."""
        return _present({**{path: file.safe for path, file in self._files.items()}, **self._gone})

    def torn(self, chance: random.Random) -> dict[str, bytes]:
        """Some of what was not synced came to the disk, in any order, a write perhaps in part."""
        files: dict[str, bytes | None] = {}
        for path, file in self._files.items():
            changes = [_part(change, chance) for change in file.waiting if chance.random() < 0.6]
            files[path] = file.after(changes)
        return _present({**files, **{path: data for path, data in self._gone.items() if chance.random() < 0.5}})


def _part(change: Change, chance: random.Random) -> Change:
    if change.what != "w" or chance.random() < 0.5:
        return change
    sectors = chance.randrange(len(change.data) // SECTOR + 1)
    return Change("w", change.offset, change.length, change.path, change.data[: sectors * SECTOR])


def _present(files: dict[str, bytes | None]) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if data is not None}
