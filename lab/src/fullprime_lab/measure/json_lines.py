"""Files of JSON objects, one a line, that grow as long as work goes on and outlive whatever ends it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fullprime.rules.errors import FullprimeError


class LinesError(FullprimeError):
    """A file of JSON lines that cannot be read or written."""


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file, none of one that is not there; a last line that was cut off is passed over.

    Raises LinesError for a file that cannot be read, and for any other line that is no JSON object.
    """
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return
    except OSError as error:
        raise LinesError(f"{path}: {error.strerror}") from None
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if not line.endswith("\n"):
            return
        if not line.strip():
            continue
        try:
            read = json.loads(line)
        except ValueError:
            read = None
        if not isinstance(read, dict):
            raise LinesError(f"{path}, line {number}: no JSON object")
        yield read


def append_line(path: Path, line: Mapping[str, Any]) -> None:
    """Add a line; it is on the disk when this returns. What a crash had cut off is taken away first.

    Raises LinesError.
    """
    try:
        text = path.read_bytes() if path.exists() else b""
        with path.open("r+b" if path.exists() else "wb") as file:
            file.truncate(text.rfind(b"\n") + 1)
            file.seek(0, os.SEEK_END)
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise LinesError(f"{path} cannot be written: {error.strerror}") from None
