"""Compiling the engine for a machine: telling people of it, and doing it aside; importing this loads nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

_COMPILE = (
    "from fullprime.engine.engine import Engine\n"
    "from fullprime.engine.warmup import prepare\n"
    "prepare(Engine.open('backgammon'))\n"
)


def on_compile(tell: Callable[[str], None]) -> None:
    """Have ``tell`` called with one line before the engine is compiled for the first time."""
    from fullprime.engine.warmup import on_compile as listen

    listen(tell)


def compile_aside() -> subprocess.Popen[bytes] | None:
    """Begin to compile the engine in a process of its own, or None where that is done already.

    The caller ends the process when it is no longer wanted.
    """
    from fullprime.engine.warmup import is_prepared

    if is_prepared():
        return None
    quiet = subprocess.DEVNULL
    command = [sys.executable, "-c", _COMPILE]
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)  # noqa: S603 - our own words
