"""The board as JSON values: a page can draw it, and tell the legal moves, without any rule of the game."""

from __future__ import annotations

from fullprime.app.table.fields import BoardState, PlayTree, TreeStep
from fullprime.app.table.state import board_facts
from fullprime.app.table.table import Table
from fullprime.rules.plays import RollPlays, RollState
from fullprime.rules.score import Player


def table_view(table: Table) -> BoardState:
    """The state of a table with the checkers of each side in its own numbering (0 off, 1-24, 25 bar, 26 hand).

    The plays of a roll are not in it.
    """
    game, position = table.game, table.game.position
    mine, theirs = list(position.player), list(position.opponent)
    pips, other_pips = position.pips
    x_rolls = game.on_roll is Player.X
    return {
        **board_facts(table),
        "sequence": table.actions_kept,
        "points": {"X": mine, "O": theirs} if x_rolls else {"X": theirs, "O": mine},
        "pips": {"X": pips, "O": other_pips} if x_rolls else {"X": other_pips, "O": pips},
        "checkers": position.checkers,
        "has_hand": game.settings.variant.has_hand,
        "resign_levels": list(game.resignation_levels),
    }


def play_tree(ways: RollPlays) -> PlayTree:
    """All ways to play a roll, checker by checker."""
    numbers: dict[RollState, int] = {ways.start: 0}
    nodes = [ways.start]
    steps: list[list[TreeStep]] = []
    for node in nodes:
        here: list[TreeStep] = []
        for move, after in ways.steps(node):
            if after not in numbers:
                numbers[after] = len(nodes)
                nodes.append(after)
            here.append((move.source, move.target, int(move.hit), numbers[after]))
        steps.append(here)
    return {"steps": steps, "dice": [list(node.dice) for node in nodes]}
