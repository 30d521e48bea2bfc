"""How kernels become machine code: what was made ahead of time is loaded, the rest is compiled by Numba and kept.

`prepared` knows the machine code that comes with the package; it is never that of other sources. Only where there is
none (another processor, an edited kernel, arguments of other types) is Numba imported, which takes its time.

Numba's own cache notices an edit of the file a kernel stands in, but not of the files it calls into: a cached
caller would keep an edited callee's old code, also across upgrades of the package. So the folder of the cache is
named by a hash of every source file in this package and of all that decides the machine code. A folder that cannot
be written (a read-only home) is replaced by another one and finally by no cache at all.

``NUMBA_DISABLE_JIT=1`` runs every kernel as plain Python with the same results.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, update_wrapper
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar, cast

import numpy as np
from platformdirs import user_cache_path

from fullprime.engine.core import prepared

F = TypeVar("F", bound=Callable[..., Any])

CACHE_VARIABLE = "FULLPRIME_KERNEL_CACHE"
"""Environment variable that names another folder for compiled kernels; ``off`` compiles anew in every process."""
_KEPT_FOLDERS = 8

JIT = os.environ.get("NUMBA_DISABLE_JIT", "") in {"", "0"}
"""False when kernels run as plain Python."""

_lock = RLock()
_waiting: list[Operation] = []
"""Operations whose modules have not been loaded."""


def kernel(function: F) -> F:
    """Compile a function without fast math: results do not depend on how the compiler orders sums."""
    return _compile(function, fastmath=False)


def fast_kernel(function: F) -> F:
    """Compile a function with fast math: sums may be reordered, and NaN and infinity must not occur."""
    return _compile(function, fastmath=True)


def bare_kernel(function: F) -> F:
    """As `kernel`, for functions that make no arrays: references to their arguments are not counted.

    Counting is an atomic operation for every array that is taken out of a tuple, which costs more than small kernels.
    """
    return _compile(function, fastmath=False, _nrt=False)


def operation(module: str, name: str) -> Any:
    """What a module that needs Numba calls so: the thing itself, or its place until a kernel is compiled after all."""
    if prepared.library() is None:
        return getattr(import_module(module), name)
    placeholder = Operation(module, name)
    _waiting.append(placeholder)
    return placeholder


def _compile(function: F, **options: Any) -> F:
    if not JIT:
        return function
    if prepared.library() is None:
        return cast(F, _dispatcher(function, **options))
    return cast(F, Kernel(function, **options))


class Kernel:
    """A kernel of which there may be prepared code; whatever that does not take is compiled by Numba and run."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._options = options
        self._prepared = prepared.entry(function)
        self._dispatcher: Any = None

    def __call__(self, *args: Any, **named: Any) -> Any:
        """What the kernel gives for these arguments."""
        if self._prepared is not None and not named:
            result = self._prepared(*args)
            if result is None:
                return None
            if result is not NotImplemented:
                return prepared.result_of(result)
        prepared.check_compiling(self.py_func, (*args, *named.values()))
        return self.dispatcher(*args, **named)

    @property
    def is_prepared(self) -> bool:
        """Whether there is prepared code."""
        return self._prepared is not None

    @property
    def dispatcher(self) -> Any:
        """The kernel as Numba's own object, which compiles it for the types of its arguments."""
        with _lock:
            if self._dispatcher is None:
                self._dispatcher = _dispatcher(self.py_func, **self._options)
            return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes this for inside of another kernel."""
        return import_module("numba").types.Dispatcher(self.dispatcher)

    def __reduce__(self) -> str:
        return self.py_func.__qualname__


class Operation:
    """The place of something that only Numba can make use of (see `operation`)."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def load(self) -> Any:
        """The thing itself."""
        return getattr(import_module(self._module), self._name)

    @property
    def _numba_type_(self) -> Any:
        thing = self.load()
        context = import_module("numba.core.registry").cpu_target.typing_context
        context.refresh()
        return context.resolve_value_type(thing)


def _dispatcher(function: Callable[..., Any], **options: Any) -> Any:
    import numba

    with _lock:
        while _waiting:  # Numba looks for new operations only when it begins to compile
            _waiting.pop().load()
        folder = cache_folder()
        if folder is None:
            return numba.njit(nogil=True, **options)(function)
        # Numba reads this setting when the decorator runs, so that other users of Numba keep their own folder.
        settings: Any = numba.config
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(folder)
        try:
            return numba.njit(cache=True, nogil=True, **options)(function)
        except RuntimeError:  # "no locator available": the folder stopped being writable
            return numba.njit(nogil=True, **options)(function)
        finally:
            settings.CACHE_DIR = before


# -- where machine code is kept -------------------------------------------------------------------------------
@cache
def cache_folder() -> Path | None:
    """The folder for compiled kernels of exactly these sources, or None when there is no safe place for one."""
    if not JIT or os.environ.get(CACHE_VARIABLE, "").lower() == "off":
        return None
    for chain in _list_cache_places():
        folder = chain[-1] / cache_key()
        if _is_safe((*chain, folder)):
            _forget_old(folder)
            return folder
    return None


@cache
def cache_key() -> str:
    """A hash of all that machine code depends on: the sources here, the compiler, the processor, Numba's settings."""
    import llvmlite
    import llvmlite.binding
    import numba

    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    processor = (platform.machine(), llvmlite.binding.get_host_cpu_name())
    facts = (numba.__version__, llvmlite.__version__, np.__version__, sys.version, processor, settings)
    digest.update(repr(facts).encode())
    return digest.hexdigest()[:20]


def _list_cache_places() -> Iterator[tuple[Path, ...]]:
    """Places to try, each with the folders above it that must be ours too."""
    if named := os.environ.get(CACHE_VARIABLE):
        yield (Path(named),)
        return
    home = user_cache_path("fullprime", appauthor=False)
    yield home, home / "kernels"
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    shared = Path(tempfile.gettempdir()) / f"fullprime-{user}"
    yield shared, shared / "kernels"


def _is_safe(folders: tuple[Path, ...]) -> bool:
    """Whether we can write there and not everybody can: what lies in the cache is code that will be run."""
    try:
        for folder in folders:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if hasattr(os, "getuid"):
                status = folder.stat()
                if status.st_uid != os.getuid() or status.st_mode & stat.S_IWOTH:
                    return False
        with tempfile.TemporaryFile(dir=folders[-1]):
            return True
    except OSError:
        return False


def _forget_old(current: Path) -> None:
    """Keep the folders of the last few sources only; every edit of a kernel makes a new one."""
    try:
        os.utime(current)
        folders = sorted(
            (place for place in current.parent.iterdir() if place.is_dir() and len(place.name) == len(current.name)),
            key=lambda place: place.stat().st_mtime,
        )
    except OSError:
        return
    for place in folders[:-_KEPT_FOLDERS]:
        shutil.rmtree(place, ignore_errors=True)


# -- bits -----------------------------------------------------------------------------------------------------
def _lowest_bit(mask: int) -> int:
    return (int(mask) & -int(mask)).bit_length() - 1


def _highest_bit(mask: int) -> int:
    return int(mask).bit_length() - 1


_BITS = "fullprime.engine.core.bits"

lowest_bit: Callable[[int], int] = operation(_BITS, "lowest_bit") if JIT else _lowest_bit
"""The index of the lowest set bit of a positive int64."""

highest_bit: Callable[[int], int] = operation(_BITS, "highest_bit") if JIT else _highest_bit
"""The index of the highest set bit of a positive int64."""


@kernel
def to_int64(number: int) -> int:
    """Convert a small integer to int64, so that shifting by it does not happen in eight bits."""
    return np.int64(number)  # type: ignore[return-value]
