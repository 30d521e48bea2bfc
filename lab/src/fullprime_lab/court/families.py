"""The families of hard decisions: which positions belong to each, and the starts from which games come to them.

A position belongs to the first family whose shape it has, seen by the player on roll or by the other one. Families
that ordinary games seldom reach have sketches, of those of training and of the ones here, from which games are played
on.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.nets.evaluator import Boards
from fullprime_lab.training.families import FAMILIES as TRAINING
from fullprime_lab.training.families import Side, Sketch, place_rest

Counts = NDArray[np.int64]
"""Counts (n, 27) of one side in its own numbering, index 25 the bar and 0 off."""
Bools = NDArray[np.bool_]
Shape = Callable[[Counts, Counts], Bools]
"""Where the side given first stands so against the other."""

_PIPS = np.arange(26)
CUBES = "cube at the border"
_EARLY, _LATE, _FAR = 4, 2, 8
"""Checkers outside of the home board: the least of an opponent on the way, the most of one who is nearly home, and the
least of one who is attacked early in the game.
"""
_FAR_BEHIND = 30
"""Pips that the holder of a back game is behind."""
_PRIME = 4
_LONG_RACE = 50


def sides_of(boards: Boards) -> tuple[Counts, Counts]:
    """The counts of the players on roll and of the others."""
    own, other = np.zeros((2, len(boards), 27), np.int64)
    own[:, 1:26], own[:, 0] = np.maximum(boards[:, 1:26], 0), boards[:, 26]
    other[:, 1:26], other[:, 0] = np.maximum(-boards[:, 24::-1], 0), boards[:, 27]
    return own, other


def _pips(side: Counts) -> Counts:
    return np.asarray(side[:, :26] @ _PIPS)


def _rearmost(side: Counts) -> Counts:
    return np.asarray(np.where(side[:, 1:26] > 0, _PIPS[1:], 0).max(axis=1))


def _in_contact(own: Counts, other: Counts) -> Bools:
    return np.asarray(_rearmost(own) + _rearmost(other) > 25)


def _anchors(side: Counts) -> Counts:
    return np.asarray((side[:, 19:25] >= 2).sum(axis=1))


def _outside(side: Counts) -> Counts:
    """Checkers that are not home yet."""
    return np.asarray(side[:, 7:26].sum(axis=1))


def _prime_ahead(own: Counts, other: Counts, first: int, last: int) -> Bools:
    """A block of points from ``first`` to ``last`` with a checker of the other side behind it."""
    held = np.zeros(len(own), bool)
    for low in range(first, last - _PRIME + 2):
        block = (own[:, low : low + _PRIME] >= 2).all(axis=1)
        held |= block & (_rearmost(other) > 25 - low)
    return held


def _holds_back_game(own: Counts, other: Counts) -> Bools:
    behind = _pips(own) - _pips(other) >= _FAR_BEHIND
    return np.asarray((_anchors(own) >= 2) & (own[:, 0] == 0) & behind & _in_contact(own, other))


def double_back_game(own: Counts, other: Counts) -> Bools:
    """Both sides hold two points in the other's home board."""
    return np.asarray((_anchors(own) >= 2) & (_anchors(other) >= 2) & (own[:, 0] + other[:, 0] == 0))


def early_back_game(own: Counts, other: Counts) -> Bools:
    """A back game, and the opponent's army is still on its way."""
    return np.asarray(_holds_back_game(own, other) & (_outside(other) >= _EARLY) & (other[:, 0] == 0))


def late_back_game(own: Counts, other: Counts) -> Bools:
    """A back game, and the opponent is nearly home or bears off."""
    return np.asarray(_holds_back_game(own, other) & (_outside(other) <= _LATE))


def snake(own: Counts, other: Counts) -> Bools:
    """A prime far from home, with the opponent's last checkers behind it and all others of theirs at home."""
    last = other[:, 19:26].sum(axis=1)
    alone = (last >= 1) & (last <= 2) & (_outside(other) == last)
    empty_home = ((own[:, 1:7] >= 2).sum(axis=1) <= 1) & (own[:, 0] == 0)
    return np.asarray(_prime_ahead(own, other, 7, 24) & alone & empty_home & (own[:, 8:26].sum(axis=1) >= 10))


def containment(own: Counts, other: Counts) -> Bools:
    """The opponent has borne off and has one or two last checkers to bring round, which the side can still hold."""
    last = _outside(other)
    return np.asarray((other[:, 0] >= 1) & (last >= 1) & (last <= 2) & (own[:, 0] == 0) & _in_contact(own, other))


def prime_against_prime(own: Counts, other: Counts) -> Bools:
    """Each side has four points in a row in front of a checker of the other."""
    return np.asarray(_prime_ahead(own, other, 2, 11) & _prime_ahead(other, own, 2, 11))


def ace_point(own: Counts, other: Counts) -> Bools:
    """The side holds the opponent's ace point and has nothing else back; the opponent is nearly home or bears off."""
    back = own[:, 13:26].sum(axis=1)
    return np.asarray((own[:, 24] >= 2) & (back == own[:, 24]) & (_outside(other) <= _EARLY) & (own[:, 0] == 0))


def bear_in(own: Counts, other: Counts) -> Bools:
    """The side brings its last checkers home, or bears off, past an anchor or a checker on the bar."""
    held = (other[:, 19:25] >= 2).any(axis=1) | (other[:, 25] > 0)
    return np.asarray(held & (_rearmost(own) <= 12) & (_outside(own) <= 5) & _in_contact(own, other))


def blitz(own: Counts, other: Counts) -> Bools:
    """The opponent has a checker on the bar, or a blot and no anchor in the home board; ten checkers attack."""
    target = (other[:, 25] > 0) | (other[:, 19:25] == 1).any(axis=1)
    attackers = (own[:, 1:12].sum(axis=1) >= 10) & (own[:, 0] == 0)
    return np.asarray(target & (_anchors(other) == 0) & attackers & (_outside(other) >= _FAR))


def deep_race(own: Counts, other: Counts) -> Bools:
    """No contact, and a long way to go for both."""
    return np.asarray(~_in_contact(own, other) & (_pips(own) >= _LONG_RACE) & (_pips(other) >= _LONG_RACE))


SHAPES: dict[str, Shape] = {
    "double back game": double_back_game,
    "early back game": early_back_game,
    "late back game": late_back_game,
    "snake": snake,
    "containment": containment,
    "prime against prime": prime_against_prime,
    "ace-point game": ace_point,
    "bear-in against contact": bear_in,
    "blitz": blitz,
    "deep race": deep_race,
}
FAMILIES = (*SHAPES, CUBES)
"""All families by name: those of plays in the order in which a position belongs to them, and cubes."""


def families_of(boards: Boards) -> NDArray[np.int64]:
    """The index in ``SHAPES`` of the family of each position (n,), -1 for a position of none."""
    own, other = sides_of(boards)
    numbers = np.full(len(boards), -1)
    for number, shape in reversed(list(enumerate(SHAPES.values()))):
        numbers[shape(own, other) | shape(other, own)] = number
    return numbers


# -- sketches ------------------------------------------------------------------------------------------------------
def _two_anchors(rng: np.random.Generator) -> tuple[Side, Side]:
    """Both sides hold two points in the other's home board."""
    sides = []
    for _ in range(2):
        side = np.zeros(27, np.int64)
        side[rng.choice(np.arange(19, 25), 2, replace=False)] = 2
        place_rest(side, rng, np.arange(3, 13))
        sides.append(side)
    return sides[0], sides[1]


def _snake(rng: np.random.Generator) -> tuple[Side, Side]:
    """A block of points behind which the opponent's last checker has not come out yet."""
    own, other = np.zeros(27, np.int64), np.zeros(27, np.int64)
    first = int(rng.integers(11, 20))
    own[first : first + int(rng.integers(4, 6))] = 2
    place_rest(own, rng, np.arange(8, 24))
    other[rng.choice(np.arange(22, 26), rng.integers(1, 3))] += 1
    other[0] = rng.integers(0, 9)
    place_rest(other, rng, np.arange(1, 7))
    return own, other


def _ace_point(rng: np.random.Generator) -> tuple[Side, Side]:
    """Two or three checkers on the ace point, the opponent at home or nearly."""
    own, other = np.zeros(27, np.int64), np.zeros(27, np.int64)
    own[24] = rng.integers(2, 4)
    place_rest(own, rng, np.arange(1, rng.integers(8, 13)))
    other[0] = rng.integers(0, 7)
    place_rest(other, rng, np.arange(2, rng.integers(8, 12)))
    return own, other


SKETCHES: dict[str, Sketch] = {**TRAINING, "two_anchors": _two_anchors, "snake": _snake, "ace_point": _ace_point}
"""What games are played on from, beside the start of the game."""
