"""The sessions of a server for callers in threads: the lobby, profiles, commands of the terminal, tests.

Sessions live on one event loop. A room hands each call over to that loop and waits for its result; to be called from
any thread but the loop's own.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import Engine

from fullprime.common.refusals import Refusal
from fullprime.db.database import may_be_shared
from fullprime.db.errors import StoreConflict, StoreError, StoreFailed
from fullprime.db.probe import try_to_store
from fullprime.db.times import share_clock, utc_now
from fullprime.messages import Message
from fullprime.play.commands import (
    BeginChain,
    ChooseLook,
    ClaimWin,
    CloseSession,
    ClosingWay,
    Continue,
    GiveLink,
    GiveSeed,
    OfferRematch,
    SessionCommand,
    TakeBack,
    UseHelp,
)
from fullprime.play.events import LogEntry, Seat
from fullprime.play.proof import Verification, verify_log
from fullprime.play.server import acting, papers
from fullprime.play.server.bot_moves import check_bot_choice
from fullprime.play.server.fields import DiceProof, StateMessage
from fullprime.play.server.live_session import LiveSession, SessionListener
from fullprime.play.server.opening import BOT, FRIEND, OPPONENTS, SCREEN, agree
from fullprime.play.server.reports import ReportStore
from fullprime.play.server.service import SessionChange, SessionService
from fullprime.play.server.services import SessionServices
from fullprime.play.session import GameSession
from fullprime.play.table.events import Event
from fullprime.play.table.naming import checked_name, seat_name
from fullprime.play.table.scorecard import ScoreCard
from fullprime.rules.errors import SettingsError
from fullprime.rules.record import Match
from fullprime.rules.score import Player

T = TypeVar("T")


class Rooms:
    """The sessions of one database, for callers in threads. They run on the loop of the server, or on one of their own
    that begins with the first call.
    """

    def __init__(self, url: str | None = None, *, clock: Callable[[], datetime] = utc_now) -> None:
        self.services = SessionServices(url, clock=clock)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._is_closed = False

    # -- the loop -----------------------------------------------------------------------------------------
    @property
    def service(self) -> SessionService:
        """The service, for callers on its loop."""
        return self.services.service

    def begin(self) -> None:
        """Serve on the running event loop from now on; everything in memory is read anew."""
        self._end_own_loop()
        self._loop = asyncio.get_running_loop()
        self.service.forget_all()
        self.services.begin()

    async def end(self) -> None:
        """End on the running event loop, and let go of the database."""
        self._is_closed = True
        await self.services.close()

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
        """Let go of the database, where no server has done that."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._thread is None:
            self._begin_own_loop()
        self.call(self.services.close())
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

    # -- the database -------------------------------------------------------------------------------------
    @property
    def engine(self) -> Engine:
        """The database."""
        return self.services.engine

    @property
    def url(self) -> str:
        """The address of the database, without a password."""
        return self.engine.url.render_as_string(hide_password=True)

    @property
    def is_shared(self) -> bool:
        """True if other processes may serve the same sessions."""
        return self.service.is_shared

    def try_to_store(self) -> None:
        """See that the database takes something; raises StoreError."""
        try_to_store(self.engine)

    # -- rooms --------------------------------------------------------------------------------------------
    def create(self, *, account: bool = False, **agreed: Any) -> tuple[Room, str, str | None]:
        """A new room, with the creator's key and (for a friend) the invitation.

        ``agreed`` are the arguments of :func:`agree`, whose errors it raises; ``account`` says that its creator has
        one.
        """
        agreement = agree(**agreed)
        accounts = (Player.X,) if account else ()
        opened = self.call(self.service.open(agreement.terms, agreement.names, agreement.seats, accounts=accounts))
        return Room(self, opened.live), opened.key, opened.invitation

    def room(self, room_id: str, key: str | None = None) -> Room:
        """The room of that id; raises Refusal ("missing") when there is none."""
        return Room(self, self.call(self.service.get(room_id, key)))

    def forget(self, room_id: str) -> None:
        """Remove a room for which no second player was found; one in which a second player sits stays."""
        self.call(self.service.remove_waiting(room_id))

    def census(self) -> dict[str, int]:
        """The games in memory (``open``) and not over (``live``), and the people and programs that watch, counted."""
        sessions = self.service.sessions()
        return {
            "open": len(sessions),
            "live": sum(not live.session.is_over for live in sessions),
            "watchers": sum(len(live.listeners) for live in sessions),
        }

    def followed(self, most: int) -> list[Room]:
        """The rooms in which a game is played and that somebody looks at here; none where more are looked at."""
        watched = [live for live in self.service.sessions() if live.listeners]
        if len(watched) > most:
            return []  # to ask each of a thousand for its score takes as long as ten of their actions
        return [Room(self, live) for live in watched if live.session.game is not None and not live.session.is_over]

    @property
    def bots_think(self) -> bool:
        """True while a bot of this process chooses."""
        return self.services.bots.is_thinking

    def verify(self, room_id: str) -> Verification:
        """Check the dice and the bots of a game."""
        stored = self.service.store.load(room_id)
        if stored.session.game is None:
            raise SettingsError(Message("game {room_id} has not begun", room_id=room_id))
        return verify_log(stored.log, stored.secret, check_bot_choice)

    def finished(self) -> list[str]:
        """The ids of all rooms in which nothing more is played, the oldest first."""
        return self.service.store.finished()

    def drop_flags(self) -> int:
        """Go on with the games whose deadline is over, even if nobody looks; gives their number."""
        return self.call(self.services.upkeep.look_at_deadlines())

    def forget_unbegun(self) -> int:
        """Forget the games that have not begun in time; gives their number."""
        return self.call(self.services.upkeep.forget_unbegun())

    def tell_ends(self, to: Callable[[str], None]) -> None:
        """From now on tell the id of each room in which nothing more is played, by another thread; perhaps twice."""

        def tell(change: SessionChange) -> None:
            is_new = not change.before.is_over or change.before is change.live.session
            if change.live.session.is_over and is_new:
                self.service.start(self.service.read(to, change.live.session_id))

        self.service.on_change.append(tell)

    def tell_turns(self, to: Callable[[GameSession], None]) -> None:
        """From now on tell each session in which, by an action here, another one must act than before: at once, so be
        quick.
        """

        def tell(change: SessionChange) -> None:
            before, session = change.before, change.live.session
            if change.is_own and (before.turn is not session.turn or before.resignation != session.resignation
                                  or before.awaited != session.awaited or session.turn is None):  # fmt: skip
                to(session)

        self.service.on_change.append(tell)


class Room:
    """One session, for callers in threads."""

    def __init__(self, rooms: Rooms, live: LiveSession) -> None:
        self._rooms, self.live = rooms, live

    # -- reading ------------------------------------------------------------------------------------------
    @property
    def id(self) -> str:
        """The id of the session."""
        return self.live.session_id

    @property
    def session(self) -> GameSession:
        """The session as this process knows it."""
        return self.live.session

    @property
    def is_closed(self) -> bool:
        """True if nothing more is played: the secret of the dice may be told."""
        return self.session.is_over

    @property
    def late(self) -> int:
        """The seconds after which spectators see an event."""
        return self.live.late

    @property
    def commitment(self) -> str:
        """The server's commitment to its part of the dice."""
        return self.session.chains[0].anchor

    @property
    def listeners(self) -> set[SessionListener]:
        """Those who are told the news; they are told on the loop."""
        return self.live.listeners

    def seat_of(self, key: str | None) -> Seat | None:
        """``X``, ``O``, ``both``, or None for a spectator; raises Refusal where nobody may watch."""
        return self.live.seat_of(key)

    def frame(self, seat: Seat | None, events: list[Event] | None = None, *, tree: bool = True) -> StateMessage:
        """The state as somebody in that seat sees it; without ``events``, with all that has happened."""
        return self.live.picture(seat).frame(seat, events, tree=tree)

    @property
    def match(self) -> Match:
        """The match as it was played, without the actions taken back; raises Refusal before the game has begun."""
        return papers.match_of(self.session)

    @property
    def card(self) -> ScoreCard:
        """The score card; before the game has begun one that can be filled in by hand."""
        return papers.card_of(self.session)

    def record(self, name: str = "mat") -> tuple[bytes, str]:
        """The match so far as a file of the format of that name, and the name of the file."""
        return papers.record_of(self.session, name)

    @property
    def proof(self) -> DiceProof:
        """The proof of the dice."""
        stored = self._rooms.service.store.load(self.id)
        return papers.proof_of(stored.session, stored.log, stored.secret)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Every event of the session, as it is stored."""
        return self._rooms.service.store.load(self.id).log

    @property
    def reports(self) -> ReportStore:
        """The reports of players about each other."""
        return ReportStore(self._rooms.engine)

    def refresh(self) -> None:
        """Take over what other processes have stored."""
        self._rooms.call(self.refreshed())

    # -- acting -------------------------------------------------------------------------------------------
    def perform(self, command: SessionCommand, seat: Seat | None, sequence: int | None = None) -> list[Event]:
        """Carry out a command; gives the events."""
        return self._rooms.call(self.performed(command, seat, sequence))

    def act(
        self,
        seat: Seat | None,
        line: str,
        *,
        moves: Iterable[str] = (),
        sequence: int | None = None,
        link: str | None = None,
    ) -> tuple[list[Event], list[str]]:
        """Carry out a line (see :func:`acting.act`)."""
        return self._rooms.call(self.acted(seat, line, moves=moves, sequence=sequence, link=link))

    # -- for callers on the loop --------------------------------------------------------------------------
    async def performed(self, command: SessionCommand, seat: Seat | None, sequence: int | None = None) -> list[Event]:
        """The same as :meth:`perform`, on the loop."""
        return (await self._rooms.service.perform(self.live, command, seat, board_version=sequence))[1]

    async def acted(
        self,
        seat: Seat | None,
        line: str,
        *,
        moves: Iterable[str] = (),
        sequence: int | None = None,
        link: str | None = None,
    ) -> tuple[list[Event], list[str]]:
        """The same as :meth:`act`, on the loop."""
        service = self._rooms.service
        return await acting.act(service, self.live, seat, line, moves=moves, sequence=sequence, link=link)

    async def refreshed(self) -> None:
        """The same as :meth:`refresh`, on the loop."""
        await self._rooms.service.refresh(self.live)

    def follow(self, listener: SessionListener) -> None:
        """Give a listener the news from now on; on the loop."""
        self._rooms.service.follow(self.live, listener)

    def unfollow(self, listener: SessionListener) -> None:
        """Give it no more news; on the loop."""
        self._rooms.service.unfollow(self.live, listener)

    def present(self, seat: Seat | None) -> AbstractAsyncContextManager[None]:
        """A page of a seat is open for as long as this lasts; on the loop."""
        return self._rooms.services.presence.present(self.live, seat)

    # -- for callers in threads ---------------------------------------------------------------------------
    def join(self, invitation: str, name: str, *, account: bool = False) -> str:
        """Sit down in the free seat, with an account or as a guest; gives its key. An invitation is for one person."""
        name = seat_name(checked_name(name), self.session.names[0])
        return self._rooms.call(self._rooms.service.join(self.live, invitation, name, has_account=account))

    def add_seed(self, seat: Seat | None, seed: str, *, links: bool = False) -> None:
        """Add to the dice: promise links by the anchor of their chain, or add a seed alone."""
        self.perform(GiveSeed(seed, links), seat)

    def begin_chain(self, seat: Seat | None, number: int, anchor: str) -> None:
        """Begin a new chain of links with the next throw."""
        self.perform(BeginChain(number, anchor), seat)

    def give_link(self, seat: Seat | None, number: int, link: str) -> list[Event]:
        """Tell the link for a throw that waits for nothing else."""
        return self.perform(GiveLink(number, link), seat)

    def close(self, seat: Seat | None, how: ClosingWay = "end") -> None:
        """End a game that is not played out; once it is over, the secret of the dice is told."""
        if seat is None:
            raise Refusal(Message("you are watching: only players act"), "forbidden")
        self.perform(CloseSession(how), seat)

    def take_back(self, seat: Seat | None, steps: int = 1, sequence: int | None = None) -> list[Event]:
        """Take back the last decision of the people here, or several."""
        return self.perform(TakeBack(steps), seat, sequence)

    def claim(self, seat: Seat | None) -> None:
        """End the game where a flag has fallen, or the other player has been away for too long."""
        self.perform(ClaimWin(), seat)

    def choose_look(self, seat: Seat | None, colour: str, home: str) -> None:
        """Choose colour and side, as the winner of the opening throw."""
        self.perform(ChooseLook(colour, home), seat)  # type: ignore[arg-type]

    def offer_rematch(self, seat: Seat | None, *, rated: bool = False) -> str | None:
        """Offer to play again; gives the id of the new game once all people have. ``rated`` says whether it counts."""
        self.perform(OfferRematch(rated), seat)
        return self.session.rematch

    def use_help(self, seat: Seat | None) -> None:
        """Store, before any help is given, that it was."""
        self.perform(UseHelp(), seat)

    def enforce(self) -> bool:
        """Do what is overdue; True if something was."""
        return bool(self._rooms.call(self._rooms.service.perform(self.live, Continue(), None))[0])


__all__ = [
    "BOT",
    "FRIEND",
    "OPPONENTS",
    "SCREEN",
    "Room",
    "Rooms",
    "StoreConflict",
    "StoreError",
    "StoreFailed",
    "may_be_shared",
    "share_clock",
]
