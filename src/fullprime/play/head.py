"""The head of a session: what lists, clocks and keepers of seats ask of it without its log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from fullprime.play.session import GameSession
from fullprime.rules.score import Player

SessionStatus: TypeAlias = Literal["waiting", "playing", "over", "called_off"]
"""``waiting`` before the first game, ``over`` when nothing more is played, ``called_off`` where nothing ever was."""

LINK_GIVEN_UP = timedelta(hours=1)
"""The time after which, in a correspondence game, the server throws without the link of a player who is not there."""
BOT_GIVEN_UP = timedelta(seconds=30)
"""The time after which a bot that has not moved is asked anew, perhaps by another process: its own has ended."""


@dataclass(frozen=True, slots=True)
class SeatKeys:
    """Hashes of the keys that open the seats of a session, and of the invitation while a seat is free."""

    x: str | None = None
    o: str | None = None
    invitation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHead:
    """A session without its log. Times are UTC, without a zone."""

    session_id: str
    sequence: int
    """The number of its last event."""
    status: SessionStatus
    turn: Player | None
    deadline_at: datetime | None
    """The time at which the server has something to do by itself."""
    variant: str
    length: int
    """The points of the match; 0 is money."""
    names: tuple[str, str]
    points: tuple[int, int]
    winner: Player | None
    """The winner of the match."""


def head_of(session: GameSession) -> SessionHead:
    """The head of a session at one moment."""
    settings, score = session.terms.settings, session.score
    return SessionHead(
        session_id=session.session_id,
        sequence=session.sequence,
        status=status_of(session),
        turn=session.turn,
        deadline_at=deadline_of(session),
        variant=settings.variant.name,
        length=settings.length,
        names=session.names,
        points=score.points,
        winner=score.match_winner(settings),
    )


def status_of(session: GameSession) -> SessionStatus:
    """The state of a session in a word."""
    if session.game is None:
        return "waiting" if session.closed is None else "called_off"
    return "over" if session.is_over else "playing"


def deadline_of(session: GameSession) -> datetime | None:
    """The time at which the server has something to do by itself; None while it waits for people alone.

    It ends the game of a flag that has fallen, throws without a link that was given up, and asks a bot anew.
    """
    game = session.game
    if game is None or game.is_over or session.is_over:
        return None
    falls = None if session.clock is None else session.clock.falls
    times = (falls, link_given_up_at(session), _bot_given_up_at(session))
    return min((at for at in times if at is not None), default=None)


def link_given_up_at(session: GameSession) -> datetime | None:
    """The time at which the server throws without a link that is awaited; None where it waits for the link."""
    since = session.link_awaited_since
    if since is None or not session.terms.is_correspondence or not session.awaited:
        return None
    return since + LINK_GIVEN_UP


def _bot_given_up_at(session: GameSession) -> datetime | None:
    if not session.is_bot_due or session.changed_at is None:
        return None
    return session.changed_at + BOT_GIVEN_UP
