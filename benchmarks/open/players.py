"""Whom the open benchmark asks: our levels, programs that speak our JSON lines, and peers that choose plays alone."""

from __future__ import annotations

import json
import shlex
import subprocess
import zipfile
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from records import Decision, board_read

from fullprime.engine.boards.edge import position_of, row_of
from fullprime.engine.bots.batch import BatchPlayer
from fullprime.engine.bots.peers import peer_named
from fullprime.engine.core import layout
from fullprime.engine.core.pack import legal_plays, swap
from fullprime.engine.cube.action import Reply
from fullprime.engine.engine import Engine
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON

Floats = npt.NDArray[np.float32]


class AskedError(FullprimeError):
    """Somebody who cannot be asked, or whose answer is none."""


class Player(Protocol):
    """Somebody who is asked."""

    name: str

    def play(self, decision: Decision) -> Position | None:
        """The board after the chosen play, seen by the other player; None where this game is not played."""
        ...

    def cube(self, decision: Decision) -> tuple[bool, bool] | None:
        """Whether to double, and whether the other one should take; None where that is not known."""
        ...


class LevelPlayer:
    """One of our levels."""

    def __init__(self, level: str) -> None:
        self.name = level
        self._engines: dict[str, Engine] = {}

    def _engine(self, decision: Decision) -> Engine:
        name = decision.variant.name
        if name not in self._engines:
            self._engines[name] = Engine.open(name, level=self.name, threads=1)
        return self._engines[name]

    def play(self, decision: Decision) -> Position | None:
        return self._engine(decision).best_play(decision.position, decision.roll, decision.context).position

    def cube(self, decision: Decision) -> tuple[bool, bool] | None:
        found = self._engine(decision).cube_decision(decision.position, decision.context)
        return found.should_double, found.reply is not Reply.DROP


class LinesPlayer:
    """A program that answers as ``fullprime engine`` does (docs/engine.md): one JSON object a line."""

    def __init__(self, command: str, level: str | None = None) -> None:
        self.name = command
        self._more = {} if level is None else {"level": level}
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except (OSError, ValueError) as error:
            raise AskedError(f"{command}: {error}") from None

    def _ask(self, decision: Decision) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"id": decision.name, **decision.asked, **self._more}) + "\n")
            found = json.loads(self._process.stdout.readline())
        except (OSError, ValueError) as error:
            raise AskedError(f"{self.name}: no answer about {decision.name} ({error})") from None
        if not isinstance(found, dict) or "error" in found:
            raise AskedError(f"{self.name}: {decision.name}: {found}"[:300])
        return found

    def play(self, decision: Decision) -> Position | None:
        return board_read(self._ask(decision)["plays"][0]["position_id"], decision.variant)

    def cube(self, decision: Decision) -> tuple[bool, bool] | None:
        found = self._ask(decision)["cube"]
        if found is None or found["double_take"] is None:
            return None
        return min(found["double_take"], found["double_drop"]) > found["no_double"], found["double_take"] < 1.0

    def close(self) -> None:
        """End the program."""
        with self._process:
            pass


class PeerPlayer:
    """A peer that chooses plays for money without a cube: it knows no score."""

    def __init__(self, peer: BatchPlayer) -> None:
        self.name = f"{peer.name} (no score)"
        self._peer = peer

    def play(self, decision: Decision) -> Position | None:
        if decision.variant != BACKGAMMON:
            return None
        dice = np.array([[decision.roll.high, decision.roll.low]], np.int8)
        return position_of(self._peer.choose(row_of(decision.position), dice).boards[0])

    def cube(self, decision: Decision) -> tuple[bool, bool] | None:
        del decision  # it knows no cube
        return None


class PureTD:
    """A net of PureTD (A. Strehl, MIT) from its file, as a chooser of plays: a plain net of rectified layers.

    Inputs, 196: 98 of the player on roll, 98 of the other on the same points: 24 points with one checker or more, two,
    three, and half of those beyond; half of those on the bar; a fifteenth of those off. Five outputs, cumulative
    chances, or one, the equity.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        try:
            self._layers = _layers(path)
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise AskedError(f"{path}: no net of PureTD ({error})") from None

    def play(self, decision: Decision) -> Position | None:
        if decision.variant != BACKGAMMON:
            return None
        rows, _ = legal_plays(
            row_of(decision.position), np.array([[decision.roll.high, decision.roll.low]], np.int8), BACKGAMMON
        )
        boards = swap(rows)
        return position_of(boards[int(np.argmin(self.equities(boards)))])

    def cube(self, decision: Decision) -> tuple[bool, bool] | None:
        del decision  # it knows no cube
        return None

    def equities(self, boards: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        """Of packed boards (n, 32), for the player on roll: (n,)."""
        values = _inputs(boards)
        for number, (weights, bias) in enumerate(self._layers, start=1):
            values = values @ weights + bias
            if number < len(self._layers):
                np.maximum(values, 0, out=values)
        if values.shape[1] == 1:
            found = values[:, 0].astype(np.float64)
        else:
            win, gammon, backgammon, lost, badly = (1 / (1 + np.exp(-np.clip(values, -30, 30)))).T.astype(np.float64)
            gammon, lost = np.minimum(gammon, win), np.minimum(lost, 1 - win)
            found = 2 * win - 1 + gammon + np.minimum(backgammon, gammon) - lost - np.minimum(badly, lost)
        over = boards[:, layout.THEIR_OFF] == 15
        found[over] = np.where(boards[over, layout.OFF] > 0, -1.0, -2.0)
        return found


def _layers(path: Path) -> list[tuple[Floats, Floats]]:
    """The weights (in, out) and biases (out,) of a file that PyTorch wrote, read without PyTorch and without pickle."""
    arrays: list[Floats] = []
    with zipfile.ZipFile(path) as file:
        root = file.namelist()[0].split("/")[0]
        while f"{root}/data/{len(arrays)}" in file.namelist():
            arrays.append(np.frombuffer(file.read(f"{root}/data/{len(arrays)}"), np.float32))
    if len(arrays) < 2 or len(arrays) % 2:
        raise ValueError(f"{len(arrays)} arrays")
    return [
        (np.ascontiguousarray(weights.reshape(len(bias), -1).T), bias)
        for weights, bias in zip(arrays[::2], arrays[1::2], strict=True)
    ]


def _inputs(boards: npt.NDArray[np.int8]) -> Floats:
    points = boards.astype(np.int64)
    found = np.zeros((len(boards), 196), np.float32)
    sides = (
        (0, np.maximum(points[:, 1:25], 0), points[:, layout.BAR], points[:, layout.OFF]),
        (98, np.maximum(-points[:, 1:25], 0), -points[:, layout.THEIR_BAR], points[:, layout.THEIR_OFF]),
    )
    for start, counts, bar, off in sides:
        units = [counts >= 1, counts >= 2, counts >= 3, np.maximum(counts - 3, 0) / 2]
        found[:, start : start + 96] = np.stack(units, axis=2).reshape(len(boards), 96)
        found[:, start + 96], found[:, start + 97] = bar / 2, off / 15
    return found


def named(name: str) -> Player:
    """A player by what is typed: a level, ``gnubg-nn:0``, ``bgsage:1ply``, a ``.pt`` file, or ``engine: COMMAND``."""
    if name.startswith("engine:"):
        return LinesPlayer(name.removeprefix("engine:").strip())
    if name.endswith(".pt"):
        return PureTD(Path(name))
    if name.startswith(("gnubg-nn", "bgsage")):
        return PeerPlayer(peer_named(name))
    return LevelPlayer(name)
