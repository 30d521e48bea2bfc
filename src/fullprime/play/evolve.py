"""The session after an event: the fold that makes a session of its log. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from fullprime.play import rulings
from fullprime.play.clocks import Clock
from fullprime.play.events import (
    BOARD_CHANGES,
    ActionTaken,
    BoardChange,
    ChainBegun,
    ChatSent,
    EndOffered,
    GameBegun,
    GameForfeited,
    HelpUsed,
    LinkGiven,
    LogEntry,
    LookChosen,
    OffBoardEvent,
    RematchBegun,
    RematchOffered,
    ResignationAccepted,
    ResignationOffered,
    ResignationRefused,
    RollWithdrawn,
    SeatTaken,
    SeedGiven,
    SessionClosed,
    SessionOpened,
    TakenBack,
    ThrowDecided,
)
from fullprime.play.links import Links
from fullprime.play.session import EndOfferAge, GameSession, StandingResignation
from fullprime.play.standing_events import StandingEvents
from fullprime.rules.errors import RulesError
from fullprime.rules.game import ActionKind, Game
from fullprime.rules.plays import Play
from fullprime.rules.score import Player, Score

_THROWS = (ActionKind.OPENING, ActionKind.ROLL)
_OFFER_LASTS = 2
"""Plays after which an offer to end without a result lapses."""
TALK_KEPT = 6
"""The lines of each side whose times are kept."""


def evolve(session: GameSession | None, entry: LogEntry, *, play: Play | None = None) -> GameSession:
    """The session after an entry of its log; ``session`` is None before the first.

    ``play`` is the play of an action, where it was found among the legal ones already. Raises RulesError for an event
    that cannot follow.
    """
    event = entry.event
    if isinstance(event, SessionOpened):
        if session is not None:
            raise RulesError("a session is opened once")
        return _open_session(event, entry.sequence)
    if session is None:
        raise RulesError("the log of a session begins with its opening")
    if entry.sequence != session.sequence + 1:
        raise RulesError(f"event {entry.sequence} cannot follow event {session.sequence}")
    if isinstance(event, BOARD_CHANGES):
        return _apply_board_change(session, entry, event, play)
    return replace(_apply_off_board(session, event, entry.at), sequence=entry.sequence)


def fold(entries: Iterable[LogEntry]) -> GameSession:
    """The session of a whole log; raises RulesError where the log is not that of a session."""
    session: GameSession | None = None
    for entry in entries:
        session = evolve(session, entry)
    if session is None:
        raise RulesError("an empty log has no session")
    return session


def _open_session(event: SessionOpened, sequence: int) -> GameSession:
    terms = event.terms
    control = terms.time_control
    return GameSession(
        session_id=event.session_id,
        terms=terms,
        names=event.names,
        seats=event.seats,
        accounts=event.accounts,
        is_seat_free=event.is_seat_free,
        sequence=sequence,
        score=Score.start(terms.settings),
        links=Links({}, {}),
        clock=None if control is None else Clock.start(control),
    )


# -- events of the board ----------------------------------------------------------------------------------------
def _apply_board_change(session: GameSession, entry: LogEntry, event: BoardChange, play: Play | None) -> GameSession:
    before, stands = session.game, session.stands
    if before is None or stands is None:
        raise RulesError("nothing happens on the board before the first game")
    stands, after = _change_board(session, before, stands, event, play)
    links, throws, furthest = session.links, session.throws, session.furthest
    if isinstance(event, ActionTaken):
        for side, link in event.links.items():
            links = links.with_link(side, throws + 1, link, is_thrown=True)
        throws += event.action.kind in _THROWS
        furthest = max(furthest, throws)
    elif isinstance(event, TakenBack | RollWithdrawn):
        throws = session.throws_before + stands.throws
    score, is_won = (after.score, False) if after.result is None else _find_score(after)
    return replace(
        session,
        sequence=entry.sequence,
        board_version=session.board_version + 1,
        changed_at=entry.at,
        stands=stands,
        game=after,
        ended_by=event if isinstance(event, GameForfeited | ResignationAccepted) else None,
        changes=session.changes + 1,
        has_takeback=session.has_takeback or isinstance(event, TakenBack),
        score=score,
        is_won=is_won,
        is_over=is_won or session.closed is not None,
        throws=throws,
        furthest=furthest,
        links=links,
        link_told_at=None if throws != session.throws else session.link_told_at,
        is_throw_decided=isinstance(event, RollWithdrawn) and not session.is_human(after.turn),
        before_forced_play=before if isinstance(event, ActionTaken) and event.automatic else None,
        clock=None if session.clock is None else _press_clock(session, session.clock, after, entry.at),
        resignation=None,
        resignations=session.resignations if after.on_roll is before.on_roll else (),
        end_offers=session.end_offers
        and _age_offers(
            session.end_offers, is_play=isinstance(event, ActionTaken) and event.action.kind is ActionKind.PLAY
        ),
    )


def _change_board(
    session: GameSession, before: Game, stands: StandingEvents, event: BoardChange, play: Play | None
) -> tuple[StandingEvents, Game]:
    """The actions that stand after an event of the board, and the game then."""
    match event:
        case ActionTaken():
            after = before.apply_play(play) if play else before.act(event.action)
            return stands.with_event(before, event.action, counts_choices=not session.is_between_people), after
        case RollWithdrawn():
            kept = len(stands.events) - 1
            return stands.first(kept), stands.board_before(kept)
        case TakenBack():
            return stands.first(event.kept), stands.board_before(event.kept)
        case GameForfeited():
            return stands, rulings.forfeit(before, event.loser, event.how)
        case ResignationAccepted():
            return stands, rulings.resignation(before, event.loser, event.level)
        case _:
            assert_never(event)


def _find_score(game: Game) -> tuple[Score, bool]:
    """The score after a game that has ended, and whether the match has been won with it."""
    settings, result = game.settings, game.result
    score = game.score if result is None else game.score.after(result, settings)
    return score, settings.is_match and score.match_winner(settings) is not None


def _press_clock(session: GameSession, clock: Clock, after: Game, at: datetime) -> Clock:
    if not session.changes and not session.terms.settings.is_match:
        clock = clock.renew()
    return clock.press(at, after.turn)


def _age_offers(end_offers: Mapping[Player, EndOfferAge], *, is_play: bool) -> dict[Player, EndOfferAge]:
    aged = {side: EndOfferAge(age.events + 1, age.plays + is_play) for side, age in end_offers.items()}
    return {side: age for side, age in aged.items() if age.plays < _OFFER_LASTS}


# -- events beside the board ------------------------------------------------------------------------------------
def _apply_off_board(session: GameSession, event: OffBoardEvent, at: datetime) -> GameSession:  # noqa: C901
    # One case for each event, so that the type checker finds one that is missing.
    links = session.links
    match event:
        case SeatTaken():
            accounts = (*session.accounts, *((Player.O,) if event.has_account else ()))
            return replace(session, names=(session.names[0], event.name), accounts=accounts, is_seat_free=False)
        case SeedGiven():
            return replace(session, links=replace(links, seeds={**links.seeds, event.side: event.seed}))
        case ChainBegun():
            links = links.with_chain(event.whose, event.first, event.anchor)
            return replace(session, links=links, chains=(*session.chains, event))
        case LinkGiven():
            return replace(session, links=links.with_link(event.side, event.number, event.link), link_told_at=at)
        case GameBegun():
            return _begin_game(session, event)
        case ThrowDecided():
            return replace(session, is_throw_decided=True)
        case ResignationOffered():
            tried = (*session.resignations, (event.side, event.level))
            return replace(session, resignation=StandingResignation(event.side, event.level), resignations=tried)
        case ResignationRefused():
            offer = session.resignation
            return replace(session, resignation=None if offer is None else replace(offer, is_refused=True))
        case EndOffered():
            return replace(session, end_offers={**session.end_offers, event.side: EndOfferAge()})
        case SessionClosed():
            return replace(session, closed=event, is_over=True)
        case RematchOffered():
            return replace(session, rematch_offers=(*session.rematch_offers, event.side))
        case RematchBegun():
            return replace(session, rematch=event.session_id)
        case LookChosen():
            return replace(session, look=event, looks=session.looks + 1)
        case HelpUsed():
            return replace(session, is_helped=True)
        case ChatSent():
            times = (*session.said_at.get(event.side, ()), at)[-TALK_KEPT:]
            return replace(session, said_at={**session.said_at, event.side: times})
        case _:
            assert_never(event)


def _begin_game(session: GameSession, event: GameBegun) -> GameSession:
    settings, first = session.terms.settings, session.game is None
    if event.number != (1 if first else session.game_number + 1):
        raise RulesError(f"game {event.number} cannot follow game {0 if first else session.game_number}")
    start = Game.new(settings, session.score)
    if first and session.terms.start is not None:
        start = session.terms.start
    score, is_won = _find_score(start)
    return replace(
        session,
        finished=(*session.finished, *session.game_on_board),
        game=start,
        score=score,
        is_won=is_won,
        is_over=is_won or session.closed is not None,
        stands=StandingEvents(start),
        ended_by=None,
        changes=0,
        throws_before=session.throws,
        is_throw_decided=False,
        before_forced_play=None,
        resignations=(),
        looks=0,
        end_offers={side: age for side, age in session.end_offers.items() if not age.events},
    )
