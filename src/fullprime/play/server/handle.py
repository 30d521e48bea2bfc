"""One session for callers in threads: the lobby, profiles, commands of the terminal, tests.

Sessions live on one event loop. A handle passes each call to that loop and waits for its result, so it is called from
any thread but the loop's own. It keeps no state of the session.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from fullprime.common.refusals import Refusal
from fullprime.play.checks import PLAYERS_ACT
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
from fullprime.play.dice_counts import MatchDice
from fullprime.play.events import LogEntry, Seat
from fullprime.play.naming import seat_name
from fullprime.play.plies import GamePlies
from fullprime.play.server import acting, documents
from fullprime.play.server.fields import DiceProof
from fullprime.play.server.live_session import LiveSession, SessionListener
from fullprime.play.server.reports import ReportStore
from fullprime.play.session import GameSession
from fullprime.play.table.scorecard import ScoreCard
from fullprime.play.table.table_events import Event
from fullprime.rules.record import Match

if TYPE_CHECKING:
    from fullprime.play.server.game_server import GameServer


class SessionHandle:
    """One session, for callers in threads."""

    def __init__(self, game_server: GameServer, live: LiveSession) -> None:
        self._game_server, self.live = game_server, live

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
        """True if nothing more is played: the secret of the dice may be published."""
        return self.session.is_over

    @property
    def spectator_delay(self) -> int:
        """The seconds by which spectators see an event later than the players."""
        return self.live.spectator_delay

    @property
    def commitment(self) -> str:
        """The server's commitment to its part of the dice."""
        return self.session.chains[0].anchor

    @property
    def listeners(self) -> set[SessionListener]:
        """The listeners, which get the news on the loop."""
        return self.live.listeners

    def seat_of(self, key: str | None) -> Seat | None:
        """``X``, ``O``, ``both``, or None for a spectator; raises Refusal where there are no spectators."""
        return self.live.seat_of(key)

    @property
    def match(self) -> Match:
        """The match as it was played, without the actions taken back; raises Refusal before the game has begun."""
        return documents.match_of(self.session)

    @property
    def card(self) -> ScoreCard:
        """The score card; before the game has begun one that can be filled in by hand."""
        return documents.card_of(self.session)

    def record(self, name: str = "mat") -> tuple[bytes, str]:
        """The match so far as a file of the format of that name, and the name of the file."""
        return documents.record_of(self.session, name)

    @property
    def proof(self) -> DiceProof:
        """The proof of the dice."""
        stored = self._game_server.service.store.load(self.id)
        return documents.proof_of(stored.session, stored.log, stored.secret)

    @property
    def dice(self) -> MatchDice:
        """The dice so far, counted beside what chance gives."""
        return documents.dice_of(self.session)

    @property
    def plies(self) -> GamePlies:
        """Every ply so far with the board before it; none before the game has begun."""
        return documents.plies_of(self.session)

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """Every event of the session, as it is stored."""
        return self._game_server.service.store.load(self.id).log

    @property
    def reports(self) -> ReportStore:
        """The reports of players about each other."""
        return ReportStore(self._game_server.engine)

    def refresh(self) -> None:
        """Apply the events that other processes have stored."""
        self._game_server.call(self.refresh_async())

    # -- acting -------------------------------------------------------------------------------------------
    def perform(self, command: SessionCommand, seat: Seat | None, sequence: int | None = None) -> list[Event]:
        """Carry out a command; gives the events."""
        return self._game_server.call(self.perform_async(command, seat, sequence))

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
        return self._game_server.call(self.act_async(seat, line, moves=moves, sequence=sequence, link=link))

    # -- for callers on the loop --------------------------------------------------------------------------
    async def perform_async(
        self, command: SessionCommand, seat: Seat | None, sequence: int | None = None
    ) -> list[Event]:
        """The same as :meth:`perform`, on the loop."""
        return (await self._game_server.service.perform(self.live, command, seat, board_version=sequence))[1]

    async def act_async(
        self,
        seat: Seat | None,
        line: str,
        *,
        moves: Iterable[str] = (),
        sequence: int | None = None,
        link: str | None = None,
    ) -> tuple[list[Event], list[str]]:
        """The same as :meth:`act`, on the loop."""
        service = self._game_server.service
        return await acting.act(service, self.live, seat, line, moves=moves, sequence=sequence, link=link)

    async def refresh_async(self) -> None:
        """The same as :meth:`refresh`, on the loop."""
        await self._game_server.service.refresh(self.live)

    def follow(self, listener: SessionListener) -> None:
        """Give a listener the news from now on; on the loop."""
        self._game_server.service.follow(self.live, listener)

    def unfollow(self, listener: SessionListener) -> None:
        """Stop giving a listener the news; on the loop."""
        self._game_server.service.unfollow(self.live, listener)

    def track_presence(self, seat: Seat | None) -> AbstractAsyncContextManager[None]:
        """Count a page of a seat as open while this context lasts; on the loop."""
        return self._game_server.presence.track_presence(self.live, seat)

    # -- for callers in threads ---------------------------------------------------------------------------
    def join(self, invitation: str, name: str, *, account: bool = False) -> str:
        """Sit down in the free seat, with an account or as a guest; gives its key. An invitation is for one person."""
        name = seat_name(name, self.session.names[0])
        return self._game_server.call(self._game_server.service.join(self.live, invitation, name, has_account=account))

    def add_seed(self, seat: Seat | None, seed: str, *, links: bool = False) -> None:
        """Add to the dice: promise links by the anchor of their chain, or add a seed alone."""
        self.perform(GiveSeed(seed, links), seat)

    def begin_chain(self, seat: Seat | None, number: int, anchor: str) -> None:
        """Begin a new chain of links with the next throw."""
        self.perform(BeginChain(number, anchor), seat)

    def give_link(self, seat: Seat | None, number: int, link: str) -> list[Event]:
        """Give the link for a throw that waits for links alone."""
        return self.perform(GiveLink(number, link), seat)

    def close(self, seat: Seat | None, how: ClosingWay = "end") -> None:
        """End a game that is not played out; once it is over, the secret of the dice is published."""
        if seat is None:
            raise Refusal(PLAYERS_ACT, "forbidden")
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
        """Store that help was used, before any is given."""
        self.perform(UseHelp(), seat)

    def enforce_deadline(self) -> bool:
        """Settle what is overdue, such as a flag that has fallen; True if something was."""
        return bool(self._game_server.call(self._game_server.service.perform(self.live, Continue(), None))[0])
