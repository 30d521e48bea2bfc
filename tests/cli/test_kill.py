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

from fullprime.engine.core.jit import cache_folder

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
    states: list[dict[str, Any]] = []
    options: tuple[str, ...] = NEW
    for _ in range(kills):
        player = Player(database, *options)
        options = ("--resume",)
        state = player.tell("board")
        assert state is not None
        if states:
            assert facts(state) == facts(states[-1]), "what was confirmed is there after a kill"
        else:
            states.append(state)
        for _ in range(chance.randint(0, 6)):
            if state["match_over"]:
                break
            state = player.tell(next_line(state))
            assert state is not None
            assert "error" not in state
            states.append(state)
        player.kill()
    return states


@pytest.mark.broad
def test_a_killed_game_goes_on(tmp_path: Path) -> None:
    states = play_and_kill(tmp_path / "games.db", 4, random.Random(1))
    assert len(states) > 4


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_hundred_kills(tmp_path: Path) -> None:
    states = play_and_kill(tmp_path / "games.db", 200, random.Random(2))
    assert len(states) > 200


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


@pytest.mark.broad
def test_killed_in_the_middle_of_storing(tmp_path: Path) -> None:
    kill_at_any_moment(tmp_path / "games.db", 4, random.Random(3))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_killed_sixty_times_in_the_middle_of_storing(tmp_path: Path) -> None:
    kill_at_any_moment(tmp_path / "games.db", 60, random.Random(4))


# -- what takes long --------------------------------------------------------------------------------------------------
def kill_until_done(
    command: list[str], environment: dict[str, str], chance: random.Random, most: int
) -> tuple[str, int]:
    """Run a command, killed at random moments until it has been killed so often, then to its end; its output, kills."""
    kills = 0
    while True:
        process = subprocess.Popen(
            [*FULLPRIME, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        try:
            out, errors = process.communicate(timeout=chance.uniform(1.0, 15.0) if kills < most else 600)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
            continue
        assert process.returncode == 0, errors
        return out, kills


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_rollout_and_a_review_killed_at_random_moments(tmp_path: Path) -> None:
    """What was kept is never fewer than before, and the end is that of a run which nobody killed."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    if (kernels := cache_folder()) is not None:
        environment["FULLPRIME_KERNEL_CACHE"] = str(kernels.parent)
    file, chance = tmp_path / "rollout.json", random.Random(5)
    rolled = ["rollout", "4HPwATDgc/ABMA", "31", "-p", "8/5 6/5", "-p", "24/20", "--truncate", "5", "--json"]
    rolled += ["--trials", "720", "--threads", "1"]
    subprocess.run([*FULLPRIME, *rolled[:-4], "--trials", "36", "--save", str(file)], check=True, capture_output=True)
    out, kills = kill_until_done([*rolled, "--load", str(file), "--save", str(file)], environment, chance, 8)
    uninterrupted = subprocess.run([*FULLPRIME, *rolled], check=True, capture_output=True, text=True)
    assert json.loads(out)["trials"] == 720
    assert [candidate["equity"] for candidate in json.loads(out)["candidates"]] == pytest.approx(
        [candidate["equity"] for candidate in json.loads(uninterrupted.stdout)["candidates"]], abs=1e-9
    )
    match = str(Path(__file__).parents[1] / "data" / "version_0_1" / "match.mat")
    reviewed = ["review", match, "--level", "fast", "--threads", "1", "--json"]
    reported, more = kill_until_done(reviewed, environment, chance, 8)
    clean = {**environment, "XDG_CACHE_HOME": str(tmp_path / "another")}
    again = subprocess.run([*FULLPRIME, *reviewed], check=True, capture_output=True, text=True, env=clean)
    assert json.loads(reported) == json.loads(again.stdout)
    sys.stdout.write(f"{kills} kills of a rollout, {more} of a review: the same as without\n")
