"""Machine code of the kernels for the levels of processors: ``python scripts/machine_code`` (or ``make code``).

Needs Numba, which reads the kernels, and LLVM's linker (``ld.lld``; Debian's package is ``lld``). The libraries come to
lie in ``src/fullprime/engine/core/code`` and belong to the commit that changes a kernel. ``--check`` only says whether
they were made from the sources as they are.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "src"
BUILD = HERE.parents[1] / "build" / "machine_code"
sys.path.insert(0, str(SOURCES))

from doors import STAMP  # noqa: E402
from emitting import FEATURES, TARGETS, emit, link  # noqa: E402

from fullprime.engine.core.prepared import FOLDER, stamp  # noqa: E402


def main(arguments: list[str]) -> int:
    """Make the code of the levels named, of all where none is; the exit code is 1 if ``--check`` finds old code."""
    if arguments == ["--check"]:
        return check()
    targets = {name: target for name, target in TARGETS.items() if not arguments or name in arguments}
    BUILD.mkdir(parents=True, exist_ok=True)
    FOLDER.mkdir(exist_ok=True)
    for text in sorted({target.text for target in targets.values()}):
        print(f"kernels read ({text})", flush=True)
        _read_kernels(text)
    for name, target in targets.items():
        print(name, flush=True)
        text = (BUILD / f"{target.text}.ll").read_text(encoding="utf-8")
        library = link(emit(text.replace(STAMP, stamp()), target), target, BUILD, name)
        # Moved into place: what a running process has mapped must not change.
        part = FOLDER / f"{library.name}.part"
        part.write_bytes(library.read_bytes())
        part.replace(FOLDER / library.name)
        print(f"  {library.stat().st_size:,} bytes")
    return 0


def check() -> int:
    """Whether every library was made from these sources."""
    old = [name for name in TARGETS if not is_new(FOLDER / f"{name}.so")]
    if old:
        print(f"the machine code of {', '.join(old)} was made from other sources: make code", file=sys.stderr)
    return bool(old)


def is_new(library: Path) -> bool:
    """Whether a library carries the stamp of the sources."""
    return library.exists() and stamp().encode() in library.read_bytes()


def _read_kernels(text: str) -> None:
    """Write Numba's text of the kernels, in a process of its own, for a processor with the features that it needs."""
    environment = {
        **os.environ,
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": FEATURES[text],
        "FULLPRIME_KERNEL_CACHE": "off",
        "PYTHONPATH": str(SOURCES),
    }
    with (BUILD / f"{text}.ll").open("wb") as out:
        subprocess.run([sys.executable, HERE / "lowering.py"], env=environment, stdout=out, check=True)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
