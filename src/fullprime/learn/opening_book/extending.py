"""Extending the book: nodes that need more trials take turns, and every turn is on the disk before the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fullprime.engine import shared
from fullprime.engine.cube.probabilities import points_unit
from fullprime.engine.search.budget import Stopped
from fullprime.learn.opening_book.files import Book, Writer, read, writing
from fullprime.learn.opening_book.node import LEAST, BookNode, TrialMethod
from fullprime.learn.opening_book.rolling import begin, extend
from fullprime.learn.opening_book.tree import keys_at
from fullprime.rules.variants.variant import Settlement, Variant

UNTIL = {1: 0.005, 2: 0.01, 3: 0.02}
"""Half of the 95 % interval to reach, by the number of rolls: openings, replies, third rolls."""
METHODS = {1: TrialMethod(9), 2: TrialMethod(7), 3: TrialMethod(7)}
"""The way trials of new nodes are played, by the number of rolls."""
MOST, NEAR = {1: 4, 2: 3, 3: 3}, {1: 0.06, 2: 0.04, 3: 0.04}
"""Candidates, by the number of rolls: their greatest number, and the greatest distance from the best by search."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of the plan: the decisions after ``rolls`` rolls of a game at a score, and the interval to reach."""

    game: str
    score: str
    rolls: int
    until: float


@dataclass(frozen=True, slots=True)
class BookProgress:
    """The progress of an extension: the stage, the nodes done and in all, and the node that had the last turn."""

    stage: Stage
    done: int
    there_are: int
    node: BookNode | None


def extend_book(
    variant: Variant,
    stages: Sequence[Stage],
    folder: Path,
    nets: Callable[[str], str],
    *,
    base: Book | None = None,
    report: Callable[[BookProgress], None] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
    seconds: float | None = None,
) -> Book:
    """Extend the book of a game in ``folder`` until every stage has its interval, or until ``stop`` says so.

    ``base`` is a book whose nodes are continued where they have more trials than those of the folder. ``nets`` gives a
    hash of the nets in use at a score, by its name; nodes that other nets have judged begin again. Raises BookError
    for a file that cannot be used.
    """
    end = None if seconds is None else time.monotonic() + seconds

    def is_over() -> bool:
        return stop() or (end is not None and time.monotonic() >= end)

    with writing(variant, folder) as writer:
        user_book = read(variant, folder)
        book = user_book if base is None else base.join(variant, user_book)
        for stage in stages:
            try:
                for news in _stage(book, variant, stage, writer, nets(stage.score), is_over):
                    report(news)
            except Stopped:
                break
    return book


def is_done(node: BookNode | None, until: float, nets: str, unit: float = 1.0) -> bool:
    """True if a node has the interval to reach, by the nets in use, or if there is only one play.

    ``unit``: the equity that counts like a point; more than 1 in games settled by checkers.
    """
    if node is None or node.nets != nets:
        return False
    return node.groups >= LEAST and (len(node.choices) == 1 or node.half <= until * unit)


def _stage(
    book: Book, variant: Variant, stage: Stage, writer: Writer, nets: str, is_over: Callable[[], bool]
) -> Iterator[BookProgress]:
    keys = keys_at(book, variant, stage.score, stage.rolls)
    unit = points_unit(variant.settlement is not Settlement.GAMES)
    due = [key for key in keys if not is_done(book.find(key), stage.until, nets, unit)]
    yield BookProgress(stage, len(keys) - len(due), len(keys), None)
    if not due:
        return
    engine = shared.engine_for(variant)
    while due:
        if is_over():
            raise Stopped("the time is over")
        key = min(due, key=lambda waiting: turn_of(book.find(waiting), nets))
        node = book.find(key)
        if node is None or node.nets != nets:
            node = begin(engine, key, nets, METHODS[stage.rolls], most=MOST[stage.rolls], near=NEAR[stage.rolls])
        node = extend(engine, node, LEAST, is_over)
        writer.write(node)
        book.nodes[key] = node
        if is_done(node, stage.until, nets, unit):
            due.remove(key)
        yield BookProgress(stage, len(keys) - len(due), len(keys), node)


def turn_of(node: BookNode | None, nets: str) -> tuple[int, int]:
    """The order in which nodes take turns, the least first: those without trials, then those whose best play is not
    settled, then the others; among equals the one with the fewest trials.
    """
    if node is None or node.nets != nets or not node.groups:
        return 0, 0
    return (2 if node.is_settled else 1), node.groups
