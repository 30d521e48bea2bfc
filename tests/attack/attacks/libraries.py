"""New accounts that fill their libraries: one of a day keeps little, however much it sends."""

from __future__ import annotations

import asyncio
import io
import os
import zipfile
from typing import Any

from tests.attack.client import STRANGER, Target

WEIGHT = 2.0
MEMORY = 256.0
_MOST = 32 << 20
"""Bytes that a library keeps on the first day of its account."""
_LONGEST = 60.0
"""Seconds after which the attack gives up: it ends before, once a library takes nothing more."""
_PADDING = (b" " * 70_000 + b"\n") * 118
_FILES = 6
"""The files of an archive: four fill a library but for half a megabyte."""
_NOTE = "a" * 9_000
_NOTES = 400


async def attack(target: Target) -> None:
    target.seconds = max(target.seconds, _LONGEST)
    await asyncio.gather(*(_fill(target, number) for number in range(2)))


async def _fill(target: Target, number: int) -> None:
    """Send an archive that is larger than a library may be, then notes until they are refused."""
    who, attacker = await _account(target, number), 215 + number
    archive, size = _archive(number)
    path = "/api/library/files?name=all.zip"
    status, job = await target.job(path, archive, attacker=attacker, timeout=60, **who)
    assert status in (200, 202), f"no answer: {status} {job}"
    assert job["state"] == "done", f"the files were not read: {job}"
    files: Any = job["result"]["files"]
    kept = size * sum(file["status"] == "new" for file in files)
    target.seen["file kept"] += kept // size
    if kept > _MOST:
        raise AssertionError(f"an account of a day keeps {kept} bytes of files")
    if not any("the library is full" in " ".join(file["problems"]) for file in files):
        raise AssertionError(f"no file was refused for its room: {files}")
    notes = 0
    for length in range(1, _NOTES + 1):
        place = {"rules": {"length": str(length)}, "dice": [3, 1]}
        status, answer = await target.ask(
            "POST", "/api/library/marks", {"position": place, "note": _NOTE}, attacker=attacker, **who
        )
        if status == 429:
            await asyncio.sleep(0.5)
        elif status == 400 and "the library is full" in answer["error"]:
            target.seen["notes kept"] += notes
            return
        else:
            assert status == 200, f"a note was answered {status}: {answer}"
            notes += 1
    raise AssertionError(f"{notes} notes of {len(_NOTE.encode())} bytes were kept beside {kept} bytes of files")


def _archive(number: int) -> tuple[bytes, int]:
    """An archive of files, and the bytes of each."""
    packed = io.BytesIO()
    size = 0
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for place in range(_FILES):
            text = f"\n 1 point match\n\n Game 1\n A{number}-{place} : 0   B : 0\n  1) 31: 8/5 6/5   Drops\n"
            content = _PADDING + text.encode()
            archive.writestr(f"{place}.mat", content)
            size = len(content)
    return packed.getvalue(), size


async def _account(target: Target, number: int) -> dict[str, str]:
    who = {"name": f"hoarder{number}-{os.getpid()}", "password": "a long enough password 33"}
    status, _ = await target.ask("POST", "/api/account/sign-up", who, attacker=215 + number)
    assert status == 201, f"no account: {status}"
    return STRANGER | {"Cookie": await target.cookie("/api/account/sign-in", who, attacker=215 + number)}
