"""The engine is compiled aside while a simple bot plays."""

from pathlib import Path

import pytest

from fullprime.app.choices import compiling
from fullprime.app.choices.opponents import usual_bot_for
from fullprime.engine import warmup
from fullprime.engine.core import prepared


class Begun:
    """A process that only notes how it was begun."""

    def __init__(self, command: list[str], **_more: object) -> None:
        self.command = command


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """On a machine for which the package has no machine code, and nothing has been compiled."""
    monkeypatch.setattr(prepared, "library", lambda: None)
    marker = tmp_path / "engine.ready"
    monkeypatch.setattr(warmup, "_marker", lambda: marker)
    monkeypatch.setattr(compiling.subprocess, "Popen", Begun)
    return marker


def test_until_the_engine_is_compiled_a_simple_bot_plays_and_it_is_compiled_aside(marker: Path) -> None:
    assert usual_bot_for() == "heuristic"
    begun = compiling.compile_aside()
    assert begun is not None
    compile(begun.command[-1], "what the process runs", "exec")  # type: ignore[attr-defined]
    marker.touch()
    assert usual_bot_for() == "intermediate"
    assert compiling.compile_aside() is None


@pytest.mark.skipif(prepared.library() is None, reason="there is no prepared code for this machine")
def test_where_the_package_has_machine_code_nothing_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "_marker", lambda: tmp_path / "engine.ready")
    assert usual_bot_for() == "intermediate"
    assert compiling.compile_aside() is None
    said: list[str] = []
    monkeypatch.setattr(warmup, "_listeners", [said.append])
    exec(compiling._COMPILE, {})
    assert not said
    assert not (tmp_path / "engine.ready").exists()


def test_what_the_process_runs_leaves_the_mark(marker: Path) -> None:
    exec(compiling._COMPILE, {})
    assert marker.exists()
