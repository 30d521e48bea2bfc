"""Files in which fuzzing found a fault, rewritten to be ours, and those that once took for ever: read and written."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.formats.fuzzing.steps import READ_BACK, NotTheSame, read_and_write

from fullprime import formats

KEPT = sorted((Path(__file__).parent / "data" / "kept").iterdir())
LIMIT = 3.0
"""Seconds for all steps of a file; each of these took minutes or did not end, or gave an error that is not ours."""


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_kept_files(path: Path) -> None:
    data = path.read_bytes()
    own = path.name.partition("-")[0]
    for kind in (None, "clipboard" if own == "gnubg" else own):
        read_and_write(data, kind)


@pytest.mark.alone
def test_kept_files_take_little_time() -> None:
    times = {}
    for path in KEPT:
        begin = time.process_time()
        test_kept_files(path)
        times[path.name] = time.process_time() - begin
    assert {name: seconds for name, seconds in times.items() if seconds >= LIMIT} == {}


def test_an_answer_without_a_double_says_nothing_of_an_event_before_the_first() -> None:
    (path,) = [path for path in KEPT if path.name.startswith("gnubg-answer")]
    (document,) = formats.read(path).documents
    assert document.review is None or min(event for _, event in document.review.events) >= 0


def test_a_resignation_beyond_a_backgammon_is_a_settlement() -> None:
    (path,) = [path for path in KEPT if path.name.startswith("gmd-resigned")]
    stated = formats.read(path).matches[0].games[0].stated
    assert stated is not None
    assert (stated.points, stated.level, stated.how) == (5, None, "settlement")


def test_the_steps_find_a_document_that_reads_back_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzing itself: a writer that loses a game is found, and a bare error too."""
    data = (KEPT[0].parent / "gmd-resigned-five.gmd").read_bytes()
    assert "json" in READ_BACK
    real = formats.write
    other = formats.read(b" 5 point match\n\n Game 1\n a : 0    b : 0\n").documents[0]
    monkeypatch.setattr(formats, "write", lambda document, name: real(other, name))
    with pytest.raises(NotTheSame):
        read_and_write(data, "gmd")

    def fails(document: formats.Document, name: str) -> None:
        raise KeyError(name)

    monkeypatch.setattr(formats, "write", fails)
    with pytest.raises(KeyError):
        read_and_write(data, "gmd")
