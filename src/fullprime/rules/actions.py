"""Actions: everything that players and dice do, and the functions that make each action."""

from __future__ import annotations

from dataclasses import dataclass

from fullprime.rules import late_binding
from fullprime.rules.dice import AnyRoll, Roll
from fullprime.rules.errors import IllegalAction, NotationError
from fullprime.rules.plays import CheckerMove, Play
from fullprime.rules.printing import Word, short_repr
from fullprime.rules.score import LEVEL_NAMES, SINGLE
from fullprime.rules.taking import is_tuple_of, make_plain, short_value, whole_number


class ActionKind(Word):
    """The names of the actions."""

    OPENING = "opening"
    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    PLAY = "play"
    CHOOSE = "choose"
    RESIGN = "resign"
    ACCEPT = "accept"
    REFUSE = "refuse"


_NUMBERED = (ActionKind.CHOOSE, ActionKind.RESIGN)


@dataclass(frozen=True, slots=True, repr=False)
class Action:
    """One act of a player or of the dice. Make them with the functions below, or act through a game.

    Raises IllegalAction for an action that lacks its dice, or its number, or has a field that it cannot have.

    >>> Action("roll", dice=(3, 7))
    Traceback (most recent call last):
    ...
    fullprime.rules.errors.IllegalAction: roll needs two dice, such as (3, 1), not (3, 7)
    """

    kind: ActionKind
    dice: tuple[int, int] | None = None
    """``OPENING``: X's die and O's die. ``ROLL``: the two dice; None from a player who wants to roll and holds none."""
    moves: tuple[CheckerMove, ...] = ()
    """``PLAY``: the checker moves, in an order in which they can be made."""
    number: int | None = None
    """``CHOOSE``: the number of the double. ``RESIGN``: 1 single, 2 gammon, 3 backgammon."""

    def __post_init__(self) -> None:
        named: object = self.kind
        kind = named if isinstance(named, ActionKind) else _kind_named(named)
        if kind is not named:
            object.__setattr__(self, "kind", kind)
        if kind is ActionKind.OPENING or (kind is ActionKind.ROLL and self.dice is not None):
            dice: object = self.dice
            if not (isinstance(dice, tuple) and len(dice) == 2 and all(whole_number(die) in _FACES for die in dice)):
                raise IllegalAction(f"{kind} needs two dice, such as (3, 1), not {short_value(dice)}")
            object.__setattr__(self, "dice", (whole_number(dice[0]), whole_number(dice[1])))
        elif self.dice is not None:
            raise IllegalAction(f"{kind} has no dice: {short_value(self.dice)}")
        if kind is ActionKind.PLAY:
            if not is_tuple_of(CheckerMove, self.moves):
                raise IllegalAction(f"the moves of a play are checker moves, not {short_value(self.moves)}")
        elif not is_tuple_of(CheckerMove, self.moves, 0):
            raise IllegalAction(f"{kind} moves no checkers: {short_value(self.moves)}")
        if kind in _NUMBERED:
            if whole_number(self.number) is None:
                expected = "the number of a double, 1 to 6" if kind is ActionKind.CHOOSE else "a level, 1 to 3"
                raise IllegalAction(f"{kind} needs {expected}, not {short_value(self.number)}")
            make_plain(self, "number")
        elif self.number is not None:
            raise IllegalAction(f"{kind} has no number: {short_value(self.number)}")

    @property
    def required_dice(self) -> tuple[int, int]:
        """The dice of a roll; raises IllegalAction where none were given."""
        if self.dice is None:
            raise IllegalAction(f"{self.kind} has no dice: say which were thrown, as in game.roll('31')")
        return self.dice

    def __repr__(self) -> str:
        return short_repr(self)

    def __str__(self) -> str:
        """The action as players type it: ``roll 31``, ``8/5 6/5``, ``double``."""
        if self.kind is ActionKind.PLAY:
            return late_binding.format_play(self.moves)
        if self.dice is not None:
            return f"{self.kind} {self.dice[0]}{self.dice[1]}"
        return f"{self.kind} {self.number}" if self.number is not None else str(self.kind)


_FACES = frozenset(range(1, 7))


def _kind_named(name: object) -> ActionKind:
    try:
        return ActionKind(str(name) if isinstance(name, str) else "")
    except ValueError:
        raise IllegalAction(f"there is no action {short_value(name)}; there are {', '.join(ActionKind)}") from None


def opening(x_die: int, o_die: int) -> Action:
    """The opening roll: one die of each player."""
    return Action(ActionKind.OPENING, dice=(x_die, o_die))


def roll(dice: AnyRoll) -> Action:
    """The roll of the player on roll: a ``Roll``, text such as ``31``, or two numbers."""
    rolled = Roll.of(dice)
    return Action(ActionKind.ROLL, dice=(rolled.high, rolled.low))


def play(moves: Play | tuple[CheckerMove, ...]) -> Action:
    """The play of the player on roll. Text has a meaning only on a board: ``Game.play`` reads it."""
    text: object = moves
    if isinstance(text, str):
        raise NotationError(f"{text!r:.60} is a play on some board: game.play({text!r:.60}) reads it")
    return Action(ActionKind.PLAY, moves=moves.moves if isinstance(moves, Play) else moves)


def choose(number: int) -> Action:
    """The choice of a double after an acey-deucey."""
    return Action(ActionKind.CHOOSE, number=number)


def resign(level: int | str = SINGLE) -> Action:
    """The offer to lose a single game (1), a gammon (2) or a backgammon (3), by number or word."""
    if isinstance(level, str):
        levels = {"single": 1, **{name: number for number, name in LEVEL_NAMES.items()}}
        if level.strip().lower() not in levels:
            raise IllegalAction(f"a resignation is for a single game, a gammon or a backgammon, not {level!r:.40}")
        level = levels[level.strip().lower()]
    return Action(ActionKind.RESIGN, number=level)


DOUBLE = Action(ActionKind.DOUBLE)
TAKE = Action(ActionKind.TAKE)
DROP = Action(ActionKind.DROP)
BEAVER = Action(ActionKind.BEAVER)
RACCOON = Action(ActionKind.RACCOON)
ACCEPT = Action(ActionKind.ACCEPT)
REFUSE = Action(ActionKind.REFUSE)
