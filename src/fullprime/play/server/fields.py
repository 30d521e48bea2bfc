"""A game of the server as JSON: the state for one person, the messages of its streams, and its proof."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from typing_extensions import TypedDict

from fullprime.common.documented import documented
from fullprime.play.events import Seat
from fullprime.play.table.events import ChatLine, Event, Side
from fullprime.play.table.fields import BoardState

SERVER: Final = "server"
"""The name of the server as the holder of a chain."""
OpponentKind: TypeAlias = Literal["bot", "friend", "screen"]
"""The kind of opponent in a game."""


@documented
class ClockState(TypedDict):
    """A clock at one moment; times are seconds since 1970 (UTC)."""

    words: str
    """The control in words."""
    delay: float
    """Seconds of each turn that cost nothing."""
    days: int | None
    """Days for each turn of a correspondence game; null for any other."""
    left: list[float]
    """The reserves in seconds when the turn began, X's first."""
    running: Side | None
    """The side whose clock runs; null when none does."""
    since: float | None
    """The time when the turn began; null while no clock runs."""
    falls: float | None
    """The time when the flag of the side that must act falls; null while no clock runs."""


@documented
class Away(TypedDict, total=False):
    """The times since which sides have had no page open, in seconds since 1970 (UTC); present sides are missing."""

    X: float
    """The time since which X has been away."""
    O: float  # noqa: E741 - the side's name
    """The time since which O has been away."""


@documented
class RematchState(TypedDict):
    """The offers to play the same again, and the new game once there is one."""

    offered: list[str]
    """The sides that would play again; ``both`` at one screen."""
    game: str | None
    """The id of the new game once there is one."""


@documented
class ClockFacts(TypedDict):
    """The state that the clock of a room adds."""

    clock: ClockState | None
    """The clock of a game between people; null without one."""


@documented
class PresenceFacts(TypedDict):
    """The absence of players who have gone."""

    away: Away
    """The sides that have lost the connection, and since when."""
    grace: int | None
    """Seconds after which the win over a player who is away may be claimed; null: never."""
    overdue: float | None
    """The time, in seconds since 1970, from which the side that must act counts as absent: in a rated match without a
    clock, 15 minutes after the last event; null in any other game."""


@documented
class RematchFacts(TypedDict):
    """The state that a rematch adds."""

    rematch: RematchState
    """The offers to play the same again."""


EndingWay: TypeAlias = Literal["played", "aborted", "agreed", "ended", "left", "time", "absence"]
"""The way in which a game of the server ended."""


@documented
class EndingState(TypedDict):
    """The ways to end a game that is not played out, and the way in which it ended."""

    offered: list[Side]
    """The sides that would end it without a result; the other side agrees by offering the same."""
    alone: Literal["abort", "end"] | None
    """The way in which one player may end it now and lose nothing: ``abort`` in the first moves, ``end`` for a session
    between two games (and at one screen at any time); null where it takes both, or costs the game or the match."""
    costs: list[int] | None
    """The points that the other side wins when X leaves now, and when O does; null before and after the game."""
    how: EndingWay | None
    """The way it ended: ``played`` to its end, ``aborted``, ``agreed`` (by both, without a result), ``ended`` (a
    session), ``left``, lost on ``time`` or by ``absence``; null until nothing more is played."""
    by: Side | None
    """The side that aborted, ended or left it, was absent or lost on time; null where it was nobody alone."""


@documented
class EndingFacts(TypedDict):
    """The state that the ways to end a game add."""

    ending: EndingState
    """The ways to end a game that is not played out."""


@documented
class HelpFacts(TypedDict):
    """The help that is allowed in a room besides playing."""

    help: bool
    """True if hints, a tutor and takebacks are allowed."""
    takebacks: bool
    """True if there may be something to take back."""
    late: int
    """Seconds after which spectators see an event."""


@documented
class DiceChain(TypedDict):
    """A chain of links that has been begun: the commitment to every link of it."""

    whose: str
    """``server``, ``X`` or ``O``."""
    first: int
    """The number of the first throw that it serves."""
    anchor: str
    """The SHA-256 of its first link."""


@documented
class LinksState(TypedDict):
    """The dice of a game in which every throw needs links."""

    formula: str
    """The name of the formula: ``fullprime-2``."""
    length: int
    """The number of links of each chain."""
    chains: list[DiceChain]
    """The chains, in the order in which they were begun."""
    number: int
    """The number of the next throw, from 1."""
    needed: list[Side]
    """The sides whose links the next throw needs."""
    awaits: list[Side]
    """The sides whose links are awaited now, for a throw about which nobody has anything to decide."""
    since: float | None
    """The time since which they are awaited, in seconds since 1970 (UTC); null while none is."""


@documented
class LinkFacts(TypedDict):
    """The state that the dice add."""

    links: LinksState | None
    """The chains of the dice and the links that are awaited; null while a spectator who is late sees nothing yet."""


@documented
class TableLook(TypedDict):
    """The opener's choice of how the table looks."""

    by: Side
    """The side that has chosen."""
    colour: Literal["light", "dark"]
    """The colour of its checkers."""
    home: Literal["right", "left"]
    """The end of the board at which its home board lies, as it sits; the other side sits opposite."""


@documented
class LookFacts(TypedDict):
    """The look of the table."""

    look: TableLook | None
    """The choice of colour and side by who won the opening throw; null where nothing was chosen."""
    chooser: Side | None
    """The side that may choose them now: it has won the opening throw and not played yet; null for nobody."""


@documented
class ResignationOffer(TypedDict):
    """An offer to resign that waits for an answer."""

    by: Side
    """The side that offers to lose."""
    level: int
    """1 a single game, 2 a gammon, 3 a backgammon, 4 a backgammon on the bar."""


@documented
class ResignationFacts(TypedDict):
    """The state that an offer to resign adds."""

    resigning: ResignationOffer | None
    """The offer to resign; null while none waits. Between people the game goes on: its next event ends the offer."""


@documented
class RoomFacts(TypedDict):
    """A room and the people in it."""

    id: str
    """The name of the game in addresses."""
    opponent: OpponentKind
    """The kind of opponent: ``bot``, ``friend``, or ``screen`` (two people at one screen)."""
    title: str
    """The name of the variant, as people write it."""
    played_for: str
    """The length or the stake, in words: ``match to 5``, ``money`` …"""
    names: list[str]
    """The names of the players, X's first."""
    seats: list[str]
    """The player in each seat, X's seat first: ``human`` or the name of a bot."""
    guests: list[bool]
    """True for a person who sat down without an account, X's first; false for bots, and where it was not noted."""
    faces: list[str | None]
    """The address of the picture of each player, X's first; null for people and for engine levels without a face."""
    free_seat: bool
    """True if somebody with the invitation may still join."""
    missing_seeds: list[Side]
    """The sides whose seed is awaited; the game begins when there are none."""
    commitment: str
    """The server's commitment, told before anybody adds a seed: the anchor of its chain."""
    rated: bool
    """True if the match changes the ratings of both accounts."""
    you: Seat | None
    """Your seat; null for a spectator."""


@documented
class RoomState(
    RoomFacts,
    ClockFacts,
    PresenceFacts,
    RematchFacts,
    HelpFacts,
    EndingFacts,
    LinkFacts,
    LookFacts,
    ResignationFacts,
):
    """The fields of every state of a room."""


@documented
class WaitingState(RoomState):
    """A game that has not begun: a friend, or a seed of the dice, is awaited. There is no board yet."""

    status: Literal["waiting"]
    """``waiting``."""
    variant: str
    """The name of the variant, such as ``backgammon``."""
    sequence: int
    """The number of events so far: 0."""


@documented
class BegunState(RoomState, BoardState):
    """A game that has begun, with its board. Fields for the player who must play are missing for others."""

    status: Literal["playing", "over"]
    """``playing``, or ``over`` when nothing more is played."""
    beside_actions: list[str]
    """The words about a resignation that you may say now, whoever has the turn: ``resign``, or ``accept`` and
    ``refuse``. Empty against a bot and at one screen, where they are ``legal_actions`` in their turn."""


GameState: TypeAlias = WaitingState | BegunState
"""The state of a game as one person sees it; ``status`` tells the two apart."""


@documented
class StateMessage(TypedDict):
    """A message of the stream of a game: the events, and the state after them."""

    type: Literal["state"]
    """``state``."""
    events: list[Event]
    """The events since the message before; in the first message, all of them."""
    state: GameState
    """The state after it, as you see it."""
    now: float
    """The server's time in seconds since 1970 (UTC), to which clocks refer."""


@documented
class BoardMessage(TypedDict):
    """A later line of the stream of a program that plays: the events, and the state after them."""

    type: Literal["gameState"]
    """``gameState``."""
    events: list[Event]
    """The events since the line before."""
    state: GameState
    """The state after it, as the program sees it."""
    now: float
    """The server's time in seconds since 1970 (UTC), to which clocks refer."""


@documented
class BoardFull(TypedDict):
    """The first line of the stream of a program that plays: all events so far, and the proof of the dice."""

    type: Literal["gameFull"]
    """``gameFull``."""
    events: list[Event]
    """Everything that has happened."""
    state: GameState
    """The state now, as the program sees it."""
    now: float
    """The server's time in seconds since 1970 (UTC), to which clocks refer."""
    formula: str
    """The name of the formula that makes the dice: ``fullprime-2``."""
    commitment: str
    """The server's commitment."""


@documented
class ProvedThrow(TypedDict):
    """One throw, with everything from which it follows."""

    number: int
    """Its number in the match, from 1; after a takeback numbers come again, with the same dice."""
    by: Literal["X", "O", "both"]
    """The side that threw; ``both`` for the opening."""
    server: str
    """The server's link of that number."""
    x: str
    """X's part: its link of that number if the throw needs it, else the newest link that X has told for an earlier
    throw, else the anchor of X's chain; without a chain X's seed."""
    o: str
    """O's part."""
    links: list[Side]
    """The sides that gave their link of that number."""
    without: list[Side]
    """The sides that should have given a link and gave none: the server knew of this throw before."""
    dice: list[int]
    """The dice in the order of the formula: in the opening X's, then O's."""


@documented
class LinkedProof(TypedDict):
    """The chains and the throws of a game in which every throw needs links."""

    game: str
    """The id of the game."""
    names: list[str]
    """The names of the players, X's first."""
    seats: list[str]
    """The player in each seat: ``human``, or the name of a bot. A bot is a party of the server."""
    length: int
    """The number of links of each chain."""
    givers: list[Side]
    """Whose link X's throws need, and whose O's, if that side has a chain: a person gives the link for the bot's throws
    too, and one of two people at one screen for both. The opening needs the links of all of them."""
    chains: list[DiceChain]
    """The chains, in the order in which they were begun."""
    throws: list[ProvedThrow]
    """Every throw so far, in order."""


@documented
class DiceProof(TypedDict):
    """The proof of the dice of a game."""

    formula: str
    """The name of the formula that makes the dice: ``fullprime-2``."""
    commitment: str
    """The server's commitment, as it was told before anybody added a seed."""
    seeds: dict[Side, str]
    """The seeds that X and O have added, or the anchors of their chains; empty for a bot, and for the second person
    at one screen."""
    secret: str | None
    """The server's part; null until nothing more is played."""
    throws: list[list[int]] | None
    """The dice of every throw, in the order in which the formula gives them; null until nothing more is played."""
    drawn: list[int] | None
    """The number of dice thrown before each throw, as they come again after a takeback; null like ``throws``."""
    links: LinkedProof
    """The links with which the throws were made, also while the game is played."""


@documented
class TalkLog(TypedDict):
    """The talk in a game."""

    said: list[ChatLine]
    """Every line, in order."""
    phrases: dict[str, str]
    """The canned phrases by the name under which they are sent."""
