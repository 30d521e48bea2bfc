"""A game of the server as people see it: the state for one person, the messages of its streams, and its proof. The
fields of these values are their JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Literal, TypeAlias

from fullprime.common.json_values import LEFT_OUT, MERGED
from fullprime.play.events import ChainBegun, LookChosen, Seat
from fullprime.play.proof import ProvedThrow
from fullprime.play.table.fields import BoardState, PossibleActions
from fullprime.play.table.table_events import ChatLine, Event, Side
from fullprime.rules.score import Player

OpponentKind: TypeAlias = Literal["bot", "friend", "screen"]
"""The kind of opponent in a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockState:
    """A clock at one moment; times are seconds since 1970 (UTC)."""

    words: str
    """The control in words."""
    delay: float
    """Seconds of each turn that cost nothing."""
    days: int | None
    """Days for each turn of a correspondence game; null for any other."""
    left: tuple[float, ...]
    """The reserves in seconds when the turn began, X's first."""
    running: Player | None
    """The side whose clock runs; null when none does."""
    since: datetime | None
    """The time when the turn began; null while no clock runs."""
    falls: datetime | None
    """The time when the flag of the side that must act falls; null while no clock runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Away:
    """The times since which sides have had no page open, in seconds since 1970 (UTC); present sides are missing."""

    X: datetime | None = field(default=None, metadata=LEFT_OUT)
    """The time since which X has been away."""
    O: datetime | None = field(default=None, metadata=LEFT_OUT)  # noqa: E741 - the side's name
    """The time since which O has been away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RematchState:
    """The offers to play the same again, and the new game once there is one."""

    offered: tuple[str, ...]
    """The sides that would play again; ``both`` at one screen."""
    game: str | None
    """The id of the new game once there is one."""


EndingWay: TypeAlias = Literal["played", "aborted", "agreed", "ended", "left", "time", "absence"]
"""The way in which a game of the server ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingState:
    """The ways to end a game that is not played out, and the way in which it ended."""

    offered: tuple[Player, ...] = ()
    """The sides that would end it without a result; the other side agrees by offering the same."""
    alone: Literal["abort", "end"] | None = None
    """The way in which one player may end it now and lose nothing: ``abort`` in the first moves, ``end`` for a session
    between two games (and at one screen at any time); null where it takes both, or costs the game or the match."""
    costs: tuple[int, ...] | None = None
    """The points that the other side wins when X leaves now, and when O does; null before and after the game."""
    how: EndingWay | None = None
    """The way it ended: ``played`` to its end, ``aborted``, ``agreed`` (by both, without a result), ``ended`` (a
    session), ``left``, lost on ``time`` or by ``absence``; null until nothing more is played."""
    by: Player | None = None
    """The side that aborted, ended or left it, was absent or lost on time; null where it was neither side alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksState:
    """The dice of a game in which every throw needs links."""

    formula: str
    """The name of the formula: ``fullprime-2``."""
    length: int
    """The number of links of each chain."""
    chains: tuple[ChainBegun, ...]
    """The chains, in the order in which they were begun."""
    number: int
    """The number of the next throw, from 1."""
    needed: tuple[Player, ...]
    """The sides whose links the next throw needs."""
    awaits: tuple[Player, ...]
    """The sides whose links are awaited now, for a throw before which nothing is to be decided."""
    since: datetime | None
    """The time since which they are awaited, in seconds since 1970 (UTC); null while none is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationOffer:
    """An offer to resign that waits for an answer."""

    by: Player
    """The side that offers to lose."""
    level: int
    """1 a single game, 2 a gammon, 3 a backgammon, 4 a backgammon on the bar."""


@dataclass(frozen=True, kw_only=True)
class AgreedFacts:
    """What was agreed before the first throw, and the people in the seats."""

    __json_is_kept__: ClassVar[bool] = True

    id: str
    """The name of the game in addresses."""
    opponent: OpponentKind
    """The kind of opponent: ``bot``, ``friend``, or ``screen`` (two people at one screen)."""
    title: str
    """The name of the variant, as people write it."""
    played_for: str
    """The length or the stake, in words: ``match to 5``, ``money`` …"""
    names: tuple[str, ...]
    """The names of the players, X's first."""
    seats: tuple[str, ...]
    """The player in each seat, X's seat first: ``human`` or the name of a bot."""
    guests: tuple[bool, ...]
    """True for a person who sat down without an account, X's first; false for bots, and where it was not noted."""
    faces: tuple[str | None, ...]
    """The address of the picture of each player, X's first; null for people and for engine levels without a face."""
    free_seat: bool
    """True if a player with the invitation may still join."""
    rated: bool
    """True if the match changes the ratings of both accounts."""
    grace: int | None
    """Seconds after which the win over a player who is away may be claimed; null: never."""
    help: bool
    """True if hints, a tutor and takebacks are allowed."""
    late: int
    """Seconds after which spectators see an event."""


@dataclass(frozen=True, kw_only=True)
class SessionState:
    """The fields of every state of a session."""

    __json_is_kept__: ClassVar[bool] = True

    missing_seeds: tuple[Player, ...]
    """The sides whose seed is awaited; the game begins when there are none."""
    commitment: str
    """The server's commitment, told before any player adds a seed: the anchor of its chain."""
    clock: ClockState | None
    """The clock of a game between people; null without one."""
    away: Away
    """The sides that have lost the connection, and since when."""
    overdue: datetime | None
    """The time, in seconds since 1970, from which the side that must act counts as absent: in a rated match without a
    clock, 15 minutes after the last event; null in any other game."""
    rematch: RematchState
    """The offers to play the same again."""
    takebacks: bool
    """True if there may be something to take back."""
    ending: EndingState
    """The ways to end a game that is not played out."""
    links: LinksState | None
    """The chains of the dice and the links that are awaited; null while a spectator who is late sees nothing yet."""
    look: LookChosen | None
    """The choice of colour and side by who won the opening throw; null where nothing was chosen."""
    chooser: Player | None
    """The side that may choose them now: it has won the opening throw and not played yet; null for neither."""
    resigning: ResignationOffer | None
    """The offer to resign; null while none waits. Between people the game goes on: its next event ends the offer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingState:
    """A game that has not begun: a friend, or a seed of the dice, is awaited. There is no board yet."""

    agreed: AgreedFacts = field(metadata=MERGED)
    """What was agreed, and the people in the seats."""
    session: SessionState = field(metadata=MERGED)
    """The session."""
    you: Seat | None = None
    """Your seat; null for a spectator."""
    status: Literal["waiting"] = "waiting"
    """``waiting``."""
    variant: str
    """The name of the variant, such as ``backgammon``."""
    length: int
    """The length of the match, in points; 0 for money play."""
    sequence: int = 0
    """The number of events so far: 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunState:
    """A game that has begun, with its board. Fields for the player who must play are missing for others."""

    agreed: AgreedFacts = field(metadata=MERGED)
    """What was agreed, and the people in the seats."""
    session: SessionState = field(metadata=MERGED)
    """The session."""
    board: BoardState = field(metadata=MERGED)
    """The board."""
    actions: PossibleActions = field(metadata=MERGED)
    """The actions that are possible now; of a player, those that are theirs."""
    you: Seat | None = None
    """Your seat; null for a spectator."""
    status: Literal["playing", "over"]
    """``playing``, or ``over`` when nothing more is played."""
    beside_actions: tuple[str, ...] = ()
    """The words about a resignation that you may say now, in either side's turn: ``resign``, or ``accept`` and
    ``refuse``. Empty against a bot and at one screen, where they are ``legal_actions`` in their turn."""


GameState: TypeAlias = WaitingState | BegunState
"""The state of a game as one person sees it; ``status`` tells the two apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveMessage:
    """A message of the stream of a game: the events, and the state after them."""

    type: str
    """The kind of the message."""
    events: tuple[Event, ...]
    """The events since the message before; in the first message, all of them."""
    state: GameState
    """The state after it, as you see it."""
    now: datetime
    """The server's time in seconds since 1970 (UTC), to which clocks refer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateMessage(LiveMessage):
    """A message of the stream of a game: the events, and the state after them."""

    type: Literal["state"] = "state"
    """``state``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMessage(LiveMessage):
    """A later line of the stream of a program that plays: the events, and the state after them."""

    type: Literal["gameState"] = "gameState"
    """``gameState``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFull(LiveMessage):
    """The first line of the stream of a program that plays: all events so far, and the proof of the dice."""

    type: Literal["gameFull"] = "gameFull"
    """``gameFull``."""
    formula: str
    """The name of the formula that makes the dice: ``fullprime-2``."""
    commitment: str
    """The server's commitment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedProof:
    """The chains and the throws of a game in which every throw needs links."""

    game: str
    """The id of the game."""
    names: tuple[str, ...]
    """The names of the players, X's first."""
    seats: tuple[str, ...]
    """The player in each seat: ``human``, or the name of a bot. A bot is a party of the server."""
    length: int
    """The number of links of each chain."""
    givers: tuple[Player, ...]
    """Whose link X's throws need, and whose O's, if that side has a chain: a person gives the link for the bot's throws
    too, and one of two people at one screen for both. The opening needs the links of all of them."""
    chains: tuple[ChainBegun, ...]
    """The chains, in the order in which they were begun."""
    throws: tuple[ProvedThrow, ...]
    """Every throw so far, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceProof:
    """The proof of the dice of a game."""

    formula: str
    """The name of the formula that makes the dice: ``fullprime-2``."""
    commitment: str
    """The server's commitment, as it was told before any player added a seed."""
    seeds: Mapping[Side, str]
    """The seeds that X and O have added, or the anchors of their chains; empty for a bot, and for the second person
    at one screen."""
    secret: str | None
    """The server's part; null until nothing more is played."""
    throws: tuple[tuple[int, ...], ...] | None
    """The dice of every throw, in the order in which the formula gives them; null until nothing more is played."""
    drawn: tuple[int, ...] | None
    """The number of dice thrown before each throw, as they come again after a takeback; null like ``throws``."""
    links: LinkedProof
    """The links with which the throws were made, also while the game is played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkLog:
    """The talk in a game."""

    said: tuple[ChatLine, ...]
    """Every line, in order."""
    phrases: Mapping[str, str]
    """The canned phrases by the name under which they are sent."""
