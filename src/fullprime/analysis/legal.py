"""Legal plays for people and for programs: one roll with its plays, or thousands of lines a second."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.rules.board_after_play import BoardAfterPlay
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError, NotationError
from fullprime.rules.game import Game
from fullprime.rules.ids import gnu_position_id, read_gnu_position
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants.standard import BACKGAMMON
from fullprime.rules.variants.variant import Variant

SMALL = 32
"""A batch of so few lines does not wait for the kernels to be loaded: the readable rules answer at once."""

LONGEST = 1000
"""Characters of a line; a longer one is refused."""


@dataclass(frozen=True, slots=True)
class LegalPlay(BoardAfterPlay):
    """One legal play, with the board after it as the next player sees it."""

    __json__: ClassVar[JsonFields] = json_names("play", "position_id", "position")

    play: Play
    """The play as players write it: ``8/5 6/5``."""


@dataclass(frozen=True, slots=True)
class LegalPlays:
    """Every legal play of a roll."""

    variant: str
    """The game."""
    position: Position
    """The board before."""
    dice: Roll
    """The roll, the higher die first."""
    plays: tuple[LegalPlay, ...]
    """The plays; empty for a roll that cannot be played."""


def list_legal_plays(game: Game, roll: Roll) -> LegalPlays:
    """Every legal play of a roll."""
    variant = game.settings.variant
    plays = tuple(LegalPlay(play) for play in legal_plays(game.position, roll, variant) if play.moves)
    return LegalPlays(variant.name, game.position, roll, plays)


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be answered, and why."""

    reason: str


class LegalLines:
    """Answers lines ``POSITIONID D1 D2`` in batches: the sorted Position IDs after each play, or ``-`` for none."""

    def __init__(self, variant: Variant = BACKGAMMON) -> None:
        self._variant = variant
        self._ready = threading.Event()
        self._loading: threading.Thread | None = None
        self._batches = 0

    def answer(self, lines: Sequence[str]) -> list[str | BadLine]:
        """One answer for each line, in order."""
        read = [self._read(line) for line in lines]
        good = [decision for decision in read if not isinstance(decision, BadLine)]
        ids = iter(self._ids(good))
        return [line if isinstance(line, BadLine) else " ".join(next(ids)) or "-" for line in read]

    def _read(self, line: str) -> tuple[Position, Roll] | BadLine:
        if len(line) > LONGEST:
            return BadLine(f"a line has at most {LONGEST} characters; this one begins {line[:40]!r}")
        words = line.split()
        if len(words) == 2 and len(words[1]) == 2:
            words = [words[0], *words[1]]
        try:
            if len(words) != 3:
                raise NotationError(f"{line.strip()[:60]!r} is not POSITIONID D1 D2")
            if not all(len(word) == 1 and word in "123456" for word in words[1:]):
                raise NotationError(f"{' '.join(words[1:])[:40]!r} is not a roll; write two dice such as 3 1")
            return read_gnu_position(words[0], self._variant.checkers), Roll(int(words[1]), int(words[2]))
        except FullprimeError as error:
            return BadLine(str(error))

    def _ids(self, decisions: list[tuple[Position, Roll]]) -> list[list[str]]:
        self._batches += 1
        if not self._ready.is_set():
            if len(decisions) <= SMALL:
                if self._batches > 1 and self._loading is None:
                    self._loading = threading.Thread(target=self._load, name="kernels", daemon=True)
                    self._loading.start()
                return [self._list_by_rules(position, roll) for position, roll in decisions]
            self._load()
        from fullprime.engine.boards.legal_ids import legal_position_ids

        return legal_position_ids(decisions, self._variant)

    def _load(self) -> None:
        """Load the kernels (compiled first where no machine code is kept yet)."""
        from fullprime.engine.boards.legal_ids import legal_position_ids

        legal_position_ids(
            [(BACKGAMMON.starting_position, Roll(2, 1)), (BACKGAMMON.starting_position, Roll(1, 1))], BACKGAMMON
        )
        self._ready.set()

    def _list_by_rules(self, position: Position, roll: Roll) -> list[str]:
        plays = legal_plays(position, roll, self._variant)
        return sorted(gnu_position_id(play.position) for play in plays if play.moves)
