"""What may be done in a session: the events that follow from a command, or a refusal. Pure.

No lock, no disk, no clock and no randomness: the time, the server's secret and new ids are inputs. The caller stores
the events before anybody learns of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play import beside, dice
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
from fullprime.play.rulings import takeback_point
from fullprime.play.session import GameSession, SessionStep
from fullprime.rules import game as acts
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import GameRecord
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
    draft = Draft(session, now, inputs)
    if isinstance(command, Continue):
        if session.game is not None and not session.game.is_over and not session.is_over:
            draft.settle_overdue()
            if not draft.steps:
                draft.go_on()
        return Outcome(tuple(draft.steps), draft.session)
    if seat is None and not isinstance(command, (TakeSeat, ClaimWin)):
        raise Refusal(_PLAYERS_ALONE.get(type(command), PLAYERS_ACT), "forbidden")
    if seat == "both" and session.terms.opponent != "screen":
        raise Refusal(Message("this game has a seat for each player"), "forbidden")
    if board_version is not None and board_version != session.board_version:
        raise StaleBoard(session.board_version, board_version)
    if type(command) in _IN_GAME:
        draft.may_act(seat or "", in_turn=type(command) in _IN_TURN)
    if type(command) in _AFTER_OVERDUE:
        too_late = draft.settle_overdue()
        if too_late is not None:
            return Outcome(tuple(draft.steps), draft.session, too_late)
    _DO[type(command)](draft, command, seat)
    return Outcome(tuple(draft.steps), draft.session)


# -- the board --------------------------------------------------------------------------------------------------
def _throw(draft: Draft, command: ThrowDice, seat: Seat) -> None:
    session = draft.session
    if draft.game.is_over:
        if session.is_won:
            raise IllegalAction(Message("the match is over"))
        _begin_next_game(draft, BeginNextGame(), seat)
        if session.terms.dice == "links" or draft.session.board_version != session.board_version:
            return
    game = draft.game
    if game.phase not in dice.THROWN_IN:
        game.act(Action(ActionKind.ROLL))  # raises with the reason
    if command.link is not None and dice.take_link_with_throw(draft, seat, command.link):
        return
    turn = game.turn
    if turn is not None and not session.is_human(turn) and not session.is_throw_decided:
        draft.throw_for_bot()
    else:
        dice.throw(draft, command.dice)
    draft.go_on()


def _act(draft: Draft, command: Act, _seat: Seat) -> None:
    action = command.action
    if action.kind in (ActionKind.ROLL, ActionKind.OPENING):
        raise IllegalAction(Message("a throw is a command of its own"))
    if draft.session.is_between_people and action.kind in _ABOUT_RESIGNING:
        raise IllegalAction(
            Message("{kind}: between two people a resignation stands beside the game", kind=action.kind)
        )
    draft.add(ActionTaken(action), command.play)
    draft.go_on()


def _resign(draft: Draft, command: OfferResignation, seat: Seat) -> None:
    """Beside the game between two people; else an action of the game, which waits for the answer."""
    if draft.session.is_between_people:
        beside.offer_resignation(draft, command, Player[seat])
    else:
        draft.may_act(seat)
        _act(draft, Act(acts.resign(command.level)), seat)


def _answer_resignation(draft: Draft, command: AnswerResignation, seat: Seat) -> None:
    if draft.session.is_between_people:
        beside.answer_resignation(draft, command, Player[seat])
    else:
        draft.may_act(seat)
        _act(draft, Act(acts.ACCEPT if command.accepts else acts.REFUSE), seat)


def _begin_next_game(draft: Draft, _command: BeginNextGame, _seat: Seat) -> None:
    session = draft.session
    if not draft.game.is_over:
        raise IllegalAction(Message("the game is not over yet"))
    if session.is_won:
        raise IllegalAction(Message("the match is over"))
    dice.renew_server_chain(draft)
    draft.add(GameBegun(session.game_number + 1))
    draft.go_on()


def _take_back(draft: Draft, command: TakeBack, _seat: Seat) -> None:
    session, game = draft.session, draft.game
    if session.is_between_people:
        raise Refusal(Message("there is no help in a game between two people"), "forbidden")
    if session.is_over:
        raise Refusal(Message("nothing is taken back any more: the secret of the dice has been told"), "forbidden")
    people = [side for side in Player if session.is_human(side)]
    record = GameRecord(session.start or game, session.record)
    draft.add(TakenBack(takeback_point(record, people, command.steps)))
    draft.go_on()


def _withdraw_roll(draft: Draft, _command: WithdrawRoll, _seat: Seat) -> None:
    session = draft.session
    if not session.has_typed_roll:
        raise IllegalAction(Message("there is nothing to take back: a confirmed play stands, and so do dice"))
    draft.add(RollWithdrawn())


PLAYERS_ACT = Message("you are watching: only players act")
_PLAYERS_ALONE: dict[type[Any], Message] = {
    OfferRematch: Message("you are watching: only players play again"),
    Say: Message("you are watching: only players talk here"),
    TakeBack: Message("you are watching: only players are helped"),
    UseHelp: Message("you are watching: only players are helped"),
}
"""The refusals of what only players do."""
_ABOUT_RESIGNING = (ActionKind.RESIGN, ActionKind.ACCEPT, ActionKind.REFUSE)
_IN_GAME = {ThrowDice, Act, BeginNextGame, OfferResignation, AnswerResignation, WithdrawRoll}
"""Commands that need a game which has begun, and a session that is not closed."""
_AFTER_OVERDUE = {*_IN_GAME, GiveLink, BeginChain, CloseSession, TakeBack}
"""Commands that come too late where something was due before them, such as the fall of a flag."""
_IN_TURN = {ThrowDice, Act}
"""Commands of the player who has the turn; of either player while neither has it."""

_DO: dict[type[Any], Callable[[Draft, Any, Any], None]] = {
    TakeSeat: beside.take_seat,
    GiveSeed: dice.give_seed,
    BeginChain: dice.begin_chain,
    GiveLink: dice.give_link,
    ThrowDice: _throw,
    Act: _act,
    BeginNextGame: _begin_next_game,
    TakeBack: _take_back,
    WithdrawRoll: _withdraw_roll,
    OfferResignation: _resign,
    AnswerResignation: _answer_resignation,
    CloseSession: beside.close_session,
    ClaimWin: beside.claim_win,
    OfferRematch: beside.offer_rematch,
    ChooseLook: beside.choose_look,
    UseHelp: beside.use_help,
    Say: beside.say,
}
"""The commands, each with the function that decides about it."""
