"""Rare families of positions, made on purpose: starts for self-play that ordinary games seldom reach.

Each family is a rough sketch drawn at random; the games played on from it bring the real positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.nets.evaluator import Boards

Side = NDArray[np.int64]
"""27 counts of one side in its own numbering, index 25 the bar and 0 off."""

Sketch = Callable[[np.random.Generator], tuple[Side, Side]]
"""Draws the side that a family is about, and its opponent."""

_CHECKERS = 15
_TRIES = 2000


def place_rest(side: Side, rng: np.random.Generator, places: NDArray[np.int64]) -> None:
    """Place the checkers missing from fifteen at random."""
    for place in rng.choice(places, _CHECKERS - int(side.sum())):
        side[place] += 1


def draw_back_game(rng: np.random.Generator) -> tuple[Side, Side]:
    """Two anchors or one in the opponent's home, the opponent on the way home."""
    own, other = np.zeros(27, np.int64), np.zeros(27, np.int64)
    for point in rng.choice(np.arange(19, 25), rng.integers(1, 3), replace=False):
        own[point] = rng.integers(2, 4)
    place_rest(own, rng, np.arange(1, rng.integers(8, 19)))
    place_rest(other, rng, np.arange(1, rng.integers(9, 16)))
    return own, other


def draw_containment(rng: np.random.Generator) -> tuple[Side, Side]:
    """The opponent has borne checkers off and has a last one or two behind or on the bar."""
    own, other = np.zeros(27, np.int64), np.zeros(27, np.int64)
    for place in rng.choice(np.arange(17, 26), rng.integers(1, 3)):
        other[place] += 1
    other[0] = rng.integers(0, 13)
    place_rest(other, rng, np.arange(1, 7))
    for point in rng.choice(np.arange(1, 11), rng.integers(3, 7), replace=False):
        own[point] = 2
    place_rest(own, rng, np.arange(1, 19))
    return own, other


def draw_primes(rng: np.random.Generator) -> tuple[Side, Side]:
    """Each side has a block of four to six points in front of checkers of the other."""
    sides = []
    for _ in range(2):
        side = np.zeros(27, np.int64)
        first, length = int(rng.integers(2, 6)), int(rng.integers(4, 7))
        side[first : first + length] = 2
        for place in rng.choice(np.arange(20, 26), rng.integers(1, 3)):
            side[place] += 1
        place_rest(side, rng, np.arange(1, 19))
        sides.append(side)
    return sides[0], sides[1]


def draw_crashed(rng: np.random.Generator) -> tuple[Side, Side]:
    """A side with an anchor or stragglers whose board has fallen on its lowest points."""
    own, other = np.zeros(27, np.int64), np.zeros(27, np.int64)
    for place in rng.choice(np.arange(18, 26), rng.integers(1, 4)):
        own[place] += 1
    place_rest(own, rng, np.arange(1, 6))
    place_rest(other, rng, np.arange(1, rng.integers(7, 20)))
    return own, other


def draw_contact_bearoff(rng: np.random.Generator) -> tuple[Side, Side]:
    """A side bears off against an anchor, or checkers on the bar."""
    own, other = np.zeros(27, np.int64), np.zeros(27, np.int64)
    own[0] = rng.integers(0, 9)
    place_rest(own, rng, np.arange(1, rng.integers(6, 9)))
    if rng.random() < 0.7:
        other[int(rng.integers(19, 25))] = rng.integers(2, 4)
    else:
        other[25] = rng.integers(1, 3)
    place_rest(other, rng, np.arange(1, rng.integers(6, 13)))
    return own, other


FAMILIES: dict[str, Sketch] = {
    "back_game": draw_back_game,
    "containment": draw_containment,
    "primes": draw_primes,
    "crashed": draw_crashed,
    "contact_bearoff": draw_contact_bearoff,
}


def draw_rare_starts(count: int, seed: int, families: Mapping[str, Sketch] = FAMILIES) -> Boards:
    """``count`` packed positions (count, 32), all families in turn, either side on roll."""
    rng = np.random.default_rng(seed)
    makers = list(families.values())
    rows = np.zeros((count, 32), np.int8)
    for index in range(count):
        sides = list(_draw_sketch(makers[index % len(makers)], rng))
        if rng.random() < 0.5:
            sides.reverse()
        own, other = sides
        rows[index, 1:26] = own[1:26]
        rows[index, :25] -= other[25:0:-1].astype(np.int8)
        rows[index, 26], rows[index, 27] = own[0], other[0]
    return rows


def _draw_sketch(maker: Sketch, rng: np.random.Generator) -> tuple[Side, Side]:
    """A sketch in which no point belongs to both sides."""
    for _ in range(_TRIES):
        own, other = maker(rng)
        if not (own[1:25] * other[24:0:-1]).any() and own[0] < _CHECKERS and other[0] < _CHECKERS:
            return own, other
    raise RuntimeError(f"{maker.__name__}: no sketch without a shared point in {_TRIES} tries")
