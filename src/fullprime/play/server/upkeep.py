"""What happens to sessions without a request: deadlines pass, and other processes go on with them."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from datetime import timedelta

from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreError
from fullprime.play.commands import Continue
from fullprime.play.server.bot_moves import BotMover
from fullprime.play.server.live_session import LiveSession
from fullprime.play.server.notices import Notices, open_notices
from fullprime.play.server.service import SessionChange, SessionService
from fullprime.rules.errors import FullprimeError

UNBEGUN = timedelta(days=30)
"""The time after which a session that has not begun is forgotten; challenges stand for a week at most."""
LOOK_SECONDS = 2.0
"""Seconds between two looks at the deadlines."""
LOOKS_FOR_UNBEGUN = 1000
"""One of so many looks is also for sessions that never began."""
SERVED_SECONDS = 10.0
"""Seconds for which a session is followed here after a command here."""
ROUND_SECONDS, PARTS = 5.0, 20
"""Seconds in which each followed session is looked at once, and the parts in which that is done."""
CHANNEL = "fullprime_sessions"
"""The channel of PostgreSQL on which processes name the sessions that they have gone on with."""

log = logging.getLogger(__name__)


class SessionUpkeep:
    """The background work of one process for a service, from :meth:`begin` to :meth:`close`."""

    def __init__(self, service: SessionService, bots: BotMover) -> None:
        self._service, self._bots = service, bots
        self._tasks: list[asyncio.Task[None]] = []
        self._notices: Notices | None = None
        self._behind: dict[str, LiveSession] = {}
        self._part = 0
        service.on_change.append(self._announce_change)

    def begin(self, look_seconds: float = LOOK_SECONDS) -> None:
        """Begin to look at deadlines and to listen to other processes, on the running event loop."""
        loop = asyncio.get_running_loop()

        def hear(names: frozenset[str] | None) -> None:
            loop.call_soon_threadsafe(self._hear, names)

        self._notices = open_notices(self._service.store.engine, hear, _do_nothing, channel=CHANNEL)
        self._tasks = [asyncio.ensure_future(self._keep_deadlines(look_seconds))]
        if self._notices is not None:
            self._tasks.append(asyncio.ensure_future(self._look_around()))

    async def rest(self) -> None:
        """Begin nothing more; own changes are announced still."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def close(self) -> None:
        """End, once the notices that wait are sent."""
        await self.rest()
        if self._notices is not None:
            await asyncio.to_thread(self._notices.close)

    # -- deadlines ----------------------------------------------------------------------------------------
    async def _keep_deadlines(self, seconds: float) -> None:
        looks = 0
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.look_at_deadlines()
                if looks % LOOKS_FOR_UNBEGUN == 0:
                    await self.forget_unbegun()
            except StoreError as error:
                log.info("the deadlines are looked at later: %s", error)
            except Exception:
                log.exception("the deadlines could not be looked at")
            looks += 1

    async def look_at_deadlines(self) -> int:
        """Go on with the sessions whose deadline is over; gives the number of those that have gone on."""
        self._bots.try_again()
        gone_on = 0
        for session_id in await self._service.read(self._service.store.due, self._service.now()):
            try:
                live = await self._service.get(session_id)
                gone_on += bool((await self._service.perform(live, Continue(), None))[0])
                self._bots.move(live)
            except (Refusal, StoreError) as error:
                log.info("game %s goes on elsewhere, or later: %s", session_id, error)
            except FullprimeError as error:
                log.warning("game %s cannot go on: %s", session_id, error)
        return gone_on

    async def forget_unbegun(self, age: timedelta = UNBEGUN) -> int:
        """Forget the sessions that have not begun within that time; gives their number."""
        gone = await self._service.read(self._service.store.remove_unbegun, self._service.now() - age)
        for session_id in gone:
            self._service.forget(session_id)
        return len(gone)

    # -- other processes ----------------------------------------------------------------------------------
    def announce(self, session_id: str) -> None:
        """Name a session to the other processes, because something of it has changed."""
        if self._notices is not None:
            self._notices.send(session_id)

    def _announce_change(self, change: SessionChange) -> None:
        if change.is_own and self._notices is not None:
            self._notices.send(change.live.session_id)

    def _hear(self, names: frozenset[str] | None) -> None:
        """Other processes have gone on with these sessions; with None notices may have been lost."""
        if not self._tasks:
            return  # at rest
        known = self._service.sessions() if names is None else map(self._service.in_memory, names)
        since = time.monotonic() - SERVED_SECONDS
        for live in known:
            if live is not None:
                live.is_behind = True
                if live.listeners or live.served_at > since:
                    self._follow(live)

    def _follow(self, live: LiveSession) -> None:
        """Bring a session up to date soon, together with others that are behind."""
        is_first = not self._behind
        self._behind[live.session_id] = live
        if is_first:
            self._service.start(self._bring_up())

    async def _bring_up(self) -> None:
        while self._behind:
            behind, self._behind = self._behind, {}
            try:
                await self._service.refresh_all(list(behind.values()))
            except FullprimeError as error:
                log.warning("games cannot be followed: %s", error)
            except Exception:
                log.exception("games cannot be followed")

    async def _look_around(self) -> None:
        """Look at followed sessions now and then, because a process that is killed leaves its last notice unsent."""
        while True:
            await asyncio.sleep(ROUND_SECONDS / PARTS)
            try:
                await self.look_at_part()
            except StoreError as error:
                log.info("games are looked at later: %s", error)
            except Exception:
                log.exception("games could not be looked at")

    async def look_at_part(self) -> None:
        """Compare one part of the followed sessions with the database; ``PARTS`` calls compare all of them."""
        self._part = (self._part + 1) % PARTS
        followed = {
            live.session_id: live
            for live in self._service.sessions()
            if live.listeners and hash(live.session_id) % PARTS == self._part
        }
        if not followed:
            return
        stored = await self._service.read(self._service.store.sequences, list(followed))
        for session_id, sequence in stored.items():
            if sequence > followed[session_id].session.sequence:
                followed[session_id].is_behind = True
                self._follow(followed[session_id])


def _do_nothing() -> None:
    """Sessions are looked at by the event loop, not by the thread of the notices."""
