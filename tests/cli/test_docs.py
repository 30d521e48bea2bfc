"""docs/cli.md knows every command, option and word, and its examples are true."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import typer
from tests.cli.commandline import CommandLine

from fullprime.app.commands import WORDS
from fullprime.cli.main import app

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
SECTIONS = {part.split("\n", 1)[0]: part for part in PAGE.split("\n## ")[1:]}
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def test_every_command_has_its_section() -> None:
    assert set(SECTIONS) == set(COMMANDS)
    assert [name for name in COMMANDS if f"[`{name}`](#{name})" not in PAGE] == []


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
    assert options - described == set()
    assert described - options <= {"-"}, "options that are not there"


def test_every_word_of_the_prompt_is_described() -> None:
    rows = re.findall(r"^\| `(\w+)[^|]*\|([^|]*)\|", SECTIONS["play"].split("### Which game")[0], re.MULTILINE)
    found = {word: set(re.findall(r"`([^`]+)`", also)) for word, also in rows}
    assert set(found) == set(WORDS)
    for word in WORDS.values():
        missing = set(word.synonyms) - found[word.name]
        assert missing <= {"a", "agree", "yes"}, word.name


def examples() -> list[tuple[str, str]]:
    found = []
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.posix
@pytest.mark.parametrize(("command", "expected"), examples())
def test_an_example_is_true(fullprime: CommandLine, command: str, expected: str) -> None:
    before, pipe, called = command.rpartition(" | ")
    typed = ""
    if pipe:
        typed = subprocess.run(["bash", "-c", before], capture_output=True, text=True, check=True).stdout
    words = subprocess.run(
        ["bash", "-c", f'printf "%s\\n" {called}'], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert words[0] == "fullprime"
    done = fullprime.run(*words[1:], typed=typed)
    assert done.code == 0, done.err
    pattern = re.escape(expected.rstrip("\n")).replace(r"\.\.\.", "(.|\n)*")
    lines = [line.rstrip() for line in done.out.splitlines()]
    assert re.fullmatch(pattern, "\n".join(lines)), done.out
