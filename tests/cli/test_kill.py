"""A game killed at any moment goes on with every action that was confirmed."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.posix
FULLPRIME = [sys.executable, "-c", "from fullprime.cli.main import main; main()"]
NEW = ("--length", "25", "--seed", "killed", "--bot", "random")
LINES = {
    "opening_roll": "roll",
    "cube_decision": "roll",
    "roll": "roll",
    "double_offered": "take",
    "choose_double": "choose 1",
    "over": "next",
    "resignation_offered": "accept",
}
FACTS = ("position", "on_roll", "turn", "phase", "dice", "cube", "multiplier", "score", "game", "legal_actions")


class Player:
    """A process of `play --script - --json` that is told one line at a time."""

    def __init__(self, database: Path, *options: str) -> None:
        self._process = subprocess.Popen(
            [*FULLPRIME, "play", "--script", "-", "--json", "--db", str(database), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )

    def tell(self, line: str) -> dict[str, Any] | None:
        """The state after a line; None when the process is gone."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return None
        answer = self._process.stdout.readline()
        return json.loads(answer) if answer.endswith("\n") else None

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()  # type: ignore[union-attr]


def facts(state: dict[str, Any]) -> dict[str, Any]:
    return {key: state[key] for key in FACTS}


def next_line(state: dict[str, Any]) -> str:
    return state["plays"][0] if state["phase"] == "play" else LINES[state["phase"]]


def play_and_kill(database: Path, kills: int, chance: random.Random) -> list[dict[str, Any]]:
    """Play one match through ``kills`` deaths; the states that were confirmed, without those seen twice."""
    seen: list[dict[str, Any]] = []
    options: tuple[str, ...] = NEW
    for _ in range(kills):
        player = Player(database, *options)
        options = ("--resume",)
        state = player.tell("board")
        assert state is not None
        if seen:
            assert facts(state) == facts(seen[-1]), "what was confirmed is there after a kill"
        else:
            seen.append(state)
        for _ in range(chance.randint(0, 6)):
            if state["match_over"]:
                break
            state = player.tell(next_line(state))
            assert state is not None
            assert "error" not in state
            seen.append(state)
        player.kill()
    return seen


def test_a_killed_game_goes_on(tmp_path: Path) -> None:
    seen = play_and_kill(tmp_path / "games.db", 4, random.Random(1))
    assert len(seen) > 4


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_hundred_kills(tmp_path: Path) -> None:
    seen = play_and_kill(tmp_path / "games.db", 200, random.Random(2))
    assert len(seen) > 200


def kill_at_any_moment(database: Path, kills: int, chance: random.Random) -> None:
    """Lines are poured in without waiting, and death comes after some answer: in the middle of what is being done."""
    options: tuple[str, ...] = ("--length", "25", "--seed", "poured", "--two-players")
    confirmed: dict[str, Any] | None = None
    for _ in range(kills):
        process = subprocess.Popen(
            [*FULLPRIME, "play", "--script", "-", "--json", "--db", str(database), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        options = ("--resume",)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("board\n")
        process.stdin.flush()
        first = json.loads(process.stdout.readline())
        if confirmed is not None:
            assert first["stored"] >= confirmed["stored"], "nothing that was confirmed is gone"
            if first["stored"] == confirmed["stored"]:
                assert facts(first) == facts(confirmed)
        confirmed = first
        process.stdin.write("resign\nrefuse\n" * 300)
        process.stdin.flush()
        for _ in range(chance.randint(0, 40)):
            process.stdout.readline()
        process.kill()
        for line in process.stdout:
            if line.endswith("\n"):
                confirmed = json.loads(line)
        process.wait()
        process.stdin.close()
        process.stdout.close()


def test_killed_in_the_middle_of_storing(tmp_path: Path) -> None:
    kill_at_any_moment(tmp_path / "games.db", 4, random.Random(3))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_killed_sixty_times_in_the_middle_of_storing(tmp_path: Path) -> None:
    kill_at_any_moment(tmp_path / "games.db", 60, random.Random(4))
