"""A lock file has one process at a time, and no process longer than it lives."""

from __future__ import annotations

import errno
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from fullprime.common import file_lock
from fullprime.common.file_lock import FileLocked, exclusive_lock

_HOLD = """
import os, sys
from pathlib import Path
from fullprime.common.file_lock import exclusive_lock
with exclusive_lock(Path(sys.argv[1])):
    if len(sys.argv) > 2 and os.fork() == 0:
        sys.stdout.close()
        sys.stdin.read()
        os._exit(0)
    print("held", flush=True)
    sys.stdin.readline()
"""


def holder(path: Path, *forks: str) -> subprocess.Popen[str]:
    """Another process that holds the lock."""
    command = [sys.executable, "-c", _HOLD, str(path), *forks]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_refused_until_the_first_gives_the_lock_back(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with holder(path) as process:
        for _ in range(2):
            with pytest.raises(FileLocked, match=f"lock is held by process {process.pid}") as error:
                exclusive_lock(path).__enter__()
            assert error.value.process == process.pid
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        process.wait(60)
        with exclusive_lock(path):
            assert path.read_text() == f"{os.getpid()}\n"
    with exclusive_lock(path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


@pytest.mark.posix
@pytest.mark.parametrize("forks", [[], ["forks"]])
def test_a_killed_process_holds_nothing_even_where_its_children_live_on(tmp_path: Path, forks: list[str]) -> None:
    path = tmp_path / "lock"
    with holder(path, *forks) as process:
        process.kill()
        process.wait(60)
        with exclusive_lock(path):
            pass


def test_an_error_in_the_block_gives_the_lock_back(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="inside"), exclusive_lock(tmp_path / "lock"):
        raise ValueError("inside")
    with holder(tmp_path / "lock") as process:
        process.kill()


def test_a_lock_is_held_without_room_for_the_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with exclusive_lock(tmp_path / "lock"):
        assert (tmp_path / "lock").read_text() == ""


def test_a_system_without_locks_holds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")

    def unknown(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with holder(tmp_path / "lock") as process:
        monkeypatch.setattr(fcntl, "lockf", unknown)
        with exclusive_lock(tmp_path / "lock"):
            pass
        process.kill()


def test_a_lock_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="lock"), exclusive_lock(tmp_path / "none" / "lock"):
        pass


def test_the_error_travels_between_processes(tmp_path: Path) -> None:
    for process in (None, 17):
        error = pickle.loads(pickle.dumps(FileLocked(tmp_path, process)))
        assert (error.path, error.process) == (tmp_path, process)
    assert str(file_lock.FileLocked(Path("a"), None)) == "a is held by another process"
