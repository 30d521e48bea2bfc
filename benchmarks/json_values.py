"""Compare ways to write and read dataclasses as JSON: our codec, pydantic, orjson, and msgspec where it is installed.

``python benchmarks/json_values.py`` prints milliseconds for an answer of 20 plays and a review of 300 decisions, and
the time that importing each way costs. docs/adr/0062 has the figures.
"""

from __future__ import annotations

import json
import subprocess
import sys
import timeit
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

from fullprime.common.json_values import from_json, to_json

Chances = tuple[float, float, float, float, float]
STRICT = {"extra": "forbid", "strict": True}


@dataclass(frozen=True, slots=True)
class Option:
    text: str
    equity: float
    loss: float
    depth: int
    chances: Chances | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    game: int
    event: int
    player: str
    options: tuple[Option, ...]
    chosen: int


@dataclass(frozen=True, slots=True)
class Reviewed:
    level: str
    decisions: tuple[Decided, ...]


OPTION = Option("13/8 6/5*", 0.12345678, 0.0123, 2, (0.51234567, 0.12345678, 0.01234567, 0.13456789, 0.00456789))
ANSWER = Reviewed("2-ply", (Decided(1, 1, "X", (OPTION,) * 20, 0),))
REVIEW = Reviewed("standard", tuple(Decided(1, number, "X", (OPTION,) * 5, 0) for number in range(300)))


def by_hand(value: Reviewed) -> dict[str, Any]:
    """The converter that stood beside each typed dictionary."""
    return {
        "level": value.level,
        "decisions": [
            {
                "game": decision.game, "event": decision.event, "player": decision.player, "chosen": decision.chosen,
                "options": [
                    {"text": option.text, "equity": option.equity, "loss": option.loss, "depth": option.depth,
                     "chances": None if option.chances is None else list(option.chances)}
                    for option in decision.options
                ],
            }
            for decision in value.decisions
        ],
    }  # fmt: skip


def ways() -> dict[str, tuple[Callable[[Reviewed], bytes | str], Callable[[bytes | str], object] | None]]:
    """How each way writes and reads a value; None where it does not read."""
    import orjson
    from pydantic import ConfigDict, TypeAdapter, with_config

    for kind in (Option, Decided, Reviewed):
        with_config(ConfigDict(extra="forbid"))(kind)
    adapter = TypeAdapter(Reviewed)
    by_name: dict[str, Any] = {
        "converter, json": (lambda value: json.dumps(by_hand(value)), None),
        "asdict, json": (lambda value: json.dumps(asdict(value)), None),
        "codec, json": (
            lambda value: json.dumps(to_json(value)),
            lambda text: from_json(Reviewed, json.loads(text)),
        ),
        "codec, orjson": (
            lambda value: orjson.dumps(to_json(value)),
            lambda text: from_json(Reviewed, orjson.loads(text)),
        ),
        "orjson alone": (orjson.dumps, None),
        "pydantic": (adapter.dump_json, adapter.validate_json),
    }
    if find_spec("msgspec") is not None:
        import msgspec

        decoder = msgspec.json.Decoder(Reviewed)
        by_name["msgspec"] = (msgspec.json.encode, decoder.decode)
    return by_name


def milliseconds(work: Callable[[], object], seconds: float = 0.5) -> float:
    """The best of three times."""
    count = max(1, int(seconds / max(1e-6, timeit.timeit(work, number=1))))
    return min(timeit.repeat(work, number=count, repeat=3)) / count * 1000


def import_cost(module: str) -> tuple[float, int]:
    """Milliseconds and modules that importing one takes in a process that has the rules already."""
    script = (
        "import sys,time\nimport fullprime.rules.game,fullprime.rules.notation\nbefore=len(sys.modules)\n"
        f"begun=time.perf_counter()\nimport {module}\n"
        "print((time.perf_counter()-begun)*1000,len(sys.modules)-before)"
    )
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True) for _ in "12345"]
    return min((float(ms), int(count)) for ms, count in (run.stdout.split() for run in runs))


def main() -> None:
    """Print both tables."""
    print(f"{'':<18}{'20 plays':>10}{'read':>8}{'review':>10}{'read':>8}   ms")
    for name, (write, read) in ways().items():
        row: list[float | None] = []
        for value in (ANSWER, REVIEW):
            text = write(value)
            row.append(milliseconds(partial(write, value)))
            row.append(None if read is None else milliseconds(partial(read, text)))
        print(f"{name:<18}" + "".join(f"{'-' if cell is None else format(cell, '.3f'):>9}" for cell in row))
    modules = ["fullprime.common.json_values", "pydantic", "msgspec"]
    for module in (module for module in modules if find_spec(module.split(".")[0]) is not None):
        print("import {}: {:.0f} ms, {} modules".format(module, *import_cost(module)))


if __name__ == "__main__":
    main()
