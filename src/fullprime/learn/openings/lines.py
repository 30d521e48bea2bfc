"""Lines of the explorer: rolls and plays from the start of a game, as addresses and commands write them.

A step is a roll, ``31``, or a roll with its play, ``31:8/5 6/5``. A step without a play means the best one, where
another step follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fullprime.learn.opening_book.files import DATA, Book, file_of, own_folder, read
from fullprime.learn.opening_book.node import BookNode, BookPlay, NodeKey
from fullprime.learn.opening_book.scores import BookError, BookScore, score_named, scores_of
from fullprime.learn.opening_book.tree import opening_rolls, score_after
from fullprime.learn.openings.model import OpeningStep
from fullprime.rules.dice import Roll
from fullprime.rules.notation import read_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Variant

LONGEST = 8
"""Steps of a line."""


@dataclass(frozen=True, slots=True)
class SearchedPlay:
    """A candidate that search has judged, because the book has no node for its roll."""

    choice: BookPlay
    equity: float
    loss: float
    probabilities: tuple[float, float, float, float, float]
    depth: int
    """Plies of look-ahead."""


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """A line: its steps, and the position and the score where it ends, seen by the player on roll."""

    variant: Variant
    score: BookScore
    steps: tuple[OpeningStep, ...]
    board: Position
    score_there: str

    @property
    def question(self) -> NodeKey | None:
        """The question of the last roll; None before the next one."""
        return self.steps[-1].key if self.steps and self.steps[-1].choice is None else None

    @property
    def played_steps(self) -> tuple[OpeningStep, ...]:
        """The steps that have been played."""
        return self.steps if self.question is None else self.steps[:-1]


def book_of(variant: Variant) -> Book:
    """The book of the package and the user's own trials; read again when a file has changed."""
    return _join_books(variant, *(_stamp(variant, folder) for folder in (DATA, own_folder())))


def _stamp(variant: Variant, folder: Path) -> tuple[str, int, int]:
    path = file_of(variant.name, folder)
    try:
        status = path.stat()
    except OSError:
        return str(path.parent), 0, 0
    return str(path.parent), status.st_mtime_ns, status.st_size


@lru_cache(maxsize=16)
def _join_books(variant: Variant, *stamps: tuple[str, int, int]) -> Book:
    package, user_book = (read(variant, Path(folder)) if size else Book(variant) for folder, _, size in stamps)
    return package.join(variant, user_book)


def follow(game: str, score: str, steps: Sequence[str], *, ask_engine: bool = True) -> OpeningLine:
    """Follow a line from the start of a game. Raises BookError or errors of the rules.

    Unless ``ask_engine``, a step that the book cannot follow is an error, too.
    """
    variant = variant_named(game)
    opener = score_named(score)
    if opener not in scores_of(variant):
        raise BookError(f"{variant.title} is played without a cube: the book has it for money alone")
    if len(steps) > LONGEST:
        raise BookError(f"a line of the book has at most {LONGEST} steps, not {len(steps)}")
    line = OpeningLine(variant, opener, (), variant.starting_position, opener.name)
    for number, text in enumerate(steps, 1):
        line = _add_step(line, text, last=number == len(steps), ask_engine=ask_engine)
    return line


def _add_step(line: OpeningLine, text: str, *, last: bool, ask_engine: bool) -> OpeningLine:
    dice, _, play = text.partition(":")
    roll, play = Roll.of(dice.strip()), play.strip()
    if not line.steps and roll not in opening_rolls(line.variant):
        raise BookError(f"{line.variant.title} does not begin with {roll}: the first roll is decided by different dice")
    key = NodeKey(line.variant.name, line.score_there, line.board.text, str(roll))
    if last and not play:
        return OpeningLine(
            line.variant, line.score, (*line.steps, OpeningStep(key, None)), line.board, line.score_there
        )
    choice = _choice(line, key, play, ask_engine=ask_engine)
    if choice.board.is_over:
        raise BookError(f"{play}: that ends the game")
    return OpeningLine(
        line.variant, line.score, (*line.steps, OpeningStep(key, choice)), choice.board, score_after(key, choice)
    )  # fmt: skip


def _choice(line: OpeningLine, key: NodeKey, text: str, *, ask_engine: bool) -> BookPlay:
    """The play that a text means: one of the candidates, or another legal one."""
    from fullprime.engine.boards.follow_ups import follow_ups_of

    node = book_of(line.variant).find(key)
    if not text:
        if not ask_engine and (node is None or node.best is None):
            raise BookError(f"the book has nothing about {key.dice} here yet")
        return best_of(node, key)
    candidates = [] if node is None else list(node.choices)
    for choice in candidates:
        if choice.play == text:
            return choice
    first = first_play(text, line.board, key.roll, line.variant)
    if not follow_ups_of(key.roll, line.variant):
        return BookPlay(str(first), first.position)
    if ask_engine:
        candidates += [searched_play.choice for searched_play in search_plays(key)]
    for choice in candidates:
        if choice.play == text or first_play(choice.play, line.board, key.roll, line.variant).after == first.after:
            return choice
    raise BookError(f"{text}: the book knows no turn of {key.dice} that begins like that")


def best_of(node: BookNode | None, key: NodeKey) -> BookPlay:
    """The best play of a question: by the book, else by search."""
    if node is not None and node.best is not None:
        return node.best.choice
    return search_plays(key)[0].choice


def first_play(text: str, board: Position, roll: Roll, variant: Variant) -> Play:
    """The play of the roll itself, in a text that may be a whole turn. Raises errors of reading."""
    return read_play(text.split(";", maxsplit=1)[0], board, roll, variant)


@lru_cache(maxsize=4096)
def search_plays(key: NodeKey) -> tuple[SearchedPlay, ...]:
    """The candidates of a question by search, the best first, for questions that the book does not have."""
    from fullprime.engine import shared
    from fullprime.learn.opening_book.rolling import rank_choices

    plays = []
    for choice, ranked in rank_choices(shared.engine_for(variant_named(key.game)), key, most=5, near=0.3):
        win, gammon, backgammon, lost, lost_backgammon = ranked.probabilities
        figures = (win, gammon, backgammon, lost, lost_backgammon)
        plays.append(SearchedPlay(choice, ranked.equity, ranked.loss, figures, ranked.depth))
    return tuple(plays)
