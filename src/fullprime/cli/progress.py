"""A progress bar for commands that take their time, on standard error where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Progress = Callable[[str, int, int | None], None]
"""Called, by any thread, with the work, the part of it done and all of it (None: nobody knows)."""


@contextmanager
def bar(*, quiet: bool = False) -> Iterator[Progress]:
    """A bar for everything that is named while it is open."""
    if quiet or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    text = TextColumn("{task.description}")
    columns = (text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def progress(name: str, done: int, there_are: int | None) -> None:
            if name not in tasks:
                tasks[name] = shown.add_task(name[-40:], total=there_are)
            # Finished bars make room: there may be hundreds.
            shown.update(tasks[name], completed=done, total=there_are, visible=done != there_are)

        yield progress
