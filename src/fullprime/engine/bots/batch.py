"""The protocol of players that choose plays in batches, and their shared code."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.search.searcher import Ends
from fullprime.rules.errors import FullprimeError

Dice = npt.NDArray[np.int8]


class PlayerError(FullprimeError):
    """A player that does not exist, or that does not play this game."""


class BatchPlayer(Protocol):
    """A player that chooses plays in cubeless money games."""

    name: str
    in_batches: bool
    """True if many positions at once are chosen faster than one by one."""

    def choose(self, boards: Boards, dice: Dice) -> Ends:
        """Choose turns for packed positions (n, 32) and rolls (n, 2): the boards after, seen by the next to roll."""
        ...


def end_turns(boards: Boards) -> Ends:
    """Boards after turns that give no further throw."""
    return Ends(boards, np.zeros(len(boards), bool))
