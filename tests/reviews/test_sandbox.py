"""Uploads in a process of their own: what it reads, its limits, and that nothing of it stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.formats.hostile import BOMBS, TEXTS, archive
from tests.formats.makers import bgf
from tests.formats.test_fuzz import SEEDS

from fullprime import formats
from fullprime.formats import Document
from fullprime.reviews.matches import sandbox
from fullprime.reviews.matches.sandbox import read_apart
from fullprime.reviews.matches.uploads import UploadLimits

ENDLESS = TEXTS["an hour of dances"][1](4 << 20)


def only(data: bytes, name: str, **limits: float) -> str:
    """The words for a file of which nothing is read."""
    ((_, document),) = read_apart(data, name, limits=UploadLimits(**limits))  # type: ignore[arg-type]
    assert isinstance(document, str)
    return document


@pytest.mark.parametrize("name", ["mat", "sgf", "xg", "bgblitz", "ogxm", "json"])
def test_a_file_reads_the_same_apart(name: str) -> None:
    data = SEEDS[name][0]
    documents = formats.read(data, name="a").documents
    assert [document for _, document in read_apart(data, "a")] == list(documents)


def test_an_archive_gives_its_matches_and_its_reasons() -> None:
    data = archive({"a.mat": SEEDS["mat"][0], "b.txt": b"nothing", "c.sgf": SEEDS["sgf"][0]})
    results = list(read_apart(data, "two.zip"))
    assert [(name, isinstance(result, Document)) for name, result in results] == [
        ("two.zip/a.mat", True), ("two.zip/b.txt", False), ("two.zip/c.sgf", True),
    ]  # fmt: skip


@pytest.mark.posix
def test_processor_time_memory_and_output_have_limits() -> None:
    # One of them ends within a second on a fast processor: there is a most of events, too.
    many = archive({f"{number}.mat": TEXTS["an hour of dances"][1](1 << 20) for number in range(20)})
    *_, (_, last) = read_apart(many, "many.zip", limits=UploadLimits(cpu_seconds=1))
    assert last == "reading it takes more than 1 s of processor time"
    assert only(ENDLESS, "a.mat", memory=48 << 20) == "reading it takes more than 48 MiB of memory"
    document = SEEDS["json"][0]
    assert "bytes; 1,000 can be taken" in only(document, "a.json", most_document=1_000)


@pytest.mark.alone
def test_the_time_by_the_clock_has_a_limit() -> None:
    begin = time.monotonic()
    assert only(ENDLESS, "a.mat", seconds=0.5) == "reading it takes more than 0 s"
    assert time.monotonic() - begin < 20


def test_output_is_counted_over_all_matches() -> None:
    many = archive({f"{number}.json": SEEDS["json"][0] for number in range(10)})
    results = list(read_apart(many, "many.zip", limits=UploadLimits(most_output=len(SEEDS["json"][0]) * 3)))
    assert [isinstance(result, Document) for _, result in results[:2]] == [True, True]
    assert "can be taken" in str(results[-1][1])


def test_a_stopped_job_has_no_process_left(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def popen(*command: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(real(*command, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(sandbox.subprocess, "Popen", popen)
    assert list(read_apart(ENDLESS, "a.mat", lambda: True)) == []
    assert [process.poll() is None for process in started] == [False]


@pytest.mark.posix
def test_a_reader_ends_when_the_server_is_killed() -> None:
    """Only the pipe tells it: the process here plays a server that is killed while its reader is at work.

    A reader that goes on alone comes to the end of the file, too, and writes that it is over.
    """
    program = (
        "import subprocess, sys, json\n"
        "from fullprime.reviews.matches import sandbox\n"
        "from dataclasses import asdict\n"
        "from fullprime.reviews.matches.uploads import UploadLimits\n"
        "child = subprocess.Popen(sandbox._COMMAND, stdin=subprocess.PIPE)\n"
        "data = sys.stdin.buffer.read()\n"
        "head = {'name': 'a.mat', 'size': len(data), 'limits': asdict(UploadLimits(cpu_seconds=3600))}\n"
        "child.stdin.write(json.dumps(head).encode() + b'\\n' + data)\n"
        "child.stdin.flush()\n"
        "print(child.pid, flush=True)\n"
        "import os, signal\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], input=ENDLESS, stdout=subprocess.PIPE, check=False)
    number, _, output = run.stdout.partition(b"\n")
    assert b"over" not in output
    while _runs(int(number)):
        os.sched_yield()


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_reader_that_has_done_its_work_ends_without_a_word() -> None:
    data = SEEDS["mat"][0]
    head = {"name": "a.mat", "size": len(data), "limits": asdict(UploadLimits())}
    with subprocess.Popen(
        sandbox._COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={name: os.environ[name] for name in sandbox._HANDED_ON if name in os.environ},  # as the server starts it
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(head).encode() + b"\n" + data)
        process.stdin.flush()  # and stays open: it is still waited for
        assert process.stdout.read().endswith(b'{"over": true}\n')
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


def test_a_reader_that_says_nonsense_gives_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, words in {
        "print('{}')": "its reader was not understood",
        "print('[' * 100_000)": "its reader was not understood",
        "import os; os._exit(3)": "its reader ended before it was done (3)",
        'print(\'{"name": "a", "size": 5}\'); print(\'xxxx\')': "its reader gave no match",
        'print(\'{"name": "a", "size": 99999999}\')': "99,999,999 bytes",
    }.items():
        program = f"import sys; sys.stdin.buffer.readline(); {text}"
        monkeypatch.setattr(sandbox, "_COMMAND", (sys.executable, "-c", program))
        results = list(read_apart(b"x", "a.mat"))
        assert words in str(results[0][1]), text


@pytest.mark.logs_errors
def test_a_fault_of_ours_is_one_line_and_in_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = 'import sys; sys.stdin.buffer.readline(); print(\'{"fault": "Traceback: here"}\')'
    monkeypatch.setattr(sandbox, "_COMMAND", (sys.executable, "-c", program))
    assert only(b"x", "a.mat") == "something went wrong inside; the server's log says what"
    assert "Traceback: here" in caplog.text


@pytest.mark.broad
@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_of_every_packed_format_are_refused_within_the_limits(bomb: str) -> None:
    name, make = BOMBS[bomb]
    data = make(256 << 20 if bomb != "bgf, many values" else 48 << 20)
    assert len(data) < 2 << 20, "it is no bomb"
    results = list(read_apart(data, name))
    assert results
    assert all(isinstance(result, str) for _, result in results), results
    assert all("\n" not in str(result) and "processor time" not in str(result) for _, result in results), results


def test_an_honest_packed_file_is_no_bomb() -> None:
    match = formats.read(SEEDS["mat"][1]).documents[0].match
    ((_, document),) = read_apart(bgf(match), "a.bgf")
    assert isinstance(document, Document)


@pytest.mark.broad
@pytest.mark.parametrize("kind", TEXTS)
def test_hostile_texts_end_in_one_line_or_a_match(kind: str) -> None:
    name, make = TEXTS[kind]
    results = list(read_apart(make(300_000), name))
    assert results
    for _, result in results:
        assert isinstance(result, Document) or "\n" not in result
        assert "processor time" not in str(result)
