"""Presence of players: the pages and streams that they have open, kept alive by a heartbeat of each process."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreError
from fullprime.play.events import Seat
from fullprime.play.presence import PresenceStore
from fullprime.play.server.live_session import LiveSession
from fullprime.play.server.service import SessionService
from fullprime.rules.score import Player

AWAY_SECONDS = 2.5
"""Seconds without a page after which a player is away; reloading a page takes less."""
HEARTBEAT_SECONDS = 5.0
"""Seconds between two heartbeats of a process."""

log = logging.getLogger(__name__)


class Presence:
    """The presence of the players of a service in this process. For the event loop alone."""

    def __init__(
        self,
        service: SessionService,
        announce: Callable[[str], None],
        *,
        away_seconds: float = AWAY_SECONDS,
    ) -> None:
        self._service, self._announce, self._away_seconds = service, announce, away_seconds
        self._store = PresenceStore(service.store.engine, secrets.token_hex(8))
        self._open_pages: Counter[tuple[str, Player]] = Counter()
        self._present: set[tuple[str, Player]] = set()
        """The sides that are noted as present by this process."""
        self._noting: set[tuple[str, Player]] = set()
        """The sides of which a change is being stored."""
        self._unnoted: dict[tuple[str, Player], LiveSession] = {}
        """The sides whose change could not be stored; the next heartbeat tries again."""
        self._heartbeat_task: asyncio.Task[None] | None = None

    def begin(self, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
        """Begin to store heartbeats, on the running event loop."""
        self._heartbeat_task = asyncio.ensure_future(self._keep_storing_heartbeats(heartbeat_seconds))

    async def close(self) -> None:
        """Stop the heartbeat, and store that the pages of this process are closed."""
        if self._heartbeat_task is not None:
            self._heartbeat_task.cancel()
            with suppress(asyncio.CancelledError):
                await self._heartbeat_task
        with suppress(StoreError):
            await asyncio.to_thread(self._store.note_ended, self._service.now())

    @asynccontextmanager
    async def track_presence(self, live: LiveSession, seat: Seat | None) -> AsyncIterator[None]:
        """Count a page or a stream of a seat as open for as long as this lasts.

        Spectators and one screen are never absent.
        """
        if seat is None or seat == "both" or not live.session.is_between_people:
            yield
            return
        place = (live.session_id, Player[seat])
        self._open_pages[place] += 1
        try:
            if self._open_pages[place] == 1:
                # A reader who leaves meanwhile ends the request; the note is written in full, and then the next one.
                await asyncio.shield(self._note(live, place))
            yield
        finally:
            self._open_pages[place] -= 1
            if not self._open_pages[place]:
                del self._open_pages[place]
                asyncio.get_running_loop().call_later(
                    self._away_seconds, lambda: self._service.start(self._note(live, place))
                )

    def is_present(self, session_id: str, side: Player) -> bool:
        """True if a side has a page or a stream open in this process."""
        return (session_id, side) in self._open_pages

    async def _note(self, live: LiveSession, place: tuple[str, Player]) -> None:
        """Store whether a side has a page open here, if that has changed, and announce it.

        One change of a side is stored at a time, because else a departure could overtake the arrival before it. A
        change that comes meanwhile is stored next.
        """
        if place in self._noting:
            return
        self._noting.add(place)
        try:
            while (is_present := place in self._open_pages) != (place in self._present):
                if not await self._store_change(live, place, is_present):
                    return
        finally:
            self._noting.remove(place)

    async def _store_change(self, live: LiveSession, place: tuple[str, Player], is_present: bool) -> bool:
        """Store an arrival or a departure; False if the database does not answer, so that it is stored later."""
        note = self._store.note_arrived if is_present else self._store.note_left
        try:
            await self._service.run_in_thread(note, *place, self._service.now())
        except StoreError as error:
            log.warning("a presence is noted later: %s", error)
            self._unnoted[place] = live
            return False
        (self._present.add if is_present else self._present.discard)(place)
        try:
            await self._service.refresh(live, always=True)
        except (Refusal, StoreError) as error:
            log.warning("a presence could not be told: %s", error)
        self._announce(live.session_id)
        return True

    async def _keep_storing_heartbeats(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.store_heartbeat()
            except StoreError as error:
                log.info("a heartbeat could not be stored: %s", error)
            except Exception:
                log.exception("a heartbeat could not be stored")

    async def store_heartbeat(self) -> None:
        """Store a heartbeat while players are present here, and close the pages of processes that have ended."""
        if self._present:
            await self._service.run_in_thread(self._store.store_heartbeat, self._service.now())
        unnoted, self._unnoted = self._unnoted, {}
        for place, live in unnoted.items():
            await self._note(live, place)
        if not (self._present and self._service.is_shared):
            return
        for session_id in await self._service.run_in_thread(self._store.settle_ended, self._service.now()):
            settled = self._service.find_in_memory(session_id)
            if settled is not None:
                await self._service.refresh(settled)
            self._announce(session_id)
