"""All sessions of one database as one process serves them; a ``GameServer`` has this beside what else a process needs.

Everything runs on one event loop, which never waits for the disk.

A command is decided on the session in memory, stored, and only then taken over and told. It is stored only if the last
event known here is still the last one in the database; where another process was first, its events are read and the
command is decided again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Engine

from fullprime.common.refusals import Refusal
from fullprime.db.errors import StoreConflict, StoreError, StoreMissing
from fullprime.db.times import utc_now
from fullprime.messages import Message
from fullprime.play import checks
from fullprime.play.commands import OfferRematch, SessionCommand, TakeSeat
from fullprime.play.decide import decide
from fullprime.play.draft import SessionInputs
from fullprime.play.events import ChainBegun, LogEntry, RematchBegun, Seat, SessionEvent, SessionOpened
from fullprime.play.keys import SeatKeys, hash_key, new_id, new_key
from fullprime.play.links import server_chain
from fullprime.play.server.live_session import LiveSession, SessionListener
from fullprime.play.server.session_cache import SessionCache
from fullprime.play.session import GameSession, SessionStep
from fullprime.play.store import LaterEvents, SessionStore
from fullprime.play.table.table_events import Event
from fullprime.play.terms import Terms
from fullprime.play.writer import Append, SessionWriter
from fullprime.rules.errors import FullprimeError, RulesError
from fullprime.rules.links import new_secret
from fullprime.rules.score import Player

TRIES = 8
"""The number of times a command is decided again because another process has added events to the session."""
KEPT, KEPT_OVER = 500, 50
"""Sessions that stay in memory without a listener, and sessions that are over."""
KEPT_EVENTS = 400_000
"""Events of the sessions that stay in memory without a listener; one takes 200 to 500 bytes."""
_READERS = 4
"""Threads that read the database."""

log = logging.getLogger(__name__)
T = TypeVar("T")
Performed: TypeAlias = tuple[tuple[SessionStep, ...], list[Event]]
"""The steps of a command that were stored, and its events in words for the players."""


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A new session with the keys that are given to people once."""

    live: LiveSession
    key: str
    invitation: str | None


@dataclass(frozen=True, slots=True)
class SessionChange:
    """A session that has changed from ``before``, or that has been read from the database; then ``before`` is the
    session itself.
    """

    live: LiveSession
    before: GameSession
    is_own: bool = True
    """True where this process has stored it."""


class SessionService:
    """The sessions of one database. Its methods are for the event loop on which it was started."""

    def __init__(self, engine: Engine, *, clock: Callable[[], datetime] = utc_now) -> None:
        self.store, self._writer = SessionStore(engine, clock), SessionWriter(engine)
        self.is_shared = engine.dialect.name == "postgresql"
        """True if other processes may serve the same sessions."""
        self.now = clock
        """The time: UTC, without a zone."""
        self._open: WeakValueDictionary[str, LiveSession] = WeakValueDictionary()
        """Every session that anything still refers to, so that a process never holds one twice."""
        self._followed: dict[str, LiveSession] = {}
        self._recent, self._over = SessionCache(), SessionCache()
        self._loading: dict[str, asyncio.Task[LiveSession]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._readers = ThreadPoolExecutor(_READERS, "session-reader")
        self.on_change: Callable[[SessionChange], None] = _ignore
        """Called on the event loop after each change and for each session that is read, so it must be quick."""
        self.on_append: Callable[[StoreError | None], None] = _ignore
        """Called with the error of each append, None for one that is stored; it must be quick, too."""

    async def close(self) -> None:
        """Finish what is under way, and let go of the database's writer."""
        while self._tasks:
            await asyncio.wait(self._tasks)
        self._readers.shutdown(cancel_futures=True)
        await asyncio.to_thread(self._writer.close)

    # -- sessions in memory -------------------------------------------------------------------------------
    async def get(self, session_id: str, key: str | None = None) -> LiveSession:
        """The session of that id; raises Refusal ("missing") where there is none.

        With a ``key`` that opens no seat the database is read again, because its holder may have sat down in another
        process.
        """
        live = self._open.get(session_id)
        if live is None:
            live = await self._load(session_id)
        elif live.is_behind or (key is not None and self.is_shared and live.keys.seat_of(key) is None):
            await self.refresh(live)
        self._remember(live)
        return live

    def find_in_memory(self, session_id: str) -> LiveSession | None:
        """The session if this process has it."""
        return self._open.get(session_id)

    def list_in_memory(self) -> list[LiveSession]:
        """The sessions in the memory of this process."""
        return [live for reference in self._open.valuerefs() if (live := reference()) is not None]

    def follow(self, live: LiveSession, listener: SessionListener) -> None:
        """Call a listener with the news of a session from now on; the session stays in memory meanwhile."""
        self._open.setdefault(live.session_id, live)
        self._followed[live.session_id] = live
        live.listeners.add(listener)

    def unfollow(self, live: LiveSession, listener: SessionListener) -> None:
        """Stop calling a listener."""
        live.listeners.discard(listener)
        if not live.listeners:
            self._followed.pop(live.session_id, None)

    def unload_all(self) -> None:
        """Drop all sessions from memory; each is read again when it is asked for."""
        for sessions in (self._open, self._followed, self._recent, self._over):
            sessions.clear()

    def unload(self, session_id: str) -> None:
        """Drop a session from memory, because it has been deleted."""
        self._open.pop(session_id, None)
        self._followed.pop(session_id, None)
        self._recent.remove(session_id)
        self._over.remove(session_id)

    async def delete_waiting(self, session_id: str) -> bool:
        """Remove a session for which no second player was found; one in which a second player sits stays."""
        is_removed = await self.run_in_thread(self.store.delete_waiting, session_id)
        if is_removed:
            self.unload(session_id)
        return is_removed

    async def _load(self, session_id: str) -> LiveSession:
        """Read a session; those who ask for it at the same time wait for the same reading."""
        task = self._loading.get(session_id)
        if task is None:
            task = self._loading[session_id] = self.start(self._read_session(session_id))
            task.add_done_callback(lambda _task: self._loading.pop(session_id, None))
        return await asyncio.shield(task)

    async def _read_session(self, session_id: str) -> LiveSession:
        try:
            live = await self.run_in_thread(lambda: LiveSession(self.store.load(session_id), self.now()))
        except StoreMissing as error:
            raise Refusal(error.args[0], "missing") from error
        self._open[session_id] = live
        self.on_change(SessionChange(live, live.session, is_own=False))
        return live

    def _remember(self, live: LiveSession) -> None:
        """Keep the sessions that were used last; those with listeners stay in any case."""
        self._open[live.session_id] = live
        if live.session.is_over:
            self._recent.remove(live.session_id)
            self._over.add(live, KEPT_OVER, KEPT_EVENTS)
        else:
            self._recent.add(live, KEPT, KEPT_EVENTS)

    # -- opening, and sitting down ------------------------------------------------------------------------
    async def open(
        self,
        terms: Terms,
        names: tuple[str, str],
        seats: tuple[str, str],
        *,
        accounts: tuple[Player, ...] = (),
    ) -> OpenedSession:
        """A new session, with the key of the person who opens it and the invitation for a friend.

        ``names`` and ``seats`` (``human`` or the name of a bot) are X's and O's; ``accounts`` are the sides of players
        with an account.
        """
        key, invitation = new_key(), new_key() if terms.opponent == "friend" else None
        own = hash_key(key)
        keys = SeatKeys(
            own, own if terms.opponent == "screen" else None, None if invitation is None else hash_key(invitation)
        )
        opened = SessionOpened(new_id(), terms, names, seats, accounts, is_seat_free=invitation is not None)
        return OpenedSession(await self._create(opened, keys), key, invitation)

    async def _create(self, opened: SessionOpened, keys: SeatKeys) -> LiveSession:
        now, secret = self.now(), new_secret()
        events: list[SessionEvent] = [opened]
        if opened.terms.dice == "links":
            events.append(ChainBegun(None, 1, server_chain(secret, 1).anchor))
        entries = [LogEntry(sequence, now, event) for sequence, event in enumerate(events, 1)]
        live = await self.run_in_thread(lambda: LiveSession(self.store.create(entries, secret, keys), now))
        self._remember(live)
        return live

    async def join(self, live: LiveSession, invitation: str, name: str, *, has_account: bool = False) -> str:
        """Sit down in the free seat; gives its key. An invitation is for one person.

        Raises Refusal where the game was called off, the seat is taken, or the invitation is none of this game.
        """
        if not live.keys.is_invitation(invitation):
            await self.refresh(live)
        if live.session.closed is not None:
            raise Refusal(checks.CALLED_OFF, "forbidden")
        if live.keys.invitation is None:
            raise Refusal(checks.SEAT_TAKEN, "forbidden")
        if not live.keys.is_invitation(invitation):
            raise Refusal(Message("this is no invitation to this game"), "forbidden")
        key = new_key()
        await self.perform(live, TakeSeat(name, has_account), None, keys=SeatKeys(live.keys.x, hash_key(key)))
        return key

    # -- commands -----------------------------------------------------------------------------------------
    async def perform(
        self,
        live: LiveSession,
        command: SessionCommand,
        seat: Seat | None,
        *,
        board_version: int | None = None,
        keys: SeatKeys | None = None,
    ) -> Performed:
        """Carry out a command; gives the steps that were stored, and the events in words for the players.

        ``board_version`` is that of the board which the person has seen. ``keys`` are those that the session has
        afterwards. Raises Refusal and errors of the rules, with nothing
        stored unless something was overdue before; StoreError where the events cannot be stored, or where that is not
        known. A command is carried out even if its caller is cancelled.
        """
        live.served_at = time.monotonic()
        answer: asyncio.Future[Performed] = asyncio.get_running_loop().create_future()
        self.start(_resolve(answer, self._perform(live, command, seat, board_version, keys)))
        return await answer

    async def _perform(
        self,
        live: LiveSession,
        command: SessionCommand,
        seat: Seat | None,
        board_version: int | None,
        keys: SeatKeys | None,
    ) -> Performed:
        async with live.lock:
            if live.is_behind:
                await self._catch_up(live)
            before = live.session
            for _ in range(TRIES):
                now = self.now()
                inputs = SessionInputs(live.secret, live.absent, new_id() if isinstance(command, OfferRematch) else "")
                try:
                    outcome = decide(live.session, command, seat, now, inputs, board_version=board_version)
                except FullprimeError:
                    # Perhaps another process has gone on, and only this one does not know it yet.
                    if not (self.is_shared and await self._catch_up(live)):
                        raise
                    continue
                events: list[Event] = []
                if outcome.steps:
                    try:
                        await self._store(live, command, outcome.steps, keys or live.keys)
                    except StoreConflict:
                        await self._catch_up(live)
                        continue
                    events = live.apply_steps(outcome.steps, keys or live.keys, live.absent)
                    if live.session.is_over and self._open.get(live.session_id) is live:
                        self._remember(live)  # fewer of these are kept
                    self.on_change(SessionChange(live, before))
                if outcome.refusal is not None:
                    raise outcome.refusal
                return outcome.steps, events
            raise Refusal(checks.TOO_MANY_TRIES, "stale")

    async def _store(
        self, live: LiveSession, command: SessionCommand, steps: Sequence[SessionStep], keys: SeatKeys
    ) -> None:
        """Store the events of a decision; raises StoreConflict where another process was first."""
        entries = tuple([step.entry for step in steps])
        rematch = None
        if isinstance(command, OfferRematch) and isinstance(entries[-1].event, RematchBegun):
            rematch = entries[-1].event.session_id
            await self._create(_open_rematch(live.session, rematch, rated=command.rated), live.keys)
        failure: StoreError | None = None
        try:
            await self._writer.append(Append(steps[-1].after, entries, keys))
        except StoreConflict:
            # After any other error the rematch may have been agreed on, so its session stays.
            if rematch is not None:
                with suppress(StoreError):
                    await self.run_in_thread(self.store.delete, rematch)
                self.unload(rematch)
            raise
        except StoreError as error:
            failure = error
        self.on_append(failure)
        if failure is not None and not await self._is_stored(live, entries):
            raise failure

    async def _is_stored(self, live: LiveSession, entries: tuple[LogEntry, ...]) -> bool:
        """Ask the database, before anything else is done, whether events are on the disk after an error."""
        live.is_behind = True
        later = (await self.run_in_thread(self.store.load_later, {live.session_id: live.session.sequence})).get(
            live.session_id
        )
        return later is not None and later.entries[: len(entries)] == entries

    # -- other processes ----------------------------------------------------------------------------------
    async def refresh(self, live: LiveSession, *, always: bool = False) -> None:
        """Apply the events that other processes have stored; ``always``: also where there is no other process."""
        if self.is_shared or live.is_behind or always:
            await asyncio.shield(self.start(self._refresh(live)))

    async def _refresh(self, live: LiveSession) -> None:
        async with live.lock:
            await self._catch_up(live)

    async def refresh_all(self, behind: Sequence[LiveSession]) -> None:
        """The same for many sessions, which are read together. An error is logged and does not stop the others."""
        later = await self.run_in_thread(
            self.store.load_later, {live.session_id: live.session.sequence for live in behind}
        )
        for live in behind:
            events = later.get(live.session_id)
            async with live.lock:
                if events is None:
                    self.unload(live.session_id)
                    continue
                try:
                    await self._apply_later(live, events)
                except Exception:
                    log.exception("game %s cannot be followed", live.session_id)

    async def _catch_up(self, live: LiveSession) -> bool:
        """Read and apply the events that others have stored; True if there were any. The caller holds the lock."""
        later = (await self.run_in_thread(self.store.load_later, {live.session_id: live.session.sequence})).get(
            live.session_id
        )
        if later is None:
            self.unload(live.session_id)
            raise Refusal(
                Message("there is no game {session_id} any more", session_id=repr(live.session_id)), "missing"
            )
        return await self._apply_later(live, later)

    async def _apply_later(self, live: LiveSession, later: LaterEvents) -> bool:
        """Apply events that were read; True if any was new. The caller holds the lock."""
        before = live.session
        try:
            steps = tuple(live.list_new_steps(later.entries))
        except RulesError:
            log.exception("game %s is read again, because it cannot be followed", live.session_id)
            live.reload(await self.run_in_thread(self.store.load, live.session_id), self.now())
            self.on_change(SessionChange(live, live.session, is_own=False))
            return True
        live.is_behind = False
        if steps or later.absent != live.absent:
            live.apply_steps(steps, later.keys, later.absent)
            self.on_change(SessionChange(live, before, is_own=False))
        return bool(steps)

    # -- inside -------------------------------------------------------------------------------------------
    async def run_in_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        """The result of a function that reads or writes the database, from another thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, partial(function, *arguments))

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start work that is finished even if nothing waits for it."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)
        return task

    def _finish(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # its caller has it, if there is one still


async def _resolve(answer: asyncio.Future[T], work: Coroutine[Any, Any, T]) -> None:
    """Finish work and give its result to the one who waits for it, if there is still one.

    It costs less than a shielded task, which wakes its caller two turns of the loop later.
    """
    try:
        result = await work
    except asyncio.CancelledError:
        answer.cancel()
        raise
    except Exception as error:  # noqa: BLE001 - it is the caller's
        if not answer.done():
            answer.set_exception(error)
    else:
        if not answer.done():
            answer.set_result(result)


def _ignore(_news: object) -> None:
    """Do nothing, as the default of the callbacks."""


def _open_rematch(session: GameSession, session_id: str, *, rated: bool) -> SessionOpened:
    """The first event of a rematch: the same people with the same terms."""
    terms = replace(session.terms, start=None, rated=rated)
    return SessionOpened(session_id, terms, session.names, session.seats, session.accounts)
