"""Standard input: whole, where ``-`` stands for a position or a file; or line by line, in pieces as they come."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from fullprime.rules.errors import SettingsError


def standard_input() -> TextIO:
    """Standard input; raises SettingsError where it was closed before we began."""
    # Typed as always there; it is None where the shell says `<&-`.
    given: TextIO | None = sys.stdin
    if given is None or given.closed:
        raise SettingsError("there is nothing to read: standard input is closed")
    return given


def given_text(text: str) -> str:
    """A text as it was given, or for ``-`` all that stands on standard input, which is one position or one place."""
    return _whole(_LONGEST_TEXT).decode("utf-8", "replace").strip() if text == "-" else text


def given_file(path: Path) -> Path | bytes:
    """A file as it was given, or for ``-`` the bytes that stand on standard input."""
    from fullprime.reviews.matches.files import MOST_BYTES

    return _whole(MOST_BYTES) if str(path) == "-" else path


def given_files(paths: Sequence[Path]) -> list[Path | bytes]:
    """The same for several files, of which one may be ``-``."""
    if [str(path) for path in paths].count("-") > 1:
        raise SettingsError("- is standard input, which can be read once: give it once")
    return [given_file(path) for path in paths]


_LONGEST_TEXT = 10_000
"""Bytes that are read for a text; no position and no place is as long."""


def _whole(most: int) -> bytes:
    read = standard_input().buffer.read(most + 1)
    if not read.strip():
        raise SettingsError("there is nothing to read: standard input is empty, and - stands for it")
    if len(read) > most:
        raise SettingsError(f"standard input holds more than {most:,} bytes")
    return read


def some_bytes(most: int) -> bytes:
    """What has come, as soon as something has: at most so many bytes, none at the end; raises SettingsError."""
    try:
        return os.read(standard_input().fileno(), most)
    except OSError as error:
        raise SettingsError(f"standard input cannot be read: {error.strerror}") from error


def short_lines(longest: int) -> Iterator[str]:
    """Lines of standard input without their ends; of a line that is longer only ``longest`` characters.

    Bytes that are no UTF-8 become replacement characters.
    """
    given = standard_input()
    given.reconfigure(errors="replace")  # type: ignore[attr-defined]
    while line := given.readline(longest):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = given.readline(longest)
        yield line.removesuffix("\n")
