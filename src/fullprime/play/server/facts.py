"""The facts of a session that all may see, as JSON values; ``fields`` describes each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, Literal

from fullprime.play.beside import chooser_of, grace_of, overdue_at
from fullprime.play.clocks import Clock
from fullprime.play.events import ChainBegun
from fullprime.play.options.houses import under_its_name
from fullprime.play.options.opponents import face_of
from fullprime.play.options.rulebook import in_short
from fullprime.play.rulings import BY_ABSENCE, BY_LEAVING, ON_TIME, forfeited_by, forfeited_points, standing
from fullprime.play.server.fields import (
    SERVER,
    Away,
    BegunState,
    ClockState,
    DiceChain,
    EndingState,
    EndingWay,
    GameState,
    LinksState,
    RoomState,
)
from fullprime.play.session import GameSession
from fullprime.play.table.events import SIDES, Side
from fullprime.play.table.state import board_view
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.links import FORMULA, LENGTH
from fullprime.rules.record import Event, Setup
from fullprime.rules.score import Player

WAITING: Final = "waiting"
PLAYING: Final = "playing"
OVER: Final = "over"

_FORFEITS: Mapping[str, EndingWay] = {ON_TIME: "time", BY_ABSENCE: "absence", BY_LEAVING: "left"}


def shared_state(session: GameSession, absent: Mapping[Player, datetime]) -> GameState:
    """The state of a session that all may see, without the ways to play a roll."""
    terms, is_over, offer, look = session.terms, session.is_over, session.resignation, session.look
    is_between_people = session.is_between_people
    clock, grace, overdue = session.clock, grace_of(session), overdue_at(session)
    if clock is not None and is_over:
        clock = replace(clock, running=None, since=None)
    resigning = None if offer is None or offer.is_refused or is_over else (offer.side, offer.level)
    if session.game is not None and session.game.resignation is not None:
        resigning = session.game.on_roll, session.game.resignation
    chooser = None if is_over else chooser_of(session)
    state: RoomState = {
        "id": session.session_id,
        "opponent": terms.opponent,
        "title": terms.settings.variant.title,
        "played_for": under_its_name(terms.house, in_short(terms.settings)),
        "names": list(session.names),
        "seats": list(session.seats),
        "guests": [
            session.is_human(side) and side not in session.accounts and not (side is Player.O and session.is_seat_free)
            for side in Player
        ],
        "faces": [face_of(seat) for seat in session.seats],
        "free_seat": session.is_seat_free,
        "missing_seeds": [SIDES[side] for side in session.missing_seeds],
        "commitment": session.chains[0].anchor if session.chains else "",
        "rated": terms.rated,
        "you": None,
        "clock": None if clock is None else clock_state(clock),
        "away": _away(absent) if is_between_people else {},
        "grace": None if grace is None else round(grace.total_seconds()),
        "overdue": None if overdue is None else epoch_of(overdue),
        "rematch": {
            "offered": sorted("both" if side is None else SIDES[side] for side in session.rematch_offers),
            "game": session.rematch,
        },
        "help": not is_between_people,
        "takebacks": not is_between_people and not is_over and _is_anything_decided(session),
        "late": terms.late,
        "ending": _ending(session, is_over=is_over),
        "links": _links(session, is_over=is_over) if terms.dice == "links" else None,
        "look": None if look is None else {"by": SIDES[look.side], "colour": look.colour, "home": look.home},
        "chooser": None if chooser is None else SIDES[chooser],
        "resigning": None if resigning is None else {"by": SIDES[resigning[0]], "level": resigning[1]},
    }
    if session.game is None:
        return {**state, "status": WAITING, "variant": terms.settings.variant.name, "sequence": 0}
    status: Literal["playing", "over"] = OVER if is_over else PLAYING
    begun: BegunState = {**state, **board_view(session), "status": status, "beside_actions": []}
    if resigning is not None:
        begun["resignation"] = resigning[1]
        begun["legal_actions"] = [word for word in begun["legal_actions"] if word != "resign"]
    if session.closed is not None:
        begun["legal_actions"] = []
    return begun


def _is_anything_decided(session: GameSession) -> bool:
    """True if there may be something to take back."""
    return any(isinstance(event, Action) and event.kind is not ActionKind.OPENING for event in standing(session.record))


# -- time -------------------------------------------------------------------------------------------------------
def clock_state(clock: Clock) -> ClockState:
    """A clock as JSON values."""
    return {
        "words": clock.control.words,
        "delay": clock.control.delay,
        "days": clock.control.days,
        "left": [round(seconds, 3) for seconds in clock.left],
        "running": None if clock.running is None else SIDES[clock.running],
        "since": _epoch(clock.since),
        "falls": _epoch(clock.falls),
    }


def _away(absent: Mapping[Player, datetime]) -> Away:
    """The sides that are away, and since when."""
    away: Away = {}
    for side in Player:
        if side in absent:
            away[SIDES[side]] = epoch_of(absent[side])
    return away


def _epoch(at: datetime | None) -> float | None:
    return None if at is None else epoch_of(at)


def epoch_of(at: datetime) -> float:
    """A time of the log in seconds since 1970."""
    return at.replace(tzinfo=UTC).timestamp()


# -- ends -------------------------------------------------------------------------------------------------------
def _ending(session: GameSession, *, is_over: bool) -> EndingState:
    """The ways to end a session that is not played out, or the way in which it ended."""
    if is_over:
        how, by = way_of_end(session)
        return {"offered": [], "alone": None, "costs": None, "how": how, "by": by}
    if session.game is None:
        return {"offered": [], "alone": "abort", "costs": None, "how": None, "by": None}
    return {
        "offered": [SIDES[side] for side in session.end_offers],
        "alone": way_alone(session),
        "costs": [cost_of_leaving(session, side) for side in Player],
        "how": None,
        "by": None,
    }


def way_of_end(session: GameSession) -> tuple[EndingWay, Side | None]:
    """The way in which a session ended, and the side that aborted or left it, was absent or lost on time."""
    closed = session.closed
    if closed is not None:
        return closed.how, None if closed.side is None else SIDES[closed.side]
    return forfeited_end(session.record) or ("played", None)


def forfeited_end(record: Sequence[Event]) -> tuple[EndingWay, Side] | None:
    """The way in which the last event of a game ended it otherwise than by play, and the side that lost by it."""
    last = record[-1] if record else None
    if isinstance(last, Setup) and last.game.result is not None and (loser := forfeited_by(last)) is not None:
        return _FORFEITS[last.game.result.how], SIDES[loser]
    return None


def way_alone(session: GameSession) -> Literal["abort", "end"] | None:
    """The way in which one player ends the session now and loses nothing."""
    is_match = session.terms.settings.is_match
    if session.terms.opponent == "screen" or (not is_match and session.is_between_games):
        return "end"
    return "abort" if session.is_young else None


def cost_of_leaving(session: GameSession, loser: Player) -> int:
    """The points that the other side wins when a player leaves now."""
    settings = session.terms.settings
    if settings.is_match:
        return settings.length - session.score.points[loser.other]
    if session.game is None or session.is_between_games:
        return 0
    return forfeited_points(session.game, loser, BY_LEAVING)[0]


# -- the dice ---------------------------------------------------------------------------------------------------
def _links(session: GameSession, *, is_over: bool) -> LinksState:
    """The chains and the links that are awaited."""
    number, needed = session.throws + 1, session.needed
    awaits: list[Side] = [] if is_over else [SIDES[side] for side in session.awaited]
    return {
        "formula": FORMULA,
        "length": LENGTH,
        "chains": chains_begun(session.chains),
        "number": number,
        "needed": [SIDES[side] for side in needed if not session.links.has_thrown(side, number)],
        "awaits": awaits,
        "since": _epoch(session.link_awaited_since) if awaits else None,
    }


def chains_begun(chains: Iterable[ChainBegun]) -> list[DiceChain]:
    """Chains as JSON values."""
    return [
        {
            "whose": SERVER if chain.whose is None else SIDES[chain.whose],
            "first": chain.first,
            "anchor": chain.anchor,
        }
        for chain in chains
    ]
