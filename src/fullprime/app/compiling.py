"""Telling people that the engine is being compiled; apart from the rest, so that hearing of it loads nothing."""

from __future__ import annotations

from collections.abc import Callable


def on_compile(tell: Callable[[str], None]) -> None:
    """Have ``tell`` called with one line before the engine is compiled for the first time."""
    from fullprime.engine.warmup import on_compile as listen

    listen(tell)
