"""The process that reads one file for a server: ``python -m fullprime.reviews.matches.reading_process``.

It takes a line of JSON (the name, the size, the limits) and the bytes of the file from its standard input, sets its own
limits before it looks at the file, and writes what it has read to its standard output: for each match a line of JSON
and then the match in the bytes of our own format. It ends when its standard input ends: the server waits no longer.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from dataclasses import replace
from typing import BinaryIO

from fullprime.formats import Document, write
from fullprime.reviews.matches.uploads import UploadLimits, parts
from fullprime.rules.errors import FullprimeError

_NICE = 10
_OPEN_FILES = 64


def main() -> int:
    """Read one file, and say what stands in it."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    request = json.loads(source.readline())
    limits = UploadLimits(**request["limits"])
    data = source.read(request["size"])
    if len(data) < request["size"]:
        return 1
    threading.Thread(target=_exit_when_deserted, args=(source.fileno(),), daemon=True).start()
    restrict(limits)
    try:
        for name, part in parts(data, request["name"], limits):
            _say(out, name, part)
        _line(out, {"over": True})
    except BrokenPipeError:
        return 1
    except MemoryError:
        _line(out, {"why": f"reading it takes more than {limits.memory >> 20:,} MiB of memory", "over": True})
    except Exception:  # noqa: BLE001 - a fault of ours ends this process alone; the server logs it
        _line(out, {"fault": traceback.format_exc()[-4000:]})
    finally:
        out.flush()
    return 0


def _exit_when_deserted(source: int) -> None:
    os.read(source, 1)  # not by the buffered reader, whose lock would be held while the interpreter ends
    os._exit(1)


def restrict(limits: UploadLimits) -> None:
    """Give up what the reading of a file does not need. Windows has none of these: there the server's clock decides."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(_NICE)
    for limit, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_AS, limits.memory),
    ):
        _, hard = resource.getrlimit(limit)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        # A signal of its own tells first that the processor's time is up: by it the server knows this limit.
        last = most + 1 if limit == resource.RLIMIT_CPU and hard == resource.RLIM_INFINITY else most
        resource.setrlimit(limit, (most, last))


def _say(out: BinaryIO, name: str, part: Document | str | bytes) -> None:
    if isinstance(part, bytes):
        _line(out, {"name": name, "size": len(part), "original": True})
        out.write(part)
        return
    if isinstance(part, str):
        _line(out, {"name": name, "why": part})
        return
    try:
        content, _ = write(replace(part, report=()), "json")
    except FullprimeError as error:
        _line(out, {"name": name, "why": str(error)})
        return
    problems = [[problem.words, problem.line, problem.offset] for problem in part.report]
    _line(out, {"name": name, "size": len(content), "problems": problems, "format": part.format})
    out.write(content)


def _line(out: BinaryIO, value: dict[str, object]) -> None:
    out.write(json.dumps(value).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main())
