"""No command that prints matches prints what a terminal would obey, whoever wrote the match."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine, Done
from tests.formats.test_foreign_text import hostile_files, hostile_match, is_harmless

from fullprime import formats
from fullprime.formats import Document, write

COMMANDS = (
    ("info", "{file}"),
    ("card", "{file}"),
    ("convert", "{file}", "-", "--to", "text"),
    ("review", "{file}", "--level", "fast"),
    ("review", "{file}", "--level", "fast", "--text"),
    ("library", "add", "{file}"),
    ("library", "list"),
    ("library", "show", "1"),
    ("library", "players"),
    ("library", "search", "*", "--player", "A*"),
    ("library", "stats"),
)


@pytest.mark.parametrize("reader", ["cleans", "does not clean"])
def test_no_command_prints_control_characters(
    fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reader: str
) -> None:
    """Libraries of earlier versions hold names as files had them, so that printing is clean by itself."""
    if reader == "does not clean":
        monkeypatch.setattr(formats, "clean_document", lambda document: document)
    file = tmp_path / "hostile.json"
    file.write_bytes(write(Document(hostile_match()), "json")[0])
    for command in COMMANDS:
        if reader == "does not clean" and command[0] == "convert":
            continue  # It writes the bytes of a file.
        done = fullprime.run(*(word.format(file=file) for word in command))
        check(done)
        if "search" not in command and "stats" not in command and "add" not in command:
            assert "A[31m" in done.out, command


@pytest.mark.parametrize(("name", "data"), [pytest.param(*file, id=file[0]) for file in hostile_files()])
def test_no_format_brings_control_characters_to_the_terminal(
    fullprime: CommandLine, tmp_path: Path, name: str, data: bytes
) -> None:
    file = tmp_path / "hostile"
    file.write_bytes(data)
    done = fullprime.run("info", str(file))
    check(done)
    assert done.code == 0


def test_a_file_with_a_hostile_name_is_named_without_control_characters(fullprime: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "a\x1b[2J.mat"
    file.write_bytes(b"nothing\x1b[2J")
    check(fullprime.run("info", str(file)))
    check(fullprime.run("info", str(tmp_path / "none\x1b]0;title\x07.mat")))


def check(done: Done) -> None:
    assert is_harmless(done.out, lines=True), done.out
    assert is_harmless(done.err, lines=True), done.err
