"""Players that are asked about single decisions: our levels, programs that speak a protocol, modules of programs.

A program speaks our JSON lines (docs/engine.md) or UBGI, the Universal Backgammon Interface as bgci wrote it down:
``ubgi``, ``isready``, ``position gnubgid ID``, ``dice 3 1``, ``go role chequer``, answered by ``bestmove 8/5 6/5``.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from fullprime.engine.boards.conversion import position_of, row_of
from fullprime.engine.bots.batch import BatchPlayer, PlayerError
from fullprime.engine.cube.action import Reply
from fullprime.engine.engine import Engine
from fullprime.engine.search.levels import level_named
from fullprime.rules.errors import FullprimeError
from fullprime.rules.foreign_text import clean_line
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.peers.programs import is_peer, peer_named
from fullprime_lab.peers.questions import Question, read_board

LINES, UBGI = "engine:", "ubgi:"
PLAYERS = 'a level, gnubg-nn:0, bgsage:1ply, a .pt file, "engine: COMMAND" or "ubgi: COMMAND"'
"""What may be typed for a player."""


class Player(Protocol):
    """A player that is asked about decisions."""

    name: str

    def play(self, question: Question) -> Position | None:
        """The board after the chosen play, seen by the other player; None where this game is not played."""
        ...

    def cube(self, question: Question) -> tuple[bool, bool] | None:
        """Whether to double, and whether the other one should take; None where that is not known."""
        ...

    def close(self) -> None:
        """End what was begun for the player."""
        ...


class LevelPlayer:
    """One of our levels."""

    def __init__(self, level: str) -> None:
        self.name = level_named(level).name
        self._engines: dict[str, Engine] = {}

    def _engine(self, question: Question) -> Engine:
        name = question.variant.name
        if name not in self._engines:
            self._engines[name] = Engine.open(name, level=self.name, threads=1)
        return self._engines[name]

    def play(self, question: Question) -> Position | None:
        """Its best play."""
        return self._engine(question).best_play(question.position, question.roll, question.context).position

    def cube(self, question: Question) -> tuple[bool, bool] | None:
        """Its decision with the cube."""
        answer = self._engine(question).cube_decision(question.position, question.context)
        return answer.should_double, answer.reply is not Reply.DROP

    def close(self) -> None:
        """Nothing was begun."""


class Program:
    """A program that is written to and read from line by line."""

    def __init__(self, command: str) -> None:
        """Start it; raises PlayerError."""
        self.name = command
        try:
            self._process = subprocess.Popen(  # noqa: S603 - what the user typed
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except (OSError, ValueError, IndexError) as error:
            raise PlayerError(f"{command or 'no command'}: {error}") from None

    def write(self, line: str) -> None:
        """Write a line; raises PlayerError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n")
        except (OSError, ValueError):
            raise PlayerError(f"{self.name}: it has ended") from None

    def read(self) -> str:
        """Read a line; raises PlayerError where none comes."""
        assert self._process.stdout is not None
        try:
            line = self._process.stdout.readline()
        except (OSError, ValueError):
            line = ""
        if not line:
            raise PlayerError(f"{self.name}: no answer, it has ended")
        return line.strip()

    def close(self) -> None:
        """End the program."""
        with suppress(OSError), self._process:
            pass


class LinesPlayer:
    """A program that answers as ``fullprime engine`` does (docs/engine.md): one JSON object a line."""

    def __init__(self, command: str, level: str | None = None) -> None:
        self.name = command
        self._more = {} if level is None else {"level": level}
        self._program = Program(command)

    def _ask(self, question: Question) -> dict[str, Any]:
        self._program.write(json.dumps({"id": question.name, **question.request, **self._more}))
        line = self._program.read()
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or "error" in answer:
            raise PlayerError(f"{self.name}: {question.name}: {clean_line(line)[:200]}")
        return answer

    def play(self, question: Question) -> Position | None:
        """The first of its plays."""
        answer = self._ask(question)
        try:
            return read_board(answer["plays"][0]["position_id"], question.variant)
        except (KeyError, IndexError, TypeError):
            raise PlayerError(f"{self.name}: {question.name}: no play with a position_id") from None

    def cube(self, question: Question) -> tuple[bool, bool] | None:
        """Its decision with the cube, by its equities."""
        figures = self._ask(question).get("cube")
        if not isinstance(figures, dict) or figures.get("double_take") is None:
            return None
        try:
            stay, take, drop = (float(figures[name]) for name in ("no_double", "double_take", "double_drop"))
        except (KeyError, TypeError, ValueError):
            raise PlayerError(f"{self.name}: {question.name}: equities are missing") from None
        return min(take, drop) > stay, take < drop

    def close(self) -> None:
        """End the program."""
        self._program.close()


class UbgiPlayer:
    """A program that speaks UBGI. It is asked about plays of backgammon alone."""

    def __init__(self, command: str) -> None:
        """Start it and greet it; raises PlayerError."""
        self.name = command
        self._program = Program(command)
        self._wait("ubgi", "ubgiok", "readyok")
        self._wait("isready", "readyok")

    def _wait(self, line: str, *ends: str) -> str:
        """Write a line, and read on until a line begins with one of the words."""
        self._program.write(line)
        while True:
            answer = self._program.read()
            if answer.startswith(ends):
                return answer
            if answer.startswith("error ") and not answer.startswith("error unknown_command"):
                raise PlayerError(f"{self.name}: {clean_line(answer)[:200]}")

    def play(self, question: Question) -> Position | None:
        """The play it calls best."""
        if question.variant != BACKGAMMON:
            return None
        roll = question.roll
        self._program.write(f"position gnubgid {question.request['position']}")
        self._program.write(f"dice {roll.high} {roll.low}")
        text = self._wait("go role chequer", "bestmove").removeprefix("bestmove").strip()
        try:
            return read_play("fan" if text in ("", "pass") else text, question.position, roll).position
        except FullprimeError as error:
            raise PlayerError(f"{self.name}: {question.name}: {error}") from None

    def cube(self, question: Question) -> tuple[bool, bool] | None:
        """It is not asked: the protocol has no answer to a double with its reason."""
        del question
        return None

    def close(self) -> None:
        """Say goodbye and end it."""
        with suppress(PlayerError):
            self._program.write("quit")
        self._program.close()


class PeerPlayer:
    """A peer that chooses plays for money without a cube: it knows no score."""

    def __init__(self, peer: BatchPlayer) -> None:
        self.name = f"{peer.name} (no score)"
        self._peer = peer

    def play(self, question: Question) -> Position | None:
        """Its best play."""
        if question.variant != BACKGAMMON:
            return None
        dice = np.array([[question.roll.high, question.roll.low]], np.int8)
        return position_of(self._peer.choose(row_of(question.position), dice).boards[0])

    def cube(self, question: Question) -> tuple[bool, bool] | None:
        """It knows no cube."""
        del question
        return None

    def close(self) -> None:
        """Nothing was begun."""


def open_player(name: str) -> Player:
    """A player by what is typed, see ``PLAYERS``; raises FullprimeError."""
    if name.startswith(LINES):
        return LinesPlayer(name.removeprefix(LINES).strip())
    if name.startswith(UBGI):
        return UbgiPlayer(name.removeprefix(UBGI).strip())
    if is_peer(name):
        return PeerPlayer(peer_named(name))
    try:
        return LevelPlayer(name)
    except FullprimeError:
        raise PlayerError(f"there is no player {name[:60]!r}; there are {PLAYERS}") from None
