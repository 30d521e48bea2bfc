"""The application's files are written whole or not at all, and a full disk is told in one line."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from fullprime.analysis.diagrams import DiagramError, save
from fullprime.db.exclusive_server import exclusive_server
from fullprime.engine.rollouts.result import RolloutError, RolloutState
from fullprime.learn.flashcards.service import CardError, write_export
from fullprime.learn.lessons.progress import ProgressError
from fullprime.learn.teaching.progress import save as save_progress
from fullprime.reviews.matches.files import FileError
from fullprime.reviews.matches.files import save as save_match

KEPT = Path(__file__).parents[1] / "data" / "version_0_1" / "rollout.json"


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing goes well until the disk is to confirm it."""

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)


@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("name", ["new.svg", "old.svg"])
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "old.svg").write_text("as it was")
    with pytest.raises(DiagramError, match=f"{name} cannot be written: No space left on device$"):
        save("<svg/>", tmp_path / name, 100)
    with pytest.raises(FileError, match=f"{name} cannot be written: No space left on device$"):
        save_match(tmp_path / name, b"match")
    with pytest.raises(CardError, match=f"{name} cannot be written: No space left on device$"):
        write_export(tmp_path / name, "cards", replace=True)
    with pytest.raises(ProgressError, match=rf"{name}: it cannot be written \(No space left on device\)$"):
        save_progress(tmp_path / name, {})
    with pytest.raises(RolloutError, match=f"{name} cannot be written: No space left on device$"):
        RolloutState.load(KEPT).save(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["old.svg"]
    assert (tmp_path / "old.svg").read_text() == "as it was"


@pytest.mark.skipif(sys.platform == "win32", reason="links are those of Unix")
def test_a_link_that_is_named_for_a_match_stays_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link.mat"
    link.symlink_to(tmp_path / "kept.mat")
    save_match(link, b"match")
    assert link.is_symlink()
    assert (tmp_path / "kept.mat").read_bytes() == b"match"


def test_a_server_begins_without_room_for_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with exclusive_server(str(tmp_path / "games.db")):
        pass  # The database says in its own words that the disk is full.
