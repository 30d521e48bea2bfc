"""Decide commands about the session around the board: seats, offers, ends without play, claims, looks, help, chat."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play import checks, rulings
from fullprime.play.commands import (
    AnswerResignation,
    ChooseLook,
    CloseSession,
    OfferResignation,
    Say,
    TakeSeat,
)
from fullprime.play.draft import Draft
from fullprime.play.events import (
    ChatSent,
    ClosingReason,
    EndOffered,
    GameBegun,
    GameForfeited,
    HelpUsed,
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
from fullprime.play.naming import to_messages
from fullprime.play.session import GameSession, StandingResignation
from fullprime.rules.errors import IllegalAction
from fullprime.rules.score import Player

TALK_WITHIN: Final = timedelta(seconds=20)
"""The time in which a side may say ``TALK_KEPT`` lines."""
LOOKS: Final = 10
"""The most looks that may be chosen in one game, because each turns the board for everyone who sees it."""
_OFFERED_ONCE = {
    1: Message("a single game is offered once in a turn: play on, or offer another level"),
    2: Message("a gammon is offered once in a turn: play on, or offer another level"),
    3: Message("a backgammon is offered once in a turn: play on, or offer another level"),
    4: Message("a backgammon on the bar is offered once in a turn: play on, or offer another level"),
}


# -- seats ------------------------------------------------------------------------------------------------------
def take_seat(draft: Draft, command: TakeSeat) -> None:
    """Seat a person who has an invitation; the caller has checked the name."""
    if draft.session.closed is not None:
        raise Refusal(checks.CALLED_OFF, "forbidden")
    if not draft.session.is_seat_free:
        raise Refusal(checks.SEAT_TAKEN, "forbidden")
    draft.add(SeatTaken(command.name, command.has_account))


# -- resignations between two people ----------------------------------------------------------------------------
def offer_resignation(draft: Draft, command: OfferResignation, side: Player) -> None:
    """Offer to lose; the same offer again changes nothing."""
    session, game, level = draft.session, draft.game, command.level
    rulings.resignation(game, side, level)  # raises where it cannot be offered
    offer = session.resignation
    if offer is not None and not offer.is_refused:
        if offer.side is not side:
            raise IllegalAction(
                Message(
                    "{name} offers to resign: accept or refuse that first", name=to_messages(session.names)[side.other]
                )
            )
        if offer.level != level:
            raise IllegalAction(Message("your offer to resign waits for its answer"))
        return
    if (side, level) in session.resignations:
        raise IllegalAction(_OFFERED_ONCE[level])
    draft.add(ResignationOffered(side, level))


def answer_resignation(draft: Draft, command: AnswerResignation, side: Player) -> None:
    """Accept or refuse the other player's offer to lose; a second refusal changes nothing."""
    offer = _find_resignation(draft.session, side)
    if command.accepts and offer.is_refused:
        raise IllegalAction(Message("no resignation waits for an answer: it has been refused"))
    if command.accepts:
        draft.add(ResignationAccepted(offer.side, offer.level))
        draft.advance()
    elif not offer.is_refused:
        draft.add(ResignationRefused(side))


def _find_resignation(session: GameSession, side: Player) -> StandingResignation:
    offer = session.resignation
    if offer is None:
        raise IllegalAction(Message("no resignation waits for an answer"))
    if offer.side is side:
        raise Refusal(
            Message("it is {name} who answers your offer to resign", name=to_messages(session.names)[side.other]),
            "forbidden",
        )
    return offer


# -- ends without play ------------------------------------------------------------------------------------------
def close_session(draft: Draft, command: CloseSession, seat: Seat) -> None:
    """End a session before it is played out; a session that is over already stays as it is."""
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
    draft.add(GameForfeited(Player[seat], "by leaving"))
    if not is_match:
        _close(draft, "left", seat)


# -- claims -----------------------------------------------------------------------------------------------------
def claim_win(draft: Draft, seat: Seat | None) -> None:
    """End the game where a flag has fallen, or the other player has been away or owed something for too long.

    A spectator may claim that a flag has fallen.
    """
    if draft.settle_overdue() is not None:
        return
    session, game = draft.session, draft.session.game
    side = None if seat in (None, "both") else Player[seat]
    is_played = game is not None and not game.is_over and not session.is_over
    if side is not None and is_played and (_is_absent(draft, side.other) or _is_link_owed(draft, side.other)):
        draft.add(GameForfeited(side.other, "by absence"))
        draft.advance()
        return
    raise IllegalAction(Message("no flag has fallen, and nobody has been away for too long"))


def _is_absent(draft: Draft, loser: Player) -> bool:
    session, grace = draft.session, draft.session.grace
    if session.turn is not loser:
        return False
    since = draft.inputs.absent.get(loser)
    if since is not None and grace is not None and draft.now - since >= grace:
        return True
    overdue = session.overdue_at
    return overdue is not None and draft.now >= overdue


def _is_link_owed(draft: Draft, loser: Player) -> bool:
    session, grace = draft.session, draft.session.grace
    since = session.link_awaited_since
    if since is None or grace is None or session.awaited != (loser,):
        return False
    return draft.now - since >= grace


# -- playing again ----------------------------------------------------------------------------------------------
def offer_rematch(draft: Draft, seat: Seat) -> None:
    """Offer to play again; the rematch begins once every person has offered it."""
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
def choose_look(draft: Draft, command: ChooseLook, seat: Seat) -> None:
    """Choose how the board is shown to all, as the opener; the same choice again changes nothing."""
    session = draft.session
    checks.game_of(session)
    side = session.chooser
    if side is None:
        raise IllegalAction(Message("the opener chooses before the first play"))
    if seat not in ("both", side.name):
        raise Refusal(
            Message("{name} has won the opening throw, and chooses", name=to_messages(session.names)[side]), "forbidden"
        )
    look = LookChosen(side, command.colour, command.home)
    if session.look == look:
        return
    if session.looks >= LOOKS:
        raise IllegalAction(Message("the look has been chosen {count} times: play on", count=LOOKS))
    draft.add(look)


# -- help and talk ----------------------------------------------------------------------------------------------
def use_help(draft: Draft) -> None:
    """Note that help was used, before it is given."""
    checks.check_help(draft.session)
    if not draft.session.is_helped:
        draft.add(HelpUsed())


def say(draft: Draft, command: Say, seat: Seat) -> None:
    """A player says a line, which has been cleaned; refuses too many at once."""
    side = checks.speaker(draft.session, seat)
    checks.check_length(draft.session)
    times = draft.session.said_at.get(side, ())
    if len(times) == TALK_KEPT and draft.now - times[0] < TALK_WITHIN:
        raise Refusal(Message("that is a lot at once: wait a little"), "busy")
    draft.add(ChatSent(side, command.text))
