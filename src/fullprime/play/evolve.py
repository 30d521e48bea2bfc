"""The session after an event: the fold that makes a session of its log. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from fullprime.play import rulings
from fullprime.play.clocks import Clock
from fullprime.play.events import (
    BOARD_CHANGES,
    NO_LINKS,
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
from fullprime.play.rulings import StandingEvents
from fullprime.play.session import EndOfferAge, GameSession, StandingResignation
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.plays import Play
from fullprime.rules.record import Event, GameRecord, Setup
from fullprime.rules.score import Player, Score

_THROWS = (ActionKind.OPENING, ActionKind.ROLL)
_OFFER_LASTS = 2
"""Plays after which an offer to end without a result lapses."""
_TYPED_WRONGLY = re.compile(r"the dice .* were typed wrongly")
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
    after = _OFF_BOARD[type(event)](session, event, entry.at)
    return replace(after, sequence=entry.sequence)


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
    stored = event.action if isinstance(event, ActionTaken) else to_record(session, event)
    after = stored.game if isinstance(stored, Setup) else before.apply_play(play) if play else before.act(stored)
    stands = stands.with_event(before, stored, counts_choices=not session.is_between_people)
    links, throws, furthest = session.links, session.throws, session.furthest
    if isinstance(event, ActionTaken):
        for side, link in event.links.items():
            links = links.with_link(side, throws + 1, link, is_thrown=True)
        throws += event.action.kind in _THROWS
        furthest = max(furthest, throws)
    elif isinstance(event, TakenBack):
        throws = session.throws_before + rulings.count_throws(stands.events)
    is_bots_turn = not session.is_human(after.turn)
    score, is_won = (after.score, False) if after.result is None else _find_score(after)
    return replace(
        session,
        sequence=entry.sequence,
        board_version=session.board_version + 1,
        changed_at=entry.at,
        record=(*session.record, stored),
        stands=stands,
        game=after,
        score=score,
        is_won=is_won,
        is_over=is_won or session.closed is not None,
        throws=throws,
        furthest=furthest,
        links=links,
        link_told_at=None if throws != session.throws else session.link_told_at,
        is_throw_decided=isinstance(event, RollWithdrawn) and is_bots_turn,
        before_forced_play=before if isinstance(event, ActionTaken) and event.automatic else None,
        clock=None if session.clock is None else _press_clock(session, session.clock, after, entry.at),
        resignation=None,
        resignations=session.resignations if after.on_roll is before.on_roll else (),
        end_offers=session.end_offers
        and _age_offers(
            session.end_offers, is_play=isinstance(event, ActionTaken) and event.action.kind is ActionKind.PLAY
        ),
    )


def _find_score(game: Game) -> tuple[Score, bool]:
    """The score after a game that has ended, and whether the match has been won with it."""
    settings, result = game.settings, game.result
    score = game.score if result is None else game.score.after(result, settings)
    return score, settings.is_match and score.match_winner(settings) is not None


def to_record(session: GameSession, event: BoardChange) -> Event:
    """A board event as the record of the match keeps it: an action, or a set-up with its reason."""
    game, stands = session.game, session.stands
    if game is None or stands is None:
        raise RulesError("there is no game on the board")
    match event:
        case ActionTaken():
            return event.action
        case RollWithdrawn():
            before = stands.board_before(len(stands.events) - 1)
            return Setup(before, f"the dice {game.dice} were typed wrongly")
        case TakenBack():
            return stands.set_back(event.kept)
        case GameForfeited():
            return rulings.forfeit(game, event.loser, event.how)
        case ResignationAccepted():
            return rulings.resignation(game, event.loser, event.level)


def from_record(stored: Event, links: Mapping[Player, str] = NO_LINKS) -> BoardChange:
    """Turn an event of a record into an event of the session, the inverse of :func:`to_record`.

    Raises RulesError for a board that was set by hand.
    """
    if isinstance(stored, Action):
        return ActionTaken(stored, links=links)
    event_count, loser, resigned = (
        rulings.read_takeback(stored),
        rulings.read_forfeit(stored),
        rulings.read_resignation(stored),
    )
    if event_count is not None:
        return TakenBack(event_count)
    if loser is not None and stored.game.result is not None:
        return GameForfeited(loser, stored.game.result.how)
    if resigned is not None:
        return ResignationAccepted(*resigned)
    if _TYPED_WRONGLY.fullmatch(stored.note):
        return RollWithdrawn()
    raise RulesError(f"a session has no event {stored.note!r}")


def _press_clock(session: GameSession, clock: Clock, after: Game, at: datetime) -> Clock:
    if not session.record and not session.terms.settings.is_match:
        clock = clock.renew()
    return clock.press(at, after.turn)


def _age_offers(end_offers: Mapping[Player, EndOfferAge], *, is_play: bool) -> dict[Player, EndOfferAge]:
    aged = {side: EndOfferAge(age.events + 1, age.plays + is_play) for side, age in end_offers.items()}
    return {side: age for side, age in aged.items() if age.plays < _OFFER_LASTS}


# -- events beside the board ------------------------------------------------------------------------------------
def _apply_seat_taken(session: GameSession, event: SeatTaken, _at: datetime) -> GameSession:
    accounts = (*session.accounts, *((Player.O,) if event.has_account else ()))
    return replace(session, names=(session.names[0], event.name), accounts=accounts, is_seat_free=False)


def _apply_seed_given(session: GameSession, event: SeedGiven, _at: datetime) -> GameSession:
    links = session.links
    return replace(session, links=replace(links, seeds={**links.seeds, event.side: event.seed}))


def _apply_chain_begun(session: GameSession, event: ChainBegun, _at: datetime) -> GameSession:
    links = session.links.with_chain(event.whose, event.first, event.anchor)
    return replace(session, links=links, chains=(*session.chains, event))


def _apply_link_given(session: GameSession, event: LinkGiven, at: datetime) -> GameSession:
    return replace(session, links=session.links.with_link(event.side, event.number, event.link), link_told_at=at)


def _apply_game_begun(session: GameSession, event: GameBegun, _at: datetime) -> GameSession:
    settings, first = session.terms.settings, session.game is None
    if event.number != (1 if first else session.game_number + 1):
        raise RulesError(f"game {event.number} cannot follow game {0 if first else session.game_number}")
    if session.game is None or session.start is None:
        start, finished = session.terms.start or Game.new(settings, Score.start(settings)), session.finished
    else:
        start = Game.new(settings, session.score)
        finished = (*session.finished, GameRecord(session.start, session.record))
    score, is_won = _find_score(start)
    return replace(
        session,
        finished=finished,
        start=start,
        game=start,
        score=score,
        is_won=is_won,
        is_over=is_won or session.closed is not None,
        record=(),
        stands=StandingEvents(start),
        throws_before=session.throws,
        is_throw_decided=False,
        before_forced_play=None,
        resignations=(),
        looks=0,
        end_offers={side: age for side, age in session.end_offers.items() if not age.events},
    )


def _apply_throw_decided(session: GameSession, _event: ThrowDecided, _at: datetime) -> GameSession:
    return replace(session, is_throw_decided=True)


def _apply_resignation_offered(session: GameSession, event: ResignationOffered, _at: datetime) -> GameSession:
    tried = (*session.resignations, (event.side, event.level))
    return replace(session, resignation=StandingResignation(event.side, event.level), resignations=tried)


def _apply_resignation_refused(session: GameSession, _event: ResignationRefused, _at: datetime) -> GameSession:
    offer = session.resignation
    return replace(session, resignation=None if offer is None else replace(offer, is_refused=True))


def _apply_end_offered(session: GameSession, event: EndOffered, _at: datetime) -> GameSession:
    return replace(session, end_offers={**session.end_offers, event.side: EndOfferAge()})


def _apply_session_closed(session: GameSession, event: SessionClosed, _at: datetime) -> GameSession:
    return replace(session, closed=event, is_over=True)


def _apply_rematch_offered(session: GameSession, event: RematchOffered, _at: datetime) -> GameSession:
    return replace(session, rematch_offers=(*session.rematch_offers, event.side))


def _apply_rematch_begun(session: GameSession, event: RematchBegun, _at: datetime) -> GameSession:
    return replace(session, rematch=event.session_id)


def _apply_look_chosen(session: GameSession, event: LookChosen, _at: datetime) -> GameSession:
    return replace(session, look=event, looks=session.looks + 1)


def _apply_help_used(session: GameSession, _event: HelpUsed, _at: datetime) -> GameSession:
    return replace(session, is_helped=True)


def _apply_chat_sent(session: GameSession, event: ChatSent, at: datetime) -> GameSession:
    times = (*session.said_at.get(event.side, ()), at)[-TALK_KEPT:]
    return replace(session, said_at={**session.said_at, event.side: times})


_OFF_BOARD: dict[type[Any], Callable[[GameSession, Any, datetime], GameSession]] = {
    SeatTaken: _apply_seat_taken,
    SeedGiven: _apply_seed_given,
    ChainBegun: _apply_chain_begun,
    LinkGiven: _apply_link_given,
    GameBegun: _apply_game_begun,
    ThrowDecided: _apply_throw_decided,
    ResignationOffered: _apply_resignation_offered,
    ResignationRefused: _apply_resignation_refused,
    EndOffered: _apply_end_offered,
    SessionClosed: _apply_session_closed,
    RematchOffered: _apply_rematch_offered,
    RematchBegun: _apply_rematch_begun,
    LookChosen: _apply_look_chosen,
    HelpUsed: _apply_help_used,
    ChatSent: _apply_chat_sent,
}
"""The events beside the board, each with the function that applies it."""
