"""Readers and writers take time in proportion to what they read and write.

By default the instructions that Python runs are counted, so that a busy machine changes nothing: a walk in a
comprehension counts, what a function of C walks does not. The tests marked ``alone`` measure processor time.
"""

from __future__ import annotations

import gc
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from tests.formats.growing import CASES, DOCUMENTS, MOST

from fullprime import formats
from fullprime.formats import FORMATS, POSITIONS, FormatError, writable
from fullprime.formats.files import HEAD

COUNT = 10
"""Of what grows in the smallest file; there are twice and four times as many in the others."""
EXACT = 1.03
"""Work in proportion grows by the same from each file to the next one, twice as long; squares make this much more."""
ONCE = 300
"""Instructions of what happens once, from a certain length on."""
SEED = re.compile(r"of seed [^0]")
"""The first text of a format is repeated in each run, the others in the broad one."""
READERS = sorted(set(FORMATS) - {"text", "csv"})
FILES = [
    pytest.param(name, what, id=f"{name}: {what}", marks=[] if SEED.search(what) is None else pytest.mark.broad)
    for name, files in CASES.items()
    for what in files
]
WRITTEN = [pytest.param(name, what, id=f"{name}: {what}") for name in writable() for what in DOCUMENTS]
Work = Callable[[], object]


def reading(name: str, what: str, count: int) -> Work:
    """Read a file in which the growing part stands that many times, or refuse it."""
    return or_refused(lambda data: formats.read(data, format=name), CASES[name][what](count))


def or_refused(step: Callable[[bytes], object], data: bytes) -> Work:
    def work() -> None:
        with suppress(FormatError):
            step(data)

    return work


def writing(name: str, what: str, count: int) -> Work:
    """Write a match in which the growing part stands that many times."""
    document = DOCUMENTS[what](count)
    if name in POSITIONS:  # The last game is open: they hold its position.
        games = document.match.games
        last = replace(games[-1], events=games[-1].events[:-2])
        document = replace(document, match=replace(document.match, games=(*games[:-1], last)))
    return lambda: formats.write(document, name)


def instructions(work: Work) -> int:
    """The instructions of Python that this takes."""
    count = 0

    def note(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def assert_grows_in_proportion(make: Callable[[int], Work]) -> None:
    # What is made once is made before; Python may leave the instructions of what it runs for the first time uncounted.
    instructions(make(COUNT))
    few, more, many = (instructions(make(COUNT * times)) for times in (1, 2, 4))
    assert many - more <= 2 * EXACT * max(0, more - few) + ONCE, (few, more, many)


def test_every_reader_has_files_that_grow() -> None:
    assert sorted(CASES) == READERS
    assert all(CASES.values())


@pytest.mark.parametrize(("name", "what"), FILES)
def test_reading_takes_work_in_proportion(name: str, what: str) -> None:
    assert_grows_in_proportion(lambda count: reading(name, what, count))


@pytest.mark.parametrize(("name", "what"), WRITTEN)
def test_writing_takes_work_in_proportion(name: str, what: str) -> None:
    assert_grows_in_proportion(lambda count: writing(name, what, count))


# -- processor time ---------------------------------------------------------------------------------------------------
GROWTH = 8
LEAST = 0.02
"""Seconds that the smaller of two files takes."""


def seconds(work: Work) -> float:
    """Processor time; what the rest of the process has made is not collected meanwhile."""
    gc.collect()
    gc.disable()
    begin = time.thread_time()
    try:
        work()
        return time.thread_time() - begin
    finally:
        gc.enable()


def assert_takes_time_in_proportion(make: Callable[[int], Work], largest: int = 9_000) -> None:
    """Compare two sizes. By squares the larger one takes 64 times as long as the smaller, by proportion 8 times."""
    count = COUNT
    while 2 * GROWTH * count <= largest and seconds(make(count)) < LEAST:
        count *= 2
    small, large = make(count), make(GROWTH * count)
    # Each attempt is a measurement of its own: work beside it may make one too long, and never one too short.
    assert any(seconds(large) < 2 * GROWTH * seconds(small) for _ in range(5))


@pytest.mark.alone
@pytest.mark.parametrize(("name", "what"), FILES)
def test_reading_takes_time_in_proportion(name: str, what: str) -> None:
    assert_takes_time_in_proportion(lambda count: reading(name, what, count), MOST.get(what, 9_000))


@pytest.mark.alone
@pytest.mark.parametrize("name", CASES)
def test_finding_the_format_takes_time_in_proportion(name: str) -> None:
    """Of files whose first bytes, which are looked at first, are a small part of the smaller one."""
    file = list(CASES[name].values())[-1]
    times = 4 * HEAD // len(file(COUNT)) + 1
    assert_takes_time_in_proportion(lambda count: or_refused(formats.sniff, file(times * count)), largest=1)


@pytest.mark.alone
@pytest.mark.parametrize(("name", "what"), WRITTEN)
def test_writing_takes_time_in_proportion(name: str, what: str) -> None:
    assert_takes_time_in_proportion(lambda count: writing(name, what, count))


@pytest.mark.alone
@pytest.mark.parametrize("node", ["C[a remark]", ";C[a remark]"])
def test_remarks_about_one_event_take_time_in_proportion(node: str) -> None:
    def make(count: int) -> Work:
        data = f"(;GM[6]PB[A]PW[B];B[31hefe]{node * count})".encode()
        (document,) = formats.read(data).documents
        assert document.match.games[0].comments[1].count("a remark") == count
        return lambda: formats.read(data)

    assert_takes_time_in_proportion(make)


@pytest.mark.alone
@pytest.mark.parametrize(
    "words", ["", "Game", "Game #", "5 point", "match to", "money", "Ann : 1", "Ann : 1 Bob : 1", ";"]
)
def test_blanks_in_a_line_that_is_looked_at_take_time_in_proportion(words: str) -> None:
    def make(count: int) -> Work:
        data = f"{words}{' ' * count}x\n".encode()
        return lambda: [FORMATS["mat"].recognises(data) for _ in range(100)]

    assert_takes_time_in_proportion(make)
