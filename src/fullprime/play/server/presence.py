"""The pages that players have open at their tables, and the players who have gone."""

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
"""Seconds without a page after which a player is away: a page that is loaded again takes less."""
BEAT_SECONDS = 5.0
"""Seconds between two signs of life of a process."""

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
        self._pages: Counter[tuple[str, Player]] = Counter()
        self._present: set[tuple[str, Player]] = set()
        """The sides that are noted as present by this process."""
        self._unnoted: dict[tuple[str, Player], LiveSession] = {}
        """The sides of which a change could not be stored; the next sign of life tries again."""
        self._beating: asyncio.Task[None] | None = None

    def begin(self, beat_seconds: float = BEAT_SECONDS) -> None:
        """Begin to give signs of life, on the running event loop."""
        self._beating = asyncio.ensure_future(self._keep_beating(beat_seconds))

    async def close(self) -> None:
        """Note that the pages of this process are left."""
        if self._beating is not None:
            self._beating.cancel()
            with suppress(asyncio.CancelledError):
                await self._beating
        with suppress(StoreError):
            await asyncio.to_thread(self._store.end, self._service.now())

    @asynccontextmanager
    async def present(self, live: LiveSession, seat: Seat | None) -> AsyncIterator[None]:
        """Count a page of a seat as open for as long as this lasts; spectators and one screen are never absent."""
        if seat is None or seat == "both" or not live.session.is_between_people:
            yield
            return
        place = (live.session_id, Player[seat])
        self._pages[place] += 1
        if self._pages[place] == 1:
            await self._note(live, place)
        try:
            yield
        finally:
            self._pages[place] -= 1
            if not self._pages[place]:
                del self._pages[place]
                asyncio.get_running_loop().call_later(
                    self._away_seconds, lambda: self._service.start(self._note(live, place))
                )

    def is_here(self, session_id: str, side: Player) -> bool:
        """True if a side has a page open in this process."""
        return (session_id, side) in self._pages

    async def _note(self, live: LiveSession, place: tuple[str, Player]) -> None:
        """Store whether a side has a page open here, if that has changed, and tell it."""
        is_here = place in self._pages
        if is_here == (place in self._present):
            return
        (self._present.add if is_here else self._present.discard)(place)
        note = self._store.arrive if is_here else self._store.leave
        try:
            await self._service.read(note, *place, self._service.now())
        except StoreError as error:
            log.warning("a presence is noted later: %s", error)
            (self._present.discard if is_here else self._present.add)(place)
            self._unnoted[place] = live
            return
        try:
            await self._service.refresh(live, always=True)
        except (Refusal, StoreError) as error:
            log.warning("a presence could not be told: %s", error)
        self._announce(live.session_id)

    async def _keep_beating(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.beat()
            except StoreError as error:
                log.info("a sign of life could not be given: %s", error)
            except Exception:
                log.exception("a sign of life could not be given")

    async def beat(self) -> None:
        """Give a sign of life while there are players here, and note the pages of processes that have ended."""
        if self._present:
            await self._service.read(self._store.beat, self._service.now())
        unnoted, self._unnoted = self._unnoted, {}
        for place, live in unnoted.items():
            await self._note(live, place)
        if not (self._present and self._service.is_shared):
            return
        for session_id in await self._service.read(self._store.settle_ended, self._service.now()):
            known = self._service.in_memory(session_id)
            if known is not None:
                await self._service.refresh(known)
            self._announce(session_id)
