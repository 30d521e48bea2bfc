"""Nothing that comes in line by line ends a command, and every line has its answer."""

from __future__ import annotations

import io
import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commandline import CommandLine
from tests.cli.hostile_lines import FULLPRIME, TARGETS, Process, batch, fault_of_engine, hostile_request, requests_in
from tests.engine.random_nets import random_engine

from fullprime.analysis.engine_lines import DEEPEST, answer, answer_lines
from fullprime.analysis.legal import LONGEST, BadLine, LegalLines
from fullprime.engine import shared
from fullprime.rules.variants import VARIANTS

KEPT = Path(__file__).parents[1] / "data" / "lines"
"""Batches that ended a command or hung it once: `NAME-….txt`, named by the target."""


@pytest.fixture
def knows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines with random nets in the place of those of the package."""
    engines: dict[str, Any] = {}

    def engine_for(variant: Any, threads: int = 1) -> Any:
        if variant.name not in engines:
            engines[variant.name] = random_engine(VARIANTS[variant.name])
        return engines[variant.name]

    monkeypatch.setattr(shared, "engine_for", engine_for)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id":1e999}', "not JSON: 1e999 is too large a number"),
        (b'{"id":-1e999,"position":1}', "not JSON: -1e999 is too large a number"),
        (b'{"id":{"a":[1e400]}}', "not JSON: 1e400 is too large a number"),
        (b'{"id":NaN}', "not JSON: NaN is no number of JSON"),
        (b'{"id":' + b"9" * 5000 + b"}", "not JSON: Exceeds the limit"),
        (b'{"id":' + b"[" * 900 + b"]" * 900 + b"}", f"at most {DEEPEST} brackets"),
        (b"[" * 60_000, f"at most {DEEPEST} brackets"),
        (b'{"a":' * 10_000, f"at most {DEEPEST} brackets"),
        (b'["]",' * 10_000, f"at most {DEEPEST} brackets"),
    ],
)
def test_a_value_that_cannot_be_written_is_refused(line: bytes, reason: str) -> None:
    reply = json.loads(answer(line))
    assert (reply["id"], list(reply)) == (None, ["id", "error"])
    assert reason in reply["error"]


def test_brackets_in_strings_nest_nothing() -> None:
    assert json.loads(answer(json.dumps({"id": "[" * 500 + '"' + "{" * 500})))["error"] == "the request has no position"
    deep = "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1)
    assert json.loads(answer(f'{{"id":{deep}}}'))["id"] == json.loads(deep)


@pytest.mark.parametrize("value", ['"\\ud800"', "1" * 4000, "-0.0", '{"":null}', '"\\u2028\\u0000"', "1e-999"])
def test_an_id_comes_back_whatever_it_is(value: str) -> None:
    assert json.loads(answer(f'{{"id":{value}}}'))["id"] == json.loads(value)


@pytest.mark.usefixtures("knows_nothing")
def test_every_line_for_the_engine_has_its_answer() -> None:
    chance = random.Random(1)
    for _ in range(20):
        data = batch(hostile_request, chance, 50)
        source, replies = io.BytesIO(data), list[str]()
        answer_lines(lambda s=source: s.read(chance.choice((1, 100, 4096, 1 << 16))), replies.append)  # type: ignore[misc]
        assert [fault for line in replies if (fault := fault_of_engine(line.encode()))] == []
        assert len(replies) == requests_in(data)


@pytest.mark.posix
@pytest.mark.parametrize("name", ["legal", "play", "dice"])
def test_every_line_has_its_answer(name: str) -> None:
    target, chance = TARGETS[name], random.Random(name)
    running = Process(target)
    for _ in range(2):
        running.answers(batch(target.make, chance, 60), random.Random(1))
    assert running.close() in (0, 2)


@pytest.mark.posix
@pytest.mark.parametrize("file", sorted(KEPT.glob("*.txt")), ids=lambda path: path.stem)
def test_what_once_broke_a_command_is_answered(file: Path) -> None:
    target = TARGETS[file.stem.partition("-")[0]]
    running = Process(target)
    running.answers(file.read_bytes(), random.Random(1))
    assert running.close() in (0, 2)


def test_a_number_of_another_script_is_no_die(fullprime: CommandLine) -> None:
    for state in fullprime.script(lines=["roll ²", "roll ³1", "roll ٣١"]):
        assert "is not a roll" in state["error"]


def test_a_line_without_an_end_is_refused_and_not_kept(fullprime: CommandLine) -> None:
    long = "4HPwATDgc/ABMA 3 1" + " " * 300_000 + "junk"
    done = fullprime.run("legal", "--stdin", typed=f"{long}\n4HPwATDgc/ABMA 3 1\n{long}")
    first, second, third = done.out.splitlines()
    assert first == third == f"error: a line has at most {LONGEST} characters; this one begins {long[:40]!r}"
    assert len(second.split()) == 16
    (bad,) = LegalLines().answer(["x" * (LONGEST + 1)])
    assert isinstance(bad, BadLine)
    state, board = fullprime.script(lines=["31 " + "x" * 100_000, "board"])
    assert state["error"].endswith("a line has at most 200 characters, not 1000")
    assert "error" not in board


@pytest.mark.posix
@pytest.mark.parametrize(
    "command", ["engine", "legal --stdin", "play --script - --no-store", "play --no-store", "info -"]
)
def test_a_closed_input_is_named(command: str) -> None:
    shell = 'program=$1; shift; "$program" -c "from fullprime.cli.main import main; main()" "$@" <&-'
    words = ["bash", "-c", shell, "bash", FULLPRIME[0], *command.split()]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: there is nothing to read: standard input is closed\n"
