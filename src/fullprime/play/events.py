"""The events of a game session: every fact that is stored of it, each with those who may know it.

A session is the fold of its events (``evolve``). An event is a frozen value without a time and a number; both belong to
its entry in the log (:class:`LogEntry`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import ClassVar, Literal, TypeAlias

from fullprime.common.json_values import JsonFields, json_names
from fullprime.play.terms import Terms
from fullprime.rules.actions import Action
from fullprime.rules.score import Player

Seat: TypeAlias = Literal["X", "O", "both"]
"""The seat of a person: ``both`` are two people at one screen."""
ClosingReason: TypeAlias = Literal["aborted", "agreed", "ended", "left"]
"""The ways in which a session is closed before it is played out."""
ForfeitWay: TypeAlias = Literal["on time", "by absence", "by leaving"]
"""The ways in which a side loses a game otherwise than by the rules."""
Audience: TypeAlias = Literal["players", "X", "O"]
"""Those who may know an event that is not for all: the people in both seats, or those in one."""
NO_LINKS: Mapping[Player, str] = MappingProxyType({})


class SessionFact:
    """The base of all events. Players and spectators may know an event, unless its class says otherwise."""

    __slots__ = ()

    @property
    def audience(self) -> Audience | None:
        """Those who may know the event; None where all may."""
        return None


@dataclass(frozen=True, slots=True)
class SessionOpened(SessionFact):
    """The session has been opened, with these terms and these players so far."""

    session_id: str
    terms: Terms
    names: tuple[str, str]
    seats: tuple[str, str]
    """``human`` or the name of a bot, X's first."""
    accounts: tuple[Player, ...] = ()
    """The sides at which accounts sit."""
    is_seat_free: bool = False
    """True while O's seat waits for a player with an invitation."""


@dataclass(frozen=True, slots=True)
class SeatTaken(SessionFact):
    """A person has sat down in O's seat."""

    name: str
    has_account: bool = False


@dataclass(frozen=True, slots=True)
class SeedGiven(SessionFact):
    """A player has added a seed to the dice; the anchor of a chain where ``ChainBegun`` follows."""

    side: Player
    seed: str


@dataclass(frozen=True, slots=True)
class ChainBegun(SessionFact):
    """A side, or the server, has begun a chain of links; its anchor commits it to every link of the chain."""

    __json__: ClassVar[JsonFields] = json_names("whose", "first", "anchor", whose="holder")

    whose: Player | None
    """The side; None is the server."""
    first: int
    """The number of the first throw that it serves."""
    anchor: str
    """The SHA-256 of its first link."""

    @property
    def holder(self) -> Literal["server", "X", "O"]:
        """``server``, ``X`` or ``O``."""
        return "server" if self.whose is None else "X" if self.whose is Player.X else "O"


@dataclass(frozen=True, slots=True)
class LinkGiven(SessionFact):
    """A side has given its link for a throw that still waits for another link."""

    side: Player
    number: int
    link: str


@dataclass(frozen=True, slots=True)
class GameBegun(SessionFact):
    """A game of the match or session begins; nothing has been thrown in it."""

    number: int
    """The number of the game in the match, from 1."""


@dataclass(frozen=True, slots=True)
class ActionTaken(SessionFact):
    """An action of the rules: a throw, a play, the cube, a resignation against a bot or at one screen."""

    action: Action
    automatic: bool = False
    """True for a play that was the only legal one and made itself."""
    links: Mapping[Player, str] = field(default_factory=dict)
    """The links of sides that a throw was made with."""


@dataclass(frozen=True, slots=True)
class ThrowDecided(SessionFact):
    """A bot has decided to throw, and its throw waits for a person: for a link, or for dice that are typed."""


@dataclass(frozen=True, slots=True)
class RollWithdrawn(SessionFact):
    """Dice that a person typed were wrong: the last action of the game is void."""


@dataclass(frozen=True, slots=True)
class TakenBack(SessionFact):
    """The game is set back; the same throws come again."""

    kept: int
    """The number of actions of the game that stay."""


@dataclass(frozen=True, slots=True)
class GameForfeited(SessionFact):
    """A side has lost the game (and the match, where one is played) on time, by its absence or because it left."""

    loser: Player
    how: ForfeitWay


@dataclass(frozen=True, slots=True)
class ResignationOffered(SessionFact):
    """A side offers to lose, beside the game, which goes on."""

    side: Player
    level: int


@dataclass(frozen=True, slots=True)
class ResignationRefused(SessionFact):
    """The offer to lose was refused."""

    by: Player
    """The side that refused, which is not the one that offered."""


@dataclass(frozen=True, slots=True)
class ResignationAccepted(SessionFact):
    """The offer to lose was accepted: the game is over."""

    loser: Player
    level: int


@dataclass(frozen=True, slots=True)
class EndOffered(SessionFact):
    """A side offers to end the session without a result."""

    side: Player


@dataclass(frozen=True, slots=True)
class SessionClosed(SessionFact):
    """Nothing more is played, though the match is not over."""

    how: ClosingReason
    side: Player | None
    """The side that ended, aborted or left; None where both agreed or share a screen."""


@dataclass(frozen=True, slots=True)
class RematchOffered(SessionFact):
    """A side offers to play again."""

    side: Player | None
    """None at one screen."""


@dataclass(frozen=True, slots=True)
class RematchBegun(SessionFact):
    """Both play again, in another session."""

    session_id: str


@dataclass(frozen=True, slots=True)
class LookChosen(SessionFact):
    """The winner of the opening throw has chosen the colour of the checkers and the side of the home board."""

    __json__: ClassVar[JsonFields] = json_names("by", "colour", "home", by="side")

    side: Player
    """The side that has chosen."""
    colour: Literal["light", "dark"]
    """The colour of its checkers."""
    home: Literal["right", "left"]
    """The end of the board at which its home board lies, as it sits; the other side sits opposite."""


@dataclass(frozen=True, slots=True)
class HelpUsed(SessionFact):
    """A hint or the tutor has helped: the decisions of this session count for no profile."""

    @property
    def audience(self) -> Audience:
        """The players: a hint is their own affair."""
        return "players"


@dataclass(frozen=True, slots=True)
class ChatSent(SessionFact):
    """A player has written to the other one."""

    side: Player
    text: str

    @property
    def audience(self) -> Audience:
        """The players: spectators do not hear them."""
        return "players"


BoardChange: TypeAlias = ActionTaken | RollWithdrawn | TakenBack | GameForfeited | ResignationAccepted
"""The events that change the board, the cube or the turn: each raises the board version and presses the clock."""
BOARD_CHANGES = (ActionTaken, RollWithdrawn, TakenBack, GameForfeited, ResignationAccepted)

OffBoardEvent: TypeAlias = (
    SeatTaken
    | SeedGiven
    | ChainBegun
    | LinkGiven
    | GameBegun
    | ThrowDecided
    | ResignationOffered
    | ResignationRefused
    | EndOffered
    | SessionClosed
    | RematchOffered
    | RematchBegun
    | LookChosen
    | HelpUsed
    | ChatSent
)
"""The events that follow the opening of a session and leave the board as it is."""

SessionEvent: TypeAlias = SessionOpened | OffBoardEvent | BoardChange
"""Every event of a session."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event as it is stored: its number in the session, from 1, and its time (UTC, without a zone)."""

    sequence: int
    at: datetime
    event: SessionEvent


def is_in(viewer: Seat | None, audience: Audience | None) -> bool:
    """True if the holder of a seat (None: a spectator) belongs to an audience (None: all)."""
    return audience is None or (viewer is not None and (audience == "players" or viewer in (audience, "both")))
