"""Where no machine code was made ahead of time, the first use of the engine compiles it; the waiting user is told why.

A marker beside the compiled kernels says that they are there. It disappears with them, whenever the sources, the
compiler or the processor change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullprime.rules.dice import Roll

if TYPE_CHECKING:
    from fullprime.engine.engine import Engine

MESSAGE = "compiling the engine for this machine, once: about a minute"

KERNELS = 110
"""Kernels that Numba compiles for `prepare`, as counted on 26 November 2026; only the length of a bar depends on it."""

Progress = Callable[[int], None]
"""Called with the number of kernels that are compiled, of `KERNELS`."""

_MARKER = "engine.ready"
_shows: list[Callable[[], AbstractContextManager[Progress]]] = []


def show_compiling(show: Callable[[], AbstractContextManager[Progress]]) -> None:
    """Set the function that shows progress while kernels are compiled; a later call replaces it."""
    _shows[:] = [show]


def is_prepared() -> bool:
    """True if there is machine code, from the package or the cache, so that the first use waits for nothing."""
    if _has_machine_code():
        return True
    marker = _marker()
    return marker is not None and marker.exists()


def prepare(engine: Engine) -> None:
    """Compile or load everything that plays and cube decisions need; nothing where the package has it."""
    if _has_machine_code():
        return
    marker = _marker()
    with _show_compiling() if marker is None or not marker.exists() else nullcontext():
        start = engine.variant.starting_position
        engine.best_play(start, Roll(3, 1), level="fast")
        engine.rank_plays(start, Roll(3, 1), level="1-ply")
    if marker is not None:
        try:
            marker.touch()
        except OSError:
            return


@contextmanager
def _show_compiling() -> Iterator[None]:
    """Show each kernel that Numba has compiled meanwhile, where `show_compiling` has named a place."""
    if not _shows:
        yield
        return
    event: Any = import_module("numba.core.event")
    with _shows[0]() as progress:
        done = 0

        def count(_listener: Any, _event: Any) -> None:
            nonlocal done
            done += 1
            progress(min(done, KERNELS))

        listener = type("Compiled", (event.Listener,), {"on_start": lambda *_: None, "on_end": count})
        with event.install_listener("numba:compile", listener()):
            yield


def _has_machine_code() -> bool:
    """Whether the package has machine code for this machine."""
    from fullprime.engine.core import prepared

    return prepared.library() is not None


def _marker() -> Path | None:
    from fullprime.engine.core.jit import JIT, cache_folder

    folder = cache_folder() if JIT else None
    return None if folder is None else folder / _MARKER
