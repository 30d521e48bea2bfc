"""Machine code that was made ahead of time: which of it fits this machine and these sources, and how it is loaded.

The folder ``code`` holds one library for each level of processors, made by ``make code`` from the kernels that
`entries` lists. Each carries the stamp of the sources it was made from; where a source has been edited since, or the
machine is another one, there is no prepared code, and kernels are compiled by Numba. Numba is never imported here.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import pickle  # for exceptions that stand in our own library
import platform
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from typing import Any

VARIABLE = "FULLPRIME_MACHINE_CODE"
"""Environment variable: ``off`` leaves prepared code alone, so that Numba compiles; ``only``: see `check_compiling`."""

FOLDER = Path(__file__).parent / "code"
_ROOM = __package__
_NUMBAS_OWN = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_DISABLE_JIT")
"""Variables that ask for other machine code than what was made ahead of time."""
_NO_KERNELS = {"pack.py", "prepared.py", "__init__.py"}
"""Sources that no machine code is made from."""
_LEVELS = {
    "x86_64": (
        (
            "x86-64-v4",
            "avx2 bmi1 bmi2 f16c fma abm movbe avx512f avx512bw avx512cd avx512dq avx512vl avx512_vnni",
        ),
        ("x86-64-v3", "avx2 bmi1 bmi2 f16c fma abm movbe"),
    ),
    "aarch64": (("aarch64", "fp asimd"),),
}
"""Levels of each architecture, the best first, with the features that Linux names for them."""
_HEADER = 16
"""Bytes before the contents of an object of Python, in every build that this code was made for."""


@cache
def library() -> Any:
    """The module with this machine's prepared code, or None; raises MissingExtra where nothing could compile either."""
    if os.environ.get(VARIABLE, "").lower() == "off" or any(name in os.environ for name in _NUMBAS_OWN):
        return None
    for level in levels():
        path = FOLDER / f"{level}.so"
        if path.exists():
            module = load(path)
            if module is not None and module.__doc__ == stamp():
                return module
            break
    check_compiler("the engine on this machine")
    return None


def check_compiler(feature: str) -> None:
    """Raise MissingExtra where Numba, which would have to compile, is not installed."""
    if importlib.util.find_spec("numba") is None:
        from fullprime.rules.errors import MissingExtra

        raise MissingExtra(feature, "compile", "numba")


def entry(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """The prepared code of a kernel; None for those that only other kernels call, and for those of other modules."""
    room, module = f"{_ROOM}.", function.__module__
    if not module.startswith(room):
        return None
    compiled: Callable[..., Any] | None = getattr(library(), f"{module[len(room) :]}.{function.__qualname__}", None)
    return compiled


def check_compiling(function: Callable[..., Any], arguments: Iterable[Any]) -> None:
    """Raise RuntimeError where Numba would compile a kernel of this package and ``FULLPRIME_MACHINE_CODE`` is ``only``.

    Compiling takes seconds of processor time; in tests it is a fault of the caller. Where there is no prepared code at
    all, every kernel has to be compiled. Raises MissingExtra where there is no Numba.
    """
    check_compiler(f"{function.__name__} for arguments of other types")
    if os.environ.get(VARIABLE, "").lower() != "only" or not function.__module__.startswith(f"{_ROOM}."):
        return
    kinds = ", ".join(_described(argument) for argument in arguments)
    raise RuntimeError(f"{function.__module__}.{function.__qualname__} has no prepared code for ({kinds})")


def _described(argument: Any) -> str:
    """The type of an argument; of an array all that prepared code asks of it."""
    flags = getattr(argument, "flags", None)
    if flags is None:
        return type(argument).__name__
    layout = "contiguous" if flags.c_contiguous else "not contiguous"
    return f"{argument.dtype} {argument.shape} {layout} {'writable' if flags.writeable else 'read-only'}"


def result_of(encoded: Any) -> Any:
    """What a kernel gives, from what its prepared code gives: arrays come as (letter, bytes, lengths)."""
    import numpy as np

    if isinstance(encoded, bytes):
        raise _read_error(encoded)
    if not isinstance(encoded, tuple):
        return encoded
    if encoded and isinstance(encoded[0], str):
        letter, content, *lengths = encoded
        return np.frombuffer(content, letter).reshape(lengths)
    return tuple(result_of(part) for part in encoded)


def _read_error(pickled: bytes) -> Exception:
    """The exception that a kernel has raised: its class and arguments stand in the library."""
    if not pickled:
        return RuntimeError("a kernel failed")
    kind, arguments, _ = pickle.loads(pickled)  # noqa: S301 - from our own library
    error: Exception = kind(*(arguments or ()))
    return error


@cache
def stamp() -> str:
    """A hash of every source that machine code is made from."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for name in sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.py")):
        if name.rpartition("/")[2] not in _NO_KERNELS:
            digest.update(name.encode() + b"\0" + (folder / name).read_bytes() + b"\0")
    return digest.hexdigest()


def levels() -> tuple[str, ...]:
    """The levels of this machine for which there may be code, the best first; none where Python is built otherwise."""
    usual = sys.implementation.name == "cpython" and object.__basicsize__ == _HEADER and sys.maxsize > 2**32
    if not sys.platform.startswith("linux") or not usual:
        return ()
    has = _features()
    return tuple(level for level, needs in _LEVELS.get(platform.machine(), ()) if has.issuperset(needs.split()))


def _features() -> frozenset[str]:
    """The features of the first processor, as Linux names them."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                name, _, words = line.partition(":")
                if name.strip() in ("flags", "Features"):
                    return frozenset(words.split())
    except OSError:
        pass
    return frozenset()


def load(path: Path) -> Any:
    """The module in a file of machine code, or None where this system cannot load it."""
    import numpy as np

    loader = ExtensionFileLoader(f"{_ROOM}.native", str(path))
    spec = importlib.util.spec_from_file_location(loader.name, path, loader=loader)
    try:
        assert spec is not None
        module: Any = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    except ImportError:
        return None
    module.setup(np.ndarray, np.int64, np.float64, np.float32, np.bool_)
    return module
