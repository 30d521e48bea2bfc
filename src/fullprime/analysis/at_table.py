"""Help and courtesy at a table of the server: advice, talk, reports."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing

from fullprime.analysis import tutor
from fullprime.analysis.model import JudgedChoice, TableAdvice
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.commands import Say
from fullprime.play.events import LineSaid, Seat
from fullprime.play.server import chat, lines
from fullprime.play.server.facts import epoch_of
from fullprime.play.server.fields import TalkLog
from fullprime.play.server.reports import Report, ReportStore
from fullprime.play.server.rooms import Room
from fullprime.play.session import GameSession
from fullprime.play.table.events import SIDES, ChatLine, Side
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Game

_TALK = 100
"""The lines of talk that are told at once."""


# -- help -------------------------------------------------------------------------------------------------------
def advise(room: Room, seat: Seat | None, level: str) -> TableAdvice:
    """The best choice now, for the person whose turn it is."""
    game = _to_decide(room.session, seat)
    room.use_help(seat)
    return tutor.advise(game, level)


def judge(room: Room, seat: Seat | None, line: str, moves: Iterable[str], level: str) -> JudgedChoice | None:
    """The loss of a choice; ``moves`` are made of the play already. None where there is nothing to say."""
    game = _to_decide(room.session, seat)
    room.use_help(seat)
    return tutor.judge(game, " ".join([*moves, line]), level)


def meaning(room: Room, seat: Seat | None, line: str, moves: Iterable[str]) -> str:
    """What a line of a player would do, in one form; nothing is done. ``moves`` are made of the play already.

    Raises Refusal for spectators and before the game has begun, NotationError for a line that means nothing.
    """
    return lines.meaning_of(room.session, seat, line, moves)


def _to_decide(session: GameSession, seat: Seat | None) -> Game:
    """The game, of which the engine sees nothing else."""
    if seat is None:
        raise Refusal(Message("you are watching: only players are helped"), "forbidden")
    if session.is_between_people:
        raise Refusal(Message("there is no help in a game between two people"), "forbidden")
    game = session.game
    if game is None:
        raise Refusal(Message("the game has not begun"), "stale")
    if game.turn is None:
        raise IllegalAction(Message("there is nothing to decide now"))
    if not session.is_human(game.turn):
        raise Refusal(Message("it is {name} who must act now", name=session.names[game.turn]), "forbidden")
    return game


# -- talk -------------------------------------------------------------------------------------------------------
def say(room: Room, seat: Seat | None, *, text: str | None = None, phrase: str | None = None) -> None:
    """Say a line of one's own, or a canned phrase; raises ChatError, Refusal."""
    side = _speaker(room, seat)
    if (text is None) == (phrase is None):
        raise chat.ChatError(Message("say either a text or a phrase"))
    room.perform(Say(chat.phrase(phrase) if phrase is not None else chat.checked_line(str(text))), side)


def talk(room: Room, seat: Seat | None) -> TalkLog:
    """The talk so far, and the canned phrases."""
    _speaker(room, seat)
    return {"said": _lines_said(room), "phrases": dict(chat.PHRASES)}


def report(room: Room, seat: Seat | None, reason: str) -> None:
    """Report the other player to the host of the server."""
    side = _speaker(room, seat)
    reason = chat.checked_reason(reason)
    said = [(line["side"], line["said"]) for line in _lines_said(room)]
    if not room.reports.add(room.id, side, reason, said, chat.REPORTS):
        raise Refusal(Message("you have reported this player already"), "busy")


def reported(url: str | None, most: int) -> list[Report]:
    """The latest reports in a database, for the host of the server."""
    with closing(ReportStore(url)) as store:
        return store.reports(most)


def _lines_said(room: Room) -> list[ChatLine]:
    said: list[ChatLine] = []
    for entry in room.log:
        event = entry.event
        if isinstance(event, LineSaid):
            said.append(
                {
                    "number": entry.sequence,
                    "side": SIDES[event.side],
                    "said": chat.phrase_words(event.text),
                    "at": epoch_of(entry.at),
                }
            )
    return said[-_TALK:]


def _speaker(room: Room, seat: Seat | None) -> Side:
    if seat is None or seat == "both":
        raise Refusal(Message("only the two players talk here"), "forbidden")
    if not room.session.is_between_people:
        raise Refusal(Message("there is nobody to talk to"), "forbidden")
    return seat
