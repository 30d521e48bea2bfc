"""The steps with one file: read, described, written in every format, read back; and what must not come out of them."""

from __future__ import annotations

import contextlib
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType

from fullprime import formats
from fullprime.formats import Document, FormatError
from fullprime.reviews.matches.files import describe_document

SECONDS = 2.0
"""Processor time that one step with one file may take."""
READ_BACK = tuple(name for name in formats.writable() if name not in ("text", "csv"))


class TooSlow(BaseException):
    """A step took longer than it may."""


class NotTheSame(Exception):
    """What was written reads back as something else."""


def on_alarm(_: int, __: FrameType | None) -> None:
    raise TooSlow


@contextlib.contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Raise TooSlow when the step takes more processor time; only where ``on_alarm`` answers the signal."""
    if not hasattr(signal, "SIGVTALRM") or signal.getsignal(signal.SIGVTALRM) is not on_alarm:
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@dataclass
class Tally:
    """What was tried."""

    files: int = 0
    documents: int = 0
    written: int = 0
    faults: dict[str, Path] = field(default_factory=dict)
    families: Counter[str] = field(default_factory=Counter)


def read_and_write(data: bytes, kind: str | None, tally: Tally | None = None) -> None:
    """All steps with one file; raises what must not come out."""
    try:
        with limited():
            documents = formats.read(data, name="fuzzed", format=kind).documents
    except FormatError:
        return
    for document in documents[:3]:
        with limited():
            describe_document(document)
        for name in formats.writable():
            _write(document, name, tally)
        if tally is not None:
            tally.documents += 1


def _write(document: Document, name: str, tally: Tally | None) -> None:
    try:
        with limited():
            data, losses = formats.write(document, name)
            str(losses)
    except FormatError:
        if name == "json":
            raise NotTheSame("our JSON holds every document") from None
        return
    if tally is not None:
        tally.written += 1
    if name not in READ_BACK:
        return
    try:
        with limited():
            back = formats.read(data, format=name).documents
    except FormatError as error:
        if name == "json":
            raise NotTheSame(f"our JSON cannot be read: {error}") from None
        return
    if name == "json" and (back[0].match != document.match or _analysis(back[0]) != _analysis(document)):
        raise NotTheSame("our JSON reads back as something else")


def _analysis(document: Document) -> str:
    review = document.review
    return "" if review is None else repr((review.program, sorted(review.events.items(), key=_key), review.figures))


def _key(item: tuple[tuple[int, int], object]) -> tuple[int, int]:
    return item[0]


def fault_of(data: bytes, kind: str | None, tally: Tally | None = None) -> str | None:
    """The kind of error and the place of ours where it arose; None where all is well."""
    try:
        read_and_write(data, kind, tally)
    except TooSlow:
        return "TooSlow " + _place(sys.exc_info()[2])
    except MemoryError:
        return "MemoryError " + _place(sys.exc_info()[2])
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault
        return f"{type(error).__name__} {_place(error.__traceback__)}"
    return None


def _place(trace: TracebackType | None) -> str:
    frames = [frame for frame in traceback.extract_tb(trace) if "/fullprime/" in frame.filename]
    if not frames:
        return "?"
    last = frames[-1]
    return f"{last.filename.rpartition('/fullprime/')[2]}:{last.name}"
