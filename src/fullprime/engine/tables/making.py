"""The progress of tables that are built at first use, which takes seconds; importing this loads nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

Progress = Callable[[float, str], None]
"""Called with the part done (0 to 1) and a word for the present step."""

_shows: list[Callable[[], AbstractContextManager[Progress]]] = []


def show_making(show: Callable[[], AbstractContextManager[Progress]] | None) -> None:
    """Set the function that shows progress while tables are built; a later call replaces it, None removes it."""
    _shows[:] = [] if show is None else [show]


@contextmanager
def show_progress() -> Iterator[Progress | None]:
    """Show the progress of tables that are built in the block; gives None where no function is set."""
    if not _shows:
        yield None
        return
    with _shows[0]() as progress:
        yield progress
