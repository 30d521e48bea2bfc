"""The parts that one process needs to serve the sessions of a database, and their interface for other threads.

``service`` holds the sessions. They live on one event loop, which is that of the server, or one of their own
that begins with the first call.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from datetime import datetime
from typing import Any, TypeVar

from fullprime.db.database import may_be_shared, open_database
from fullprime.db.errors import StoreConflict, StoreError, StoreFailed
from fullprime.db.probe import check_writable
from fullprime.db.times import share_clock, utc_now
from fullprime.messages import Message
from fullprime.play.proof import Verification, verify_log
from fullprime.play.server.agreement import make_agreement
from fullprime.play.server.bot_moves import BotMover, check_bot_choice
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.presence import AWAY_SECONDS, Presence
from fullprime.play.server.service import SessionChange, SessionService
from fullprime.play.server.upkeep import SessionUpkeep
from fullprime.play.session import GameSession
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Player

T = TypeVar("T")


class GameServer:
    """The service of one database, its bots, its upkeep, and the presence of its players, begun and closed together."""

    def __init__(
        self,
        url: str | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
        away_seconds: float = AWAY_SECONDS,
    ) -> None:
        self.engine = open_database(url, pooled=True)
        self.service = SessionService(self.engine, clock=clock)
        self.bots = BotMover(self.service)
        self.upkeep = SessionUpkeep(self.service, self.bots)
        self.presence = Presence(self.service, self.upkeep.announce, away_seconds=away_seconds)
        self.service.on_change = self._follow
        self.on_end: Callable[[str], None] | None = None
        """Called by a thread with the id of each session in which nothing more is played; perhaps twice."""
        self.on_turn: Callable[[GameSession], None] | None = None
        """Called with each correspondence session whose turn has changed by an action here. It runs on the event loop,
        so it must be quick.
        """
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._is_closed = False

    # -- the loop -----------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Serve on the running event loop from now on; everything in memory is read anew."""
        self._end_own_loop()
        self._loop = asyncio.get_running_loop()
        self.service.unload_all()
        self.upkeep.begin()
        self.presence.begin()

    async def end(self) -> None:
        """Finish what is under way on the running event loop, and let go of the database."""
        self._is_closed = True
        await self.upkeep.pause()
        self.bots.close()
        await self.presence.close()
        await self.service.close()
        await self.upkeep.close()
        self.engine.dispose()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of work on the loop."""
        with self._lock:
            if self._loop is None:
                self._begin_own_loop()
            loop = self._loop
        assert loop is not None
        result: Future[T] = asyncio.run_coroutine_threadsafe(work, loop)
        return result.result()

    def close(self) -> None:
        """Close the database, unless :meth:`end` has done so."""
        if self._is_closed:
            return
        if self._thread is None:
            self._begin_own_loop()
        self.call(self.end())
        self._end_own_loop()

    def _begin_own_loop(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sessions", daemon=True)
        self._thread.start()

    def _end_own_loop(self) -> None:
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._thread = self._loop = None

    def _follow(self, change: SessionChange) -> None:
        """Act on a change: tell other processes, have bots move, pass on ends and turns."""
        live, before, session = change.live, change.before, change.live.session
        if change.is_own:
            if self.service.is_shared:
                self.upkeep.announce(live.session_id)
            is_passed = session.turn is None or before.turn is not session.turn or before.awaited != session.awaited
            is_due = is_passed or before.resignation != session.resignation
            if self.on_turn is not None and session.clock is not None and session.terms.is_correspondence and is_due:
                self.on_turn(session)
        if session.is_bot_due:
            self.bots.move(live)
        if session.is_over and self.on_end is not None and (not before.is_over or before is session):
            self.service.start(self.service.run_in_thread(self.on_end, live.session_id))

    # -- the database -------------------------------------------------------------------------------------
    @property
    def url(self) -> str:
        """The address of the database, without a password."""
        return self.engine.url.render_as_string(hide_password=True)

    @property
    def is_shared(self) -> bool:
        """True if other processes may serve the same sessions."""
        return self.service.is_shared

    def check_writable(self) -> None:
        """Check that the database can be written; raises StoreError."""
        check_writable(self.engine)

    # -- sessions -----------------------------------------------------------------------------------------
    def create(self, *, account: bool = False, **agreed: Any) -> tuple[SessionHandle, str, str | None]:
        """A new session, with the creator's key and (for a friend) the invitation.

        ``agreed`` are the arguments of :func:`make_agreement`, whose errors it raises; ``account`` says that its
        creator has one.
        """
        agreement = make_agreement(**agreed)
        accounts = (Player.X,) if account else ()
        opened = self.call(self.service.open(agreement.terms, agreement.names, agreement.seats, accounts=accounts))
        return SessionHandle(self, opened.live), opened.key, opened.invitation

    def get_handle(self, session_id: str, key: str | None = None) -> SessionHandle:
        """The session of that id; raises Refusal ("missing") when there is none."""
        return SessionHandle(self, self.call(self.service.get(session_id, key)))

    def find_watchable(self, session_id: str) -> GameSession | None:
        """A session as it stands for spectators; None where they may not watch, or see it late.

        Raises Refusal where there is none.
        """

        async def read() -> GameSession | None:
            live = await self.service.get(session_id)
            await self.service.refresh(live)
            terms = live.session.terms
            if not terms.spectators or terms.late or live.session.game is None:
                return None
            return live.view.session_for(None)

        return self.call(read())

    def delete_waiting(self, session_id: str) -> None:
        """Remove a session for which no second player was found; one in which a second player sits stays."""
        self.call(self.service.delete_waiting(session_id))

    def count_sessions(self) -> dict[str, int]:
        """The games in memory (``open``) and not over (``live``), and the people and programs that watch, counted."""
        sessions = self.service.list_in_memory()
        return {
            "open": len(sessions),
            "live": sum(not live.session.is_over for live in sessions),
            "watchers": sum(len(live.listeners) for live in sessions),
        }

    def list_followed(self, most: int) -> list[SessionHandle]:
        """The sessions in play that people follow here; none where there are more than ``most``."""
        watched = [live for live in self.service.list_in_memory() if live.listeners]
        if len(watched) > most:
            return []  # to ask each of a thousand for its score takes as long as ten of their actions
        return [
            SessionHandle(self, live) for live in watched if live.session.game is not None and not live.session.is_over
        ]

    @property
    def bots_think(self) -> bool:
        """True while a bot of this process chooses."""
        return self.bots.is_thinking

    def verify(self, session_id: str) -> Verification:
        """Check the dice and the bots of a game."""
        stored = self.service.store.load(session_id)
        if stored.session.game is None:
            raise SettingsError(Message("game {session_id} has not begun", session_id=session_id))
        return verify_log(stored.log, stored.secret, check_bot_choice)

    def list_finished(self) -> list[str]:
        """The ids of all sessions in which nothing more is played, the oldest first."""
        return self.service.store.list_finished()

    def enforce_deadlines(self) -> int:
        """Act on the deadlines that have passed, also in games that no page follows; gives the number of games."""
        return self.call(self.upkeep.enforce_deadlines())

    def delete_unbegun(self) -> int:
        """Forget the games that have not begun in time; gives their number."""
        return self.call(self.upkeep.delete_unbegun())


__all__ = ["GameServer", "StoreConflict", "StoreError", "StoreFailed", "may_be_shared", "share_clock"]
"""The game server, and the names of the store that the web and the terminal import from here."""
