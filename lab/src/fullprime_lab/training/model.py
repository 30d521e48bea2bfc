"""The net while it learns: flat parameters, one step of gradient descent on a batch, running averages."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.nets import encoding
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.nets.net import Floats, Net
from fullprime_lab.training.errors import TrainingError
from fullprime_lab.training.learning import FirstLayer, adam, average
from fullprime_lab.training.partial_files import partial_path

OUTPUT_WEIGHTS = np.array([2, 1, 1, 1, 1], np.float32)
"""Weights of the outputs in the loss: a win moves the equity by two points, the others by one."""

FAR = np.float32(8)
"""Logits beyond which no label pushes an output further. Labels with a trace may lie beyond 0 and 1, where the loss has
no least value: a net that can tell such positions apart would go to infinity there, and take the rest with it.
"""

DECAY1, DECAY2 = 0.9, 0.99
"""Adam's two decays."""
REFRESH = 4
"""Steps from one computation of Adam's scale to the next."""
SPECK = 1e-30
"""Added to Adam's moments, so that they never become denormal numbers."""
AVERAGE_EVERY = 10
WARM_UP = 300
"""Steps in which the rate rises from nothing."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Widths of a net: first layer, second layer, and the columns of the first that see the hand features.

    ``squared``: the second layer sees the squares of the first. ``hidden3``: the width of a third layer, which adds to
    the outputs beside what the second one says of them, or 0 for none.
    """

    hidden1: int = 512
    hidden2: int = 32
    hand: int = 256
    squared: bool = False
    hidden3: int = 0

    @property
    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the parameters by name, in the order in which they lie in memory."""
        third = {
            "layer4": (self.hidden2, self.hidden3),
            "bias4": (self.hidden3,),
            "layer5": (self.hidden3, 5),
        }
        return {
            "units": (encoding.SLOT_GROUPS, encoding.UNITS, self.hidden1),
            "bias1": (self.hidden1,),
            "hand": (encoding.FEATURES if self.hand else 0, self.hand),
            "layer2": (self.hidden1, self.hidden2),
            "bias2": (self.hidden2,),
            "layer3": (self.hidden2, 5),
            "bias3": (5,),
        } | (third if self.hidden3 else {})

    @property
    def size(self) -> int:
        """The number of parameters."""
        return sum(int(np.prod(dims)) for dims in self.arrays.values())

    def views(self, flat: Floats) -> dict[str, Floats]:
        """The parts of all parameters (size,) by name."""
        parts: dict[str, Floats] = {}
        start = 0
        for name, dims in self.arrays.items():
            stop = start + int(np.prod(dims))
            parts[name] = flat[start:stop].reshape(dims)
            start = stop
        return parts


def averaging_share(steps: int) -> float:
    """The step of the running average towards the weights, as a share, every AVERAGE_EVERY steps: over about a third of
    all steps at first, over the last ten thousand later.
    """
    return max(0.001, 1 / (1 + steps / AVERAGE_EVERY / 2))


class _Hand:
    """The arrays of one thread, which leaves the slope of the loss over its part of a batch in ``gradient``."""

    def __init__(self, shape: Shape, price: float) -> None:
        self.gradient: Floats = np.zeros(shape.size, np.float32)
        self._slope = shape.views(self.gradient)
        self._squared, self._price = shape.squared, price
        self._back: Floats = np.empty((0, 0), np.float32)
        self._first = FirstLayer(shape.hidden1, encoding.FEATURES if shape.hand else 0)

    def run_first_layers(
        self, at: dict[str, Floats], boards: Boards, chosen: NDArray[np.int64]
    ) -> tuple[Floats, Floats, Floats]:
        """The first layer of ``boards[chosen]``, what the second one sees of it, and the second."""
        hidden = self._first.forward(boards, chosen, at["units"], at["bias1"], at["hand"])
        activations = np.square(hidden) if self._squared else hidden
        second = activations @ at["layer2"]
        second += at["bias2"]
        np.maximum(second, 0, out=second)
        return hidden, activations, second

    def slope(
        self,
        at: dict[str, Floats],
        loudness: Floats,
        boards: Boards,
        targets: Floats,
        chosen: NDArray[np.int64],
        share: np.float32,
    ) -> float:
        """The slope of ``share`` times the loss of ``boards[chosen]``; returns the sum of the squared errors."""
        slope = self._slope
        hidden, activations, second = self.run_first_layers(at, boards, chosen)
        logits = second @ at["layer3"]
        logits += at["bias3"]
        if "layer4" in at:
            quiet = second / loudness
            third = quiet @ at["layer4"]
            third += at["bias4"]
            np.maximum(third, 0, out=third)
            logits += third @ at["layer5"]
        error = 1 / (1 + np.exp(-np.clip(logits, -30, 30))) - targets[chosen]
        out = error * (OUTPUT_WEIGHTS * share)
        out[(np.abs(logits) > FAR) & (error * logits < 0)] = 0
        np.matmul(second.T, out, out=slope["layer3"])
        out.sum(axis=0, out=slope["bias3"])
        back = out @ at["layer3"].T
        if "layer4" in at:
            np.matmul(third.T, out, out=slope["layer5"])
            beside = out @ at["layer5"].T
            beside *= third > 0
            np.matmul(quiet.T, beside, out=slope["layer4"])
            beside.sum(axis=0, out=slope["bias4"])
            back += (beside @ at["layer4"].T) / loudness
        back *= second > 0
        np.matmul(activations.T, back, out=slope["layer2"])
        back.sum(axis=0, out=slope["bias2"])
        if self._back.shape != hidden.shape:
            self._back = np.empty_like(hidden)
        first = np.matmul(back, at["layer2"].T, out=self._back)
        if self._squared:
            first *= hidden
            first *= np.float32(2)
        self._first.backward(first, slope["units"], slope["bias1"], slope["hand"], self._price * float(share))
        return float(np.square(error).sum())


class Model:
    """Parameters, their running average and the optimiser's state, all float32.

    Each of ``threads`` takes a part of every batch; the sums of their slopes differ from those of one by rounding, and
    with a price in how loud a unit usually is, which each takes from its part.
    The loss is the cross-entropy of each output with a target in 0 to 1, and ``price`` for each unit of the first layer
    that is active (little for one that hardly is): fewer active units are sooner added up.
    A third layer sees each unit of the second in units of its ``loudness`` (h2,): steps of all weights are alike, and
    units of a net that has learnt say anything from a tenth to thousands. It is measured on the first batch, or that
    of the net from which the model starts.
    """

    def __init__(self, shape: Shape, seed: int = 0, price: float = 0.0, threads: int = 1) -> None:
        self.shape = shape
        self.price = price
        size = shape.size
        self.weights: Floats = np.zeros(size, np.float32)
        self.averaged: Floats = np.zeros(size, np.float32)
        self._mean: Floats = np.zeros(size, np.float32)
        self._square: Floats = np.zeros(size, np.float32)
        self._scale: Floats = np.zeros(size, np.float32)
        self.steps = 0
        self.at = shape.views(self.weights)
        rng = np.random.default_rng(seed)
        self.at["units"][:] = rng.normal(0, 0.15, self.at["units"].shape)
        self.at["hand"][:] = rng.normal(0, 0.1, self.at["hand"].shape)
        self.at["layer2"][:] = rng.normal(0, (2 / shape.hidden1) ** 0.5, self.at["layer2"].shape)
        self.at["layer3"][:] = rng.normal(0, 0.5 / shape.hidden2**0.5, self.at["layer3"].shape)
        self.at["bias3"][:] = (0, -1, -3, -1, -3)
        if shape.hidden3:  # it says nothing until it has learnt something
            self.at["layer4"][:] = rng.normal(0, (2 / shape.hidden2) ** 0.5, self.at["layer4"].shape)
        self.loudness: Floats = np.zeros(shape.hidden2, np.float32)
        self.averaged[:] = self.weights
        self._hands = [_Hand(shape, price) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="fit") if threads > 1 else None

    # -- learning ---------------------------------------------------------------------------------------------
    def step(self, boards: Boards, targets: Floats, chosen: NDArray[np.int64], rate: float) -> float:
        """One step on ``boards[chosen]`` (n, 32) and ``targets[chosen]`` (n, 5); returns the mean squared error."""
        share = np.float32(1 / len(chosen))
        parts = np.array_split(chosen, len(self._hands))
        self.measure_loudness(boards, chosen)

        def work(number: int) -> float:
            return self._hands[number].slope(self.at, self.loudness, boards, targets, parts[number], share)

        numbers = range(len(parts))
        total = sum(map(work, numbers) if self._pool is None else self._pool.map(work, numbers))
        for hand in self._hands[1:]:
            np.add(self.gradient, hand.gradient, out=self.gradient)
        self.steps += 1
        warm = min(1.0, self.steps / WARM_UP)
        moments = (self._mean, self._square, self._scale)
        adam(self.weights, self.gradient, *moments, rate * warm, DECAY1, DECAY2, self.steps, REFRESH)
        if self.steps % AVERAGE_EVERY == 0:
            average(self.averaged, self.weights, averaging_share(self.steps))
        return float(total / targets.shape[1] / len(chosen))

    def measure_loudness(self, boards: Boards, chosen: NDArray[np.int64]) -> None:
        """Measure how loud the units of the second layer are, once."""
        if self.shape.hidden3 and not self.loudness.all():
            second = self._hands[0].run_first_layers(self.at, boards, chosen)[2]
            measured = np.sqrt(np.square(second).mean(axis=0)) + np.float32(1)
            self.loudness[:] = np.where(self.loudness > 0, self.loudness, measured)

    @property
    def gradient(self) -> Floats:
        """The slope of the loss of the last step, as long as the parameters."""
        return self._hands[0].gradient

    # -- files ------------------------------------------------------------------------------------------------
    def net(self, variant: str, phase: str = "contact", averaged: bool = True, origin: str = "") -> Net:
        """The net as it stands: its running average, or the weights of this very step."""
        views = self.shape.views(self.averaged if averaged else self.weights)
        arrays: dict[str, Any] = {name: view.copy() for name, view in views.items()}
        if self.shape.hidden3:
            arrays["layer4"] /= np.where(self.loudness > 0, self.loudness, 1)[:, np.newaxis]
        return Net(variant=variant, phase=phase, origin=origin, squared=self.shape.squared, **arrays)

    def adopt(self, net: Net) -> None:
        """Start from a net of the same or a smaller shape; parts that it lacks start as they are, switched off.

        New columns of the first layer keep their inputs and get no weight in the second, so that the larger net
        computes the same as the smaller one did.
        """
        h1, h2 = net.layer2.shape
        columns = net.hand.shape[1]
        if h1 > self.shape.hidden1 or h2 > self.shape.hidden2 or columns > self.shape.hand:
            raise TrainingError(f"a net of widths {h1}-{h2} does not fit into {self.shape}")
        if net.squared is not self.shape.squared:
            raise TrainingError("a net that squares its first layer and one that does not cannot grow from one another")
        at = self.at
        at["units"][:, :, :h1] = net.units
        at["bias1"][:h1] = net.bias1
        at["hand"][:, :h1] = 0
        if columns:
            at["hand"][:, :columns] = net.hand
        at["layer2"][h1:, :h2] = 0
        at["layer2"][:h1, :h2] = net.layer2
        at["bias2"][:h2] = net.bias2
        at["layer3"][h2:] = 0
        at["layer3"][:h2] = net.layer3
        at["bias3"][:] = net.bias3
        self._adopt_third(net)
        self.averaged[:] = self.weights
        self._mean[:] = 0
        self._square[:] = 0
        self.steps = 0

    def _adopt_third(self, net: Net) -> None:
        """The third layer of a net, if it has one; new units beside it say nothing yet."""
        h2, h3 = net.layer4.shape
        if h3 > self.shape.hidden3:
            raise TrainingError(f"a net with a third layer of {h3} does not fit into {self.shape}")
        self.loudness[:] = 0
        if h3:
            self.loudness[:h2] = (2 / h2) ** 0.5 / (np.sqrt(np.square(net.layer4).mean(axis=1)) + 1e-9)
            self.at["layer4"][h2:, :h3] = 0
            self.at["layer4"][:h2, :h3] = net.layer4 * self.loudness[:h2, np.newaxis]
            self.at["bias4"][:h3] = net.bias4
            self.at["layer5"][h3:] = 0
            self.at["layer5"][:h3] = net.layer5

    def save(self, path: Path, seconds: float = 0.0) -> None:
        """Everything that is needed to go on, with the time for which it has been fitted."""
        state = {
            "weights": self.weights,
            "averaged": self.averaged,
            "mean": self._mean,
            "square": self._square,
            "scale": self._scale,
            "loudness": self.loudness,
        }
        with partial_path(path) as beside:
            np.savez(beside, steps=np.array(self.steps), seconds=np.array(seconds), **state)  # type: ignore[arg-type]

    def resume(self, path: Path) -> float | None:
        """Go on from a state written by `save`; gives its seconds, None for a state of version 0.1 or before."""
        with np.load(path) as state:
            for name in ("weights", "averaged"):
                getattr(self, name)[:] = state[name]
            self._mean[:] = state["mean"]
            self._square[:] = state["square"]
            self._scale[:] = state["scale"]
            if "loudness" in state:
                self.loudness[:] = state["loudness"]
            self.steps = int(state["steps"])
            return float(state["seconds"]) if "seconds" in state else None
