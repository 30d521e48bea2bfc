"""The facts of a session as JSON values, theme by theme; ``fields`` describes each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

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
    ClockFacts,
    ClockState,
    DiceChain,
    EndingFacts,
    EndingWay,
    HelpFacts,
    LinkFacts,
    LookFacts,
    PresenceFacts,
    RematchFacts,
    ResignationFacts,
    RoomFacts,
)
from fullprime.play.session import GameSession
from fullprime.play.table.events import SIDES, Side
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.links import FORMULA, LENGTH
from fullprime.rules.record import Event, Setup
from fullprime.rules.score import Player

_FORFEITS: Mapping[str, EndingWay] = {ON_TIME: "time", BY_ABSENCE: "absence", BY_LEAVING: "left"}


# -- the people and what they have agreed on --------------------------------------------------------------------
def people_facts(session: GameSession) -> RoomFacts:
    """The people, and what they have agreed on."""
    terms = session.terms
    return {
        "id": session.session_id,
        "opponent": terms.opponent,
        "title": terms.settings.variant.title,
        "played_for": under_its_name(terms.house, in_short(terms.settings)),
        "names": list(session.names),
        "seats": list(session.seats),
        "guests": [_is_guest(session, side) for side in Player],
        "faces": [face_of(seat) for seat in session.seats],
        "free_seat": session.is_seat_free,
        "missing_seeds": [SIDES[side] for side in session.missing_seeds],
        "commitment": session.chains[0].anchor if session.chains else "",
        "rated": terms.rated,
        "you": None,
    }


def _is_guest(session: GameSession, side: Player) -> bool:
    is_there = session.is_human(side) and not (side is Player.O and session.is_seat_free)
    return is_there and side not in session.accounts


def help_facts(session: GameSession) -> HelpFacts:
    """The help that is allowed, whether there may be something to take back, and the delay for spectators."""
    is_allowed = not session.is_between_people
    is_begun = is_allowed and any(
        isinstance(event, Action) and event.kind is not ActionKind.OPENING for event in standing(session.record)
    )
    return {"help": is_allowed, "takebacks": is_begun and not session.is_over, "late": session.terms.late}


# -- time -------------------------------------------------------------------------------------------------------
def clock_facts(session: GameSession) -> ClockFacts:
    """The reserves, whose turn it is and when the flag falls; None without a clock."""
    clock = session.clock
    if clock is not None and session.is_over:
        clock = replace(clock, running=None, since=None)
    return {"clock": None if clock is None else clock_state(clock)}


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


def presence_facts(session: GameSession, absent: Mapping[Player, datetime]) -> PresenceFacts:
    """The sides that are away, since when, and for how long the other one waits for them or for a decision."""
    away: Away = {}
    if session.is_between_people:
        for side in Player:
            if side in absent:
                away[SIDES[side]] = epoch_of(absent[side])
    grace = grace_of(session)
    seconds = None if grace is None else round(grace.total_seconds())
    return {"away": away, "grace": seconds, "overdue": _epoch(overdue_at(session))}


def _epoch(at: datetime | None) -> float | None:
    return None if at is None else epoch_of(at)


def epoch_of(at: datetime) -> float:
    """A time of the log in seconds since 1970."""
    return at.replace(tzinfo=UTC).timestamp()


# -- offers and ends --------------------------------------------------------------------------------------------
def resignation_facts(session: GameSession) -> ResignationFacts:
    """The offer to lose that waits for its answer; one in the game itself comes from the player on roll."""
    game, offer = session.game, session.resignation
    if game is not None and game.resignation is not None:
        return {"resigning": {"by": SIDES[game.on_roll], "level": game.resignation}}
    if offer is None or offer.is_refused or session.is_over:
        return {"resigning": None}
    return {"resigning": {"by": SIDES[offer.side], "level": offer.level}}


def rematch_facts(session: GameSession) -> RematchFacts:
    """The sides that would play again, and the id of the new session once there is one."""
    offered = sorted("both" if side is None else SIDES[side] for side in session.rematch_offers)
    return {"rematch": {"offered": offered, "game": session.rematch}}


def ending_facts(session: GameSession) -> EndingFacts:
    """The ways to end a session that is not played out, or the way in which it ended."""
    if session.is_over:
        how, by = way_of_end(session)
        return {"ending": {"offered": [], "alone": None, "costs": None, "how": how, "by": by}}
    if session.game is None:
        return {"ending": {"offered": [], "alone": "abort", "costs": None, "how": None, "by": None}}
    return {
        "ending": {
            "offered": [SIDES[side] for side in session.end_offers],
            "alone": way_alone(session),
            "costs": [cost_of_leaving(session, side) for side in Player],
            "how": None,
            "by": None,
        }
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


# -- the dice and the board -------------------------------------------------------------------------------------
def link_facts(session: GameSession) -> LinkFacts:
    """The chains and the links that are awaited; None where the dice need no links."""
    if session.terms.dice != "links":
        return {"links": None}
    number = session.throws + 1
    awaits: list[Side] = [] if session.is_over else [SIDES[side] for side in session.awaited]
    return {
        "links": {
            "formula": FORMULA,
            "length": LENGTH,
            "chains": chains_begun(session.chains),
            "number": number,
            "needed": [SIDES[side] for side in session.needed if not session.links.has_thrown(side, number)],
            "awaits": awaits,
            "since": _epoch(session.link_awaited_since) if awaits else None,
        }
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


def look_facts(session: GameSession) -> LookFacts:
    """The opener's choice of how the board is shown, and the side that may choose now."""
    look, chooser = session.look, None if session.is_over else chooser_of(session)
    return {
        "look": None if look is None else {"by": SIDES[look.side], "colour": look.colour, "home": look.home},
        "chooser": None if chooser is None else SIDES[chooser],
    }
