"""Standard input for the commands that answer line by line: in pieces as they come, and never a line without an end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TextIO

from fullprime.rules.errors import SettingsError


def standard_input() -> TextIO:
    """Standard input; raises SettingsError where it was closed before we began."""
    # Typed as always there; it is None where the shell says `<&-`.
    given: TextIO | None = sys.stdin
    if given is None or given.closed:
        raise SettingsError("there is nothing to read: standard input is closed")
    return given


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
