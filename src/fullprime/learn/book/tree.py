"""The tree of the book: opening rolls of a game, and the rolls that can follow a play."""

from __future__ import annotations

from collections.abc import Iterable

from fullprime.learn.book.files import Book
from fullprime.learn.book.node import Choice, Node, NodeKey
from fullprime.learn.book.scores import SCORES
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.variants.variant import OpeningDice, Variant

DEEPEST = 3
"""Rolls of a line: the opening, the reply, the third."""


def opening_rolls(variant: Variant) -> tuple[Roll, ...]:
    """The rolls with which a game can begin, the highest first.

    >>> from fullprime.rules.variants import BACKGAMMON
    >>> len(opening_rolls(BACKGAMMON))
    15
    """
    found = [
        roll
        for roll in ALL_ROLLS
        if variant.opening_dice is OpeningDice.REROLL
        or not (roll.is_double or (roll.is_acey_deucey and variant.reroll_opening_acey_deucey))
    ]
    return tuple(sorted(found, reverse=True))


def openings(variant: Variant, score: str) -> list[NodeKey]:
    """The questions of the opening rolls."""
    board = variant.starting_position.text
    return [NodeKey(variant.name, score, board, str(roll)) for roll in opening_rolls(variant)]


def score_after(key: NodeKey, choice: Choice) -> str:
    """The score as the next to roll sees it."""
    return key.score if choice.again else SCORES[key.score].swapped


def replies(key: NodeKey, choice: Choice) -> list[NodeKey]:
    """The questions of the 21 rolls after a play."""
    score = score_after(key, choice)
    return [NodeKey(key.game, score, choice.board.text, str(roll)) for roll in sorted(ALL_ROLLS, reverse=True)]


def keys_at(book: Book, variant: Variant, score: str, rolls: int) -> list[NodeKey]:
    """The questions after ``rolls`` - 1 rolls, each played best as far as the book knows; ``score``: the opener's."""
    found = openings(variant, score)
    for _ in range(rolls - 1):
        found = list(dict.fromkeys(key for node in _known(book, found) for key in _after_best(node)))
    return found


def _known(book: Book, keys: Iterable[NodeKey]) -> Iterable[Node]:
    return (node for node in map(book.find, keys) if node is not None)


def _after_best(node: Node) -> list[NodeKey]:
    return [] if node.best is None else replies(node.key, node.best.choice)
