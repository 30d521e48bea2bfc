"""The plays of the roll on the board, as texts: worked out when somebody asks, and then once for all who do."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache

from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.plays import CheckerMove, Play

_text = lru_cache(32_768)(format_play)
"""Texts of plays: the same are made again and again."""


class PlaysByText:
    """The legal plays of one game as it stands. Any thread may ask, also when the game has gone on."""

    __slots__ = ("_found", "_game", "_lock")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lock = threading.Lock()
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

    def known(self, text: str) -> Play | None:
        """The play of that text; None where there is none, or the plays have not been worked out."""
        moves = None if self._found is None else self._found.get(text)
        return None if moves is None else self._game.ways.play(moves)


__all__ = ["PlaysByText"]
