"""``-`` is standard input for every command that takes a position or reads a file, in one way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine
from tests.cli.test_docs import every_command

START = "4HPwATDgc/ABMA"
MATCH = " 3 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 8/5 6/5   52: 13/11 13/8\n"

POSITIONS = {
    "play ID": ("play", "-", "--two-players", "--no-store", "--words", "--script", "SCRIPT"),
    "legal ID": ("legal", "-", "31"),
    "show ID": ("show", "-", "3", "1"),
    "id ID": ("id", "-", "--to", "xgid"),
    "hint ID": ("hint", "-", "31", "--level", "0-ply"),
    "evaluate ID": ("evaluate", "-", "--level", "0-ply"),
    "rollout ID": ("rollout", "-", "31", "--play", "8/5 6/5", "--trials", "36", "--truncate", "3"),
    "diagram ID": ("diagram", "-"),
    "maps ID": ("maps", "-"),
    "library mark PLACE": ("library", "mark", "-", "--star"),
    "library collection --add": ("library", "collection", "Start", "--add", "-"),
}
FILES = {
    "review FILE": ("review", "-", "--level", "fast", "--text"),
    "info FILE": ("info", "-"),
    "card FILE": ("card", "-"),
    "convert IN": ("convert", "-", "-", "--to", "json"),
    "library add PATH": ("library", "add", "-"),
}
TRIED_ELSEWHERE = {"play --script": "tests/cli/test_scenarios.py", "cards import FILE": "below"}
WRITTEN = {
    "backup FILE", "cards export FILE", "cards anki FILE", "library export OUT", "play --record",
    "learn --progress", "bench --picture", "rollout --save", "review --html", "diagram --output", "train label OUT",
    "train dataset --out",
}  # fmt: skip
STAYS_A_PATH = {
    "restore FILE": "a database, which is opened where it lies",
    "rollout --load": "goes on with what --save keeps",
    "book reference --file": "read and written",
    "serve --certificate": "read by the library that speaks TLS",
    "serve --key": "as above",
    "serve --push-key": "read and written",
    "bench --puretd": "read by another program's code",
    "bench --curve": "read once for each player",
    **dict.fromkeys(("court stock STOCK", "court judge STOCK", "court table STOCK"), "has its verdicts beside it"),
    **dict.fromkeys(
        (
            "learn --lessons", "puzzles make --stock", "book extend --book", "train run RUN", "train selfplay RUN",
            "train fit RUN", "train label SHARDS", "train dataset SHARDS", "train cube FOLDER", "train export --data",
        ),
        "a folder",
    ),
    **dict.fromkeys(
        ("train export NET", "train label --filter", "train label NET"), "read by several processes"
    ),
}  # fmt: skip


def takes_a_position_or_a_file() -> set[str]:
    """Every argument and option that takes a position, a place or a path."""
    tried = set()
    for path, command in every_command():
        for param in command.params:
            argument = param.param_type_name == "argument"
            name = str(param.metavar or param.name).upper().strip("[].") if argument else param.opts[0]
            positions = name in {"ID", "PLACE"} or (path, name) == ("library collection", "--add")
            if positions or "pathlib" in str(command.callback.__annotations__[param.name]):
                tried.add(f"{path} {name}")
    return tried


def test_every_position_and_every_file_is_tried_or_has_a_reason() -> None:
    expected = {*POSITIONS, *FILES, *TRIED_ELSEWHERE, *WRITTEN, *STAYS_A_PATH}
    assert expected ^ takes_a_position_or_a_file() == set()


@pytest.mark.parametrize("command", POSITIONS.values(), ids=POSITIONS)
def test_a_position_comes_from_standard_input(fullprime: CommandLine, tmp_path: Path, command: tuple[str, ...]) -> None:
    script = tmp_path / "script"
    script.write_text("board\n")
    words = [str(script) if word == "SCRIPT" else word for word in command]
    piped = fullprime.run(*words, typed=f"{START}\n")
    named = fullprime.run(*[START if word == "-" else word for word in words])
    assert (piped.code, named.code) == (0, 0), piped.err + named.err
    assert piped.out
    if command[1] != "collection":
        assert without_times(piped.out) == without_times(named.out)
    else:
        assert "1 position" in piped.out


@pytest.mark.parametrize("command", FILES.values(), ids=FILES)
def test_a_file_comes_from_standard_input(fullprime: CommandLine, tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "match.mat"
    file.write_text(MATCH)
    piped = fullprime.run(*command, typed=MATCH)
    named = fullprime.run(command[0], *(str(file) if word == "-" else word for word in command[1:2]), *command[2:])
    assert piped.code == 0, piped.err
    if command[:2] == ("library", "add"):
        assert "1 new match" in piped.out
    else:
        assert piped.out.replace("the input", "match.mat") == named.out


def test_cards_come_from_standard_input(fullprime: CommandLine, tmp_path: Path) -> None:
    exported = tmp_path / "cards.json"
    assert fullprime.run("cards", "export", str(exported)).code == 0
    done = fullprime.run("cards", "import", "-", typed=exported.read_text())
    assert (done.code, done.err) == (0, "")
    assert "0 new cards" in done.out


@pytest.mark.parametrize("command", [*POSITIONS.values(), *FILES.values()], ids=[*POSITIONS, *FILES])
def test_nothing_on_standard_input_is_said_in_one_line(fullprime: CommandLine, command: tuple[str, ...]) -> None:
    done = fullprime.run(*command, typed="\n")
    assert (done.code, done.out) == (2, "")
    assert done.err == "error: there is nothing to read: standard input is empty, and - stands for it\n"


def test_standard_input_is_read_once(fullprime: CommandLine) -> None:
    for command in (("info", "-", "-"), ("review", "-", "-"), ("library", "add", "-", "-")):
        done = fullprime.run(*command, typed=MATCH)
        assert (done.code, done.err) == (2, "error: - is standard input, which can be read once: give it once\n")


def test_many_positions_are_none(fullprime: CommandLine) -> None:
    done = fullprime.run("show", "-", typed=f"{START}\n{START}\n")
    assert done.code == 2
    assert "is no identifier" in done.err


def without_times(text: str) -> str:
    return re.sub(r"\d+(\.\d+)? (ms|s)\b", "", text)
