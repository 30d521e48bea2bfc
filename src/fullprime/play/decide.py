"""Decide about commands: the events that follow from one, or a refusal. Pure.

No lock, no disk, no clock and no randomness: the time, the server's secret and new ids are inputs. The caller stores
the events before any client learns of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import assert_never

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play import checks, dice, off_board
from fullprime.play.commands import (
    Act,
    AnswerResignation,
    BeginChain,
    BeginNextGame,
    ChooseLook,
    ClaimWin,
    CloseSession,
    Continue,
    GiveLink,
    GiveSeed,
    OfferRematch,
    OfferResignation,
    PlayerCommand,
    Say,
    SessionCommand,
    TakeBack,
    TakeSeat,
    ThrowDice,
    UseHelp,
    WithdrawRoll,
)
from fullprime.play.draft import Draft, SessionInputs
from fullprime.play.events import ActionTaken, GameBegun, RollWithdrawn, Seat, SessionEvent, TakenBack
from fullprime.play.session import GameSession, SessionStep
from fullprime.rules import game as acts
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Action, ActionKind, Phase
from fullprime.rules.score import Player

_NO_INPUTS = SessionInputs()


class StaleBoard(Refusal):
    """A command for a board that has changed meanwhile; nothing has happened."""

    def __init__(self, board_version: int, named: int) -> None:
        words = Message("the game has gone on: {version} events, not {named}", version=board_version, named=named)
        super().__init__(words, "stale")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The events that a command leads to, and the session after them."""

    steps: tuple[SessionStep, ...]
    session: GameSession
    refusal: Refusal | None = None
    """The reason why the command itself was not carried out, where the events are those of a flag that had fallen."""

    @property
    def events(self) -> tuple[SessionEvent, ...]:
        """The events alone."""
        return tuple(step.entry.event for step in self.steps)


def decide(
    session: GameSession,
    command: SessionCommand,
    seat: Seat | None,
    now: datetime,
    inputs: SessionInputs = _NO_INPUTS,
    *,
    board_version: int | None = None,
) -> Outcome:
    """Decide about a command that comes from a seat: a spectator has None, a bot its side.

    ``board_version`` is that of the board which the person has seen. Raises Refusal, and errors of the rules with the
    rule that is broken; then nothing follows.
    """
    draft, when = Draft(session, now, inputs), _time_for(command)
    if seat is None and not isinstance(command, TakeSeat | Continue | ClaimWin):
        raise _refuse_spectator(command)
    if seat == "both" and session.terms.opponent != "screen":
        raise Refusal(Message("this game has a seat for each player"), "forbidden")
    if board_version is not None and board_version != session.board_version:
        raise StaleBoard(session.board_version, board_version)
    if when >= _When.IN_GAME:
        checks.game_of(session)
        checks.check_open(session)
    if when is _When.IN_TURN:
        checks.check_turn(session, seat)
    if when >= _When.AFTER_OVERDUE:
        too_late = draft.settle_overdue()
        if too_late is not None:
            return Outcome(tuple(draft.steps), draft.session, too_late)
    match command:
        case TakeSeat():
            off_board.take_seat(draft, command)
        case Continue():
            _continue(draft)
        case ClaimWin():
            off_board.claim_win(draft, seat)
        case _ if seat is not None:
            _decide_for_player(draft, command, seat)
    return Outcome(tuple(draft.steps), draft.session)


def _continue(draft: Draft) -> None:
    session = draft.session
    if session.game is not None and not session.game.is_over and not session.is_over:
        draft.settle_overdue()
        if not draft.steps:
            draft.advance()


# -- the board --------------------------------------------------------------------------------------------------
def _throw(draft: Draft, command: ThrowDice, seat: Seat) -> None:
    session = draft.session
    if draft.game.is_over:
        if session.is_won:
            raise IllegalAction(checks.MATCH_OVER)
        _begin_next_game(draft)
        if draft.session.board_version != session.board_version:
            return
    game = draft.game
    if game.phase not in dice.THROWN_IN:
        game.act(Action(ActionKind.ROLL))  # raises with the reason
    if command.link is not None and dice.take_link_with_throw(draft, seat, command.link):
        return
    if command.dice is None and draft.missing and _is_throw_noted(draft.session):
        return  # it waits for the links
    turn = game.turn
    if turn is not None and not session.is_human(turn) and not session.is_throw_decided:
        draft.throw_for_bot()
    else:
        dice.throw(draft, command.dice)
    draft.advance()


def _is_throw_noted(session: GameSession) -> bool:
    """True where a throw has been asked for already: that of a bot, or the opening of a game begun by a throw."""
    return session.is_throw_decided or bool(session.finished and not session.changes)


def _act(draft: Draft, command: Act) -> None:
    action = command.action
    if action.kind in (ActionKind.ROLL, ActionKind.OPENING):
        raise IllegalAction(Message("a throw is a command of its own"))
    if action.kind in _ABOUT_RESIGNING and _resigns_beside(draft.session):
        raise IllegalAction(
            Message("{kind}: between two people a resignation stands beside the game", kind=action.kind)
        )
    draft.add(ActionTaken(action), command.play)
    draft.advance()


def _resigns_beside(session: GameSession) -> bool:
    """True where an offer to resign stands beside the game, whichever side has the turn: between two people.

    Else it is an action of the game, which waits for the answer; so is one with which a game begins.
    """
    game = session.game
    return session.is_between_people and not (game is not None and game.phase is Phase.RESIGNATION_OFFERED)


def _resign(draft: Draft, command: OfferResignation, seat: Seat) -> None:
    if _resigns_beside(draft.session):
        off_board.offer_resignation(draft, command, Player[seat])
    else:
        checks.check_turn(draft.session, seat)
        _act(draft, Act(acts.resign(command.level)))


def _answer_resignation(draft: Draft, command: AnswerResignation, seat: Seat) -> None:
    if _resigns_beside(draft.session):
        off_board.answer_resignation(draft, command, Player[seat])
    else:
        checks.check_turn(draft.session, seat)
        _act(draft, Act(acts.ACCEPT if command.accepts else acts.REFUSE))


def _begin_next_game(draft: Draft) -> None:
    session = draft.session
    if not draft.game.is_over:
        if session.finished and not session.changes:
            raise Refusal(Message("the next game has begun already"), "stale")
        raise IllegalAction(Message("the game is not over yet"))
    if session.is_won:
        raise IllegalAction(checks.MATCH_OVER)
    checks.check_length(session)
    dice.renew_server_chain(draft)
    draft.add(GameBegun(session.game_number + 1))
    draft.advance()


def _take_back(draft: Draft, command: TakeBack) -> None:
    session, stands = draft.session, draft.session.stands
    checks.game_of(session)
    checks.check_help(session)
    checks.check_length(session)
    if session.is_over or stands is None:
        raise Refusal(Message("nothing is taken back any more: the secret of the dice has been told"), "forbidden")
    people = [side for side in Player if session.is_human(side)]
    draft.add(TakenBack(stands.takeback_point(people, command.steps)))
    draft.advance()


def _withdraw_roll(draft: Draft) -> None:
    session = draft.session
    if not session.has_typed_roll:
        raise IllegalAction(Message("there is nothing to take back: a confirmed play stands, and so do dice"))
    draft.add(RollWithdrawn())


_ABOUT_RESIGNING = (ActionKind.RESIGN, ActionKind.ACCEPT, ActionKind.REFUSE)


# -- the rules of the commands ----------------------------------------------------------------------------------
class _When(IntEnum):
    """The time for a command; each holds for the later ones, too."""

    ALWAYS = 0
    """At any time."""
    AFTER_OVERDUE = 1
    """Too late where something was due before it, such as the fall of a flag."""
    IN_GAME = 2
    """In a game that has begun, in a session that is not closed."""
    IN_TURN = 3
    """From the player who has the turn; from either player while neither has it."""


def _time_for(command: SessionCommand) -> _When:
    match command:
        case Act() | ThrowDice():
            return _When.IN_TURN
        case BeginNextGame() | WithdrawRoll() | OfferResignation() | AnswerResignation():
            return _When.IN_GAME
        case BeginChain() | GiveLink() | TakeBack() | CloseSession():
            return _When.AFTER_OVERDUE
        case TakeSeat() | GiveSeed() | Continue() | ClaimWin() | OfferRematch() | ChooseLook() | UseHelp() | Say():
            return _When.ALWAYS
        case _:
            assert_never(command)


def _refuse_spectator(command: PlayerCommand) -> Refusal:
    """The refusal of a command that a spectator has sent."""
    match command:
        case TakeBack() | UseHelp():
            return Refusal(checks.PLAYERS_HELPED, "forbidden")
        case OfferRematch():
            return Refusal(Message("you are watching: only players play again"), "forbidden")
        case Say():
            return Refusal(Message("you are watching: only players talk here"), "forbidden")
        case _:
            return Refusal(checks.PLAYERS_ACT, "forbidden")


def _decide_for_player(draft: Draft, command: PlayerCommand, seat: Seat) -> None:  # noqa: C901
    # One case for each command, so that the type checker finds one that is missing.
    match command:
        case Act():
            _act(draft, command)
        case ThrowDice():
            _throw(draft, command, seat)
        case GiveLink():
            dice.give_link(draft, command, seat)
        case GiveSeed():
            dice.give_seed(draft, command, seat)
        case BeginChain():
            dice.begin_chain(draft, command, seat)
        case BeginNextGame():
            _begin_next_game(draft)
        case TakeBack():
            _take_back(draft, command)
        case WithdrawRoll():
            _withdraw_roll(draft)
        case OfferResignation():
            _resign(draft, command, seat)
        case AnswerResignation():
            _answer_resignation(draft, command, seat)
        case CloseSession():
            off_board.close_session(draft, command, seat)
        case OfferRematch():
            off_board.offer_rematch(draft, seat)
        case ChooseLook():
            off_board.choose_look(draft, command, seat)
        case UseHelp():
            off_board.use_help(draft)
        case Say():
            off_board.say(draft, command, seat)
        case _:
            assert_never(command)
