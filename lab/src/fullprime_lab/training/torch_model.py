"""The trainer on PyTorch: the same parameters, steps and files as `training.model`, on a processor or on a GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from fullprime.engine.nets import encoding
from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.nets.net import Floats, Net
from fullprime_lab.training.errors import TrainingError
from fullprime_lab.training.learning import Inputs
from fullprime_lab.training.model import (
    AVERAGE_EVERY,
    DECAY1,
    DECAY2,
    FAR,
    OUTPUT_WEIGHTS,
    REFRESH,
    SPECK,
    WARM_UP,
    Model,
    Shape,
    averaging_share,
)

_STATE = ("weights", "averaged", "_mean", "_square", "_scale")


class TorchModel(Model):
    """A `Model` whose parameters live on a device of PyTorch; NumPy's copies are fetched when they are asked for.

    One step equals the NumPy trainer's within rounding: the loss, Adam with its slowly renewed scale, the average.
    """

    def __init__(self, shape: Shape, seed: int = 0, device: str = "cpu", price: float = 0.0) -> None:
        super().__init__(shape, seed, price)
        if device.startswith("cuda") and not torch.cuda.is_available():
            raise TrainingError("there is no CUDA device here that PyTorch can use")
        self.device = torch.device(device)
        self._inputs = Inputs(encoding.FEATURES if shape.hand else 0)
        self._values = torch.from_numpy(encoding.unit_values()).to(self.device)
        self._losses = torch.from_numpy(OUTPUT_WEIGHTS).to(self.device)
        self._here: dict[str, Any] = {}
        self._send()

    # -- between NumPy and the device -------------------------------------------------------------------------
    def _send(self) -> None:
        self._here = {name: torch.from_numpy(getattr(self, name)).to(self.device, copy=True) for name in _STATE}
        self._here["weights"].requires_grad_()

    def fetch(self) -> None:
        """Bring the learnt parameters into the NumPy arrays."""
        for name in _STATE:
            getattr(self, name)[:] = self._here[name].detach().cpu().numpy()

    def _parts(self) -> dict[str, Any]:
        flat, start, parts = self._here["weights"], 0, {}
        for name, dims in self.shape.arrays.items():
            stop = start + int(np.prod(dims))
            parts[name] = flat[start:stop].view(dims)
            start = stop
        return parts

    # -- learning ---------------------------------------------------------------------------------------------
    def step(self, boards: Boards, targets: Floats, chosen: NDArray[np.int64], rate: float) -> float:
        """One step on ``boards[chosen]`` (n, 32) and ``targets[chosen]`` (n, 5); returns the mean squared error."""
        self.measure_loudness(boards, chosen)
        rows, features = self._inputs.of(boards, chosen)
        labels = torch.from_numpy(targets[chosen]).to(self.device)
        at = self._parts()
        table = torch.einsum("gcu,guw->gcw", self._values, at["units"]).reshape(-1, self.shape.hidden1)
        hidden = functional.embedding_bag(torch.from_numpy(rows).to(self.device), table, mode="sum") + at["bias1"]
        if self.shape.hand:
            extra = torch.from_numpy(features).to(self.device) @ at["hand"]
            hidden = hidden + functional.pad(extra, (0, self.shape.hidden1 - self.shape.hand))
        hidden = torch.relu(hidden)
        active = self._count_active(hidden) if self.price else 0.0
        if self.shape.squared:
            hidden = hidden.square()
        second = torch.relu(hidden @ at["layer2"] + at["bias2"])
        logits = second @ at["layer3"] + at["bias3"]
        if self.shape.hidden3:
            quiet = second / torch.from_numpy(self.loudness).to(self.device)
            logits = logits + torch.relu(quiet @ at["layer4"] + at["bias4"]) @ at["layer5"]
        further = (logits.abs() > FAR) & ((torch.sigmoid(logits) - labels) * logits < 0)
        losses = functional.binary_cross_entropy_with_logits(logits, labels, reduction="none").masked_fill(further, 0)
        loss = (losses * self._losses).sum() + self.price * active
        (slope,) = torch.autograd.grad(loss / len(chosen), self._here["weights"])
        self.steps += 1
        with torch.no_grad():
            self._descend(slope, rate * min(1.0, self.steps / WARM_UP))
            return float((torch.sigmoid(logits) - labels).square().mean())

    @staticmethod
    def _count_active(hidden: Any) -> Any:
        """The number of active units, more or less (see `add_activity_cost` of the kernels)."""
        with torch.no_grad():
            typical = (hidden.sum(0) + 1e-3) / ((hidden > 0).sum(0) + 1)
        return (hidden / (hidden + typical)).sum()

    def _descend(self, slope: Any, rate: float) -> None:
        weights, averaged, mean, square, scale = (self._here[name] for name in _STATE)
        correction = float(np.sqrt(1.0 - DECAY2**self.steps) / (1.0 - DECAY1**self.steps) * rate)
        square.mul_(DECAY2).addcmul_(slope, slope, value=1 - DECAY2).add_(SPECK)
        mean.mul_(DECAY1).add_(slope, alpha=1 - DECAY1).add_(SPECK)
        if self.steps % REFRESH == 0 or self.steps < 100:
            torch.reciprocal(square.sqrt() + 1e-8, out=scale)
            weights.addcmul_(mean, scale, value=-correction)
        else:
            weights.add_((mean * scale).clamp_(-1, 1), alpha=-correction)
        if self.steps % AVERAGE_EVERY == 0:
            averaged.lerp_(weights, averaging_share(self.steps))

    # -- files ------------------------------------------------------------------------------------------------
    def net(self, variant: str, phase: str = "contact", averaged: bool = True, origin: str = "") -> Net:
        """The net as it stands: its running average, or the weights of this very step."""
        self.fetch()
        return super().net(variant, phase, averaged, origin)

    def adopt(self, net: Net) -> None:
        """Start from a net of the same or a smaller shape."""
        super().adopt(net)
        self._send()

    def save(self, path: Path, seconds: float = 0.0) -> None:
        """Everything that is needed to go on, with either trainer."""
        self.fetch()
        super().save(path, seconds)

    def resume(self, path: Path) -> float | None:
        """Go on from a state written by `save` of either trainer."""
        seconds = super().resume(path)
        self._send()
        return seconds
