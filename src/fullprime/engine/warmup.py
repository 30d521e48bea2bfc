"""Where no machine code was made ahead of time, the first use of the engine compiles it; the waiting user is told why.

A marker beside the compiled kernels says that they are there. It disappears with them, whenever the sources, the
compiler or the processor change.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from fullprime.rules.dice import Roll

if TYPE_CHECKING:
    from fullprime.engine.engine import Engine

MESSAGE = "compiling the engine for this machine, once: about half a minute"

_MARKER = "engine.ready"
_listeners: list[Callable[[str], None]] = []


def on_compile(tell: Callable[[str], None]) -> None:
    """Have ``tell`` called with one line before kernels are compiled; later calls replace it."""
    _listeners[:] = [tell]


def is_prepared() -> bool:
    """True if there is machine code, from the package or the cache, so that the first use waits for nothing."""
    if _made_ahead():
        return True
    marker = _marker()
    return marker is not None and marker.exists()


def prepare(engine: Engine) -> None:
    """Compile or load everything that plays and cube decisions need; nothing where the package has it."""
    if _made_ahead():
        return
    marker = _marker()
    if marker is None or not marker.exists():
        for tell in _listeners:
            tell(MESSAGE)
    start = engine.variant.starting_position
    engine.best_play(start, Roll(3, 1), level="fast")
    engine.rank_plays(start, Roll(3, 1), level="1-ply")
    if marker is not None:
        try:
            marker.touch()
        except OSError:
            return


def _made_ahead() -> bool:
    """Whether the package has machine code for this machine."""
    from fullprime.engine.core import prepared

    return prepared.library() is not None


def _marker() -> Path | None:
    from fullprime.engine.core.jit import JIT, cache_folder

    folder = cache_folder() if JIT else None
    return None if folder is None else folder / _MARKER
