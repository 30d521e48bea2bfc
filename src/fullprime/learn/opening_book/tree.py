"""The tree of the book: opening rolls of a game, and the rolls that can follow a play."""

from __future__ import annotations

from collections.abc import Iterable

from fullprime.learn.opening_book.files import Book
from fullprime.learn.opening_book.node import BookNode, BookPlay, NodeKey
from fullprime.learn.opening_book.scores import SCORES
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
    rolls = [
        roll
        for roll in ALL_ROLLS
        if variant.opening_dice is OpeningDice.REROLL
        or not (roll.is_double or (roll.is_acey_deucey and variant.reroll_opening_acey_deucey))
    ]
    return tuple(sorted(rolls, reverse=True))


def openings(variant: Variant, score: str) -> list[NodeKey]:
    """The questions of the opening rolls."""
    board = variant.starting_position.text
    return [NodeKey(variant.name, score, board, str(roll)) for roll in opening_rolls(variant)]


def score_after(key: NodeKey, choice: BookPlay) -> str:
    """The score as the next player to roll sees it."""
    return key.score if choice.again else SCORES[key.score].swapped


def list_replies(key: NodeKey, choice: BookPlay) -> list[NodeKey]:
    """The questions of the 21 rolls after a play."""
    score = score_after(key, choice)
    return [NodeKey(key.game, score, choice.board.text, str(roll)) for roll in sorted(ALL_ROLLS, reverse=True)]


def keys_at(book: Book, variant: Variant, score: str, rolls: int) -> list[NodeKey]:
    """The questions after ``rolls`` - 1 rolls, each played best as far as the book knows; ``score``: the opener's."""
    keys = openings(variant, score)
    for _ in range(rolls - 1):
        keys = list(dict.fromkeys(key for node in _stored_nodes(book, keys) for key in _replies_to_best(node)))
    return keys


def _stored_nodes(book: Book, keys: Iterable[NodeKey]) -> Iterable[BookNode]:
    return (node for node in map(book.find, keys) if node is not None)


def _replies_to_best(node: BookNode) -> list[NodeKey]:
    return [] if node.best is None else list_replies(node.key, node.best.choice)
