"""The board as JSON values: a page can draw it, and tell the legal moves, without any rule of the game."""

from __future__ import annotations

from fullprime.play.session import GameSession
from fullprime.play.table.fields import BoardState
from fullprime.play.table.state import board_facts
from fullprime.rules.score import Player


def board_view(session: GameSession) -> BoardState:
    """The board of a session that has begun, the checkers of each side in its own numbering (0 off, 25 bar, 26 hand).

    The plays of a roll are not in it.
    """
    game = session.game
    assert game is not None  # it has begun
    position = game.position
    mine, theirs = list(position.player), list(position.opponent)
    pips, other_pips = position.pips
    x_rolls = game.on_roll is Player.X
    return {
        **board_facts(session),
        "sequence": session.board_version,
        "points": {"X": mine, "O": theirs} if x_rolls else {"X": theirs, "O": mine},
        "pips": {"X": pips, "O": other_pips} if x_rolls else {"X": other_pips, "O": pips},
        "checkers": position.checkers,
        "has_hand": game.settings.variant.has_hand,
        "resign_levels": list(game.resignation_levels),
    }
