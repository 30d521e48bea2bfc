"""Files of a run that appear whole or not at all, whatever ends the process or the machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PARTIAL = ".partial"


@contextmanager
def whole(path: Path) -> Iterator[Path]:
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
    with whole(path) as beside:
        beside.write_text(text, encoding="utf-8")


def sweep(folder: Path) -> None:
    """Take away what processes that are gone have left unfinished in a folder."""
    for path in folder.glob(f"*{PARTIAL}*"):
        number = path.name.partition(PARTIAL)[0].rpartition(".")[2]
        if not (number.isdecimal() and _runs(int(number))):
            path.unlink(missing_ok=True)


def _runs(process: int) -> bool:
    """If there is such a process; where that cannot be asked, the answer is yes."""
    if os.name != "posix":  # there `kill` with 0 would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
