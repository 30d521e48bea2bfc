"""Work on sessions that no request asks for: deadlines that pass, and events that other processes add."""

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
from fullprime.play.server.process_notices import ProcessNotices, open_notices
from fullprime.play.server.service import SessionService
from fullprime.rules.errors import FullprimeError

UNBEGUN = timedelta(days=30)
"""The time after which a session that has not begun is forgotten; challenges stand for a week at most."""
DEADLINE_INTERVAL = 2.0
"""Seconds between two checks of the deadlines."""
UNBEGUN_EVERY = 1000
"""One check in this number also deletes sessions that never began."""
SERVED_SECONDS = 10.0
"""Seconds for which this process follows a session after its last command here."""
COMPARE_SECONDS, PARTS = 5.0, 20
"""Seconds in which each followed session is compared once, and the parts in which that is done."""
CHANNEL = "fullprime_sessions"
"""The channel of PostgreSQL on which processes name the sessions that they have changed."""

log = logging.getLogger(__name__)


class SessionUpkeep:
    """The background work of one process for a service, from :meth:`begin` to :meth:`close`."""

    def __init__(self, service: SessionService, bots: BotMover) -> None:
        self._service, self._bots = service, bots
        self._tasks: list[asyncio.Task[None]] = []
        self._notices: ProcessNotices | None = None
        self._behind: dict[str, LiveSession] = {}
        self._part = 0

    def begin(self, interval: float = DEADLINE_INTERVAL) -> None:
        """Begin to check deadlines and to listen to other processes, on the running event loop."""
        loop = asyncio.get_running_loop()

        def pass_to_loop(names: frozenset[str] | None) -> None:
            loop.call_soon_threadsafe(self._handle_notices, names)

        self._notices = open_notices(self._service.store.engine, pass_to_loop, _do_nothing, channel=CHANNEL)
        self._tasks = [asyncio.ensure_future(self._keep_deadlines(interval))]
        if self._notices is not None:
            self._tasks.append(asyncio.ensure_future(self._compare_all()))

    async def pause(self) -> None:
        """Stop checking and listening; changes made here are still announced."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def close(self) -> None:
        """End, once the notices that wait are sent."""
        await self.pause()
        if self._notices is not None:
            await asyncio.to_thread(self._notices.close)

    # -- deadlines ----------------------------------------------------------------------------------------
    async def _keep_deadlines(self, seconds: float) -> None:
        checks = 0
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.enforce_deadlines()
                if checks % UNBEGUN_EVERY == 0:
                    await self.delete_unbegun()
            except StoreError as error:
                log.info("the deadlines are looked at later: %s", error)
            except Exception:
                log.exception("the deadlines could not be looked at")
            checks += 1

    async def enforce_deadlines(self) -> int:
        """Act on the sessions whose deadline is over; gives the number of those that have changed."""
        self._bots.retry_failed()
        gone_on = 0
        for session_id in await self._service.run_in_thread(self._service.store.list_overdue, self._service.now()):
            try:
                live = await self._service.get(session_id)
                gone_on += bool((await self._service.perform(live, Continue(), None))[0])
                self._bots.move(live)
            except (Refusal, StoreError) as error:
                log.info("game %s goes on elsewhere, or later: %s", session_id, error)
            except FullprimeError as error:
                log.warning("game %s cannot go on: %s", session_id, error)
        return gone_on

    async def delete_unbegun(self, age: timedelta = UNBEGUN) -> int:
        """Forget the sessions that have not begun within that time; gives their number."""
        removed = await self._service.run_in_thread(self._service.store.delete_unbegun, self._service.now() - age)
        for session_id in removed:
            self._service.unload(session_id)
        return len(removed)

    # -- other processes ----------------------------------------------------------------------------------
    def announce(self, session_id: str) -> None:
        """Send the id of a session that has changed to the other processes."""
        if self._notices is not None:
            self._notices.send(session_id)

    def _handle_notices(self, names: frozenset[str] | None) -> None:
        """Follow sessions that other processes have changed; with None notices may have been lost."""
        if not self._tasks:
            return  # at rest
        sessions = self._service.list_in_memory() if names is None else map(self._service.find_in_memory, names)
        since = time.monotonic() - SERVED_SECONDS
        for live in sessions:
            if live is not None:
                live.is_behind = True
                if live.listeners or live.served_at > since:
                    self._follow(live)

    def _follow(self, live: LiveSession) -> None:
        """Bring a session up to date soon, together with others that are behind."""
        is_first = not self._behind
        self._behind[live.session_id] = live
        if is_first:
            self._service.start(self._refresh_behind())

    async def _refresh_behind(self) -> None:
        while self._behind:
            behind, self._behind = self._behind, {}
            try:
                await self._service.refresh_all(list(behind.values()))
            except FullprimeError as error:
                log.warning("games cannot be followed: %s", error)
            except Exception:
                log.exception("games cannot be followed")

    async def _compare_all(self) -> None:
        """Compare followed sessions at intervals, because a process that is killed leaves its last notice unsent."""
        while True:
            await asyncio.sleep(COMPARE_SECONDS / PARTS)
            try:
                await self.compare_part()
            except StoreError as error:
                log.info("games are looked at later: %s", error)
            except Exception:
                log.exception("games could not be looked at")

    async def compare_part(self) -> None:
        """Compare one part of the followed sessions with the database; ``PARTS`` calls compare all of them."""
        self._part = (self._part + 1) % PARTS
        followed = {
            live.session_id: live
            for live in self._service.list_in_memory()
            if live.listeners and hash(live.session_id) % PARTS == self._part
        }
        if not followed:
            return
        stored = await self._service.run_in_thread(self._service.store.find_sequences, list(followed))
        for session_id, sequence in stored.items():
            if sequence > followed[session_id].session.sequence:
                followed[session_id].is_behind = True
                self._follow(followed[session_id])


def _do_nothing() -> None:
    """Do nothing: the event loop compares sessions, not the thread of the notices."""
