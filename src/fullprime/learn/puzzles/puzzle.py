"""Puzzles as values, and as the lines of a stock: one line a puzzle, one file a game."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Variant

STOCK = Path(__file__).parent / "stock"
"""The folder of the package's own stock."""
FORMAT = "fullprime puzzles 1"
RIGHT = 0.02
"""A play that costs less than this counts as the best, because the errors of the rollouts are as large."""
LEVELS = {"beginner": 1100, "casual": 1250, "intermediate": 1400, "advanced": 1600, "expert": 1800, "0-ply": 2000}
"""The strongest level of the engine that goes wrong, and the rating with which such a puzzle begins."""


class PuzzleError(FullprimeError):
    """A puzzle, a stock or an answer that cannot be read."""


@dataclass(frozen=True)
class Puzzle:
    """A roll to play, cubeless. ``losses`` are those of :attr:`plays`, in thousandths of the game's unit."""

    variant: str
    position: Position
    dice: Roll
    theme: str
    level: str
    """The strongest level that goes wrong here: see :data:`LEVELS`."""
    tempting: int
    """The place among :attr:`plays` of the play that misleads."""
    losses: tuple[int, ...]
    source: int
    """The number of the game of self-play it comes from."""

    @property
    def rules(self) -> Variant:
        """The game."""
        return variant_named(self.variant)

    @cached_property
    def name(self) -> str:
        """The name, which follows from the board and the roll and so is the same in every stock."""
        identity = f"{self.variant} {self.position.text} {self.dice}"
        return f"{self.variant}-{hashlib.sha256(identity.encode()).hexdigest()[:10]}"

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """The legal plays, in the order of the boards they lead to."""
        legal = legal_plays(self.position, self.dice, self.rules)
        plays = tuple(sorted(legal, key=lambda play: play.after.text))
        if len(plays) != len(self.losses):
            raise PuzzleError(f"{self.name}: {len(plays)} plays and {len(self.losses)} losses")
        return plays

    @property
    def best(self) -> Play:
        """The best play."""
        return self.plays[self.losses.index(0)]

    @property
    def trap(self) -> Play:
        """The play that misleads."""
        return self.plays[self.tempting]

    @property
    def rating(self) -> int:
        """The rating with which it begins."""
        return LEVELS[self.level]

    def loss(self, play: Play) -> float:
        """The loss of a play, in the game's unit; raises PuzzleError for a play that is not possible."""
        for place, legal in enumerate(self.plays):
            if legal.after == play.after:
                return self.losses[place] / 1000
        raise PuzzleError("that play is not possible here")

    @property
    def line(self) -> str:
        """The puzzle as a line of a stock."""
        losses = ",".join(map(str, self.losses))
        parts = (self.source, self.theme, self.level, self.dice, self.position.text, self.tempting, losses)
        return "\t".join(map(str, parts))

    @classmethod
    def from_line(cls, line: str, variant: Variant) -> Puzzle:
        """The inverse of :attr:`line`; raises PuzzleError."""
        try:
            source, theme, level, dice, board, tempting, losses = line.split("\t")
            puzzle = cls(
                variant=variant.name,
                position=Position.from_text(board, variant.checkers),
                dice=Roll.of(dice),
                theme=theme,
                level=level,
                tempting=int(tempting),
                losses=tuple(map(int, losses.split(","))),
                source=int(source),
            )
        except (ValueError, FullprimeError) as error:
            raise PuzzleError(f"{line[:60]!r} is no puzzle ({error})") from None
        if level not in LEVELS or 0 not in puzzle.losses or not 0 <= puzzle.tempting < len(puzzle.losses):
            raise PuzzleError(f"{line[:60]!r} is no puzzle")
        return puzzle


@dataclass(frozen=True)
class PuzzleStock:
    """The puzzles of one game. ``nets``: a hash of the nets that judged them."""

    variant: str
    nets: str
    puzzles: tuple[Puzzle, ...]
    games: int
    """The number of games of self-play that have been searched; the search continues after these."""

    @cached_property
    def by_name(self) -> Mapping[str, Puzzle]:
        """The puzzles by name."""
        return {puzzle.name: puzzle for puzzle in self.puzzles}

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self.puzzles)

    def __len__(self) -> int:
        return len(self.puzzles)


def stock_file(variant: str, folder: Path = STOCK) -> Path:
    """The file of a game's stock."""
    return folder / f"{variant}.tsv"


def read_stock(variant: Variant, folder: Path = STOCK) -> PuzzleStock:
    """The stock of a game; an empty one where there is no file. A last line that was cut off is left out.

    Raises PuzzleError for a file that is something else.
    """
    path = stock_file(variant.name, folder)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return PuzzleStock(variant.name, "", (), 0)
    except (OSError, UnicodeDecodeError) as error:
        raise PuzzleError(f"{path}: it cannot be read ({error})") from None
    head, *lines = text[: text.rfind("\n") + 1].splitlines() or [""]
    fields = head.removeprefix("# ").split("\t")
    if fields[:2] != [FORMAT, variant.name] or len(fields) != 3:
        raise PuzzleError(f"{path}: this is no stock of puzzles of {variant.title}")
    puzzles = []
    games = 0
    for number, line in enumerate(lines, 2):
        if line.startswith("#"):
            games = int(line.removeprefix("# games "))
            continue
        try:
            puzzles.append(Puzzle.from_line(line, variant))
        except PuzzleError as error:
            raise PuzzleError(f"{path}, line {number}: {error}") from None
        games = max(games, puzzles[-1].source)
    return PuzzleStock(variant.name, fields[2], tuple(puzzles), games)
