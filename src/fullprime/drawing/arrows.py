"""Arrows of drawn boards: one for each checker that a play moves, coloured by the play's loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fullprime.drawing.theme import Severity
from fullprime.rules.plays import CheckerMove, Play
from fullprime.rules.score import Player


@dataclass(frozen=True, slots=True)
class Arrow:
    """One checker's way, in the numbering of ``player`` (None: the player on roll).

    ``loss`` in points of equity colours it and sets its dashes: None is neutral, 0 the best play.
    """

    source: int
    target: int
    loss: float | None = None
    player: Player | None = None

    @property
    def severity(self) -> Severity:
        """The class of the arrow's style."""
        if self.loss is None:
            return "neutral"
        return next(name for name, limit in _LIMITS if self.loss < limit)


_LIMITS: tuple[tuple[Severity, float], ...] = (
    ("best", 0.005),
    ("fine", 0.02),
    ("error", 0.08),
    ("blunder", float("inf")),
)


def play_arrows(
    moves: Play | Sequence[CheckerMove], loss: float | None = None, player: Player | None = None
) -> tuple[Arrow, ...]:
    """The arrows of a play, one for each checker: hops of one checker are joined.

    >>> from fullprime.rules.dice import Roll
    >>> from fullprime.rules.notation import read_play
    >>> from fullprime.rules.variants import BACKGAMMON
    >>> play = read_play("24/18/14", BACKGAMMON.starting_position, Roll(6, 4))
    >>> [(arrow.source, arrow.target) for arrow in play_arrows(play)]
    [(24, 14)]
    """
    paths: list[tuple[int, int]] = []
    for move in moves.moves if isinstance(moves, Play) else moves:
        for index, (source, target) in enumerate(paths):
            if target == move.source:
                paths[index] = (source, move.target)
                break
        else:
            paths.append((move.source, move.target))
    return tuple(Arrow(source, target, loss, player) for source, target in paths)
