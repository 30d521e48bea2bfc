"""A line that a player types or a page sends, read as a command to a session or as a question about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.commands import AnswerResignation, BeginNextGame, OfferResignation, SessionCommand, ThrowDice
from fullprime.play.events import Seat
from fullprime.play.session import GameSession
from fullprime.play.table.commands import find_word, meaning, obey
from fullprime.play.table.events import SIDES, Event
from fullprime.play.table.happenings import Happening
from fullprime.play.table.roll_plays import PlaysByText
from fullprime.play.table.table_actions import TableActions
from fullprime.rules.errors import IllegalAction, NotationError
from fullprime.rules.game import Action, ActionKind, Phase

QUESTIONS: Final = ("board", "plays", "pip", "score", "rules", "help", "hint", "save", "quit")
"""Words that change nothing: a player may say them at any time."""
NO_ROLL: Final = Message("a link is told with the roll that needs it, and with nothing else")
"""The refusal of a link that comes with another line."""
_ABOUT_RESIGNING = ("resign", "accept", "refuse")


@dataclass(frozen=True, slots=True)
class ReadLine:
    """What a line comes to: a command, or else what there is to tell."""

    command: SessionCommand | None
    events: tuple[Event, ...] = ()
    moves: tuple[str, ...] = ()
    """The checker moves of a play that is not complete."""


def word_of(session: GameSession, line: str, roll: PlaysByText | None = None) -> str | None:
    """The command word of a line; None for a play, and for a line that means nothing."""
    words = line.split()
    if session.game is None or not words or (roll is not None and line in roll.all):
        return None
    try:
        return find_word(words[0], session)
    except NotationError:
        return None


def is_beside(session: GameSession, word: str | None) -> bool:
    """True for a word about an offer to resign that stands beside the game, whichever side has the turn."""
    game = session.game
    is_answered_in_game = game is not None and game.phase is Phase.RESIGNATION_OFFERED
    return word in _ABOUT_RESIGNING and session.is_between_people and not is_answered_in_game


def read_line(
    session: GameSession, seat: Seat | None, line: str, *,
    moves: Iterable[str] = (), link: str | None = None, roll: PlaysByText | None = None,
) -> ReadLine:  # fmt: skip
    """Read the line of somebody in a seat.

    ``moves`` are those already made of the play on this person's board. ``link`` is the player's link for the throw
    that the line makes, ``roll`` the plays of the game on the board where they are at hand. Raises Refusal and errors
    of the rules, with the rule that is broken.
    """
    if seat is None:
        raise Refusal(Message("you are watching: only players act"), "forbidden")
    if session.game is None:
        raise Refusal(Message("the game has not begun"), "stale")
    word = word_of(session, line, roll)
    if word not in QUESTIONS:
        _check_turn(session, seat, in_turn=not is_beside(session, word))
    reader = _LineReader(session, roll)
    for move in moves:
        reader.step(move)
    news = tuple(happening.json for happening in obey(reader, line))
    command = reader.command
    if link is not None:
        if not isinstance(command, ThrowDice):
            raise IllegalAction(NO_ROLL)
        command = replace(command, link=link)
    return ReadLine(command, news, tuple(map(str, reader.moves)) if command is None else ())


def meaning_of(session: GameSession, seat: Seat | None, line: str, moves: Iterable[str]) -> str:
    """What a line of a player would do, in one form; nothing is done. ``moves`` are made of the play already.

    Raises Refusal for spectators and before the game has begun, NotationError for a line that means nothing.
    """
    if seat is None:
        raise Refusal(Message("you are watching: only players act"), "forbidden")
    if session.game is None:
        raise Refusal(Message("the game has not begun"), "stale")
    return meaning(_LineReader(session, None), line, " ".join(moves))


def _check_turn(session: GameSession, seat: Seat, *, in_turn: bool) -> None:
    """Say whose turn it is, before anything is said about the line."""
    if session.closed is not None:
        raise IllegalAction(Message("the session is over"))
    turn = session.turn
    if in_turn and turn is not None and seat not in ("both", SIDES[turn]):
        raise Refusal(Message("it is {name} who must act now", name=session.names[turn]), "forbidden")


class _LineReader(TableActions):
    """Keeps the command that a line gives."""

    def __init__(self, session: GameSession, roll: PlaysByText | None) -> None:
        super().__init__(session, confirm=True)
        self._roll = roll
        self.command: SessionCommand | None = None

    def act(self, action: Action) -> list[Happening]:
        """Do one thing; between two people a resignation stands beside the game."""
        if is_beside(self.session, str(action.kind)):
            if action.kind is ActionKind.RESIGN:
                return self._give(OfferResignation(action.number or 1))
            return self._give(AnswerResignation(action.kind is ActionKind.ACCEPT))
        return super().act(action)

    def throw(self, dice: tuple[int, int] | None = None) -> list[Happening]:
        """Throw, or begin the next game."""
        if self.game.is_over:
            return self._give(BeginNextGame() if dice is None else ThrowDice(dice))
        return super().throw(dice)

    def _give(self, command: SessionCommand, _seat: Seat | None = None) -> list[Happening]:
        self.command = command
        return []
