"""The position of the day: a stock of positions from our self-play with their figures, one for each date.

The stock lies in ``learn/lessons/daily`` and is made by ``fullprime daily --make``; nothing in it is written by hand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from fullprime.common.atomic_write import atomic_write
from fullprime.learn.lessons.figures import FiguresError, LessonFigures, StepFigures, figures_text, read_figures
from fullprime.learn.lessons.grading import StepVerdict, grade, why
from fullprime.learn.lessons.lesson import Board, Do, Lesson, LessonStep
from fullprime.messages import Message
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime.rules.variants import variant_named

VERSION = 1
POSITIONS, FIGURES = "positions.json", "figures.json"
WITHIN = 0.005
"""The loss in points that still counts as right."""


@dataclass(frozen=True, slots=True)
class DailyPosition:
    """A position to be played: the board, the question in words, and the figures of every legal play."""

    step: LessonStep
    figures: StepFigures

    @property
    def board(self) -> Board:
        """Its board; the learner is X and on roll."""
        assert self.step.board is not None  # every step of a stock has one: `board_of` makes it
        return self.step.board

    def grade(self, answer: str) -> StepVerdict:
        """Judge a play by its loss; a play that the rules refuse is answered with the rule it breaks."""
        return grade(self.step, self.figures, answer)


@dataclass(frozen=True, slots=True)
class DailyStock:
    """Positions in the order in which their days come, with the figures of all of them."""

    lesson: Lesson
    figures: LessonFigures

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.lesson.steps)

    def get_position(self, day: date) -> DailyPosition:
        """The position of that day, the same for all; it comes again after all others."""
        at = day.toordinal() % len(self)
        return DailyPosition(self.lesson.steps[at], self.figures.steps[at])


@cache
def stock() -> DailyStock:
    """The stock of the package. Raises FiguresError for one whose figures are missing or stale."""
    return read_stock(resources.files("fullprime.learn.lessons") / "daily")


def read_stock(folder: Traversable | Path) -> DailyStock:
    """A stock from its two files; raises FiguresError."""
    try:
        texts = [(folder / name).read_text(encoding="utf-8") for name in (POSITIONS, FIGURES)]
    except OSError as error:
        raise FiguresError(f"{folder}: there is no stock of positions ({error})") from None
    figures = read_figures(texts[1], FIGURES)
    boards = read_boards(texts[0])
    if len(boards) != len(figures.steps) or not boards:
        raise FiguresError(f"{POSITIONS}: {len(boards)} positions, and figures for {len(figures.steps)}")
    lesson = lesson_of(boards, figures)
    if reason := figures.why_stale(lesson):
        raise FiguresError(f"{FIGURES}: {reason}; fullprime daily --make makes them anew")
    return DailyStock(lesson, figures)


def origin_of(folder: Traversable | Path) -> str:
    """The way in which the positions of a stock were found."""
    origin: str = json.loads((folder / POSITIONS).read_text(encoding="utf-8"))["origin"]
    return origin


def lesson_of(boards: list[Board], figures: LessonFigures | None = None) -> Lesson:
    """The positions as the steps of a lesson, so that the same code computes, judges and checks both."""
    rows = [StepFigures()] * len(boards) if figures is None else figures.steps
    steps = tuple(
        LessonStep(do=Do.PLAY, say=question(board), board=board, quiz=True, within=WITHIN, right=after_best(row))
        for board, row in zip(boards, rows, strict=True)
    )
    return Lesson(name="daily", title="Position of the day", about="", minutes=1, steps=steps)


def after_best(figures: StepFigures, better: str = "") -> str:
    """The words about the next best play, for a learner who found the best one; then ``better``, the reason."""
    if len(figures.plays) < 2:
        return ""
    return f"Next best: {why(figures.plays[1], figures.plays[0], better)}\n\n{better}".strip()


def question(board: Board) -> Message:
    """The score and the task in words: ``You lead 4 to 2 in a match to 7. How do you play 6-4?``."""
    length = int(dict(board.rules).get("length", "0"))
    mine, theirs = board.score
    if not length:
        where = Message("Money play")
    else:
        score = {"mine": mine, "theirs": theirs, "length": length}
        if mine == theirs:
            where = Message("{mine} all in a match to {length}", **score)
        elif mine > theirs:
            where = Message("You lead {mine} to {theirs} in a match to {length}", **score)
        else:
            where = Message("You trail {mine} to {theirs} in a match to {length}", **score)
    if board.crawford:
        where = Message("{score}, the Crawford game", score=where)
    dice = "" if board.dice is None else board.dice.words
    return Message("{score}. How do you play {dice}?", score=where, dice=dice)


# -- as text ---------------------------------------------------------------------------------------------------------
def boards_text(boards: list[Board], origin: str) -> str:
    """Boards as JSON, one a line; ``origin`` says how they were found."""
    rows = ",\n".join(f"  {json.dumps(_row(board))}" for board in boards)
    return f'{{"version": {VERSION}, "origin": {json.dumps(origin)}, "positions": [\n{rows}\n]}}\n'


def _row(board: Board) -> list[object]:
    assert board.dice is not None
    dice = f"{board.dice.high}{board.dice.low}"
    return [board.variant.name, board.position.text, dice, dict(board.rules), list(board.score), board.crawford,
            board.cube, board.owner]  # fmt: skip


def read_boards(text: str) -> list[Board]:
    """The inverse of :func:`boards_text`; raises FiguresError."""
    try:
        data = json.loads(text)
        if data["version"] != VERSION:
            raise FiguresError(f"{POSITIONS}: version {data['version']!r}, and this reads {VERSION}")
        return [_board(row) for row in data["positions"]]
    except FiguresError:
        raise
    except (FullprimeError, ValueError, KeyError, TypeError, IndexError) as error:
        raise FiguresError(f"{POSITIONS}: these are no positions ({error!r:.120})") from None


def _board(row: list[Any]) -> Board:
    name, position, dice, rules, score, crawford, cube, owner = row
    variant = variant_named(name)
    return Board(
        variant=variant,
        position=Position.from_text(position, variant.checkers),
        dice=Roll(int(dice[0]), int(dice[1])),
        rules=tuple((str(key), str(value)) for key, value in rules.items()),
        score=(int(score[0]), int(score[1])),
        crawford=crawford,
        cube=int(cube),
        owner=owner,
    )


def write_stock(folder: Path, boards: list[Board], figures: LessonFigures, origin: str) -> None:
    """Write both files. Raises FiguresError for figures that are not those of the boards."""
    if reason := figures.why_stale(lesson_of(boards, figures)):
        raise FiguresError(reason)
    folder.mkdir(parents=True, exist_ok=True)
    atomic_write(folder / POSITIONS, boards_text(boards, origin))
    atomic_write(folder / FIGURES, figures_text(figures))
