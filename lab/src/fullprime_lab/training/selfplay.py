"""Step 1: self-play. Writes shards of positions with the values that the games gave them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.nets.net import Floats, Net
from fullprime.rules.variants.variant import Variant
from fullprime_lab.training.dataset import write_shard
from fullprime_lab.training.judges import JudgedPlayer
from fullprime_lab.training.learning import Exploration, SelfPlayer
from fullprime_lab.training.phase_play import BACK_GAME, PhasePlayer
from fullprime_lab.training.trajectories import SelfPlaySampler


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
    back_games: Path | None = None,
    starts: Path | None = None,
    phase: str = "contact",
    judges: bool = False,
    shards: int | None = None,
    report: Callable[[str], None] = lambda _text: None,
) -> None:
    """Write shards into ``folder/shards``, played by the net in ``folder/current.npz`` as it changes, or by ``player``.

    ``small`` chooses the plays that the net sees, ``back_games`` judges back games in its look-ahead. With ``phase``
    "back_game" the positions are of back games alone, which the net in ``current.npz`` judges, and ``player`` all else.
    With ``judges`` those of the package label: one ply, for every player, or with a trace games of theirs (`Wanderer`).
    Ends when ``folder/done`` appears or the parent process is gone, or after that number of ``shards``.
    """
    loaded = (-1, -1)
    at_play: Callable[[int, int], tuple[Boards, Floats, int]] | None = None
    filter_net = Net.read(small) if small is not None else None
    back_net = Net.read(back_games) if back_games is not None else None
    rare = np.load(starts) if starts is not None else None
    wandering = judges and trace > 0
    if wandering:  # the net that learns plays no part in it
        at_play = partial(SelfPlaySampler(variant, rare).play, trace=trace, exploration=exploration)
    home = folder / "shards"
    number = first = _next_number(home, worker)
    parent = os.getppid()
    while (shards is None or number < first + shards) and not (folder / "done").exists() and os.getppid() == parent:
        current = folder / "current.npz" if player is None or phase == BACK_GAME else player
        if not current.exists():
            time.sleep(0.2)
            continue
        stat = current.stat()
        if at_play is None or (not wandering and (stat.st_mtime_ns, stat.st_size) != loaded):
            loaded = (stat.st_mtime_ns, stat.st_size)
            net = Net.read(current)
            if phase == BACK_GAME and player is not None:
                at_play = PhasePlayer(variant, Net.read(player), filter_net, net, rare).play
            else:
                self_player = SelfPlayer(variant, net, filter_net, rare, ahead, back_net)
                judged = JudgedPlayer(variant, self_player) if judges else self_player
                at_play = partial(judged.play, trace=trace, exploration=exploration)
        boards, targets, begun = at_play(positions, seed + 1_000_003 * worker + number)
        if os.getppid() != parent:
            return  # the next run may play this shard already
        name = f"{worker}-{number:06d}.npz"
        write_shard(home / name, boards, targets)
        report(f"{name}: {len(boards)} positions of {begun} games")
        number += 1


def _next_number(home: Path, worker: int) -> int:
    """The number of the first shard that a worker has not written yet."""
    return 1 + max((int(path.stem.split("-")[1]) for path in home.glob(f"{worker}-*[0-9].npz")), default=-1)
