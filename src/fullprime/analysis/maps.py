"""Maps of a position as text: the worth of every roll, and the cube decision at every score."""

from __future__ import annotations

from dataclasses import replace

from fullprime.engine import shared
from fullprime.rules.game import Game, Phase


def rolls_text(game: Game, threads: int = 1) -> str:
    """The worth of each of the 21 rolls to the player who is about to throw, and its best play."""
    from fullprime.reviews.maps import roll_map

    waiting = replace(game, dice=None, phase=Phase.ROLL, follow_ups=())
    return roll_map(shared.engine_for(game.settings.variant, threads), waiting).text


def scores_text(game: Game, length: int, level: str, threads: int = 1) -> str:
    """The right action with a cube in the middle at every score. Raises MapError, LevelError."""
    from fullprime.reviews.maps import score_map

    return score_map(shared.engine_for(game.settings.variant, threads), game.position, length, level).text
