"""A file that is written whole or not at all: what was there before stays when there is no room for the new one."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write the file; raises OSError, and then leaves neither half a file nor anything else behind.

    A link is followed; what is no ordinary file, as a pipe or a terminal, is written into.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(data)
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


__all__ = ["write_whole"]
