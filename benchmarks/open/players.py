"""Whom the open benchmark asks: our levels, programs that speak our JSON lines, and peers that choose plays alone."""

from __future__ import annotations

import json
import shlex
import subprocess
from typing import Any, Protocol

import numpy as np
from records import Decision, board_read

from fullprime.engine.boards.edge import position_of, row_of
from fullprime.engine.bots.batch import BatchPlayer
from fullprime.engine.cube.action import Reply
from fullprime.engine.engine import Engine
from fullprime.rules.errors import FullprimeError
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.peers.programs import is_peer, peer_named


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


def named(name: str) -> Player:
    """A player by what is typed: a level, ``gnubg-nn:0``, ``bgsage:1ply``, a ``.pt`` file, or ``engine: COMMAND``."""
    if name.startswith("engine:"):
        return LinesPlayer(name.removeprefix("engine:").strip())
    if is_peer(name):
        return PeerPlayer(peer_named(name))
    return LevelPlayer(name)
