"""Nets that know nothing: right form, random weights. What holds for them holds for every net."""

from __future__ import annotations

import numpy as np

from fullprime.engine.engine import Engine
from fullprime.engine.nets import encoding
from fullprime.engine.nets.net import Net
from fullprime.engine.search.levels import Level
from fullprime.rules.variants import BACKGAMMON
from fullprime.rules.variants.variant import Variant


def random_net(variant: Variant = BACKGAMMON, phase: str = "contact", seed: int = 1) -> Net:
    """A net of the smallest widths whose outputs differ a good deal from position to position."""
    rng = np.random.default_rng(seed)

    def drawn(*shape: int, scale: float) -> np.ndarray:
        return rng.normal(0, scale, shape).astype(np.float32)

    return Net(
        variant=variant.name,
        phase=phase,
        units=drawn(encoding.SLOT_GROUPS, encoding.UNITS, 128, scale=0.3),
        bias1=drawn(128, scale=0.1),
        hand=np.zeros((0, 0), np.float32),
        layer2=drawn(128, 32, scale=0.12),
        bias2=drawn(32, scale=0.1),
        layer3=drawn(32, 5, scale=0.25),
        bias3=np.array([0, -1, -4, -1, -4], np.float32),
    )


def random_engine(
    variant: Variant = BACKGAMMON,
    level: str | Level = "0-ply",
    *,
    small: bool = False,
    seed: int = 1,
    threads: int = 1,
    bearoff: bool = False,
) -> Engine:
    phases = ("contact", "race", "back_game")
    nets = {phase: random_net(variant, phase, seed + more) for more, phase in zip((0, 1, 3), phases, strict=True)}
    if small:
        nets["small"] = random_net(variant, "small", seed + 2)
    return Engine.open(variant, level, threads, nets=nets, bearoff=bearoff)
