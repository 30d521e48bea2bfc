"""Standard input: whole, where ``-`` stands for a position or a file; or line by line, in pieces as they come."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from fullprime.rules.errors import SettingsError


def open_standard_input() -> TextIO:
    """Standard input; raises SettingsError where it was closed before we began."""
    # Typed as always there; it is None where the shell says `<&-`.
    stream: TextIO | None = sys.stdin
    if stream is None or stream.closed:
        raise SettingsError("there is nothing to read: standard input is closed")
    return stream


def read_text_argument(text: str) -> str:
    """A text as it was given, or for ``-`` all that stands on standard input, which is one position or one place."""
    return _whole(_LONGEST_TEXT).decode("utf-8", "replace").strip() if text == "-" else text


def read_file_argument(path: Path) -> Path | bytes:
    """A file as it was given, or for ``-`` the bytes that stand on standard input."""
    from fullprime.reviews.matches.files import MOST_BYTES

    return _whole(MOST_BYTES) if str(path) == "-" else path


def read_file_arguments(paths: Sequence[Path]) -> list[Path | bytes]:
    """The contents of several files, of which one may be ``-`` for standard input."""
    if [str(path) for path in paths].count("-") > 1:
        raise SettingsError("- is standard input, which can be read once: give it once")
    return [read_file_argument(path) for path in paths]


_LONGEST_TEXT = 10_000
"""Bytes that are read for a text; no position and no place is as long."""


def _whole(most: int) -> bytes:
    read = open_standard_input().buffer.read(most + 1)
    if not read.strip():
        raise SettingsError("there is nothing to read: standard input is empty, and - stands for it")
    if len(read) > most:
        raise SettingsError(f"standard input holds more than {most:,} bytes")
    return read


def read_available(most: int) -> bytes:
    """Wait for bytes of standard input; gives at most ``most``, none at the end. Raises SettingsError."""
    try:
        return os.read(open_standard_input().fileno(), most)
    except OSError as error:
        raise SettingsError(f"standard input cannot be read: {error.strerror}") from error


def short_lines(longest: int) -> Iterator[str]:
    """Lines of standard input without their ends; of a line that is longer only ``longest`` characters.

    Bytes that are no UTF-8 become replacement characters.
    """
    stream = open_standard_input()
    stream.reconfigure(errors="replace")  # type: ignore[attr-defined]
    while line := stream.readline(longest):
        piece = line
        while piece and not piece.endswith("\n"):
            piece = stream.readline(longest)
        yield line.removesuffix("\n")
