"""Attack a server while a game on it goes on: ``make attack`` (about two minutes), ``make attack-long``.

    python -m tests.attack --seconds 72 --json build/attack.json
    python -m tests.attack --only half_open hints --source /another/checkout/src

Starts ``fullprime serve`` with its default limits and 1,024 descriptors, has two people play a game on it, and attacks
it in one way after the other, each in a process of its own. The players must be answered within a second (99 of 100,
and the slowest), memory, descriptors and threads keep their bounds, the server stays up and fails at nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType

from tests.attack.attacker import module_of
from tests.attack.probe import Probe
from tests.attack.server import DESCRIPTORS, ROOT, Served, Taken

SLOWEST = 1.0
"""Seconds within which players are answered, 99 of 100 and the slowest."""
MEMORY = 96.0
"""MiB that a server may take more than before, while it is attacked."""
THREADS = 80
"""Threads of a server at most: 40 that do what waits for the disk, and those of the engine."""
_REST = 0.3
"""Seconds between two attacks."""
_BEHIND = 60.0
"""Seconds after which an attack that has not ended is ended."""


@dataclass
class Row:
    """The outcome of one attack."""

    name: str
    seconds: float
    requests: int
    p99: float
    slowest: float
    refused: int
    memory: float
    """MiB more than before, at most."""
    descriptors: int
    threads: int
    processor: float
    """Processors that the server had at work, on average."""
    seen: dict[str, int] = field(default_factory=dict)
    longest: float = 0.0
    growth: float = 0.0
    """MiB that the server had more at the end than after a third of the time."""
    faults: list[str] = field(default_factory=list)


def attacks() -> list[str]:
    """The names of all attacks, in their order."""
    return sorted(path.stem for path in (Path(__file__).parent / "attacks").glob("[a-z]*.py"))


def run(name: str, served: Served, probe: Probe, seconds: float, environment: Mapping[str, str]) -> Row:
    """Carry out one attack and measure."""
    module = module_of(name)
    before = most = served.taken()
    samples: list[Taken] = []
    command = [sys.executable, "-m", "tests.attack.attacker", name, str(served.port), str(seconds)]
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, **environment})
    while process.poll() is None and time.monotonic() < begun + seconds + _BEHIND:
        time.sleep(0.2)
        if served.is_up:
            samples.append(served.taken())
            most = _most(most, samples[-1])
    process.kill()
    output = process.communicate()[0]
    report = (
        json.loads(output) if output else {"seen": {}, "longest": 0.0, "fault": "the attack has not come to its end"}
    )
    taken = time.monotonic() - begun
    requests = probe.between(begun, time.monotonic())
    times = sorted(request.seconds for request in requests)
    row = Row(
        name=name,
        seconds=taken,
        requests=len(requests),
        p99=statistics.quantiles(times, n=100, method="inclusive")[98] if len(times) > 1 else float("inf"),
        slowest=times[-1] if times else float("inf"),
        refused=sum(not 200 <= request.status < 300 and request.status != 409 for request in requests),
        memory=most.memory - before.memory,
        descriptors=most.descriptors,
        threads=most.threads,
        processor=(most.processor - before.processor) / taken,
        seen=report["seen"],
        longest=report["longest"],
        growth=_growth(samples),
    )
    row.faults += _faults(row, module, served, report["fault"])
    if row.refused:
        row.faults += [f"they were answered {sorted({request.status for request in requests})}"]
    return row


def _faults(row: Row, module: ModuleType, served: Served, fault: str) -> list[str]:
    memory = getattr(module, "MEMORY", MEMORY)
    kept = getattr(module, "KEPT", None)
    faults = [fault] if fault else []
    faults += [] if served.is_up else ["the server has ended"]
    faults += _late(row)
    faults += [f"{row.refused} requests of the players were not answered as they should be"] if row.refused else []
    faults += [f"{row.memory:.0f} MiB more memory, not {memory:.0f}"] if row.memory > memory else []
    grown = getattr(module, "GROWTH", None)
    faults += [f"{row.growth:.0f} MiB do not come back"] if grown is not None and row.growth > grown else []
    faults += [f"{row.threads} threads"] if row.threads > THREADS else []
    faults += [f"{row.descriptors} descriptors"] if row.descriptors >= DESCRIPTORS - 8 else []
    faults += [f"kept for {row.longest:.0f} s, not {kept:.0f}"] if kept is not None and row.longest > kept else []
    faults += [f"{times} answers {status}" for status, times in row.seen.items() if status in ("500", "502", "504")]
    return faults


def _late(row: Row) -> list[str]:
    most = [f"99 % of answers within {row.p99:.2f} s"] if row.p99 > SLOWEST else []
    return most + ([f"the slowest answer after {row.slowest:.2f} s"] if row.slowest > SLOWEST else [])


def _growth(samples: list[Taken]) -> float:
    """From the least of the second third to the least of the last sixth: peaks between count for nothing."""
    third, sixth = len(samples) // 3, max(1, len(samples) // 6)
    if not third:
        return 0.0
    return min(sample.memory for sample in samples[-sixth:]) - min(
        sample.memory for sample in samples[third : 2 * third]
    )


def _most(first: Taken, second: Taken) -> Taken:
    return Taken(
        max(first.memory, second.memory),
        max(first.descriptors, second.descriptors),
        max(first.threads, second.threads),
        max(first.processor, second.processor),
    )


def table(rows: list[Row]) -> str:
    """The outcomes as a table."""
    heads = f"{'asked':>6} {'99 % ms':>8} {'most ms':>8} {'MiB':>6} {'files':>6} {'threads':>7} {'cpu':>4}"
    lines = [f"{'attack':16} {'s':>5} {heads}  seen"]
    for row in rows:
        outcomes = ", ".join(
            f"{outcome} {times}" for outcome, times in sorted(row.seen.items(), key=lambda item: -item[1])[:5]
        )
        lines.append(
            f"{row.name:16} {row.seconds:5.0f} {row.requests:6} {row.p99 * 1000:8.0f} {row.slowest * 1000:8.0f}"
            f" {row.memory:6.0f} {row.descriptors:6} {row.threads:7} {row.processor:4.1f}  {outcomes}"
        )
        lines += [f"{'':16} FAILED: {fault}" for fault in row.faults]
    return "\n".join(lines)


def main() -> int:
    """Attack and report; 0 if all held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120, help="for all attacks together")
    parser.add_argument("--only", nargs="+", choices=attacks(), help="these attacks alone")
    parser.add_argument("--skip", nargs="+", choices=attacks(), default=[], help="all but these")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    parser.add_argument("--source", type=Path, default=ROOT / "src", help="the src folder of the server")
    options = parser.parse_args()
    names = [name for name in options.only or attacks() if name not in options.skip]
    weights = {name: getattr(module_of(name), "WEIGHT", 1.0) for name in names}
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        source = options.source.resolve()
        environment = {"ATTACK_FOLDER": folder, "ATTACK_SOURCE": str(source)}
        served = Served(at, source)
        probe = Probe(served.port)
        probe.begin()
        time.sleep(2)
        empty = served.taken()
        for name in names:
            seconds = options.seconds * weights[name] / sum(weights.values())
            time.sleep(_REST)
            row = run(name, served, probe, seconds, environment)
            if row.faults and row.faults == _late(row):
                # Others may have had this machine for a second. An attack that starves the players does it again.
                print(f"{name}: once more, since {' and '.join(row.faults)}", flush=True)
                time.sleep(_REST)
                row = run(name, served, probe, seconds, environment)
            rows.append(row)
            print(*table(rows[-1:]).splitlines()[bool(rows[1:]) :], sep="\n", flush=True)
        probe.end()
        left, log = served.taken(), served.log
        code = served.stop()
    faults = [fault for row in rows for fault in row.faults]
    faults += [
        f"the server logged an error: {line[:150]} … {line[-700:]}"
        for line in log.splitlines()
        if '"level": "error"' in line
    ][:5]
    faults += [f"the players' game broke off: {probe.fault}"] if probe.fault else []
    faults += [f"the server ended with {code}"] if code not in (0, -15) else []
    print(f"\n{table(rows)}\n")
    print(
        f"before: {empty}; after: {left}; {probe.actions} actions of the players; {len(log.splitlines())} lines of log"
    )
    print("\n".join(faults) or "all held")
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        report = {
            "rows": [asdict(row) for row in rows],
            "before": asdict(empty),
            "after": asdict(left),
            "faults": faults,
        }
        options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
