"""The board in sentences, for those who hear it: short, each of its own line, always in the same order."""

from __future__ import annotations

from collections.abc import Iterator

from fullprime.rules.board import BoardView
from fullprime.rules.dice import Roll
from fullprime.rules.position import BAR, HAND, OFF, mirror, pip_words
from fullprime.rules.score import Player
from fullprime.rules.words import format_dice


def board_sentences(view: BoardView) -> list[str]:
    r"""The turn and the dice, both sides, the cube, the score; points by the numbers that the view carries.

    >>> from fullprime.rules.position import Position
    >>> view = BoardView(Position.from_text("bar 6:2 5 off:11 / 22:3 off:12"), dice=Roll(3, 1), scores=(2, 0), length=5)
    >>> print(*board_sentences(view), sep="\n")
    X to play 3-1.
    X: 1 on the bar, 2 on 6, 1 on 5, 11 off. 42 pips.
    O: 3 on 3, 12 off. 66 pips.
    Score: X 2, O 0 in a match to 5.
    """
    sentences = [_turn(view)]
    sentences += [_side(view, player) for player in (view.bottom, view.bottom.other)]
    sentences += [*_cube(view), *_score(view)]
    return [*sentences, f"{view.note}."] if view.note else sentences


def _turn(view: BoardView) -> str:
    if view.cube is not None and view.cube.offered and view.turn is not None:
        return f"{view.names[view.turn]} to answer a double to {view.cube.offered}."
    roll = view.dice
    dice = (roll.high, roll.low) if isinstance(roll, Roll) else tuple(roll)
    if dice:
        return f"{view.names[view.on_roll]} to play {format_dice(dice)}."
    turn = view.turn
    return (
        "The opening roll."
        if turn is None and view.scores is not None
        else f"{view.names[turn or view.on_roll]} to act."
    )


def _side(view: BoardView, player: Player) -> str:
    """The checkers of one side, the farthest first."""
    row = view.row(player)
    own = player is (view.bottom if view.numbers_of is None else view.numbers_of)
    places = [f"{row[HAND]} in hand"] if row[HAND] else []
    places += [f"{row[BAR]} on the bar"] if row[BAR] else []
    places += [f"{row[point]} on {point if own else mirror(point)}" for point in range(24, 0, -1) if row[point]]
    places += [f"{row[OFF]} off"] if row[OFF] else []
    return f"{view.names[player]}: {', '.join(places) or 'no checkers'}. {pip_words(row)}."


def _cube(view: BoardView) -> Iterator[str]:
    cube = view.cube
    if cube is not None and not cube.offered:
        owner = "in the middle" if cube.owner is None else f"with {view.names[cube.owner]}"
        yield f"Cube at {cube.value}, {owner}."


def _score(view: BoardView) -> Iterator[str]:
    if view.scores is not None:
        x, o = view.scores
        where = f" in a match to {view.length}" if view.length else ""
        yield f"Score: {view.names[0]} {x}, {view.names[1]} {o}{where}."
