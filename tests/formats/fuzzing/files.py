"""Fuzzing of every reader and of every way from reader to writer: ``make fuzz-files ARGS="--seconds 3600"``.

Every file is read as it is recognised, as its own format, and now and then as another; every match that comes out is
described, written in every format that takes it, and read back. Only ``FormatError`` may come out, within limits of
processor time and memory; our JSON must read back equal. Each fault is kept once, made as small as it goes quickly, in
``build/fuzz-files`` (parts of real files may stand in it: never publish them).
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.formats.fuzzing.mutations import SPECIAL, damaged, grammar
from tests.formats.fuzzing.steps import Tally, fault_of, on_alarm, read_and_write
from tests.formats.test_fuzz import SEEDS

from fullprime import formats
from fullprime.engine.cube.met import LONGEST, MatchEquityTable
from fullprime.formats import FORMATS, FormatError

MEMORY = 1 << 30
"""Bytes of address space that may come to those at the beginning."""
KEPT = Path("build/fuzz-files")


def smaller(data: bytes, same: Callable[[bytes], bool], seconds: float = 20.0) -> bytes:
    """The file with everything left out that the fault does not need, as far as the time goes."""
    until = time.monotonic() + seconds
    size = len(data) // 2
    while size and time.monotonic() < until:
        at = 0
        while at < len(data) and time.monotonic() < until:
            less = data[:at] + data[at + size :]
            if same(less):
                data = less
            else:
                at += size
        size //= 2
    return data


def corpus() -> dict[str, list[bytes]]:
    """The real files, by folder; none where there are none, which is said."""
    root = os.environ.get("FULLPRIME_SHARED_DATA")
    if not root or not Path(root, "corpus").is_dir():
        print("FULLPRIME_SHARED_DATA/corpus: not there; real files are skipped", file=sys.stderr)
        return {}
    seeds: dict[str, list[bytes]] = {}
    for path in sorted(Path(root, "corpus").rglob("*")):
        if path.is_file() and path.suffix != ".tsv":
            seeds.setdefault(path.parent.name, []).append(path.read_bytes())
    return seeds


def candidates(rng: random.Random, seeds: dict[str, list[bytes]]) -> tuple[str, str | None, bytes]:
    """A file to try: its family, the format it is read as (None: what it looks like), its bytes."""
    if rng.random() < 0.25:
        name, data = grammar(rng)
        return name, rng.choice((None, None, *FORMATS)), data
    name = "json" if rng.random() < 0.3 else rng.choice(list(seeds))
    data = rng.choice(seeds[name])
    data = SPECIAL[name](rng, data) if name in SPECIAL and rng.random() < 0.3 else damaged(data, rng)
    own = name if name in FORMATS else None
    return name, rng.choice((None, own, own, rng.choice(list(FORMATS)))), data


def our_json(seeds: dict[str, list[bytes]]) -> list[bytes]:
    """The first game of each seed as our JSON: any order of events can be tried in it."""
    faults = []
    for name, files_of_kind in seeds.items():
        for data in files_of_kind:
            with contextlib.suppress(FormatError):
                documents = formats.read(data, format=name if name in FORMATS else None).documents[:1]
                faults += [formats.write(document, "json")[0] for document in documents]
    return [data for data in faults if len(data) < 40_000]


def run(seconds: float, seed: int, keep: Path) -> Tally:
    """Try files for so long."""
    rng = random.Random(seed)
    seeds = {name: list(seed_files) for name, seed_files in SEEDS.items()}
    seeds["json"] += our_json(seeds)
    for name, real in corpus().items():
        seeds.setdefault(name, []).extend(real)
    _limit_memory()
    signal.signal(signal.SIGVTALRM, on_alarm)
    MatchEquityTable.named().chance(LONGEST, 1)  # grown to its end once in a process (two seconds), not by a file
    tally = Tally()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        family, kind, data = candidates(rng, seeds)
        tally.files += 1
        tally.families[family] += 1
        fault = fault_of(data, kind, tally)
        if fault is not None and fault not in tally.faults:
            tally.faults[fault] = _keep(keep, fault, kind, data)
            print(f"{fault}  (as {kind})  {tally.faults[fault]}", flush=True)
    return tally


def _keep(keep: Path, fault: str, kind: str | None, data: bytes) -> Path:
    keep.mkdir(parents=True, exist_ok=True)
    if not fault.startswith("TooSlow"):
        data = smaller(data, lambda less: fault_of(less, kind) == fault)
    digest = hashlib.sha256(data).hexdigest()[:8]
    path = keep / f"{fault.partition(' ')[0]}-{kind or 'any'}-{digest}"
    path.write_bytes(data)
    try:
        read_and_write(data, kind)
    except BaseException:  # noqa: BLE001 - it is written down
        path.with_suffix(".why").write_text(traceback.format_exc())
    return path


def _limit_memory() -> None:
    if not Path("/proc/self/statm").exists():
        return
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))


def main() -> int:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=3600.0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", type=Path, default=KEPT)
    arguments = options.parse_args()
    begun = time.process_time()
    tally = run(arguments.seconds, arguments.seed, arguments.keep)
    print(
        f"{tally.files:,} files, {tally.documents:,} matches read, {tally.written:,} files written; "
        f"{time.process_time() - begun:,.0f} s of one core; {len(tally.faults)} kinds of faults"
    )
    print(", ".join(f"{name} {count:,}" for name, count in sorted(tally.families.items())))
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
