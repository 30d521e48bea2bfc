"""docs/cli.md knows every command, option and word; tests/test_docs.py runs its examples."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from fullprime.cli.main import PANELS, commands
from fullprime.play.table.words import WORDS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
HEADED = {part.split("\n", 1)[0]: part for part in PAGE.split("\n## ")[1:]}
COMMON = "Options that commands share"
SECTIONS = {name: part for name, part in HEADED.items() if name != COMMON}
SHARED = set(re.findall(r"`(--?[a-z0-9-]+)`", PAGE.split("\n## ")[0] + HEADED[COMMON]))
"""Options that the head of the page describes, once for all commands."""
COMMANDS = commands().commands


def test_every_command_has_its_section() -> None:
    assert set(SECTIONS) == set(COMMANDS)
    assert [name for name in COMMANDS if f"[`{name}`](#{name})" not in PAGE] == []


def test_every_command_is_in_one_part_of_the_help_and_of_the_page() -> None:
    assert sorted(name for names in PANELS.values() for name in names) == sorted(COMMANDS)
    rows = re.findall(r"^\| (\w*) ?\| \[`(\w+)`\]\(#", HEADED[COMMON], re.MULTILINE)
    parts: dict[str, tuple[str, ...]] = {}
    for title, name in rows:
        part = title or list(parts)[-1]
        parts[part] = (*parts.get(part, ()), name)
    assert parts == PANELS


def test_the_help_has_a_line_for_each_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    group = commands()
    text = group.get_help(group.make_context("fullprime", [], resilient_parsing=True))
    assert max(map(len, text.splitlines())) <= 80
    shown = re.findall(r"^(\w+):\n((?:  \S.*\n)+)", text, re.MULTILINE)
    names = {title: tuple(line.split()[0] for line in lines.splitlines()) for title, lines in shown}
    assert {title: names[title] for title in PANELS} == PANELS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_described(name: str) -> None:
    options = {
        option
        # A group has no options of its own: its section describes those of its commands.
        for command in getattr(COMMANDS[name], "commands", {"": COMMANDS[name]}).values()
        for parameter in command.params
        if parameter.param_type_name == "option"
        for option in (*parameter.opts, *parameter.secondary_opts)
    } - {"--help", "-h"}
    described = set(re.findall(r"`(--?[a-z0-9-]+)`", SECTIONS[name]))
    assert options - described - SHARED == set()
    assert described - options <= {"-"}, "options that are not there"


def test_every_word_of_the_prompt_is_described() -> None:
    rows = re.findall(r"^\| `(\w+)[^|]*\|([^|]*)\|", SECTIONS["play"].split("### Which game")[0], re.MULTILINE)
    kinds_by_word = {word: set(re.findall(r"`([^`]+)`", also)) for word, also in rows}
    assert set(kinds_by_word) == set(WORDS)
    for word in WORDS.values():
        missing = set(word.synonyms) - kinds_by_word[word.name]
        assert missing <= {"a", "agree", "yes"}, word.name


def every_command() -> list[tuple[str, Any]]:
    """All commands by their path, those of groups too."""
    groups = [(name, command.commands) for name, command in COMMANDS.items() if hasattr(command, "commands")]
    alone = [(name, command) for name, command in COMMANDS.items() if not hasattr(command, "commands")]
    return [*alone, *((f"{name} {inner}", command) for name, inside in groups for inner, command in inside.items())]


@pytest.mark.parametrize(("path", "command"), every_command(), ids=[path for path, _ in every_command()])
def test_every_example_of_a_help_is_a_command_line_that_is_understood(path: str, command: Any) -> None:
    assert command.examples
    for example in command.examples:
        words = shlex.split(example.rpartition("| ")[2])
        assert words[: len(path.split()) + 1] == ["fullprime", *path.split()]
        command.make_context(path, words[len(path.split()) + 1 :])  # raises for what it does not take


@pytest.mark.parametrize(("path", "command"), every_command(), ids=[path for path, _ in every_command()])
def test_every_help_fits_eighty_columns(path: str, command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    help_text = command.get_help(command.make_context(f"fullprime {path}", [], resilient_parsing=True))
    examples = help_text.partition("\nExample")[2]
    assert [line for line in help_text.splitlines() if len(line) > 80 and line not in examples.splitlines()] == []
    assert "Example" in help_text


def test_an_option_has_one_meaning_and_one_kind_everywhere() -> None:
    """The long name, the short one and the kind of value of an option agree between all commands that share words."""
    kinds: dict[str, set[tuple[object, ...]]] = {}
    for path, command in every_command():
        if path.startswith("train "):
            continue
        for param in command.params:
            if param.param_type_name == "option":
                for name in param.opts:
                    kinds.setdefault(name, set()).add((*sorted(param.opts), param.metavar))
    assert {name: kinds_of_word for name, kinds_of_word in kinds.items() if len(kinds_of_word) > 1} == {}


def test_positions_and_rolls_are_arguments_of_every_command_that_takes_them() -> None:
    for path, command in every_command():
        names = [param.metavar for param in command.params if param.param_type_name == "argument"]
        options = {name for param in command.params for name in param.opts if param.param_type_name == "option"}
        assert not options & {"--position", "--roll"}, path
        assert "ROLL" not in names or names.index("ROLL") == 1, path
        assert not ({"--variant"} & options and "VARIANT" in names), path
