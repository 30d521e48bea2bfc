"""Signs of life of commands that take their time, on standard error: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Protocol

import typer

from fullprime.cli.terminal import show_text
from fullprime.rules.foreign_text import clean_line

EVERY = 10.0
"""Seconds between the lines that stand for a bar where standard error is no terminal; shorter work says nothing."""


class ProgressReport(Protocol):
    """A function that any thread calls with the work, the steps done, all steps (None: unknown) and its state."""

    def __call__(self, name: str, done: int, there_are: int | None, words: str = "", /) -> None:
        """Say how far the work is."""


_open: list[ProgressReport] = []
"""The bar that is shown on the terminal."""


@contextmanager
def show_tables_bar() -> Iterator[Callable[[float, str], None]]:
    """A bar for the tables of the bear-off that a first use makes, within the one that is shown; only on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _part, _word: None
        return
    with nullcontext(_open[0]) if _open else show_progress_bar() as tell:
        yield lambda part, _word: tell("bear-off tables, once", round(100 * part), 100)


@contextmanager
def show_compiling_bar(steps: int) -> Iterator[Callable[[int], None]]:
    """A bar for the engine that a first use compiles, within the one that is shown; only on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    with nullcontext(_open[0]) if _open else show_progress_bar() as tell:
        tell("compiling the engine, once", 0, steps)
        yield lambda done: tell("compiling the engine, once", done, steps)


@contextmanager
def show_progress_bar() -> Iterator[ProgressReport]:
    """A sign of life for everything that is named while it is open; standard output is left alone."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    text, words = TextColumn("{task.description}"), TextColumn("{task.fields[words]}")
    columns = (text, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(), words)
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def progress(name: str, done: int, there_are: int | None, words: str = "", /) -> None:
            if name not in tasks:
                tasks[name] = shown.add_task(clean_line(name)[-40:], total=there_are, words=words)
            # Finished bars make room: there may be hundreds.
            shown.update(tasks[name], completed=done, total=there_are, visible=done != there_are, words=words)

        _open.append(progress)
        try:
            yield progress
        finally:
            _open.remove(progress)


@contextmanager
def show_resumable_bar(subject: str = "") -> Iterator[ProgressReport]:
    """A bar for work that goes on from where it stopped: an interrupt says so, after ``subject``, and ends with 130."""
    try:
        with show_progress_bar() as tell:
            yield tell
    except KeyboardInterrupt:
        show_text(f"{subject}stopped; the command goes on from here.")
        raise typer.Exit(130) from None


def _lines() -> ProgressReport:
    last = time.monotonic()

    def progress(name: str, done: int, there_are: int | None, words: str = "", /) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < EVERY:
            return
        last = now
        part = f"{done}" if there_are is None else f"{done} of {there_are}"
        words = f", {words}" if words else ""
        print(clean_line(f"{name}: {part}{words}"), file=sys.stderr, flush=True)

    return progress
