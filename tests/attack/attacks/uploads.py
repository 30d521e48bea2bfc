"""Files that are made to keep a reader busy: long lines, deep nesting, bombs."""

from __future__ import annotations

import asyncio
import io
import time
import zipfile

from tests.attack.client import Target

WEIGHT = 3.0
MEMORY = 256.0


def hostile() -> dict[str, bytes]:
    """The files, each under the limit of an upload."""
    line = " 1) 31: " + "8/5* " * 1_100_000
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number in range(10):
            archive.writestr(f"{number}.mat", b"\0" * (8 << 20))
    return {
        "line.mat": b" 7 point match\n\n Game 1\n Ann : 0   Bob : 0\n" + line.encode(),
        "nested.sgf": b"(;GM[6]" * 600_000,
        "brackets.sgf": b"(" * 4_000_000,
        "lines.mat": b" 7 point match\n\n Game 1\n Ann : 0   Bob : 0\n" + b"  1) 31: 8/5 6/5   31: 8/5 6/5\n" * 130_000,
        "bomb.zip": packed.getvalue(),
        "xg.xg": b"RGMH" + bytes(5_000_000),
    }


async def attack(target: Target) -> None:
    files = hostile()
    target.begun = time.monotonic()

    async def one(attacker: int) -> None:
        name = list(files)[attacker % len(files)]
        path = f"/api/reviews?name={name}&level=fast"
        status, _ = await target.job(path, files[name], attacker=attacker, timeout=60)
        if status == 429:
            await asyncio.sleep(0.5)

    await target.flood(6, one)
