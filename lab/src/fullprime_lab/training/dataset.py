"""Step 2: shards of positions, and the replay buffer that is filled from them as they appear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fullprime.engine.nets.evaluator import Boards
from fullprime.engine.nets.net import Floats
from fullprime_lab.training.errors import TrainingError
from fullprime_lab.training.partial_files import partial_path

_COLUMNS = 32


class Replay:
    """The last ``room`` positions and targets of one or more folders of shards, in memory."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.boards: Boards = np.empty((room, _COLUMNS), np.int8)
        self.targets: Floats = np.empty((room, 5), np.float32)
        self.size = 0
        self.received = 0
        self._next = 0
        self._read: set[Path] = set()

    @property
    def shards(self) -> int:
        """The number of shards that have been read."""
        return len(self._read)

    def refresh(self, *folders: Path) -> int:
        """Read the shards that have appeared since the last call, oldest first; returns the number of new positions."""
        new = [path for folder in folders for path in folder.glob("[0-9]*-*[0-9].npz") if path not in self._read]
        added = 0
        for path in sorted(new, key=lambda path: (path.stat().st_mtime_ns, path.name)):
            with np.load(path) as shard:
                self.add(shard["boards"], shard["targets"])
                added += len(shard["targets"])
            self._read.add(path)
        return added

    def add(self, boards: Boards, targets: Floats) -> None:
        """Take positions in, in place of the oldest ones when there is no room."""
        boards, targets = boards[-self.room :], targets[-self.room :]
        start = 0
        while start < len(boards):
            count = min(len(boards) - start, self.room - self._next)
            self.boards[self._next : self._next + count] = boards[start : start + count]
            self.targets[self._next : self._next + count] = targets[start : start + count]
            self._next = (self._next + count) % self.room
            self.size = min(self.room, self.size + count)
            start += count
        self.received += len(boards)


@dataclass(frozen=True, slots=True)
class ShardsSummary:
    """The contents of folders of shards."""

    shards: int
    """The number of shards."""
    positions: int
    """Positions in all of them."""
    different: int
    """Positions that are not the same as another one."""
    races: int
    """Positions without contact."""
    means: tuple[float, ...]
    """The five targets on average."""
    in_hand: int
    """Positions with checkers in hand."""
    written: str | None = None
    """The shard into which they were joined; None where they were not joined."""

    def __str__(self) -> str:
        share = 100 / max(1, self.positions)
        win, gammon, backgammon, lost, badly = (100 * mean for mean in self.means)
        return (
            f"{self.positions} positions in {self.shards} shards, {self.different} of them different, "
            f"{share * self.races:.1f}% races, {share * self.in_hand:.1f}% with checkers in hand\n"
            f"  targets on average: win {win:.1f}% (gammon {gammon:.1f}%, backgammon {backgammon:.1f}%), "
            f"lost gammon {lost:.1f}%, lost backgammon {badly:.1f}%"
        )


def collect(folders: Sequence[Path], room: int) -> tuple[Replay, ShardsSummary]:
    """The last ``room`` positions of some folders of shards, and their summary. Raises TrainingError for none."""
    replay = Replay(room)
    replay.refresh(*folders)
    if not replay.size:
        raise TrainingError(f"no shards in {', '.join(str(folder) for folder in folders)}")
    boards, targets = replay.boards[: replay.size], replay.targets[: replay.size]
    places = np.arange(26)
    own = np.where(boards[:, :26] > 0, places, 0).max(axis=1)
    other = np.where(boards[:, :26] < 0, places, 99).min(axis=1)
    in_hand = (boards[:, 28:30] > 0).any(axis=1)
    summary = ShardsSummary(
        shards=replay.shards,
        positions=replay.size,
        different=len(np.unique(boards, axis=0)),
        races=int(((own < other) & ~in_hand).sum()),
        means=tuple(float(mean) for mean in targets.mean(axis=0)),
        in_hand=int(in_hand.sum()),
    )
    return replay, summary


def write_dataset(replay: Replay, path: Path) -> None:
    """All positions of a replay as one shard."""
    write_shard(path, replay.boards[: replay.size], replay.targets[: replay.size])


def write_shard(path: Path, boards: Boards, targets: Floats) -> None:
    """Write a shard; it appears complete or not at all."""
    with partial_path(path) as beside:
        np.savez(beside, boards=boards, targets=targets)
