"""The session that a room holds: its table plays one already, all else is read out of the room's options."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from fullprime.app.choices.positions import game_from_id
from fullprime.app.live.resigning import Offer, _is_same_turn
from fullprime.app.live.room import Room
from fullprime.app.live.room_parts import Absences, Clockwork, part
from fullprime.app.live.room_view import ACCOUNTS, HELPED
from fullprime.app.sessions.view import BOTH
from fullprime.app.table import proof
from fullprime.play.draft import SessionInputs
from fullprime.play.events import LogEntry, LookChosen, SeedGiven, SessionClosed, SessionEvent, SessionOpened
from fullprime.play.evolve import evolve
from fullprime.play.session import EndOfferAge, GameSession, StandingResignation
from fullprime.play.terms import GRACE, Terms
from fullprime.rules.score import Player

EPOCH = datetime(2026, 1, 1, tzinfo=UTC).replace(tzinfo=None)


def terms_of_room(room: Room) -> Terms:
    """The terms that are stored with a room."""
    saved, table = room.saved, room.table
    options = saved.options
    start = None
    if table is not None:
        start = table.match.games[0].start
    elif options.get("position"):
        start = game_from_id(options["position"], saved.settings, override=True)[0]
    return Terms(
        settings=saved.settings,
        opponent=options["opponent"],
        automatic=options["automatic"],
        clock=options.get("clock"),
        grace=int(options.get("grace", GRACE)),
        rated=bool(options.get("rated")),
        spectators=options["spectators"],
        late=int(options.get("late", 0)),
        house=options.get("house"),
        start=start,
    )


def session_of_room(room: Room) -> GameSession:
    """The session that a room holds."""
    saved, table, options = room.saved, room.table, room.saved.options
    terms = terms_of_room(room)
    if table is None:
        session = evolve(None, LogEntry(1, EPOCH, SessionOpened(saved.id, terms, saved.names, saved.seats)))
        events: list[SessionEvent] = [SeedGiven(Player[side], seed) for side, seed in saved.seeds.items()]
        events += proof.chains(saved)
        for event in events:
            session = evolve(session, LogEntry(session.sequence + 1, EPOCH, event))
    else:
        session = replace(table.session, terms=terms, clock=part(room, Clockwork).clock)
    told_at = [
        datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
        for number, _, at in options.get("told", {}).values()
        if number == session.throws + 1
    ]
    ended, look = options.get("ended") or {"how": "ended", "by": None}, options.get("look")
    return replace(
        session,
        session_id=saved.id,
        names=saved.names,
        accounts=tuple(Player[side] for side in options.get(ACCOUNTS, "XO")),
        is_seat_free="invite" in saved.keys,
        link_told_at=max(told_at, default=None),
        **_resignations_of(room),
        end_offers=_end_offers_of(room),
        rematch_offers=tuple(None if side == BOTH else Player[side] for side in options.get("again", ())),
        rematch=options.get("rematch"),
        closed=SessionClosed(ended["how"], Player[ended["by"]] if ended["by"] else None) if saved.closed else None,
        look=LookChosen(Player[look["by"]], look["colour"], look["home"]) if look else None,
        is_helped=bool(options.get(HELPED)),
    )


def _resignations_of(room: Room) -> dict[str, Any]:
    offer, table = Offer.of(room.saved), room.table
    if offer is None or table is None:
        return {}
    tried = tuple((Player[side], level) for side, level in offer.tried) if _is_same_turn(table, offer.at) else ()
    stands = offer.at == table.actions_kept
    return {
        "resignation": StandingResignation(Player[offer.by], offer.level, not offer.stands) if stands else None,
        "resignations": tried,
    }


def _end_offers_of(room: Room) -> dict[Player, EndOfferAge]:
    table, found = room.table, {}
    if table is None:
        return {}
    for side, at in room.saved.options.get("ends", {}).items():
        new = table.actions_kept - int(at)
        plays = table.plays_since(int(at))
        if plays < 2:
            found[Player[side]] = EndOfferAge(new, plays)
    return found


def inputs_of_room(room: Room) -> SessionInputs:
    """The secret, the absences and the id of the rematch of a room."""
    return SessionInputs(room.saved.secret, absences_of(room), room.saved.options.get("rematch") or "")


def absences_of(room: Room) -> dict[Player, datetime]:
    """The sides of a room that have no page open, each with the time since when."""
    return {Player[side]: at for side, at in part(room, Absences)._absent.items()}
