"""Files of strangers read in a process of their own: limited in time, memory and output, and killed when it is stopped.

The process (``reading_process``) knows nothing of the server: it gets no descriptor, no setting and no secret of it.
Its answer is untrusted: it is measured before it is read, and read as a file of ours is.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import IO, Any

from fullprime.formats import Document, FormatError, Problem, read
from fullprime.reviews.matches.uploads import LIMITS, UploadLimits

log = logging.getLogger(__name__)

_COMMAND = (sys.executable, "-m", "fullprime.reviews.matches.reading_process")
_HANDED_ON = ("PATH", "PYTHONPATH", "SYSTEMROOT", "LANG", "LC_ALL", "VIRTUAL_ENV")
"""Variables that Python itself may need; not the server's own, among them the address of its database."""
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
_LONGEST_LINE = 1 << 20
_LOOKS = 0.05
"""Seconds between two looks at whether the process is still wanted."""


@dataclass(frozen=True, slots=True)
class ReadPart:
    """One match as the process gave it (its bytes are not read yet), or why there is none."""

    name: str
    content: bytes = b""
    why: str = ""
    problems: tuple[Problem, ...] = ()
    format: str = ""
    original: bool = False
    """The content is that of a file as it was sent, not that of a match."""

    def document(self) -> Document | str:
        """The match; a text says why it cannot be taken."""
        if self.why:
            return self.why
        try:
            (document,) = read(self.content, format="json").documents
        except (FormatError, ValueError) as error:
            return f"its reader gave no match: {error}"
        return replace(document, report=self.problems or document.report, format=self.format, source=self.name)


def read_apart(
    data: bytes, name: str, stopped: Callable[[], bool] = lambda: False, limits: UploadLimits = LIMITS
) -> Iterator[tuple[str, Document | str]]:
    """Every match of a file or archive with its name, or why there is none, read by a process of its own.

    All parts are there before the first is given; each match is made of its bytes when it is asked for.
    """
    for part in _parts(data, name, stopped, limits):
        if not part.original:
            yield part.name, part.document()


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file with its matches, or why there are none."""

    name: str
    content: bytes
    documents: tuple[Document, ...] = ()
    problems: tuple[str, ...] = ()


def files_apart(
    data: bytes, name: str, stopped: Callable[[], bool] = lambda: False, limits: UploadLimits = LIMITS
) -> Iterator[ReadFile]:
    """Every file of an archive (or the file itself) with all its matches, read by a process of its own.

    A file of which a match could not be taken is given without any, with the reason: it is kept whole or not at all.
    """
    file: ReadFile | None = None
    for part in _parts(data, name, stopped, replace(limits, originals=True)):
        if part.original or file is None:
            if file is not None:
                yield file
            file = ReadFile(part.name, part.content if part.original else b"")
            if part.original:
                continue
        document = part.document()
        if isinstance(document, str):
            file = replace(file, documents=(), problems=(*file.problems, document))
        elif not file.problems:
            file = replace(file, documents=(*file.documents, document))
    if file is not None:
        yield file


def _parts(data: bytes, name: str, stopped: Callable[[], bool], limits: UploadLimits) -> list[ReadPart]:
    environment = {key: os.environ[key] for key in _HANDED_ON if key in os.environ} | _ONE_THREAD
    process = subprocess.Popen(  # noqa: S603 - our own words
        _COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    watch = _Watch(process, stopped, limits.seconds)
    parts: list[ReadPart] = []
    try:
        head = {"name": name, "size": len(data), "limits": asdict(limits)}
        process.stdin.write(json.dumps(head).encode() + b"\n" + data)
        process.stdin.flush()
        is_over = _collect(process.stdout, limits, parts)
    except (BrokenPipeError, ConnectionResetError):
        is_over = False
    except FormatError as error:
        parts.append(ReadPart(name, why=str(error)))
        is_over = True
    finally:
        code = watch.end()
    if not is_over and not stopped():
        parts.append(ReadPart(name, why=watch.why or _why(code, limits)))
    return parts


class _Watch:
    """Kills the process when it is no longer wanted or its time is up."""

    def __init__(self, process: subprocess.Popen[bytes], stopped: Callable[[], bool], seconds: float) -> None:
        self._process, self._stopped = process, stopped
        self._seconds, self._until = seconds, time.monotonic() + seconds
        self._done = threading.Event()
        self.why = ""
        self._thread = threading.Thread(target=self._watch, name="watch a reader", daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(_LOOKS):
            if self._stopped():
                self._process.kill()
                return
            if time.monotonic() > self._until:
                self.why = f"reading it takes more than {self._seconds:.0f} s"
                self._process.kill()
                return

    def end(self) -> int:
        """End the process, whatever it does; its exit code, or the signal that killed it as a negative number."""
        self._done.set()
        self._thread.join()
        for stream in (self._process.stdout, self._process.stdin):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue
        try:
            # Its output has ended, so that it is ending too; a process that goes on without output is killed.
            return self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()


def _collect(source: IO[bytes], limits: UploadLimits, parts: list[ReadPart]) -> bool:
    """All parts until the process says that this is all; False when it ends before. Raises FormatError beyond the
    limits.
    """
    left = limits.most_output
    while True:
        line = source.readline(_LONGEST_LINE)
        left -= len(line)
        if not line.endswith(b"\n"):
            return False
        header = _part(line)
        if header is None:
            return True
        size, part = header
        if (size > limits.most_document and not part.original) or size > left:
            most = min(limits.most_document, left)
            raise FormatError(f"{part.name}: the match and its analysis have {size:,} bytes; {most:,} can be taken")
        content = source.read(size)
        left -= size
        if len(content) < size:
            return False
        parts.append(replace(part, content=content))
        if left <= 0:
            raise FormatError(f"more than {limits.most_output:,} bytes come out of it; the rest is left out")


def _part(line: bytes) -> tuple[int, ReadPart] | None:
    """The size of the content and the part; None at the end. Raises FormatError for a line that makes no sense."""
    try:
        header: dict[str, Any] = json.loads(line)
        if "fault" in header:
            log.error("a reader of uploads failed: %s", header["fault"])
            raise FormatError("something went wrong inside; the server's log says what")
        if header.get("over") is True:
            if "why" in header:
                raise FormatError(str(header["why"]))
            return None
        problems = tuple(
            Problem(str(words), line if isinstance(line, int) else None, offset if isinstance(offset, int) else None)
            for words, line, offset in header.get("problems", ())
        )
        original = header.get("original") is True
        part = ReadPart(
            str(header["name"]), b"", str(header.get("why", "")), problems, str(header.get("format", "")), original
        )
        size = header.get("size", 0)
        if not isinstance(size, int) or size < 0:
            raise FormatError("its reader was not understood")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError("its reader was not understood") from error
    return size, part


def _why(code: int, limits: UploadLimits) -> str:
    """Words for a process that ended before it was done."""
    if sys.platform != "win32" and code == -signal.SIGXCPU:
        return f"reading it takes more than {limits.cpu_seconds} s of processor time"
    return f"its reader ended before it was done ({code})"
