"""The one place that imports Numba: how kernels are compiled, and where the machine code is kept.

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
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

CACHE_VARIABLE = "FULLPRIME_KERNEL_CACHE"
"""Environment variable that names another folder for compiled kernels; ``off`` compiles anew in every process."""
_KEPT_FOLDERS = 8

_CONFIG: Any = numba.config
JIT = not _CONFIG.DISABLE_JIT
"""False when kernels run as plain Python."""


def kernel(function: F) -> F:
    """Compile a function without fast math: results do not depend on how the compiler orders sums."""
    return _compiled(function, fastmath=False)


def fast_kernel(function: F) -> F:
    """Compile a function with fast math: sums may be reordered, and NaN and infinity must not occur."""
    return _compiled(function, fastmath=True)


def bare_kernel(function: F) -> F:
    """As `kernel`, for functions that make no arrays: references to their arguments are not counted.

    Counting is an atomic operation for every array that is taken out of a tuple, which costs more than small kernels.
    """
    return _compiled(function, fastmath=False, _nrt=False)


def _compiled(function: F, **options: Any) -> F:
    folder = cache_folder()
    if folder is None:
        return cast(F, numba.njit(nogil=True, **options)(function))
    # Numba reads this setting when the decorator runs, so that other users of Numba keep their own folder.
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = str(folder)
    try:
        return cast(F, numba.njit(cache=True, nogil=True, **options)(function))
    except RuntimeError:  # "no locator available": the folder stopped being writable
        return cast(F, numba.njit(nogil=True, **options)(function))
    finally:
        _CONFIG.CACHE_DIR = before


# -- where machine code is kept -------------------------------------------------------------------------------
@cache
def cache_folder() -> Path | None:
    """The folder for compiled kernels of exactly these sources, or None when there is no safe place for one."""
    if not JIT or os.environ.get(CACHE_VARIABLE, "").lower() == "off":
        return None
    for chain in _chains():
        folder = chain[-1] / cache_key()
        if _usable((*chain, folder)):
            _forget_old(folder)
            return folder
    return None


@cache
def cache_key() -> str:
    """A hash of all that machine code depends on: the sources here, the compiler, the processor, Numba's settings."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    processor = (platform.machine(), llvmlite.binding.get_host_cpu_name())
    facts = (numba.__version__, llvmlite.__version__, np.__version__, sys.version, processor, settings)
    digest.update(repr(facts).encode())
    return digest.hexdigest()[:20]


def _chains() -> Iterator[tuple[Path, ...]]:
    """Places to try, each with the folders above it that must be ours too."""
    if named := os.environ.get(CACHE_VARIABLE):
        yield (Path(named),)
        return
    home = user_cache_path("fullprime", appauthor=False)
    yield home, home / "kernels"
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    shared = Path(tempfile.gettempdir()) / f"fullprime-{user}"
    yield shared, shared / "kernels"


def _usable(folders: tuple[Path, ...]) -> bool:
    """Whether we can write there and not everybody can: what lies in the cache is code that will be run."""
    try:
        for folder in folders:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if hasattr(os, "getuid"):
                found = folder.stat()
                if found.st_uid != os.getuid() or found.st_mode & stat.S_IWOTH:
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


def _lowest_bit_instruction(_typing_context: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def _highest_bit_instruction(_typing_context: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate


lowest_bit: Callable[[int], int] = cast(Any, intrinsic(_lowest_bit_instruction)) if JIT else _lowest_bit
"""The index of the lowest set bit of a positive int64."""

highest_bit: Callable[[int], int] = cast(Any, intrinsic(_highest_bit_instruction)) if JIT else _highest_bit
"""The index of the highest set bit of a positive int64."""


@kernel
def widened(number: int) -> int:
    """A small integer as int64, so that shifting by it does not happen in eight bits."""
    return np.int64(number)  # type: ignore[return-value]
