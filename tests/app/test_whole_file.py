"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from fullprime.app.advice.diagrams import DiagramError, save
from fullprime.app.matches.files import FileError
from fullprime.app.matches.files import save as save_match
from fullprime.app.one_server import alone_with
from fullprime.app.whole_file import write_whole


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of what is written finds room."""
    whole = Path.write_bytes

    def half(path: Path, data: bytes) -> int:
        whole(path, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", half)


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("name", ["new.svg", "old.svg"])
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "old.svg").write_text("as it was")
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / name, b"something else")
    with pytest.raises(DiagramError, match=f"{name} cannot be written: No space left"):
        save("<svg/>", tmp_path / name, 100)
    with pytest.raises(FileError, match=f"{name} cannot be written: No space left"):
        save_match(tmp_path / name, b"match")
    assert [each.name for each in tmp_path.iterdir()] == ["old.svg"]
    assert (tmp_path / "old.svg").read_text() == "as it was"


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes are those of Unix")
def test_a_link_stays_a_link_and_a_file_keeps_its_mode(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_bytes(b"old")
    kept.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(kept)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert kept.read_bytes() == b"new"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with names are those of Unix")
def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, b"told")
        assert os.read(reader, 10) == b"told"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_server_begins_without_room_for_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with alone_with(str(tmp_path / "games.db")):
        pass  # The database says in its own words that the disk is full.
