"""The events of a table: one class for each kind, with words and facts; its fields are its JSON.

A reader of events looks at ``kind`` first. Every event has ``player`` and ``text``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias

from fullprime.common.json_values import LEFT_OUT, MERGED, from_json
from fullprime.play.events import Audience, ForfeitWay, Seat, is_in
from fullprime.rules.score import Player

Side: TypeAlias = Literal["X", "O"]
"""One of the two sides."""
SIDES: tuple[Side, Side] = ("X", "O")
"""The names of the sides by number: ``SIDES[player]``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """The end of a game."""

    winner: Player
    """The side that won."""
    points: int
    """Points won, the cube counted; checkers in games that are settled by checkers."""
    level: int | None
    """1 a single game, 2 a gammon, 3 a backgammon; null where the points are settled otherwise."""
    how: str
    """The reason for the end, in words: ``borne off``, ``drop``, ``resignation`` …"""
    money: float | None
    """The money that the loser pays in money play; null in a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvent:
    """The fields of every event."""

    kind: str
    """The kind of the event: ``roll``, ``play``, ``double`` … ``game_over``, ``info``."""
    player: Player | None
    """The side that did it or that it concerns; null for the dice of the opening and for both."""
    text: str
    """The same in words."""
    own: Mapping[Side, str] | None = field(default=None, metadata=LEFT_OUT)
    """The words for the players of these sides, who have no names; they stay inside the server."""
    audience: Audience | None = field(default=None, metadata=LEFT_OUT)
    """Those who may read it, where not all may; it stays inside the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningEvent(TableEvent):
    """A throw for the opening: it decides who begins (``opening``) or is thrown again (``tie``)."""

    kind: Literal["opening", "tie"]
    """``opening``, or ``tie``: both dice alike, or a throw that does not count."""
    dice: tuple[int, ...]
    """X's die, then O's."""
    multiplier: int
    """The factor by which automatic doubles have raised a point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollEvent(TableEvent):
    """Two dice were thrown."""

    kind: Literal["roll"] = "roll"
    """``roll``."""
    dice: tuple[int, ...]
    """The two dice as they fell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayEvent(TableEvent):
    """A roll was played."""

    kind: Literal["play"] = "play"
    """``play``."""
    play: str
    """The play in the numbering of the side that made it; empty when none was legal."""
    dice: tuple[int, ...]
    """The roll, the higher die first."""
    automatic: bool
    """True if it was the only legal play and was made by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceEvent(TableEvent):
    """A double was named, in Acey Deucey."""

    kind: Literal["choose"] = "choose"
    """``choose``."""
    number: int
    """The number of the double, 1 to 6."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferEvent(TableEvent):
    """The cube was offered, or turned once more as an answer."""

    kind: Literal["double", "beaver", "raccoon"]
    """``double``, or the answers ``beaver`` and ``raccoon``."""
    offered: int | None
    """The value at which the other side may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeEvent(TableEvent):
    """The cube was taken."""

    kind: Literal["take"] = "take"
    """``take``."""
    cube: int
    """The value of the cube now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignEvent(TableEvent):
    """A player offered to lose."""

    kind: Literal["resign"] = "resign"
    """``resign``."""
    level: int | None
    """1 a single game, 2 a gammon, 3 a backgammon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationOfferEvent(TableEvent):
    """A player offered to lose, beside the game, which goes on; ``sequence`` does not count the offer."""

    kind: Literal["resignation_offered"] = "resignation_offered"
    """``resignation_offered``."""
    level: int
    """1 a single game, 2 a gammon, 3 a backgammon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationRefusalEvent(TableEvent):
    """An offer to lose that stood beside the game was refused; ``sequence`` does not count it."""

    kind: Literal["resignation_refused"] = "resignation_refused"
    """``resignation_refused``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyEvent(TableEvent):
    """An offer was answered: the cube dropped, a resignation accepted or refused."""

    kind: Literal["drop", "accept", "refuse"]
    """``drop`` answers the cube, ``accept`` and ``refuse`` a resignation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakebackEvent(TableEvent):
    """The game was taken back to an earlier moment."""

    kind: Literal["takeback"] = "takeback"
    """``takeback``."""
    kept: int
    """The number of events of the game that still stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitEvent(TableEvent):
    """A side lost on time, by its absence, or because it left."""

    kind: Literal["forfeit"] = "forfeit"
    """``forfeit``; the ``player`` is the one who lost."""
    how: ForfeitWay
    """The way it was lost: ``on time``, ``by absence`` or ``by leaving``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOverEvent(TableEvent):
    """A game ended."""

    kind: Literal["game_over"] = "game_over"
    """``game_over``; the ``player`` is the winner."""
    result: GameResult
    """The end of the game."""
    score: tuple[int, ...]
    """The score after it, X's points first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOverEvent(TableEvent):
    """A match was won."""

    kind: Literal["match_over"] = "match_over"
    """``match_over``; the ``player`` is the winner."""
    score: tuple[int, ...]
    """The final score, X's points first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGameEvent(TableEvent):
    """The next game of a match or session begins."""

    kind: Literal["new_game"] = "new_game"
    """``new_game``."""
    game: int
    """The number of the game in the match, from 1."""
    score: tuple[int, ...]
    """The score before it, X's points first."""
    crawford: bool
    """True if it is the Crawford game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEvent(TableEvent):
    """Checkers of a play that is not complete, or not confirmed, were moved."""

    kind: Literal["step"] = "step"
    """``step``."""
    moves: tuple[str, ...]
    """All checker moves of the play so far."""
    left: tuple[int, ...]
    """The dice that are left to play."""
    complete: bool
    """True if the play is complete and waits to be confirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoEvent(TableEvent):
    """A checker move of a play that was not finished, or dice typed wrongly, were taken back."""

    kind: Literal["undo"] = "undo"
    """``undo``."""
    moves: tuple[str, ...] | None = field(default=None, metadata=LEFT_OUT)
    """The checker moves that are left of the play; missing when dice were taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoEvent(TableEvent):
    """The answer to a question, or a word about the session; nothing in the game has changed."""

    kind: Literal["info"] = "info"
    """``info``."""
    plays: tuple[str, ...] | None = field(default=None, metadata=LEFT_OUT)
    """The legal plays, for ``plays``."""
    pips: tuple[int, ...] | None = field(default=None, metadata=LEFT_OUT)
    """The pips of X and O, for ``pip``."""
    score: tuple[int, ...] | None = field(default=None, metadata=LEFT_OUT)
    """The points of X and O, for ``score``."""
    hint: str | None = field(default=None, metadata=LEFT_OUT)
    """The engine's advice in a word or two, for ``hint``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardEvent(TableEvent):
    """The board was asked for; ``text`` is its position."""

    kind: Literal["board"] = "board"
    """``board``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuitEvent(TableEvent):
    """The person who asked leaves; the game stays as it is."""

    kind: Literal["quit"] = "quit"
    """``quit``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedEvent(TableEvent):
    """Nothing more is played: a session was ended, or a match aborted or ended without a result."""

    kind: Literal["closed"] = "closed"
    """``closed``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceEvent(TableEvent):
    """A player has lost the connection, or is back."""

    kind: Literal["away", "back"]
    """``away`` or ``back``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLine:
    """One thing that a player said."""

    number: int
    """Its number in the talk of this game."""
    side: Player
    """The side that said it."""
    said: str
    """The words that were said."""
    at: datetime
    """The time when it was said, in seconds since 1970 (UTC)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEvent(TableEvent):
    """A player said something. Spectators do not hear it."""

    kind: Literal["chat"] = "chat"
    """``chat``."""
    line: ChatLine = field(metadata=MERGED)
    """What was said."""


Event: TypeAlias = (
    OpeningEvent
    | RollEvent
    | PlayEvent
    | ChoiceEvent
    | OfferEvent
    | TakeEvent
    | ResignEvent
    | ResignationOfferEvent
    | ResignationRefusalEvent
    | ReplyEvent
    | TakebackEvent
    | ForfeitEvent
    | GameOverEvent
    | MatchOverEvent
    | NewGameEvent
    | StepEvent
    | UndoEvent
    | InfoEvent
    | BoardEvent
    | QuitEvent
    | ClosedEvent
    | PresenceEvent
    | ChatEvent
)
"""Every event that may happen, told apart by ``kind``."""


def read_event(value: object) -> Event:
    """The event of its JSON; raises JsonError for another value."""
    kind: Any = Event
    event: Event = from_json(kind, value)
    return event


def events_for_seat(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Events as the person in that seat reads them (None for a spectator), without those that are for others."""
    return tuple([_event_for(event, seat) for event in events if is_in(seat, event.audience)])


def _event_for(event: Event, seat: Seat | None) -> Event:
    if event.own is None and event.audience is None:
        return event
    own_text = None if event.own is None or seat not in SIDES else event.own.get(seat)
    return replace(event, text=event.text if own_text is None else own_text, own=None, audience=None)
