"""One attack, in a process of its own that gives way to the server, as if it were on another machine.

    python -m tests.attack.attacker half_open 8000 20

Prints what it has seen as JSON.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import resource
import sys
from types import ModuleType

from tests.attack.client import Target


def module_of(name: str) -> ModuleType:
    """One attack: a coroutine ``attack(target)``, and what it may cost."""
    return importlib.import_module(f"tests.attack.attacks.{name}")


def main(name: str, port: str, seconds: str) -> None:
    """Attack, and tell what was seen."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    os.nice(10)
    target, fault = Target(int(port), float(seconds)), ""
    try:
        asyncio.run(module_of(name).attack(target))
    except Exception as error:  # noqa: BLE001 - told in the table
        fault = repr(error)
    print(json.dumps({"seen": target.seen, "longest": target.longest, "fault": fault}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
