"""The plays of the roll on the board, as texts: worked out when somebody asks, and then once for all who do."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import lru_cache

from fullprime.rules.game import Game, Phase
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play, RollPlays

_text = lru_cache(32_768)(format_play)
"""Texts of plays: the same are made again and again."""


class PlaysByText:
    """The legal plays of one game as it stands. Any thread may ask, also when the game has gone on."""

    __slots__ = ("_found", "_game", "_lock", "_ways")

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lock = threading.Lock()
        self._ways: RollPlays | None = None
        self._found: Mapping[str, Play] | None = {} if game.phase is not Phase.PLAY else None

    @property
    def found(self) -> Mapping[str, Play] | None:
        """The plays if they have been worked out."""
        return self._found

    @property
    def all(self) -> Mapping[str, Play]:
        """The legal plays by their texts; none while there is nothing to play."""
        found = self._found
        if found is None:
            with self._lock:  # a walk remembers its steps: two at once would tread on each other
                found = self._found = {_text(play.moves): play for play in self._walk().plays()}
        return found

    @property
    def is_forced(self) -> bool:
        """True if the roll can be played in one way only; to make all plays takes longer."""
        found = self._found
        if found is not None:
            return len(found) == 1
        with self._lock:
            return self._walk().forced is not None

    def _walk(self) -> RollPlays:
        if self._ways is None:
            self._ways = self._game.ways
        return self._ways


__all__ = ["PlaysByText"]
