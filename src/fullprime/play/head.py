"""What is kept of a session beside its log, for lists, clocks and keepers of seats: state, deadline and keys."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from fullprime.play.session import GameSession

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
    times = [link_given_up_at(session)]
    if session.clock is not None:
        times.append(session.clock.falls)
    if session.is_bot_due and session.changed_at is not None:
        times.append(session.changed_at + BOT_GIVEN_UP)
    return min(filter(None, times), default=None)


def link_given_up_at(session: GameSession) -> datetime | None:
    """The time at which the server throws without a link that is awaited; None where it waits for the link."""
    if not session.terms.is_correspondence or not session.awaited:
        return None
    since = session.link_awaited_since
    return None if since is None else since + LINK_GIVEN_UP
