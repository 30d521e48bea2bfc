"""What a board shows, as JSON values: it needs no rule of the game to draw it, nor to know what may be moved."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from fullprime.app.table.state import table_state
from fullprime.app.table.table import Table
from fullprime.rules.plays import RollPlays, RollState
from fullprime.rules.score import Player


def table_view(table: Table) -> dict[str, Any]:
    """The state of a table with the checkers of each side in its own numbering (0 off, 1-24, 25 bar, 26 hand).

    The plays of a roll are not in it.
    """
    game, position = table.game, table.game.position
    state = table_state(table, plays=False)
    mine, theirs = state["pips"]
    x_rolls = game.on_roll is Player.X
    return {
        **state,
        "sequence": table.actions_kept,
        "points": {
            player.name: list(position.player if player is game.on_roll else position.opponent) for player in Player
        },
        "pips": {"X": mine if x_rolls else theirs, "O": theirs if x_rolls else mine},
        "checkers": game.position.checkers,
        "has_hand": game.settings.variant.has_hand,
        "resign_levels": list(game.resignation_levels),
    }


class PlayTree(TypedDict):
    """All ways to play a roll, checker by checker; play begins at node 0."""

    steps: list[list[list[int]]]
    """What may be moved at each node: from, to, whether it hits (1), the node after it. None: a complete play."""
    dice: list[list[int]]
    """The dice still to be played at each node."""


def play_tree(ways: RollPlays) -> PlayTree:
    """All ways to play a roll, checker by checker."""
    numbers: dict[RollState, int] = {ways.start: 0}
    nodes = [ways.start]
    steps = []
    for node in nodes:
        here = []
        for move, after in ways.steps(node):
            if after not in numbers:
                numbers[after] = len(nodes)
                nodes.append(after)
            here.append([move.source, move.target, int(move.hit), numbers[after]])
        steps.append(here)
    return {"steps": steps, "dice": [list(node.dice) for node in nodes]}
