"""A writer of events that tells the health of the server what became of each of them."""

from __future__ import annotations

from collections.abc import Callable

from fullprime.store.errors import StoreConflict, StoreError
from fullprime.store.games.writing import EventRow, EventWriter
from fullprime.web.health import Health


class WatchedWriter:
    """An ``EventWriter`` that tells the health of the server what became of each event.

    A conflict says nothing about health, because another process has stored an event of that game meanwhile.
    """

    def __init__(self, writer: EventWriter, health: Callable[[], Health]) -> None:
        self._writer, self._health = writer, health

    def write(self, row: EventRow) -> None:
        """Store an event."""
        try:
            self._writer.write(row)
        except StoreConflict:
            raise
        except StoreError as error:
            self._health().failed(str(error))
            raise
        self._health().stored()

    def close(self) -> None:
        """Close the writer."""
        self._writer.close()
