"""Work on files that ends at its n-th change of the disk: a kill at every moment that matters, in one process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any


class Killed(BaseException):
    """The end of the process, as near as one process can play it."""


class Cut:
    """Ends what runs at its n-th change of the disk; a file that is opened to be written is emptied before."""

    def __init__(self) -> None:
        self.left: int | None = None
        self.within = ""
        sys.addaudithook(self._heard)

    def after(self, changes: int, within: Path) -> None:
        self.left, self.within = changes, str(within)

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.left is None or event not in ("open", "os.rename"):
            return
        path, mode = str(arguments[0]), arguments[1]
        if not path.startswith(self.within) or (event == "open" and not set(str(mode)) & set("wa+")):
            return
        self.left -= 1
        if self.left >= 0:
            return
        self.left = None
        if event == "open" and "w" in str(mode):
            Path(path).write_bytes(b"half")
        raise Killed


@cache
def the_cut() -> Cut:
    """The one of this process: a hook is never taken away."""
    return Cut()


def at_every_change(folder: Path, work: Callable[[], object], check: Callable[[], None]) -> int:
    """Do the work again and again, killed one change later each time, until it ends by itself; the number of kills."""
    cut = the_cut()
    for number in range(200):
        cut.after(number, folder)
        try:
            work()
        except Killed:
            check()
        else:
            cut.left = None
            check()
            return number
    raise AssertionError("it never comes to its end")
