"""Step 2: the replay buffer, filled from shards as they appear."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fullprime.engine.evaluator import Boards
from fullprime.engine.nets import Floats

_COLUMNS = 32


class Replay:
    """The last ``room`` positions and targets of one or more folders of shards, in memory."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.boards: Boards = np.empty((room, _COLUMNS), np.int8)
        self.targets: Floats = np.empty((room, 5), np.float32)
        self.size = 0
        self.seen = 0
        self._next = 0
        self._read: set[Path] = set()

    def refresh(self, *folders: Path) -> int:
        """Read the shards that have appeared since the last call, oldest first; returns how many positions are new."""
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
        self.seen += len(boards)
