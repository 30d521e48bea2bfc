"""A line that a player types or a page sends, read as a command to a session or as a question about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.commands import Act, AnswerResignation, BeginNextGame, OfferResignation, SessionCommand, ThrowDice
from fullprime.play.events import Seat
from fullprime.play.session import GameSession
from fullprime.play.table.commands import ACTIONS, carry_out, meaning, obey, read_words
from fullprime.play.table.events import SIDES, Event
from fullprime.play.table.happenings import Happening
from fullprime.play.table.roll_plays import PlaysByText
from fullprime.play.table.table_actions import TableActions
from fullprime.rules import game as acts
from fullprime.rules.errors import FullprimeError, IllegalAction
from fullprime.rules.game import Action, ActionKind, Phase

QUESTIONS: Final = ("board", "plays", "pip", "score", "rules", "help", "hint", "save", "quit")
"""Words that change nothing: a player may say them at any time."""
NO_ROLL: Final = Message("a link is told with the roll that needs it, and with nothing else")
"""The refusal of a link that comes with another line."""
_ABOUT_RESIGNING = ("resign", "accept", "refuse")


@dataclass(frozen=True, slots=True)
class ReadLine:
    """What a line comes to: a command, a question, or else what there is to tell."""

    command: SessionCommand | None = None
    question: str | None = None
    """The word of a question, which is not answered yet: the engine may have to think about it."""
    events: tuple[Event, ...] = ()
    moves: tuple[str, ...] = ()
    """The checker moves of a play that is not complete."""


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
    play = roll.known(line) if roll is not None and not moves and line in roll.all else None
    command: SessionCommand | None = None if play is None else Act(acts.play(play), play)
    word, rest = "move", line
    unreadable: FullprimeError | None = None
    if command is None:
        try:
            word, rest = read_words(session, line)
        except FullprimeError as error:
            word, unreadable = "", error
    if word in QUESTIONS:
        if link is not None:
            raise IllegalAction(NO_ROLL)
        return ReadLine(question=word)
    # Whose turn it is comes before anything about the line.
    if session.closed is not None:
        raise IllegalAction(Message("the session is over"))
    turn = session.turn
    if turn is not None and seat not in ("both", SIDES[turn]) and not is_beside(session, word):
        raise Refusal(Message("it is {name} who must act now", name=session.names[turn]), "forbidden")
    if unreadable is not None:
        raise unreadable
    if command is None and not (moves or rest):
        command = _command_of(session, word)
    read = _LineReader(session, roll).read(word, rest, moves) if command is None else ReadLine(command)
    if link is None:
        return read
    if not isinstance(read.command, ThrowDice):
        raise IllegalAction(NO_ROLL)
    return replace(read, command=replace(read.command, link=link))


def _command_of(session: GameSession, word: str) -> SessionCommand | None:
    """The command that a word alone is; None where there is more to know."""
    if word == "roll":
        return BeginNextGame() if session.game is not None and session.game.is_over else ThrowDice()
    return Act(ACTIONS[word]) if word in ACTIONS else None


def answer_question(session: GameSession, line: str) -> list[Event]:
    """The answer to a question; the engine may think about it."""
    return [happening.json for happening in obey(_LineReader(session, None), line)]


def meaning_of(session: GameSession, seat: Seat | None, line: str, moves: Iterable[str]) -> str:
    """What a line of a player would do, in one form; nothing is done. ``moves`` are made of the play already.

    Raises Refusal for spectators and before the game has begun, NotationError for a line that means nothing.
    """
    if seat is None:
        raise Refusal(Message("you are watching: only players act"), "forbidden")
    if session.game is None:
        raise Refusal(Message("the game has not begun"), "stale")
    return meaning(_LineReader(session, None), line, " ".join(moves))


class _LineReader(TableActions):
    """Keeps the command that a line gives."""

    def __init__(self, session: GameSession, roll: PlaysByText | None) -> None:
        super().__init__(session, confirm=True)
        self._roll = roll
        self.command: SessionCommand | None = None

    def read(self, word: str, rest: str, moves: Iterable[str]) -> ReadLine:
        """What a command comes to after the ``moves`` that are made of a play already."""
        for move in moves:
            self.step(move)
        news = tuple(happening.json for happening in carry_out(self, word, rest))
        return ReadLine(self.command, None, news, () if self.command is not None else tuple(map(str, self.moves)))

    def act(self, action: Action) -> list[Happening]:
        """Do one thing; between two people a resignation stands beside the game."""
        if is_beside(self.session, str(action.kind)):
            if action.kind is ActionKind.RESIGN:
                return self._give(OfferResignation(action.number or 1))
            return self._give(AnswerResignation(action.kind is ActionKind.ACCEPT))
        return super().act(action)

    def throw(self, dice: tuple[int, int] | None = None) -> list[Happening]:
        """Throw, or begin the next game."""
        return self._give(BeginNextGame() if self.game.is_over and dice is None else ThrowDice(dice))

    def _give(self, command: SessionCommand, _seat: Seat | None = None) -> list[Happening]:
        self.command = command
        return []
