"""A session as its people see it: one state that all may see, and for each seat the little that it sees besides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fullprime.messages import ENGLISH
from fullprime.play.events import Seat
from fullprime.play.presence import NOT_ABSENT, Absences
from fullprime.play.server.facts import PLAYING, WAITING, shared_state
from fullprime.play.server.fields import BegunState, GameState, StateMessage
from fullprime.play.session import GameSession
from fullprime.play.table.events import Event
from fullprime.play.table.naming import seen_events, seen_state
from fullprime.play.table.roll_plays import PlaysByText
from fullprime.rules.game import Phase

BOTH: Final = "both"
"""The seat of two people at one screen."""

_RESIGNABLE = ("cube_decision", "roll", "play", "choose_double")
"""The phases in which a game may be resigned."""
_PRIVATE = ("chat",)
"""Kinds of events that spectators do not see."""


class SessionView:
    """A session at one moment: the part that all may see, and the ways to play, for the player who must play.

    To find the ways takes long: it is done when somebody asks for them, perhaps when the game has gone on, and then
    once for all. A view of the same board that was made ``earlier`` lends its ways.
    """

    def __init__(
        self, session: GameSession, absent: Absences = NOT_ABSENT, *, earlier: SessionView | None = None
    ) -> None:
        self.session: GameSession = session
        self.shared = shared_state(session, absent)
        self.roll: PlaysByText | None = None
        """The plays of the roll, where a person must play it."""
        game = session.game
        if game is not None and game.phase is Phase.PLAY and session.is_human(game.turn):
            is_same_board = earlier is not None and earlier.session.game is game
            self.roll = (earlier.roll if earlier is not None and is_same_board else None) or PlaysByText(game)

    def state(self, seat: Seat | None, *, tree: bool = True, language: str = ENGLISH) -> GameState:
        """The state for one person, in a language; without ``tree`` the plays stand there as text alone."""
        shared = seen_state(self.shared, seat, language)
        if shared["status"] == WAITING:
            return {**shared, "you": seat}
        beside = _beside(shared, seat)
        if not (seat == BOTH or (seat is not None and shared["turn"] in (None, seat))):
            return {**shared, "legal_actions": [], "beside_actions": beside, "you": seat}
        if self.roll is None:
            return {**shared, "beside_actions": beside, "you": seat}
        mine: BegunState = {
            **shared,
            "beside_actions": beside,
            "plays": list(self.roll.all),
            "moves": [],
            "you": seat,
        }
        if tree:
            mine["tree"] = self.roll.tree
        return mine


def for_seat(
    state: GameState, seat: Seat | None, events: Sequence[Event], now: float, language: str = ENGLISH
) -> StateMessage:
    """A message for one person, of a state as they see it, in a language; ``now`` is the time in seconds since 1970."""
    if seat is None:
        events = [event for event in events if event["kind"] not in _PRIVATE]
    return {"type": "state", "events": seen_events(events, seat, language), "state": state, "now": now}


def _beside(state: BegunState, seat: Seat | None) -> list[str]:
    """The words about a resignation that a seat may say, whichever side has the turn.

    They have a list of their own: a program acts where there are legal actions, and must not take this for its turn.
    """
    if seat in (None, BOTH) or state["opponent"] != "friend" or state["status"] != PLAYING:
        return []
    if state["phase"] not in _RESIGNABLE:
        return []
    offer = state["resigning"]
    if offer is None:
        return ["resign"]
    return [] if offer["by"] == seat else ["accept", "refuse"]
