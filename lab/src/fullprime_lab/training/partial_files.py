"""Files of a run that appear whole or not at all, whatever ends the process or the machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PARTIAL = ".partial"


@contextmanager
def partial_path(path: Path) -> Iterator[Path]:
    """A place to write a file to, which becomes ``path`` when all is written and on the disk.

    The place has the ending of ``path`` and the number of this process in its name: a process that outlives the run
    that started it never writes into the file of the next one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}{PARTIAL}{path.suffix}")
    try:
        yield beside
        with beside.open("rb+") as written:
            os.fsync(written.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """A text file that is the old one or the new one at every moment."""
    with partial_path(path) as beside:
        beside.write_text(text, encoding="utf-8")


def delete_partial_files(folder: Path) -> None:
    """Take away what processes that are gone have left unfinished in a folder."""
    for path in folder.glob(f"*{PARTIAL}*"):
        number = path.name.partition(PARTIAL)[0].rpartition(".")[2]
        if not (number.isdecimal() and _is_running(int(number))):
            path.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    """True if there is such a process, or if that cannot be found out."""
    if os.name != "posix":  # there `kill` with 0 would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
