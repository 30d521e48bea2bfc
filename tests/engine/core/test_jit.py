"""The cache of compiled kernels is never stale and never in the way; Numba is loaded only by those who count."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fullprime.engine.core import jit

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "fullprime"


def python(code: str, folder: Path = ROOT / "src", **environment: str) -> str:
    """What a fresh interpreter prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "FULLPRIME_"))}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**kept, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_package_loads_no_compiler() -> None:
    code = "import sys, fullprime, fullprime.rules, fullprime.engine.boards.perft\n"
    assert python(code + "print([name for name in ('numba', 'numpy', 'torch') if name in sys.modules])") == "[]"


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package whose kernels are two lines in two files."""
    package = tmp_path / "src" / "fullprime"
    (package / "engine" / "core").mkdir(parents=True)
    for folder in (package, package / "engine", package / "engine" / "core"):
        (folder / "__init__.py").write_text("")
    for name in ("bits.py", "jit.py", "prepared.py"):
        shutil.copy(SOURCE / "engine" / "core" / name, package / "engine" / "core")
    head = "from fullprime.engine.core.jit import kernel\n"
    (package / "engine" / "core" / "callee.py").write_text(f"{head}@kernel\ndef one(x):\n    return x + 1\n")
    (package / "engine" / "core" / "caller.py").write_text(
        f"{head}from fullprime.engine.core.callee import one\n@kernel\ndef call(x):\n    return one(x) * 10\n"
    )
    return tmp_path / "src"


CALL = """
from fullprime.engine.core.caller import call
from fullprime.engine.core.jit import cache_folder
print(call(1), sum(call.stats.cache_hits.values()), cache_folder())
"""


@pytest.mark.broad
def test_a_cached_caller_notices_an_edited_callee(copied: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    assert python(CALL, copied, FULLPRIME_KERNEL_CACHE=cache).startswith("20 0 ")
    assert python(CALL, copied, FULLPRIME_KERNEL_CACHE=cache).startswith("20 1 ")
    callee = copied / "fullprime" / "engine" / "core" / "callee.py"
    callee.write_text(callee.read_text().replace("x + 1", "x + 2"))
    assert python(CALL, copied, FULLPRIME_KERNEL_CACHE=cache).startswith("30 0 ")


@pytest.mark.broad
def test_an_unusable_home_is_replaced_and_finally_done_without(copied: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("")
    elsewhere = tmp_path / "temporary"
    elsewhere.mkdir()
    home = {"HOME": str(blocked), "XDG_CACHE_HOME": str(blocked), "LOCALAPPDATA": str(blocked)}
    assert python(CALL, copied, **home, TMPDIR=str(elsewhere)).startswith(f"20 0 {elsewhere}")
    assert python(CALL, copied, FULLPRIME_KERNEL_CACHE=str(blocked)) == "20 0 None"
    assert python(CALL, copied, FULLPRIME_KERNEL_CACHE="off") == "20 0 None"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of this kind exist on POSIX only")
def test_a_folder_that_everybody_can_write_is_not_trusted(copied: Path, tmp_path: Path) -> None:
    cache = tmp_path / "open to all"
    cache.mkdir()
    cache.chmod(0o777)
    assert python(CALL, copied, FULLPRIME_KERNEL_CACHE=str(cache)) == "20 0 None"


def test_old_folders_are_forgotten(tmp_path: Path) -> None:
    for age in range(12):
        folder = tmp_path / f"{age:020d}"
        folder.mkdir()
        os.utime(folder, (age, age))
    (tmp_path / "something else").mkdir()
    jit._forget_old(tmp_path / f"{0:020d}")
    left = sorted(folder.name for folder in tmp_path.iterdir())
    assert left == [f"{0:020d}", *(f"{age:020d}" for age in range(5, 12)), "something else"]


PLAIN = (
    "tests/engine/core/test_plays.py",
    "tests/engine/test_evaluator.py::test_outputs_are_those_of_the_net",
)


@pytest.mark.broad
@pytest.mark.skipif(not jit.JIT, reason="this is that run")
def test_kernels_run_as_plain_python_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *PLAIN],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]


def test_bits() -> None:
    for number in (1, 2, 40, 1 << 26, (1 << 27) - 1):
        assert _bits(number) == ((number & -number).bit_length() - 1, number.bit_length() - 1)


@jit.kernel
def _bits(number: int) -> tuple[int, int]:
    return jit.lowest_bit(number), jit.highest_bit(number)
