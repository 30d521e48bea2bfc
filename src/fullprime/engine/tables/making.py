"""Telling people of tables that a first use makes, which takes seconds; importing this loads nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

Progress = Callable[[float, str], None]
"""Called with the part done (0 to 1) and a word for the present step."""

_shows: list[Callable[[], AbstractContextManager[Progress]]] = []


def show_making(show: Callable[[], AbstractContextManager[Progress]] | None) -> None:
    """Have ``show`` give a place for the progress while tables are made; a later call replaces it, None ends it."""
    _shows[:] = [] if show is None else [show]


@contextmanager
def show_progress() -> Iterator[Progress | None]:
    """The place for the progress of tables that are made now; None where nothing is shown, as in a package."""
    if not _shows:
        yield None
        return
    with _shows[0]() as progress:
        yield progress
