"""The actions of a player, in the words that a server takes."""

from __future__ import annotations

from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.notation import FAN, format_play
from fullprime.rules.plays import Play

Doing = str | Play | Action | ActionKind | Roll
"""The forms of an action that :meth:`RemoteGame.act` takes."""

_RESIGN = {None: "resign", 1: "resign", 2: "resign g", 3: "resign b", 4: "resign 4"}


def to_command_line(action: object) -> str:
    """Give the line that a player would type for an action.

    >>> to_command_line("8/5 6/5"), to_command_line(Action(ActionKind.CHOOSE, number=5))
    ('8/5 6/5', 'choose 5')

    Raises IllegalAction for an action that a player of a server cannot do, such as throwing dice of their own.
    """
    if action is ActionKind.OPENING:
        return "roll"  # the server throws for both
    if isinstance(action, ActionKind):
        action = Action(action)
    if isinstance(action, Play):
        action = Action(ActionKind.PLAY, moves=action.moves)
    if isinstance(action, str):
        return " ".join(action.split()) or FAN
    if isinstance(action, Roll) or (isinstance(action, Action) and action.dice is not None):
        raise IllegalAction(f"{action!r} names dice, but the server throws them: act with the word 'roll'")
    if not isinstance(action, Action):
        raise IllegalAction(f"{action!r} is nothing that a player does: take a text, a Play or an Action")
    match action.kind:
        case ActionKind.PLAY:
            return format_play(action.moves)
        case ActionKind.CHOOSE:
            return f"choose {action.number}"
        case ActionKind.RESIGN:
            if action.number not in _RESIGN:
                raise IllegalAction(f"{action.number!r} is no level of a resignation: 1, 2, 3 (or 4, with the bar)")
            return _RESIGN[action.number]
        case _:
            return str(action.kind)
