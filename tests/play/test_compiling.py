"""The engine is compiled aside while a simple bot plays."""

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fullprime.engine import warmup
from fullprime.play.options import compiling
from fullprime.play.options.opponents import usual_bot_for
from fullprime.rules.variants import VARIANTS


class Begun:
    """A process that only notes how it was begun."""

    def __init__(self, command: list[str], **_more: object) -> None:
        self.command = command
        self.stdout = io.BytesIO(b"0\t2\tplays and hints\n1\t2\trollouts\n")


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """On a machine for which the package has no machine code, and nothing has been compiled."""
    monkeypatch.setattr(warmup, "_has_machine_code", lambda: False)
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
    assert usual_bot_for() == "beginner"
    assert compiling.compile_aside() is None


def test_where_the_package_has_machine_code_nothing_is_compiled(marker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "_has_machine_code", lambda: True)
    assert usual_bot_for() == "beginner"
    assert compiling.compile_aside() is None
    lines: list[str] = []
    monkeypatch.setattr(warmup, "_shows", [lambda: lines.append("shown")])
    warmup.prepare(None)  # type: ignore[arg-type] - no engine is asked
    assert not lines
    assert not marker.exists()


class Compiled:
    """An engine whose plays need one kernel that Numba has not compiled yet."""

    variant = VARIANTS["backgammon"]

    def best_play(self, *_board: object, **_level: object) -> None:
        import numba

        assert numba.njit(lambda number: number + 1)(1) == 2

    def rank_plays(self, *_board: object, **_level: object) -> None:
        return


def test_each_kernel_that_a_first_use_compiles_is_counted(marker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    progress: list[object] = []

    @contextmanager
    def show(message: str, steps: int) -> Iterator[Callable[[int], None]]:
        progress.append((message, steps))
        yield progress.append

    monkeypatch.setattr(warmup, "_shows", [])
    compiling.on_compile(show)
    warmup.prepare(Compiled())  # type: ignore[arg-type]
    assert progress == [(warmup.MESSAGE, warmup.KERNELS), 1]
    warmup.prepare(Compiled())  # type: ignore[arg-type]
    assert len(progress) == 2, "once, since the mark says that it is done"


def test_each_step_is_told_and_the_newest_is_known_until_the_process_ends(marker: Path) -> None:
    texts: list[str] = []
    progress: list[object] = []

    def tell(step: compiling.CompilingProgress) -> None:
        texts.append(str(step))
        progress.append(compiling.compiling())

    assert compiling.compile_aside(tell) is not None
    [thread.join() for thread in threading.enumerate() if thread.name == "compiling"]
    assert texts == ["plays and hints, step 1 of 2", "rollouts, step 2 of 2"]
    assert [str(step) for step in progress] == texts
    assert compiling.compiling() is None
    assert not marker.exists()


def test_what_the_process_runs_compiles_for_the_whole_family_and_leaves_the_mark_first(
    marker: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    marked: list[bool] = []
    games: list[str] = []
    monkeypatch.setattr(compiling, "_game", games.append)
    monkeypatch.setattr(compiling, "_rollout", lambda: marked.append(marker.exists()))
    monkeypatch.setattr(compiling, "_deeper", lambda: marked.append(marker.exists()))
    monkeypatch.setattr(compiling, "_end_with_input", lambda: None)  # this process goes on
    exec(compiling._COMPILE, {})
    assert marked == [True, True], "the usual game can be played while the rest is compiled"
    steps = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [int(done) for done, _, _ in steps] == list(range(len(steps)))
    assert {"backgammon", *games} == set(VARIANTS)
    assert {VARIANTS[name].title for name in games} <= {title for _, _, title in steps}


@pytest.mark.slow
def test_the_steps_are_questions_that_the_engine_answers() -> None:
    compiling._deeper()
    compiling._rollout()
    for name in VARIANTS:
        compiling._game(name)
