"""The events at a table as JSON: one type for each kind of event, with its facts.

A reader of events looks at ``kind`` first. Every event has ``player`` and ``text``.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from fullprime.common.documented import documented

Side: TypeAlias = Literal["X", "O"]
"""One of the two sides."""
SIDES: tuple[Side, Side] = ("X", "O")
"""The names of the sides by number: ``SIDES[player]``."""


@documented
class GameResult(TypedDict):
    """The end of a game."""

    winner: Side
    """The side that won."""
    points: int
    """Points won, the cube counted; checkers in games that are settled by checkers."""
    level: int | None
    """1 a single game, 2 a gammon, 3 a backgammon; null where the points are settled otherwise."""
    how: str
    """The reason for the end, in words: ``borne off``, ``drop``, ``resignation`` …"""
    money: float | None
    """The money that the loser pays in money play; null in a match."""


@documented
class ToldEvent(TypedDict):
    """The fields of every event besides its kind."""

    player: Side | None
    """The side that did it or that it concerns; null for the dice of the opening and for both."""
    text: str
    """The same in words."""
    own: NotRequired[dict[Side, str]]
    """Inside of the server, and told to nobody: the words for the players of these sides, who have no names."""


@documented
class OpeningEvent(ToldEvent):
    """A throw for the opening: it decides who begins (``opening``) or is thrown again (``tie``)."""

    kind: Literal["opening", "tie"]
    """``opening``, or ``tie``: both dice alike, or a throw that does not count."""
    dice: list[int]
    """X's die, then O's."""
    multiplier: int
    """The factor by which automatic doubles have raised a point."""


@documented
class RollEvent(ToldEvent):
    """Two dice were thrown."""

    kind: Literal["roll"]
    """``roll``."""
    dice: list[int]
    """The two dice as they fell."""


@documented
class PlayEvent(ToldEvent):
    """A roll was played."""

    kind: Literal["play"]
    """``play``."""
    play: str
    """The play in the numbering of the side that made it; empty when none was legal."""
    dice: list[int]
    """The roll, the higher die first."""
    automatic: bool
    """True if it was the only legal play and was made by itself."""


@documented
class ChoiceEvent(ToldEvent):
    """A double was named, in Acey Deucey."""

    kind: Literal["choose"]
    """``choose``."""
    number: int
    """The number of the double, 1 to 6."""


@documented
class OfferEvent(ToldEvent):
    """The cube was offered, or turned once more as an answer."""

    kind: Literal["double", "beaver", "raccoon"]
    """``double``, or the answers ``beaver`` and ``raccoon``."""
    offered: int | None
    """The value at which the other side may take."""


@documented
class TakeEvent(ToldEvent):
    """The cube was taken."""

    kind: Literal["take"]
    """``take``."""
    cube: int
    """The value of the cube now."""


@documented
class ResignEvent(ToldEvent):
    """Somebody offered to lose."""

    kind: Literal["resign"]
    """``resign``."""
    level: int | None
    """1 a single game, 2 a gammon, 3 a backgammon."""


@documented
class ResignationOfferEvent(ToldEvent):
    """Somebody offered to lose, beside the game: it goes on, and ``sequence`` does not count the offer."""

    kind: Literal["resignation_offered"]
    """``resignation_offered``."""
    level: int
    """1 a single game, 2 a gammon, 3 a backgammon."""


@documented
class ResignationRefusalEvent(ToldEvent):
    """An offer to lose that stood beside the game was refused; ``sequence`` does not count it."""

    kind: Literal["resignation_refused"]
    """``resignation_refused``."""


@documented
class ReplyEvent(ToldEvent):
    """An offer was answered: the cube dropped, a resignation accepted or refused."""

    kind: Literal["drop", "accept", "refuse"]
    """``drop`` answers the cube, ``accept`` and ``refuse`` a resignation."""


@documented
class TakebackEvent(ToldEvent):
    """The game was taken back to an earlier moment."""

    kind: Literal["takeback"]
    """``takeback``."""
    kept: int
    """The number of events of the game that still stand."""


@documented
class ForfeitEvent(ToldEvent):
    """A side lost on time, by its absence, or because it left."""

    kind: Literal["forfeit"]
    """``forfeit``; the ``player`` is the one who lost."""
    how: str
    """The way it was lost: ``on time``, ``by absence`` or ``by leaving``."""


@documented
class GameOverEvent(ToldEvent):
    """A game ended."""

    kind: Literal["game_over"]
    """``game_over``; the ``player`` is the winner."""
    result: GameResult
    """The end of the game."""
    score: list[int]
    """The score after it, X's points first."""


@documented
class MatchOverEvent(ToldEvent):
    """A match was won."""

    kind: Literal["match_over"]
    """``match_over``; the ``player`` is the winner."""
    score: list[int]
    """The final score, X's points first."""


@documented
class NewGameEvent(ToldEvent):
    """The next game of a match or session begins."""

    kind: Literal["new_game"]
    """``new_game``."""
    game: int
    """The number of the game in the match, from 1."""
    score: list[int]
    """The score before it, X's points first."""
    crawford: bool
    """True if it is the Crawford game."""


@documented
class StepEvent(ToldEvent):
    """Checkers of a play that is not complete, or not confirmed, were moved."""

    kind: Literal["step"]
    """``step``."""
    moves: list[str]
    """All checker moves of the play so far."""
    left: list[int]
    """The dice that are left to play."""
    complete: bool
    """True if the play is complete and waits to be confirmed."""


@documented
class UndoEvent(ToldEvent):
    """A checker move of a play that was not finished, or dice typed wrongly, were taken back."""

    kind: Literal["undo"]
    """``undo``."""
    moves: NotRequired[list[str]]
    """The checker moves that are left of the play; missing when dice were taken back."""


@documented
class InfoEvent(ToldEvent):
    """The answer to a question, or a word about the room; nothing in the game has changed."""

    kind: Literal["info"]
    """``info``."""
    plays: NotRequired[list[str]]
    """The legal plays, for ``plays``."""
    pips: NotRequired[list[int]]
    """The pips of X and O, for ``pip``."""
    score: NotRequired[list[int]]
    """The points of X and O, for ``score``."""
    hint: NotRequired[str]
    """The engine's advice in a word or two, for ``hint``."""


@documented
class BoardEvent(ToldEvent):
    """The board was asked for; ``text`` is its position."""

    kind: Literal["board"]
    """``board``."""


@documented
class QuitEvent(ToldEvent):
    """The person who asked leaves; the game stays as it is."""

    kind: Literal["quit"]
    """``quit``."""


@documented
class ClosedEvent(ToldEvent):
    """Nothing more is played: a session was ended, or a match aborted or ended without a result."""

    kind: Literal["closed"]
    """``closed``."""


@documented
class PresenceEvent(ToldEvent):
    """A player has lost the connection, or is back."""

    kind: Literal["away", "back"]
    """``away`` or ``back``."""


@documented
class ChatLine(TypedDict):
    """One thing that a player said."""

    number: int
    """Its number in the talk of this game."""
    side: Side
    """The side that said it."""
    said: str
    """The words that were said."""
    at: float
    """The time when it was said, in seconds since 1970 (UTC)."""


@documented
class ChatEvent(ToldEvent, ChatLine):
    """A player said something. Spectators do not hear it."""

    kind: Literal["chat"]
    """``chat``."""


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
