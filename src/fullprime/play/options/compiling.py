"""Compiling the engine for a machine in the background, and its progress. Importing this loads no engine."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple

_COMPILE = "from fullprime.play.options.compiling import compile_all; compile_all()"

_news: dict[str, CompilingProgress] = {}
"""The progress of the compiling that this process has begun, under ``now``; empty when there is none."""


class CompilingProgress(NamedTuple):
    """The progress of compiling the engine for this machine."""

    done: int
    """Steps that are done."""
    of: int
    """Steps in all."""
    what: str
    """The step under way, in words."""

    def __str__(self) -> str:
        return f"{self.what}, step {self.done + 1} of {self.of}"


def on_compile(show: Callable[[str, int], AbstractContextManager[Callable[[int], None]]]) -> None:
    """Have ``show`` display the progress while the engine is compiled for the first time.

    It is called with one line about it and the number of steps; its result is called with the steps that are done.
    """
    from fullprime.engine.warmup import KERNELS, MESSAGE
    from fullprime.engine.warmup import show_compiling as listen

    listen(lambda: show(MESSAGE, KERNELS))


def on_making_tables(show: Callable[[], AbstractContextManager[Callable[[float, str], None]]] | None) -> None:
    """Have ``show`` display the progress while the bear-off tables are made, at their first use."""
    from fullprime.engine.tables.making import show_making

    show_making(show)


def compiling() -> CompilingProgress | None:
    """The progress of the compiling in the background; None when there is nothing to wait for."""
    return _news.get("now")


def compile_aside(tell: Callable[[CompilingProgress], None] = lambda _: None) -> subprocess.Popen[bytes] | None:
    """Begin to compile the engine in another process; gives None where it is compiled already.

    ``tell`` is called, in a thread, when a step begins. The caller ends the process when it is no longer wanted.
    """
    from fullprime.engine.warmup import is_prepared

    if is_prepared():
        return None
    command = [sys.executable, "-c", _COMPILE]
    begun = subprocess.Popen(  # noqa: S603 - our own words
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    threading.Thread(target=_follow, args=(begun, tell), name="compiling", daemon=True).start()
    return begun


def _follow(begun: subprocess.Popen[bytes], tell: Callable[[CompilingProgress], None]) -> None:
    """Read the steps of the process until it ends, and keep the newest."""
    assert begun.stdout is not None
    with begun.stdout as output:
        for line in output:
            done, of, words = line.decode().rstrip("\n").split("\t", 2)
            _news["now"] = now = CompilingProgress(int(done), int(of), words)
            tell(now)
    _news.pop("now", None)


def compile_all() -> None:
    """Compile what a first game, hint or rollout needs in any game; each step is told as a line with tabs.

    The usual game comes first, and the engine counts as ready as soon as its step is done. This process ends when the
    one that began it has ended in any way, because then the other end of its input is closed.
    """
    threading.Thread(target=_end_with_input, name="parent", daemon=True).start()
    steps = _steps()
    for number, (words, work) in enumerate(steps):
        sys.stdout.write(f"{number}\t{len(steps)}\t{words}\n")
        sys.stdout.flush()
        work()


def _end_with_input() -> None:
    os.read(0, 1)  # not by sys.stdin, whose lock an ending interpreter would want
    os._exit(1)


def _steps() -> list[tuple[str, Callable[[], object]]]:
    from fullprime.engine.engine import Engine
    from fullprime.engine.warmup import prepare
    from fullprime.rules.variants import VARIANTS

    return [
        ("plays and hints", lambda: prepare(Engine.open("backgammon"))),
        ("the cube and deeper hints", _deeper),
        *((VARIANTS[name].title, partial(_game, name)) for name in VARIANTS if name != "backgammon"),
        ("rollouts", _rollout),
    ]


def _deeper() -> None:
    from fullprime.engine.engine import Engine

    engine = Engine.open("backgammon")
    start = engine.variant.starting_position
    engine.cube_decision(start, level="1-ply")
    engine.rank_plays(start, (3, 1), level="2-ply")
    engine.evaluate(start, level="1-ply")


def _game(name: str) -> None:
    from fullprime.engine.engine import Engine

    engine = Engine.open(name)
    engine.rank_plays(engine.variant.starting_position, (3, 1), level="1-ply")


def _rollout() -> None:
    from fullprime.engine.engine import Engine

    # Acey Deucey's turns have kernels of their own, and Hypergammon's end in tables of few checkers.
    for name in ("backgammon", "hypergammon", "acey_deucey"):
        engine = Engine.open(name)
        engine.rollout(engine.variant.starting_position, (3, 1), trials=36, most=2, threads=1)
