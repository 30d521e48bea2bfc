"""Decisions about what stands beside the board: seats, offers, ends without play, claims, looks, help and talk."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play import rulings
from fullprime.play.commands import (
    AnswerResignation,
    ChooseLook,
    ClaimWin,
    CloseSession,
    OfferRematch,
    OfferResignation,
    Say,
    TakeSeat,
    UseHelp,
)
from fullprime.play.draft import Draft
from fullprime.play.events import (
    ClosingReason,
    EndOffered,
    GameBegun,
    GameForfeited,
    HelpUsed,
    LineSaid,
    LookChosen,
    RematchBegun,
    RematchOffered,
    ResignationAccepted,
    ResignationOffered,
    ResignationRefused,
    Seat,
    SeatTaken,
    SessionClosed,
)
from fullprime.play.evolve import TALK_KEPT
from fullprime.play.session import GameSession, StandingResignation
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import ActionKind, Phase
from fullprime.rules.record import Setup
from fullprime.rules.score import Player

OWED: Final = timedelta(minutes=15)
"""The time after which a decision that is owed counts like an absence, in a rated match without a clock."""
TALK_WITHIN: Final = timedelta(seconds=20)
"""The time in which a side may say ``TALK_KEPT`` lines."""
_OFFERED_ONCE = {
    1: Message("a single game is offered once in a turn: play on, or offer another level"),
    2: Message("a gammon is offered once in a turn: play on, or offer another level"),
    3: Message("a backgammon is offered once in a turn: play on, or offer another level"),
    4: Message("a backgammon on the bar is offered once in a turn: play on, or offer another level"),
}
_LOOK_WITHIN = 6
"""Events of a game after which no look can be chosen: ties of the opening throw, and the first roll."""


# -- seats ------------------------------------------------------------------------------------------------------
def take_seat(draft: Draft, command: TakeSeat, _seat: Seat | None) -> None:
    """Somebody with an invitation sits down; the name has been checked."""
    if draft.session.closed is not None:
        raise Refusal(Message("this game was called off"), "forbidden")
    if not draft.session.is_seat_free:
        raise Refusal(Message("the seat is taken"), "forbidden")
    draft.add(SeatTaken(command.name, command.has_account))


# -- resignations between two people ----------------------------------------------------------------------------
def offer_resignation(draft: Draft, command: OfferResignation, side: Player) -> None:
    """A player offers to lose; the same offer again changes nothing."""
    session, game, level = draft.session, draft.game, command.level
    rulings.resignation(game, side, level)  # raises where it cannot be offered
    offer = session.resignation
    if offer is not None and not offer.is_refused:
        if offer.side is not side:
            raise IllegalAction(
                Message("{name} offers to resign: accept or refuse that first", name=session.names[side.other])
            )
        if offer.level != level:
            raise IllegalAction(Message("your offer to resign waits for its answer"))
        return
    if (side, level) in session.resignations:
        raise IllegalAction(_OFFERED_ONCE[level])
    draft.add(ResignationOffered(side, level))


def answer_resignation(draft: Draft, command: AnswerResignation, side: Player) -> None:
    """The other player accepts or refuses; the same refusal again changes nothing."""
    offer = _answered_by(draft.session, side)
    if command.accepts and offer.is_refused:
        raise IllegalAction(Message("no resignation waits for an answer: it has been refused"))
    if command.accepts:
        draft.add(ResignationAccepted(offer.side, offer.level))
        draft.go_on()
    elif not offer.is_refused:
        draft.add(ResignationRefused(side))


def _answered_by(session: GameSession, side: Player) -> StandingResignation:
    offer = session.resignation
    if offer is None:
        raise IllegalAction(Message("no resignation waits for an answer"))
    if offer.side is side:
        raise Refusal(
            Message("it is {name} who answers your offer to resign", name=session.names[side.other]), "forbidden"
        )
    return offer


# -- ends without play ------------------------------------------------------------------------------------------
def close_session(draft: Draft, command: CloseSession, seat: Seat) -> None:
    """End a session that is not played out; that it is over already is no error."""
    session = draft.session
    if session.is_over:
        return
    if session.game is None:
        _close(draft, "aborted", seat)
    elif command.how == "end":
        _end(draft, seat)
    elif command.how == "abort":
        if not session.is_young:
            raise IllegalAction(
                Message("only the first moves are aborted: two plays have been made, or a game has ended")
            )
        _close(draft, "aborted", seat)
    elif command.how == "agree":
        _agree(draft, seat)
    else:
        _leave(draft, seat)


def _close(draft: Draft, how: ClosingReason, seat: Seat | None) -> None:
    draft.add(SessionClosed(how, None if seat in (None, "both") else Player[seat]))


def _end(draft: Draft, seat: Seat) -> None:
    session = draft.session
    if session.terms.settings.is_match and seat != "both":
        raise IllegalAction(
            Message(
                "a match ends by play, resignation, time or absence: offer to end it without a "
                "result, or leave it and lose"
            )
        )
    if seat != "both" and not session.is_between_games:
        raise IllegalAction(
            Message("a session is ended between two games: in a game both must agree, or you leave and lose it")
        )
    _close(draft, "ended", seat)


def _agree(draft: Draft, seat: Seat) -> None:
    session = draft.session
    if session.terms.opponent == "screen" or (not session.terms.settings.is_match and session.is_between_games):
        _end(draft, seat)
        return
    if not session.is_between_people:
        raise IllegalAction(Message("a bot agrees to nothing: play on, or leave"))
    if seat == "both" or Player[seat].other in session.end_offers:
        _close(draft, "agreed", None)
    elif Player[seat] not in session.end_offers:
        draft.add(EndOffered(Player[seat]))


def _leave(draft: Draft, seat: Seat) -> None:
    session = draft.session
    if seat == "both":
        raise IllegalAction(Message("two people at one screen end the game, and neither loses it"))
    is_match = session.terms.settings.is_match
    if not is_match and session.is_between_games:
        _end(draft, seat)
        return
    if draft.game.is_over:
        draft.add(GameBegun(session.game_number + 1))
    draft.add(GameForfeited(Player[seat], rulings.BY_LEAVING))
    if not is_match:
        _close(draft, "left", seat)


# -- claims -----------------------------------------------------------------------------------------------------
def claim_win(draft: Draft, _command: ClaimWin, seat: Seat | None) -> None:
    """End the game where a flag has fallen, or the other player has been away or owed something for too long.

    A spectator may claim that a flag has fallen.
    """
    if draft.settle_overdue() is not None:
        return
    session, game = draft.session, draft.session.game
    side = None if seat in (None, "both") else Player[seat]
    is_played = game is not None and not game.is_over and not session.is_over
    if side is not None and is_played and (_is_absent(draft, side.other) or _is_link_owed(draft, side.other)):
        draft.add(GameForfeited(side.other, rulings.BY_ABSENCE))
        draft.go_on()
        return
    raise IllegalAction(Message("no flag has fallen, and nobody has been away for too long"))


def grace_of(session: GameSession) -> timedelta | None:
    """The time of absence after which the win may be claimed; None where one waits as long as it takes."""
    terms = session.terms
    if not session.is_between_people or terms.is_correspondence or not terms.grace:
        return None
    return timedelta(seconds=terms.grace)


def overdue_at(session: GameSession) -> datetime | None:
    """The time from which the player who must act counts as absent, whatever page is open.

    None where a clock runs, and in matches that are not rated. New rated matches have a clock; those that an older
    version began without one could be stalled for ever.
    """
    terms, last = session.terms, session.changed_at
    is_owed = session.is_between_people and terms.rated and terms.clock is None
    return None if not is_owed or last is None or session.turn is None or session.is_over else last + OWED


def _is_absent(draft: Draft, loser: Player) -> bool:
    session, grace = draft.session, grace_of(draft.session)
    if session.turn is not loser:
        return False
    since = draft.inputs.absent.get(loser)
    if since is not None and grace is not None and draft.now - since >= grace:
        return True
    overdue = overdue_at(session)
    return overdue is not None and draft.now >= overdue


def _is_link_owed(draft: Draft, loser: Player) -> bool:
    session, grace = draft.session, grace_of(draft.session)
    since = session.link_awaited_since
    if since is None or grace is None or session.awaited != (loser,):
        return False
    return draft.now - since >= grace


# -- playing again ----------------------------------------------------------------------------------------------
def offer_rematch(draft: Draft, _command: OfferRematch, seat: Seat) -> None:
    """A player would play again; the rematch begins when all people would."""
    session = draft.session
    if not session.is_over:
        raise Refusal(Message("the match is not over yet"), "forbidden")
    if session.rematch is not None:
        return
    side = None if seat == "both" else Player[seat]
    if side not in session.rematch_offers:
        draft.add(RematchOffered(side))
    people = set(Player) if session.is_between_people else {side}
    if people <= set(draft.session.rematch_offers):
        draft.add(RematchBegun(draft.inputs.new_session_id))


# -- looks ------------------------------------------------------------------------------------------------------
def chooser_of(session: GameSession) -> Player | None:
    """The side that has won the opening throw and has not played yet; None where there is none."""
    game, record = session.game, session.record
    if game is None or game.is_over or game.turn is None or len(record) > _LOOK_WITHIN:
        return None
    kinds = [None if isinstance(event, Setup) else event.kind for event in record]
    is_opening = ActionKind.OPENING in kinds and set(kinds) <= {ActionKind.OPENING, ActionKind.ROLL}
    return game.turn if is_opening and game.phase is not Phase.DOUBLE_OFFERED and session.is_human(game.turn) else None


def choose_look(draft: Draft, command: ChooseLook, seat: Seat) -> None:
    """The opener chooses how the board is shown to all; the same choice again changes nothing."""
    session = draft.session
    draft.check_begun()
    side = chooser_of(session)
    if side is None:
        raise IllegalAction(Message("the opener chooses before the first play"))
    if seat not in ("both", side.name):
        raise Refusal(Message("{name} has won the opening throw, and chooses", name=session.names[side]), "forbidden")
    look = LookChosen(side, command.colour, command.home)
    if session.look != look:
        draft.add(look)


# -- help and talk ----------------------------------------------------------------------------------------------
def use_help(draft: Draft, _command: UseHelp, _seat: Seat) -> None:
    """Note that help was used, before it is given."""
    if draft.session.is_between_people:
        raise Refusal(Message("there is no help in a game between two people"), "forbidden")
    if not draft.session.is_helped:
        draft.add(HelpUsed())


def say(draft: Draft, command: Say, seat: Seat) -> None:
    """A player says a line, which has been cleaned; refuses too many at once."""
    session = draft.session
    if seat == "both":
        raise Refusal(Message("only the two players talk here"), "forbidden")
    if not session.is_between_people:
        raise Refusal(Message("there is nobody to talk to"), "forbidden")
    times = session.said_at.get(Player[seat], ())
    if len(times) == TALK_KEPT and draft.now - times[0] < TALK_WITHIN:
        raise Refusal(Message("that is a lot at once: wait a little"), "busy")
    draft.add(LineSaid(Player[seat], command.text))
