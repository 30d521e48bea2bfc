"""A cube efficiency that knows the position: a small net, learnt from look-ahead with a live cube.

The inputs are what a player would say of a position: the chances, pips, checkers sent back, points, blots, the longest
prime, of both sides. ``fullprime train cube`` makes the net, ``docs/equity.md`` has what it is worth.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from fullprime.common.atomic_write import atomic_writer
from fullprime.engine.cube.efficiency import PhaseEfficiency, in_contact
from fullprime.rules.errors import FullprimeError

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int8]

DATA = Path(__file__).parents[1] / "data" / "cubes"
INPUTS = 33
MOST = 1.2
"""Janowski's formula between a dead and a live cube goes a little beyond the live one: a double may come at the very
moment that is best, which his points of indifference do not count.
"""
_LAYERS = 3
_BLOCK = 32
_AT_ONCE = 1024
"""Positions whose layers are in memory at once."""
_LAST_HOME, _THEIR_HOME = 7, 19


class EfficiencyError(FullprimeError):
    """A file that is no net of the cube efficiency."""


@dataclass(frozen=True, slots=True, eq=False)
class LearntEfficiency:
    """The efficiency while there is contact by a net of two hidden layers; in a race by its length.

    ``weights``: matrices and biases of the three layers in turn, float64. ``name``: a hash of them.
    """

    weights: tuple[Floats, ...]
    race: PhaseEfficiency = field(default_factory=PhaseEfficiency)

    @property
    def name(self) -> str:
        """A hash of the weights."""
        digest = hashlib.sha256()
        for array in self.weights:
            digest.update(f"{array.shape} ".encode() + array.tobytes())
        return digest.hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LearntEfficiency) and (self.name, self.race) == (other.name, other.race)

    def __hash__(self) -> int:
        return hash((self.name, self.race))

    def __call__(self, rows: Rows, outputs: Floats) -> Floats:
        """Efficiencies (n, 3); see :class:`~fullprime.engine.cube.efficiency.Efficiency`."""
        efficiencies = self.race(rows, outputs)
        contact = np.flatnonzero(in_contact(rows))
        for start in range(0, len(contact), _AT_ONCE):
            part = contact[start : start + _AT_ONCE]
            efficiencies[part] = np.clip(run_layers(self.weights, inputs(rows[part], outputs[part]))[-1], 0.0, MOST)
        return efficiencies

    def save(self, path: Path, origin: str) -> None:
        """Write the weights; ``origin`` describes how they were made."""
        path.parent.mkdir(parents=True, exist_ok=True)
        names = [f"layer{layer}_{kind}" for layer in range(_LAYERS) for kind in ("weights", "bias")]
        arrays: dict[str, npt.NDArray[Any]] = dict(zip(names, self.weights, strict=True))
        arrays["made"] = np.array(origin)
        with atomic_writer(path) as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)

    @classmethod
    def load(cls, path: Path) -> LearntEfficiency:
        """Read a file of `save`; raises EfficiencyError."""
        try:
            with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                weights = [file[f"layer{layer}_{kind}"] for layer in range(_LAYERS) for kind in ("weights", "bias")]
        except (OSError, KeyError, ValueError, EOFError, BadZipFile) as error:
            raise EfficiencyError(f"{path}: no learnt cube efficiency: {error}") from None
        sizes = [array.shape for array in weights]
        fits = all(
            len(matrix) == 2 and bias == matrix[1:] for matrix, bias in zip(sizes[::2], sizes[1::2], strict=True)
        )
        chained = all(first[1] == second[0] for first, second in zip(sizes[::2], sizes[2::2], strict=False))
        if not fits or not chained or sizes[0][0] != INPUTS or sizes[-1] != (3,):
            raise EfficiencyError(f"{path}: layers of {sizes} do not lead from {INPUTS} inputs to three efficiencies")
        return cls(tuple(np.asarray(array, np.float64) for array in weights))


@cache
def efficiency_for(variant: str) -> LearntEfficiency | PhaseEfficiency:
    """The learnt efficiency of a game in the package, or the one by phase where there is none.

    A game that another one's nets judge has that one's (``nets.net.judging_game``).
    """
    path = DATA / f"{variant}.npz"
    return LearntEfficiency.load(path) if path.is_file() else PhaseEfficiency()


def run_layers(weights: tuple[Floats, ...], features: Floats) -> list[Floats]:
    """Run the net: the inputs (n, INPUTS) and the output of every layer, the last being efficiencies (n, 3)."""
    activations = [features]
    for place in range(0, len(weights), 2):
        summed = _product(activations[-1], weights[place]) + weights[place + 1]
        activations.append(np.maximum(summed, 0.0) if place + 2 < len(weights) else summed)
    return activations


def _product(features: Floats, matrix: Floats) -> Floats:
    """The matrix product of ``features`` (n, f), in blocks of one size: a position has the same bits in any batch."""
    blocks = -(-len(features) // _BLOCK)
    padded = np.zeros((blocks, _BLOCK, features.shape[1]))
    padded.reshape(-1, features.shape[1])[: len(features)] = features
    return np.asarray(np.matmul(padded, matrix).reshape(-1, matrix.shape[1])[: len(features)])


def inputs(rows: Rows, outputs: Floats) -> Floats:
    """The inputs (n, INPUTS) of packed positions (n, 32) with outputs (n, 5); all are of the order of 1."""
    own = np.maximum(rows[:, :26], 0).astype(np.int64)
    other = np.maximum(-rows[:, :26], 0).astype(np.int64)[:, ::-1]
    off, hand = (np.concatenate([rows[:, place], rows[:, place + 1]]) for place in (26, 28))
    sides = _sides(np.concatenate([own, other]), off, hand)
    mine, theirs = sides[: len(rows)], sides[len(rows) :]
    win, gammon, backgammon, lose_gammon, lose_backgammon = outputs.T
    chances = [
        win,
        4.0 * (win - 0.5) ** 2,
        3.0 * np.abs(win - 0.7),
        3.0 * np.abs(win - 0.3),
        gammon,
        backgammon,
        lose_gammon,
        lose_backgammon,
        gammon / np.maximum(win, 0.02),
        lose_gammon / np.maximum(1.0 - win, 0.02),
    ]
    return np.column_stack([*chances, mine, theirs, mine[:, 0] - theirs[:, 0]])


def _sides(checkers: npt.NDArray[np.int64], off: Rows, hand: Rows) -> Floats:
    """The features of each side (n, 11); ``checkers`` (n, 26) by its own numbers, the bar being 25."""
    places = np.arange(26)
    made_points, single = checkers >= 2, checkers[:, 1:25] == 1
    # Before each point the last one that is not made: the run that ends there.
    gaps = np.maximum.accumulate(np.where(made_points[:, :13], 0, places[:13]), axis=1)
    longest = (places[1:13] - gaps[:, 1:]).max(axis=1)
    features = [
        (checkers * places).sum(axis=1) / 100.0,
        checkers[:, _THEIR_HOME:].sum(axis=1) / 3.0,
        made_points[:, 1:_LAST_HOME].sum(axis=1) / 3.0,
        checkers[:, 25].astype(np.float64),
        single.sum(axis=1) / 3.0,
        single[:, : _LAST_HOME - 1].sum(axis=1) / 2.0,
        made_points[:, _THEIR_HOME:25].any(axis=1).astype(np.float64),
        np.where(checkers > 0, places, 0).max(axis=1) / 12.0,
        longest / 3.0,
        off / 5.0,
        hand / 5.0,
    ]
    return np.stack(features, axis=1)
