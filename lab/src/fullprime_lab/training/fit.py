"""Step 3: fit a net to the shards while self-play goes on writing them with the net as it stands."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fullprime.engine.nets.net import Net
from fullprime_lab.training.dataset import Replay
from fullprime_lab.training.errors import TrainingError
from fullprime_lab.training.model import Model, Shape

_STATE = "state.npz"
_CLOCK = "clock.json"
"""In folders of version 0.1 the seconds of the state stand here."""
_CHUNK = 100
_REPORT_SECONDS = 20.0
_SAVE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Fitting:
    """The settings of a net's fitting.

    The rate falls along half a cosine from ``rate`` to ``last_rate`` in every one of ``cycles`` periods of equal
    length (restarts); ``minutes`` are those spent here, over all resumed runs: times and not steps, because self-play
    runs beside it. ``replay`` is the number of positions kept, and learning begins with ``at_least`` of them. The net
    is published for self-play every ``publish`` seconds: early on, news of how games end travels back only a few plies
    with each new net. ``steps`` are done in any case, also after the time is over. ``price`` is that of an active
    unit (`Model`), for nets that have learnt something: at the full rate from nothing units become inactive for good.
    ``threads`` share every batch (not with PyTorch, which has threads of its own).
    """

    minutes: float
    batch: int = 256
    rate: float = 2e-3
    last_rate: float = 1e-4
    cycles: int = 1
    replay: int = 4_000_000
    at_least: int = 100_000
    publish: float = 20.0
    seed: int = 1
    steps: int = 0
    price: float = 0.0
    threads: int = 1

    def rate_at(self, share: float) -> float:
        """The learning rate when ``share`` (0 to 1) of the time is over."""
        phase = min(share, 1 - 1e-9) * self.cycles % 1.0
        return self.last_rate + (self.rate - self.last_rate) * 0.5 * (1 + math.cos(math.pi * phase))


def make_model(device: str, shape: Shape, seed: int = 0, price: float = 0.0, threads: int = 1) -> Model:
    """A model that learns with our kernels (``numpy``) or with PyTorch on a device (``cpu``, ``cuda``, ``cuda:1``).

    Raises TrainingError where PyTorch or the device is not there, or for no thread at all.
    """
    if threads < 1:
        raise TrainingError(f"{threads} threads: at least one is needed")
    if device == "numpy":
        return Model(shape, seed, price, threads)
    if device != "cpu" and not device.startswith("cuda"):
        raise TrainingError(f"there is no device {device[:40]!r}; there are numpy, cpu (PyTorch) and cuda")
    try:
        from fullprime_lab.training.torch_model import TorchModel
    except ImportError as error:
        raise TrainingError(f"--device {device} needs PyTorch: pip install 'fullprime[train]' ({error})") from None
    return TorchModel(shape, seed, device, price)


def fit(
    folder: Path,
    shape: Shape,
    fitting: Fitting,
    variant: str,
    *,
    start: Net | None = None,
    sources: tuple[Path, ...] = (),
    alive: Callable[[], bool] = lambda: False,
    report: Callable[[str], None] = print,
    device: str = "numpy",
    phase: str = "contact",
) -> Net:
    """Fit until the time is over; publishes ``folder/current.npz`` all along and leaves ``folder/net.npz``.

    State is kept in ``folder/state.npz``: the same call goes on after an interruption. ``sources`` are further folders
    of shards. ``alive`` gives True while more shards can be expected; raises TrainingError when there are too few and
    none will come. ``device`` is that of `make_model`; a fit may go on with another one. ``phase`` is what the net is
    for.
    """
    folder.mkdir(parents=True, exist_ok=True)
    model = make_model(device, shape, fitting.seed, fitting.price, fitting.threads)
    elapsed = _resume(model, folder, start, report)
    origin = f"{folder.parent.name}/{folder.name}"
    model.net(variant, phase, origin=origin).write(folder / "current.npz")
    replay = Replay(fitting.replay)
    rng = np.random.default_rng((fitting.seed, model.steps))
    folders = (folder / "shards", *sources)
    _await_positions(replay, folders, fitting.at_least, alive, report)
    seconds = fitting.minutes * 60
    last = published = reported = saved = time.monotonic()
    loss, chunks = 0.0, 0
    while elapsed < seconds or model.steps < fitting.steps:
        done = elapsed / seconds
        rate = fitting.rate_at(min(done, model.steps / fitting.steps) if fitting.steps else done)
        for _ in range(_CHUNK):
            chosen = rng.integers(0, replay.size, fitting.batch)
            loss += model.step(replay.boards, replay.targets, chosen, rate)
        chunks += 1
        now = time.monotonic()
        elapsed, last = elapsed + now - last, now
        if now - published > fitting.publish or elapsed >= seconds:
            published = now
            replay.refresh(*folders)
            model.net(variant, phase, origin=origin).write(folder / "current.npz")
        if now - reported > _REPORT_SECONDS or elapsed >= seconds:
            reported = now
            report(
                f"minute {elapsed / 60:.1f}, step {model.steps}, rate {rate:.1e}, {replay.received} positions seen, "
                f"error {(loss / (chunks * _CHUNK)) ** 0.5:.4f}"
            )
            loss, chunks = 0.0, 0
        if now - saved > _SAVE_SECONDS:
            saved = now
            model.save(folder / _STATE, elapsed)
    model.save(folder / _STATE, elapsed)
    net = model.net(variant, phase, origin=origin)
    net.write(folder / "net.npz")
    return net


def _resume(model: Model, folder: Path, start: Net | None, report: Callable[[str], None]) -> float:
    """Have a model go on where it was left, or begin from a net; gives the seconds it has been fitted for."""
    state, clock = folder / _STATE, folder / _CLOCK
    if not state.exists():
        if start is not None:
            model.adopt(start)
        return 0.0
    seconds = model.resume(state)
    elapsed = float(json.loads(clock.read_text())["seconds"]) if seconds is None else seconds
    report(f"goes on after {elapsed / 60:.1f} minutes, step {model.steps}")
    return elapsed


def _await_positions(
    replay: Replay, folders: tuple[Path, ...], least: int, alive: Callable[[], bool], report: Callable[[str], None]
) -> None:
    """Wait until there are ``least`` positions to begin with."""
    reported = time.monotonic()
    while replay.refresh(*folders) or replay.size < least:
        if replay.size >= least:
            return
        if not alive():
            raise TrainingError(f"{folders[0].parent}: {replay.size} positions, fewer than the {least} asked for")
        if time.monotonic() - reported > _REPORT_SECONDS:
            reported = time.monotonic()
            report(f"{replay.size} of {least} positions to begin with")
        time.sleep(0.5)
