"""The nets of PureTD (Alexander Strehl, 2026, MIT licence) from their files, to measure against.

They judge positions of backgammon without a cube, by what stands on the points alone, in one net for the whole game.
Nothing of them is part of the package, and nothing here learns from them.
"""

from __future__ import annotations

import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from fullprime.engine.bots.batch import Dice, PlayerError, end_turns
from fullprime.engine.core import layout
from fullprime.engine.core.pack import legal_plays, swap
from fullprime.engine.cube.probabilities import equity
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.nets.net import Floats
from fullprime.engine.search.searcher import Ends
from fullprime.rules.variants.standard import BACKGAMMON

CHECKERS = 15
INPUTS = 196
_SIDE = INPUTS // 2
_OUTPUTS = (1, 5)


class PureTD:
    """A net of PureTD: an ``Evaluator`` where it has five outputs, and a ``Player`` that chooses statically.

    Inputs, 98 for the player on roll and 98 for the other on the same points: of each of 24 points whether one checker
    or more stands there, two, three, and half of those beyond; half of those on the bar; a fifteenth of those off.
    Layers between are rectified. Five outputs are cumulative chances before a logistic function, one is the equity.
    """

    in_batches = True

    def __init__(self, path: Path) -> None:
        """Read a file that PyTorch wrote, without PyTorch and without pickle. Raises PlayerError."""
        self.variant = BACKGAMMON
        self.name = f"puretd:{path.stem}"
        try:
            self._layers = _read_layers(path)
        except (OSError, KeyError, ValueError, IndexError, zipfile.BadZipFile) as error:
            raise PlayerError(f"{path}: no net of PureTD ({error})") from None
        self.outputs = len(self._layers[-1][1])

    def evaluate(self, boards: Boards) -> Floats:
        """Five outputs (n, 5) of the player on roll. Raises PlayerError for a net that gives the equity alone."""
        if self.outputs != 5:
            raise PlayerError(f"{self.name} gives the equity alone, no chances")
        values = self._values(boards)
        chances = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
        win, gammon, backgammon, lost, badly = (chances[:, number] for number in range(5))
        np.minimum(gammon, win, out=gammon)
        np.minimum(backgammon, gammon, out=backgammon)
        np.minimum(lost, 1 - win, out=lost)
        np.minimum(badly, lost, out=badly)
        over = boards[:, layout.THEIR_OFF] == CHECKERS
        chances[over] = 0
        chances[over, 3] = boards[over, layout.OFF] == 0
        return np.ascontiguousarray(chances, np.float32)

    def equities(self, boards: Boards) -> npt.NDArray[np.float64]:
        """Points (n,) for the player on roll, cubeless."""
        if self.outputs == 5:
            return equity(self.evaluate(boards), BACKGAMMON)
        points = self._values(boards)[:, 0].astype(np.float64)
        over = boards[:, layout.THEIR_OFF] == CHECKERS
        points[over] = np.where(boards[over, layout.OFF] > 0, -1.0, -2.0)
        return points

    def choose(self, boards: Boards, dice: Dice) -> Ends:
        """The plays after which it likes the other side's position least: boards (n, 32) seen by the next player."""
        rows, offsets = legal_plays(np.ascontiguousarray(boards), np.ascontiguousarray(dice, np.int8))
        after = swap(rows)
        equities = self.equities(after)
        best = [first + int(np.argmin(equities[first:end])) for first, end in pairwise(offsets.tolist())]
        return end_turns(after[best])

    def _values(self, boards: Boards) -> Floats:
        values = encode_boards(boards)
        for weights, bias in self._layers[:-1]:
            values = np.maximum(values @ weights + bias, 0)
        weights, bias = self._layers[-1]
        return values @ weights + bias


def encode_boards(boards: Boards) -> Floats:
    """The inputs (n, 196) of packed positions (n, 32)."""
    places = boards.astype(np.int16)
    inputs = np.zeros((len(boards), INPUTS), np.float32)
    sides = (
        (places[:, 1:25], places[:, layout.BAR], places[:, layout.OFF]),
        (-places[:, 1:25], -places[:, layout.THEIR_BAR], places[:, layout.THEIR_OFF]),
    )
    for part, (points, bar, off) in zip((inputs[:, :_SIDE], inputs[:, _SIDE:]), sides, strict=True):
        units = [points >= 1, points >= 2, points >= 3, np.maximum(points - 3, 0) / 2]
        part[:, :-2] = np.stack(units, axis=2).reshape(len(boards), _SIDE - 2)
        part[:, -2], part[:, -1] = bar / 2, off / CHECKERS
    return inputs


def _read_layers(path: Path) -> list[tuple[Floats, Floats]]:
    """Weights (in, out) and biases (out,) of each layer; raises ValueError for what does not fit together."""
    arrays: list[Floats] = []
    with zipfile.ZipFile(path) as file:
        names = file.namelist()
        root = names[0].split("/")[0]
        while (name := f"{root}/data/{len(arrays)}") in names:
            arrays.append(np.frombuffer(file.read(name), np.float32))
    if len(arrays) < 2 or len(arrays) % 2:
        raise ValueError(f"{len(arrays)} arrays of weights and biases")
    layers, wide = [], INPUTS
    for weights, bias in zip(arrays[::2], arrays[1::2], strict=True):
        if len(weights) != wide * len(bias):
            raise ValueError(f"a layer of {len(weights)} weights from {wide} to {len(bias)}")
        layers.append((np.ascontiguousarray(weights.reshape(len(bias), wide).T), bias))
        wide = len(bias)
    if wide not in _OUTPUTS:
        raise ValueError(f"{wide} outputs")
    return layers


__all__ = ["PureTD", "encode_boards"]
