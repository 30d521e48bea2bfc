"""Step 1: self-play. Writes shards of positions with what they proved to be worth."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from fullprime.engine.learning import Exploration, Player
from fullprime.engine.nets import Net
from fullprime.rules.variants.variant import Variant
from fullprime.training.dataset import write_shard


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
    player: Path | None = None,
    small: Path | None = None,
    starts: Path | None = None,
    shards: int | None = None,
    report: Callable[[str], None] = lambda _text: None,
) -> None:
    """Write shards into ``folder/shards``, played by the net in ``folder/current.npz`` as it changes, or by ``player``.

    Ends when ``folder/done`` appears or the process that started this one is gone, or after so many ``shards``.
    """
    known = (-1, -1)
    at_play: Player | None = None
    filter_net = Net.read(small) if small is not None else None
    rare = np.load(starts) if starts is not None else None
    home = folder / "shards"
    number = 1 + max((int(path.stem.split("-")[1]) for path in home.glob(f"{worker}-*[0-9].npz")), default=-1)
    end = None if shards is None else number + shards
    parent = os.getppid()
    while number != end and not (folder / "done").exists() and os.getppid() == parent:
        current = player or folder / "current.npz"
        if not current.exists():
            time.sleep(0.2)
            continue
        stat = current.stat()
        if at_play is None or (stat.st_mtime_ns, stat.st_size) != known:
            known = (stat.st_mtime_ns, stat.st_size)
            at_play = Player(variant, Net.read(current), filter_net, rare, ahead)
        boards, targets, begun = at_play.play(positions, seed + 1_000_003 * worker + number, trace, exploration)
        path = home / f"{worker}-{number:06d}.npz"
        write_shard(path, boards, targets)
        report(f"{path.name}: {len(boards)} positions of {begun} games")
        number += 1
