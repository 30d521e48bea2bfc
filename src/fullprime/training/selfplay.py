"""Step 1: self-play. Writes shards of positions with what they proved to be worth."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from fullprime.engine.evaluator import Boards
from fullprime.engine.learning import Exploration, Player
from fullprime.engine.nets import Floats, Net
from fullprime.rules.variants.variant import Variant


def write_shard(path: Path, boards: Boards, targets: Floats) -> None:
    """Write a shard; it appears complete or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial.npz")
    np.savez(partial, boards=boards, targets=targets)
    partial.replace(path)


def run_worker(
    variant: Variant,
    folder: Path,
    worker: int,
    *,
    ahead: bool,
    trace: float,
    exploration: Exploration,
    positions: int,
    seed: int,
    small: Path | None = None,
    starts: Path | None = None,
) -> None:
    """Write shards into ``folder/shards``, played by the net in ``folder/current.npz`` as it changes.

    Ends when ``folder/done`` appears or the process that started this one is gone.
    """
    known = (-1, -1)
    player: Player | None = None
    filter_net = Net.read(small) if small is not None else None
    rare = np.load(starts) if starts is not None else None
    shards = folder / "shards"
    number = 1 + max((int(path.stem.split("-")[1]) for path in shards.glob(f"{worker}-*[0-9].npz")), default=-1)
    parent = os.getppid()
    while not (folder / "done").exists() and os.getppid() == parent:
        current = folder / "current.npz"
        if not current.exists():
            time.sleep(0.2)
            continue
        stat = current.stat()
        if player is None or (stat.st_mtime_ns, stat.st_size) != known:
            known = (stat.st_mtime_ns, stat.st_size)
            player = Player(variant, Net.read(current), filter_net, rare, ahead)
        boards, targets, _ = player.play(positions, seed + 1_000_003 * worker + number, trace, exploration)
        write_shard(shards / f"{worker}-{number:06d}.npz", boards, targets)
        number += 1
