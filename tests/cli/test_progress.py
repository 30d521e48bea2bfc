"""Signs of life: lines on standard error where there is no terminal, never on standard output."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine
from tests.cli.pseudo_terminal import terminal

from fullprime.cli import progress
from fullprime.engine.tables.bearoff import Bearoff, cache_folder, fallback_folder


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("duel", "heuristic", "random", "--games", "4", "--no-luck", "--json"), "games: "),
        (("selfplay", "--games", "3", "--seed", "1", "--json"), "games: "),
        (("rollout", "4HPwATDgc/ABMA", "-t", "72", "--truncate", "2", "--cubeless", "--json"), "trials: "),
    ],
)
def test_a_long_command_gives_a_sign_of_life_for_programs_too(
    fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], name: str
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    done = fullprime.run(*command)
    assert done.code == 0, done.err
    assert done.json
    assert name in done.err


def test_short_work_says_nothing(fullprime: CommandLine) -> None:
    done = fullprime.run("selfplay", "--games", "2", "--seed", "1", "--json")
    assert (done.code, done.err) == (0, "")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Code after which tables are copied in the place of being made, and a cache without any."""
    tables = Bearoff.open(checkers=6)
    folder = next(
        folder_tried for folder_tried in (cache_folder(), fallback_folder()) if (folder_tried / "mean.npy").exists()
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return f"""
from pathlib import Path
from fullprime.engine.tables import bearoff
def copied(checkers, progress):
    for part in (0.0, 0.4, 1.0):
        if progress is not None:
            progress(part, "")
    return bearoff._load(Path({str(folder)!r}), {tables.checkers})
bearoff.build_tables = copied
"""


@pytest.mark.broad
@pytest.mark.posix
def test_the_tables_of_a_first_use_show_a_bar_on_a_terminal_once(quick: str, tmp_path: Path) -> None:
    command = ("evaluate", "1:4 / 1:4", "--cubeless", "--level", "0-ply")
    with terminal(tmp_path, *command, before=quick) as at:
        at.prompt()
        assert "bear-off tables, once" in at.whole
        assert "/100" in at.whole
        assert "exact: equity" in at.whole
    with terminal(tmp_path, *command, before=quick) as at:
        at.prompt()
        assert "bear-off tables" not in at.whole


@pytest.mark.posix
def test_the_bar_of_the_tables_stands_within_the_one_that_is_shown(quick: str, tmp_path: Path) -> None:
    with terminal(tmp_path, "rollout", "2:2 / 1:2", "--trials", "36", before=quick) as at:
        at.prompt()
        assert "bear-off tables, once" in at.whole
        assert "36 of 36 trials" in at.whole


@pytest.mark.broad
@pytest.mark.posix
def test_no_bar_stands_beside_json_nor_where_there_is_no_terminal(
    quick: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = ("evaluate", "1:4 / 1:4", "--cubeless", "--level", "0-ply")
    with terminal(tmp_path, *command, "--json", before=quick) as at:
        at.prompt()
        assert at.whole.startswith("{")
    main = "from fullprime.cli.main import main; main()"
    package = "import fullprime; fullprime.evaluate('1:4 / 1:4', level='0-ply')"
    for number, code in enumerate((main, package)):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"cache-{number}"))
        arguments = [sys.executable, "-c", quick + code, *command]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
        assert "bear-off" not in done.stderr + done.stdout
        assert list((tmp_path / f"cache-{number}").rglob("two_sided_6.npy"))
