"""Commands whose libraries are not installed: one line that says what to install."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine

from fullprime.engine.core import prepared
from fullprime.learn.flashcards.schedule import load_scheduler
from fullprime.rules.errors import MissingExtra

ROLLOUT = ("rollout", "4HPwATDgc/ABMA", "31", "--trials", "36", "--cluster", "tcp://127.0.0.1:1")


@pytest.mark.parametrize(
    ("module", "arguments", "line"),
    [
        ("uvicorn", ("serve", "--port", "0"), "fullprime serve needs the extra web"),
        ("fsrs", ("cards", "drill"), "the schedule of cards needs the extra library"),
        ("glicko2", ("puzzles", "solve"), "a rating needs the extra library"),
        ("distributed", ROLLOUT, "a cluster needs the extra cluster"),
    ],
)
def test_a_command_without_its_extra_says_what_to_install(
    fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch, module: str, arguments: tuple[str, ...], line: str
) -> None:
    """As where the library is not installed; `.ci/try-wheel` does without all extras."""
    for name in [name for name in sys.modules if name.startswith(("fullprime.web", f"{module}."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    load_scheduler.cache_clear()
    done = fullprime.run(*arguments)
    extra = line.rpartition(" ")[2]
    assert done.code == 2
    lines = [text for text in done.err.splitlines() if not text.startswith("note: ")]
    assert lines == [f"error: {line} ({module} is not installed): pip install 'fullprime[{extra}]'"]
    assert done.out == ""


def test_no_kernel_is_compiled_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", {}.get)
    with pytest.raises(
        MissingExtra, match=r"the extra compile \(numba is not installed\): pip install 'fullprime\[compile\]'$"
    ):
        prepared.check_compiling(test_no_kernel_is_compiled_without_numba, ())


def test_a_machine_without_prepared_code_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another processor, or a system that no code was made for."""
    monkeypatch.setattr(importlib.util, "find_spec", {}.get)
    monkeypatch.setattr(prepared, "FOLDER", tmp_path)
    with pytest.raises(MissingExtra) as refused:
        prepared.library.__wrapped__()
    line = "the engine on this machine needs the extra compile (numba is not installed)"
    assert str(refused.value) == f"{line}: pip install 'fullprime[compile]'"
