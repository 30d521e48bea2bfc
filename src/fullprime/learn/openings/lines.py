"""Lines of the explorer: rolls and plays from the start of a game, as addresses and commands write them.

A step is a roll, ``31``, or a roll with its play, ``31:8/5 6/5``. A step without a play means the best one, where
another step follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fullprime.learn.book.files import DATA, Book, file_of, own_folder, read
from fullprime.learn.book.node import Choice, Node, NodeKey
from fullprime.learn.book.scores import BookError, BookScore, score_named, scores_of
from fullprime.learn.book.tree import opening_rolls, score_after
from fullprime.rules.dice import Roll
from fullprime.rules.notation import read_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Variant

LONGEST = 8
"""Steps of a line."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate that search has judged where the book has nothing."""

    choice: Choice
    equity: float
    loss: float
    probabilities: tuple[float, float, float, float, float]
    depth: int
    """Plies of look-ahead."""


@dataclass(frozen=True, slots=True)
class Step:
    """A roll of a line and its play; None for one that is still to be made."""

    key: NodeKey
    choice: Choice | None

    @property
    def text(self) -> str:
        """The step as it is written."""
        return self.key.dice if self.choice is None else f"{self.key.dice}:{self.choice.play}"


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its steps, and the position and the score where it ends, seen by the player on roll."""

    variant: Variant
    score: BookScore
    steps: tuple[Step, ...]
    board: Position
    score_there: str

    @property
    def asked(self) -> NodeKey | None:
        """The question of the last roll; None before the next one."""
        return self.steps[-1].key if self.steps and self.steps[-1].choice is None else None

    @property
    def made(self) -> tuple[Step, ...]:
        """The steps that have been played."""
        return self.steps if self.asked is None else self.steps[:-1]


def book_of(variant: Variant) -> Book:
    """The book of the package and the user's own trials; read again when a file has changed."""
    return _joined(variant, *(_stamp(variant, folder) for folder in (DATA, own_folder())))


def _stamp(variant: Variant, folder: Path) -> tuple[str, int, int]:
    path = file_of(variant.name, folder)
    try:
        found = path.stat()
    except OSError:
        return str(path.parent), 0, 0
    return str(path.parent), found.st_mtime_ns, found.st_size


@lru_cache(maxsize=16)
def _joined(variant: Variant, *stamps: tuple[str, int, int]) -> Book:
    package, own = (read(variant, Path(folder)) if size else Book(variant) for folder, _, size in stamps)
    return package.joined(variant, own)


def follow(game: str, score: str, steps: Sequence[str], *, ask_engine: bool = True) -> Line:
    """Follow a line from the start of a game. Raises BookError or errors of the rules.

    Unless ``ask_engine``, a step that the book cannot follow is an error, too.
    """
    variant = variant_named(game)
    opener = score_named(score)
    if opener not in scores_of(variant):
        raise BookError(f"{variant.title} is played without a cube: the book has it for money alone")
    if len(steps) > LONGEST:
        raise BookError(f"a line of the book has at most {LONGEST} steps, not {len(steps)}")
    line = Line(variant, opener, (), variant.starting_position, opener.name)
    for number, text in enumerate(steps, 1):
        line = _after(line, text, last=number == len(steps), ask_engine=ask_engine)
    return line


def _after(line: Line, text: str, *, last: bool, ask_engine: bool) -> Line:
    dice, _, said = text.partition(":")
    roll, said = Roll.of(dice.strip()), said.strip()
    if not line.steps and roll not in opening_rolls(line.variant):
        raise BookError(f"{line.variant.title} does not begin with {roll}: the first roll is decided by different dice")
    key = NodeKey(line.variant.name, line.score_there, line.board.text, str(roll))
    if last and not said:
        return Line(line.variant, line.score, (*line.steps, Step(key, None)), line.board, line.score_there)
    choice = _choice(line, key, said, ask_engine=ask_engine)
    if choice.board.is_over:
        raise BookError(f"{said}: that ends the game")
    return Line(
        line.variant, line.score, (*line.steps, Step(key, choice)), choice.board, score_after(key, choice)
    )  # fmt: skip


def _choice(line: Line, key: NodeKey, said: str, *, ask_engine: bool) -> Choice:
    """The play that is meant: one of the candidates, or another legal one."""
    from fullprime.engine.boards.follow_ups import follow_ups_of

    node = book_of(line.variant).find(key)
    if not said:
        if not ask_engine and (node is None or node.best is None):
            raise BookError(f"the book has nothing about {key.dice} here yet")
        return best_of(node, key)
    known = [] if node is None else list(node.choices)
    for choice in known:
        if choice.play == said:
            return choice
    first = first_play(said, line.board, key.roll, line.variant)
    if not follow_ups_of(key.roll, line.variant):
        return Choice(str(first), first.position)
    if ask_engine:
        known += [each.choice for each in searched(key)]
    for choice in known:
        if choice.play == said or first_play(choice.play, line.board, key.roll, line.variant).after == first.after:
            return choice
    raise BookError(f"{said}: the book knows no turn of {key.dice} that begins like that")


def best_of(node: Node | None, key: NodeKey) -> Choice:
    """The best play of a question: by the book, else by search."""
    if node is not None and node.best is not None:
        return node.best.choice
    return searched(key)[0].choice


def first_play(text: str, board: Position, roll: Roll, variant: Variant) -> Play:
    """The play of the roll itself, of a text that may tell a whole turn. Raises errors of reading."""
    return read_play(text.split(";", maxsplit=1)[0], board, roll, variant)


@lru_cache(maxsize=4096)
def searched(key: NodeKey) -> tuple[Judged, ...]:
    """The candidates of a question by search, the best first: for what the book does not have."""
    from fullprime.engine import shared
    from fullprime.learn.book.rolling import ranked_choices

    found = []
    for choice, each in ranked_choices(shared.engine_for(variant_named(key.game)), key, most=5, near=0.3):
        win, gammon, backgammon, lost, lost_backgammon = each.probabilities
        figures = (win, gammon, backgammon, lost, lost_backgammon)
        found.append(Judged(choice, each.equity, each.loss, figures, each.depth))
    return tuple(found)
