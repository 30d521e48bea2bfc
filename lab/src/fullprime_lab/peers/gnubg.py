"""GNU Backgammon as a program: its own rollouts of plays and of decisions with the cube, for money."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence

from fullprime.engine.bots.batch import PlayerError
from fullprime.rules.ids.gnu import gnu_position_id
from fullprime.rules.position import Position

_MONEY = "cAkAAAAAAAAE"
"""The Match ID of a money session without Jacoby's rule, the cube in the middle, before a roll."""
_SETTINGS = (
    "set automatic roll off", "set automatic game off", "set automatic bearoff off", "set sound enable off",
    "set player 0 human", "set player 1 human", "set beavers 0", "set threads 1", "set output digits 6",
    "set output winpc off", "set rollout varredn on", "set rollout chequerplay plies 0",
    "set rollout cubedecision plies 0",
)  # fmt: skip
_CUBELESS = ("set rollout cubeful off", "set rollout chequerplay cubeful off")
_CUBEFUL = ("set rollout cubeful on", "set analysis cubedecision evaluation plies 0")
_CUBE_ROLLOUT = ("double", "previous", "analyse move", "analyse rollout cube")
_FINAL, _END = "Printing final results.", "Estimated SE"

Worth = tuple[float, float]
"""An equity, and its standard error over the trials."""


def find_gnubg() -> str | None:
    """The path of the program; None where it is not installed, and on Windows, which has no terminals to read from."""
    if os.name == "nt":
        return None
    return shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


class GnubgProgram:
    """The program in text mode. Its trials play static plays and cubes, the luck of the dice taken out."""

    def __init__(self, path: str) -> None:
        """Ask it for its version; raises PlayerError."""
        self._path = path
        try:
            command = [path, "--version"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)  # noqa: S603 - found
        except (OSError, subprocess.SubprocessError) as error:
            raise PlayerError(f"{path}: {error}") from None
        self.version = " ".join(done.stdout.split()[:3])

    def roll_out(self, boards: Sequence[Position], trials: int, seed: int) -> list[Worth]:
        """What boards, seen by their players on roll, are worth to the other players, without a cube.

        All have the same seed. Raises PlayerError.
        """
        lines = [line for board in boards for line in (_set(board), "rollout")]
        results = self._results((*_CUBELESS, *lines), "CL", trials, seed)
        if [len(result) for result in results] != [1] * len(boards):
            raise PlayerError(f"{self.version}: {len(results)} of {len(boards)} rollouts were answered")
        return [(-equity, error) for ((equity, error),) in results]

    def roll_out_cube(self, board: Position, trials: int, seed: int) -> tuple[Worth, Worth]:
        """What no double, and double and take are worth to the player on roll. Raises PlayerError."""
        results = self._results((*_CUBEFUL, _set(board), *_CUBE_ROLLOUT), "CF", trials, seed)
        if [len(result) for result in results] != [2]:
            raise PlayerError(f"{self.version}: the rollout of the cube was not answered")
        return results[0][0], results[0][1]

    def _results(self, lines: Sequence[str], kind: str, trials: int, seed: int) -> list[list[Worth]]:
        """The final results of each rollout: equities without the cube (``CL``) or with it (``CF``), and their errors.

        A rollout that did not play all its trials is left out.
        """
        head = (*_SETTINGS, f"set rollout trials {trials}", f"set rollout seed {seed % 2**31}")
        answer = _answer_of([self._path, "-t", "-q", "-r"], "\n".join((*head, *lines, "exit", "y", "")))
        parts = [part.partition(_END)[0] for part in answer.split(_FINAL)[1:]]
        equities = [re.findall(rf"{kind}\s+([+-]?\d+\.\d+)", part) for part in parts if f"{trials} games" in part]
        return [
            [(float(equity), float(error)) for equity, error in zip(numbers[::2], numbers[1::2], strict=True)]
            for numbers in equities
        ]


def _set(board: Position) -> str:
    return f"set gnubgid {gnu_position_id(board)}:{_MONEY}"


def _answer_of(command: Sequence[str], commands: str) -> str:
    """What a program writes to a terminal; GNU Backgammon shows results of rollouts there and nowhere else."""
    import pty  # Windows has none

    ours, theirs = pty.openpty()
    environment = os.environ | {"LC_ALL": "C.UTF-8", "LANGUAGE": "en", "TERM": "dumb"}
    with subprocess.Popen(  # noqa: S603 - the program that was found
        command, stdin=subprocess.PIPE, stdout=theirs, stderr=theirs, env=environment
    ) as program:
        os.close(theirs)
        assert program.stdin is not None
        program.stdin.write(commands.encode())
        program.stdin.close()
        parts = []
        while part := _read(ours):
            parts.append(part)
    os.close(ours)
    return b"".join(parts).decode(errors="replace")


def _read(descriptor: int) -> bytes:
    """What has come; nothing at the end, which Linux calls an error."""
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""
