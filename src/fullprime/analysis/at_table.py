"""Help and courtesy at a table of the server: advice, talk, reports."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from fullprime.analysis import tutor
from fullprime.analysis.model import JudgedChoice, TableAdvice
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play import checks
from fullprime.play.commands import Say
from fullprime.play.events import ChatSent, Seat
from fullprime.play.server import acting, chat
from fullprime.play.server.fields import TalkLog
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.rendering import to_chat_line
from fullprime.play.server.reports import Report, ReportStore
from fullprime.play.session import GameSession
from fullprime.play.table.table_events import SIDES, ChatLine
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Game

_TALK = 100
"""The most lines of talk in one answer."""


# -- help -------------------------------------------------------------------------------------------------------
def advise(handle: SessionHandle, seat: Seat | None, level: str) -> TableAdvice:
    """The best choice now, for the person whose turn it is."""
    game = _to_decide(handle.session, seat)
    handle.use_help(seat)
    return tutor.advise(game, level)


def judge(handle: SessionHandle, seat: Seat | None, line: str, moves: Sequence[str], level: str) -> JudgedChoice | None:
    """The loss of a choice; ``moves`` are made of the play already. None where there is nothing to say."""
    game = _to_decide(handle.session, seat)
    handle.use_help(seat)
    return tutor.judge(game, " ".join([*moves, line]), level)


def describe_line(handle: SessionHandle, seat: Seat | None, line: str, moves: Sequence[str]) -> str:
    """What a line of a player would do, in one form; nothing is done. ``moves`` are made of the play already.

    Raises Refusal for spectators and before the game has begun, NotationError for a line that means nothing.
    """
    return acting.describe_command(handle.session, seat, line, moves)


def _to_decide(session: GameSession, seat: Seat | None) -> Game:
    """The game, of which the engine sees nothing else."""
    if seat is None:
        raise Refusal(checks.PLAYERS_HELPED, "forbidden")
    checks.check_help(session)
    game = checks.game_of(session)
    if game.turn is None:
        raise IllegalAction(Message("there is nothing to decide now"))
    checks.check_turn(session, seat)
    return game


# -- talk -------------------------------------------------------------------------------------------------------
def say(handle: SessionHandle, seat: Seat | None, *, text: str | None = None, phrase: str | None = None) -> None:
    """Say a line of one's own, or a canned phrase; raises ChatError, Refusal."""
    side = SIDES[checks.speaker(handle.session, seat)]
    if (text is None) == (phrase is None):
        raise chat.ChatError(Message("say either a text or a phrase"))
    handle.perform(Say(chat.phrase(phrase) if phrase is not None else chat.check_line(str(text))), side)


def talk(handle: SessionHandle, seat: Seat | None) -> TalkLog:
    """The talk so far, and the canned phrases."""
    checks.speaker(handle.session, seat)
    return TalkLog(said=_list_chat_lines(handle), phrases=chat.PHRASES)


def report(handle: SessionHandle, seat: Seat | None, reason: str) -> None:
    """Report the other player to the host of the server."""
    side = SIDES[checks.speaker(handle.session, seat)]
    reason = chat.check_reason(reason)
    lines = [(line.side.name, line.said) for line in _list_chat_lines(handle)]
    if not handle.reports.add(handle.id, side, reason, lines, chat.REPORTS):
        raise Refusal(Message("you have reported this player already"), "busy")


def list_reports(url: str | None, most: int) -> list[Report]:
    """The latest reports in a database, for the host of the server."""
    with closing(ReportStore(url)) as store:
        return store.list_latest(most)


def _list_chat_lines(handle: SessionHandle) -> tuple[ChatLine, ...]:
    lines = [
        to_chat_line(entry.event, entry.sequence, entry.at) for entry in handle.log if isinstance(entry.event, ChatSent)
    ]
    return tuple(lines[-_TALK:])
