"""Checks that commands and questions have in common. The words of their refusals stand here, and nowhere else."""

from __future__ import annotations

from typing import Final

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.events import Seat
from fullprime.play.naming import to_messages
from fullprime.play.session import GameSession
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Game
from fullprime.rules.score import Player

MOST_EVENTS: Final = 20_000
"""The events of a session after which no game begins, nothing is taken back, and nothing is said: 100 long games."""
NOT_BEGUN: Final = Message("the game has not begun")
CALLED_OFF: Final = Message("this game was called off")
SEAT_TAKEN: Final = Message("the seat is taken")
SESSION_OVER: Final = Message("the session is over")
MATCH_OVER: Final = Message("the match is over")
PLAYERS_ACT: Final = Message("you are watching: only players act")
PLAYERS_HELPED: Final = Message("you are watching: only players are helped")
LINK_WITH_ROLL: Final = Message("a link is told with the roll that needs it, and with nothing else")
TOO_MANY_TRIES: Final = Message("too many do the same at once")


def game_of(session: GameSession) -> Game:
    """The game on the board; raises Refusal before the first."""
    if session.game is None:
        raise Refusal(NOT_BEGUN, "stale")
    return session.game


def check_open(session: GameSession) -> None:
    """Raise IllegalAction where the session was closed."""
    if session.closed is not None:
        raise IllegalAction(SESSION_OVER)


def check_length(session: GameSession) -> None:
    """Raise Refusal where the log of the session is so long that nothing may prolong it.

    The game on the board can be played out, and the session can be ended.
    """
    if session.sequence >= MOST_EVENTS:
        raise Refusal(Message("this session is too long to go on: end it, and begin a new one"), "forbidden")


def check_turn(session: GameSession, seat: Seat | None) -> None:
    """Raise Refusal for a seat that has not the turn; while neither side has it, either may act."""
    turn = session.turn
    if turn is not None and seat not in ("both", turn.name):
        raise Refusal(turn_words(to_messages(session.names)[turn]), "forbidden")


def turn_words(name: str) -> Message:
    """The refusal of an action in the turn of the player of that name."""
    return Message("it is {name} who must act now", name=name)


def check_help(session: GameSession) -> None:
    """Raise Refusal in a game between two people, where neither is helped."""
    if session.is_between_people:
        raise Refusal(Message("there is no help in a game between two people"), "forbidden")


def speaker(session: GameSession, seat: Seat | None) -> Player:
    """The side that talks from a seat; raises Refusal where there are no two people apart."""
    if seat is None or seat == "both":
        raise Refusal(Message("only the two players talk here"), "forbidden")
    if not session.is_between_people:
        raise Refusal(Message("there is nobody to talk to"), "forbidden")
    return Player[seat]
