"""Files appear complete or not at all, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from fullprime.common import atomic_write as module
from fullprime.common.atomic_write import (
    PARTIAL,
    atomic_create,
    atomic_path,
    atomic_write,
    atomic_writer,
    remove_partials,
)

_DIE_BEFORE_REPLACE = """
import os, signal, sys
from pathlib import Path
from fullprime.common import atomic_write
if sys.argv[2] == "replace":
    atomic_write._replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
with atomic_write.atomic_writer(Path(sys.argv[1])) as file:
    file.write(b"new" * 100_000)
    if sys.argv[2] == "write":
        os.kill(os.getpid(), signal.SIGKILL)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("content", [b"\x00\r\nnew", "Zürich\n"])
def test_a_file_is_made_and_replaced(tmp_path: Path, content: bytes | str) -> None:
    path = tmp_path / "file"
    for before in (b"", b"something old and longer"):
        if before:
            path.write_bytes(before)
        atomic_write(path, content)
        assert path.read_bytes() == (content if isinstance(content, bytes) else content.encode())
        assert names(tmp_path) == ["file"]


def test_readers_see_the_old_file_until_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with atomic_writer(path) as file:
        file.write(b"n" * 1_000_000)
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"n" * 1_000_000


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("name", ["old", "new"])
def test_an_error_in_the_block_leaves_no_trace(tmp_path: Path, name: str, error: type[BaseException]) -> None:
    def write() -> None:
        with atomic_writer(tmp_path / name) as file:
            file.write(b"half")
            raise error

    def write_by_path() -> None:
        with atomic_path(tmp_path / name) as partial:
            partial.write_bytes(b"damaged")
            raise error

    (tmp_path / "old").write_bytes(b"old")
    for writer in (write, write_by_path):
        with pytest.raises(error):
            writer()
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_bytes() == b"old"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_an_error_of_the_disk_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "old").write_bytes(b"old")
    monkeypatch.setattr(*((os, "fsync") if call == "fsync" else (module, "_replace")), full)
    for name in ("old", "new"):
        with pytest.raises(OSError, match="No space left"):
            atomic_write(tmp_path / name, b"something else")
    if call == "fsync":
        with pytest.raises(OSError, match="No space left"):
            atomic_create(tmp_path / "new", b"something else")
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_bytes() == b"old"


def test_a_folder_that_is_missing_or_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        atomic_write(tmp_path / "none" / "file", b"new")
    with pytest.raises(IsADirectoryError if os.name == "posix" else OSError):
        atomic_write(tmp_path, b"new")
    with pytest.raises(IsADirectoryError), atomic_path(tmp_path):
        pass
    assert names(tmp_path) == []


@pytest.mark.posix
@pytest.mark.parametrize("moment", ["write", "replace"])
def test_a_kill_leaves_the_old_file_and_a_partial_one_that_is_known_by_its_name(tmp_path: Path, moment: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", _DIE_BEFORE_REPLACE, str(path), moment], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old"
    (left,) = (name for name in names(tmp_path) if name != "file")
    assert left.startswith(".file.")
    assert left.endswith(PARTIAL)
    with atomic_path(path) as partial:
        partial.write_bytes(b"new")
        remove_partials(path)
        assert names(tmp_path) == sorted([partial.name, "file"])
    assert path.read_bytes() == b"new"


def test_partial_files_of_other_paths_and_of_processes_that_run_stay(tmp_path: Path) -> None:
    running = f".file.{os.getpid()}-00{PARTIAL}"
    others = [running, f".file.x.1-0{PARTIAL}", ".file.1", f".files.99999999-00{PARTIAL}"]
    for name in [*others, f".file.99999999-00{PARTIAL}"]:
        (tmp_path / name).touch()
    remove_partials(tmp_path / "file")
    assert names(tmp_path) == sorted([*others] if os.name == "posix" else [*others, f".file.99999999-00{PARTIAL}"])
    remove_partials(tmp_path / "none" / "file")


def test_the_file_and_its_name_are_synced_before_it_is_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, module._replace

    def synced(descriptor: int) -> None:
        calls.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def replaced(partial: Path, target: Path) -> None:
        calls.append(f"replace {partial.stat().st_size}")
        replace(partial, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(module, "_replace", replaced)
    atomic_write(tmp_path / "file", b"12345")
    assert calls == ["file", "replace 5", *(["folder"] if os.name == "posix" else [])]


@pytest.mark.posix
@pytest.mark.parametrize(("code", "fails"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_a_folder_that_cannot_be_synced_is_no_error_and_a_broken_disk_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, fails: bool
) -> None:
    fsync = os.fsync

    def broken(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(code, os.strerror(code))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", broken)
    if fails:
        with pytest.raises(OSError, match="Input/output"):
            atomic_write(tmp_path / "file", b"new")
    else:
        atomic_write(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"


def test_many_writers_at_once_each_write_whole_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    contents = [bytes([letter]) * 50_000 for letter in b"abcdefgh"]

    def write(content: bytes) -> None:
        for _ in range(10):
            atomic_write(path, content)
            assert path.read_bytes() in contents

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in contents
    assert names(tmp_path) == ["file"]


@pytest.mark.posix
def test_the_umask_decides_for_a_new_file_and_an_old_one_keeps_its_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        atomic_write(tmp_path / "new", b"new")
        atomic_write(tmp_path / "secret", b"new", private=True)
        assert atomic_create(tmp_path / "created", b"new")
        assert atomic_create(tmp_path / "secret-created", b"new", private=True)
    finally:
        os.umask(before)
    modes = {name: mode(tmp_path / name) for name in names(tmp_path)}
    assert modes == {"new": 0o640, "secret": 0o600, "created": 0o640, "secret-created": 0o600}
    for bits in (0o640, 0o755, 0o444):
        (tmp_path / "new").chmod(bits)
        atomic_write(tmp_path / "new", b"newer")
        assert mode(tmp_path / "new") == bits
        with atomic_path(tmp_path / "new", private=bits == 0o444) as partial:
            assert mode(partial) == 0o600, "nobody reads before the permissions of the old file are those of the new"
    assert mode(tmp_path / "new") == 0o600


@pytest.mark.posix
def test_a_link_that_is_followed_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "kept", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"first", b"second"):
        atomic_write(link, content, follow_links=True)
        assert link.is_symlink()
        assert target.read_bytes() == content
        target.chmod(0o640)
    assert mode(target) == 0o640
    assert names(tmp_path) == ["elsewhere", "link"]
    assert names(tmp_path / "elsewhere") == ["kept"]


@pytest.mark.posix
@pytest.mark.parametrize("private", [False, True])
def test_a_link_that_is_not_followed_leads_to_no_file(tmp_path: Path, private: bool) -> None:
    target, link = tmp_path / "kept", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    atomic_write(link, b"new", private=private)
    assert not link.is_symlink()
    assert link.read_bytes() == b"new"
    assert target.read_bytes() == b"old"


@pytest.mark.posix
def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        atomic_write(pipe, b"told")
        assert os.read(reader, 10) == b"told"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_name_of_the_greatest_length_can_be_written(tmp_path: Path) -> None:
    for letter, count in (("a", 255), ("é", 127), ("🎲", 63)):
        path = tmp_path / (letter * count)
        atomic_write(path, b"new")
        assert path.read_bytes() == b"new"


def test_a_file_is_created_once(tmp_path: Path) -> None:
    path = tmp_path / "key"
    won: list[bytes] = []

    def create(content: bytes) -> None:
        if atomic_create(path, content):
            won.append(content)

    threads = [threading.Thread(target=create, args=(bytes([letter]) * 1000,)) for letter in b"abcdefgh"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert won == [path.read_bytes()]
    assert names(tmp_path) == ["key"]


def test_windows_is_asked_again_while_another_process_holds_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(module.time, "sleep", waited.append)
    replace, path = Path.replace, tmp_path / "file"

    def held(partial: Path, target: Path) -> Path:
        if len(waited) < 3:
            raise PermissionError(errno.EACCES, "Access is denied")
        return replace(partial, target)

    monkeypatch.setattr(Path, "replace", held)
    monkeypatch.setattr(module, "_WINDOWS", True)
    atomic_write(path, b"new")
    assert path.read_bytes() == b"new"
    assert len(waited) == 3
    waited.clear()
    monkeypatch.setattr(module, "_WAITS", (0.0, 0.0))
    with pytest.raises(PermissionError):
        atomic_write(path, b"newer")
    assert names(tmp_path) == ["file"]
