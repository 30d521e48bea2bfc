"""The plays of the roll on the board, as texts and as a tree: worked out for the first who asks, and for all then."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache

from fullprime.play.table.fields import PlayTree, TreeStep
from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.plays import CheckerMove, Play, RollPlays, RollState

_text = lru_cache(32_768)(format_play)
"""Texts of plays: the same are made again and again."""


class PlaysByText:
    """The legal plays of one game as it stands. Any thread may ask, also when the game has gone on."""

    __slots__ = ("_found", "_game", "_lock", "_tree")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lock = threading.Lock()
        self._tree: PlayTree | None = None
        self._found: Mapping[str, tuple[CheckerMove, ...]] | None = {} if game.phase is not Phase.PLAY else None

    @property
    def all(self) -> Mapping[str, tuple[CheckerMove, ...]]:
        """The moves of the legal plays by their texts; none while there is nothing to play."""
        found = self._found
        if found is None:
            with self._lock:
                found = self._found
                if found is None:
                    found = self._found = {_text(moves): moves for moves in self._game.ways.lines()}
        return found

    @property
    def tree(self) -> PlayTree:
        """All ways to play the roll, checker by checker, by a walk of its own: :meth:`known` does not wait for it."""
        if self._tree is None:
            self._tree = play_tree(self._game.ways)
        return self._tree

    def known(self, text: str) -> Play | None:
        """The play of that text; None where there is none, or the plays have not been worked out."""
        moves = None if self._found is None else self._found.get(text)
        return None if moves is None else self._game.ways.play(moves)


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


__all__ = ["PlaysByText", "play_tree"]
