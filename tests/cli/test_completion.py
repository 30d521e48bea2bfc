"""Completion of the command in real shells, and the lists of values behind it."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine
from tests.cli.test_docs import every_command

from fullprime.cli import values
from fullprime.cli.completion import SCRIPTS, VARIABLE, matches
from fullprime.cli.main import commands

ROOT = commands()
SECONDS = 60
LINES = [
    ("fullprime rol", "lout"),
    ("fullprime library merge", "-players"),
    ("fullprime hint --cubel", "ess"),
    ("fullprime hint --variant du", "tch"),
    ("fullprime convert match.mat out --to snowiet", "xt"),
    ("fullprime rules longg", "ammon"),
]
"""What is typed before a Tab, and the rest of the word, which the shell adds or lists."""


def begins(shell: str, folder: Path) -> list[str]:
    """The command line of an interactive shell that has read our script."""
    script = f'eval "$(fullprime completion {shell})"\n'
    if shell == "bash":
        (folder / "rc").write_text(f"PS1='ready> '\nbind 'set show-all-if-ambiguous on'\n{script}")
        return ["bash", "--noprofile", "--rcfile", str(folder / "rc"), "-i"]
    if shell == "zsh":
        (folder / ".zshrc").write_text(f"PS1='ready> '\nautoload -Uz compinit\ncompinit -u -D\n{script}")
        return ["zsh", "-i"]
    begin = "function fish_prompt; echo 'ready> '; end; fullprime completion fish | source"
    return ["fish", "--no-config", "--interactive", "--init-command", begin]


@contextmanager
def shell_at_a_terminal(shell: str, folder: Path) -> Iterator[int]:
    """The terminal's end of ours while the shell runs."""
    import fcntl
    import pty
    import struct
    import termios

    command = folder / "fullprime"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from fullprime.cli.main import main; main()" "$@"\n')
    command.chmod(0o755)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
    places = {"HOME": str(folder), "ZDOTDIR": str(folder), "XDG_CONFIG_HOME": str(folder), "TERM": "dumb"}
    # fish wants a terminal that controls its session: that is the first one which a new session opens.
    opening = ["sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(theirs)]
    process = subprocess.Popen(
        [*opening, *begins(shell, folder)],
        cwd=folder,
        env={**os.environ, **places, "PATH": f"{folder}:{os.environ['PATH']}"},
        start_new_session=True,
    )
    try:
        yield ours
    finally:
        process.kill()
        process.wait()
        os.close(theirs)
        os.close(ours)


def read_until(line: int, text: str) -> str:
    """The shell's output up to this text."""
    output, end = b"", time.monotonic() + SECONDS
    while text not in output.decode(errors="ignore"):
        assert select.select([line], [], [], max(0.0, end - time.monotonic()))[0], output
        output += os.read(line, 65536)
    return output.decode(errors="ignore")


@pytest.mark.broad
@pytest.mark.posix
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_tab_completes_commands_options_and_values(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    with shell_at_a_terminal(shell, tmp_path) as line:
        read_until(line, "ready> ")
        for typed, shown in LINES:
            os.write(line, f"{typed}\t".encode())
            read_until(line, shown)
            os.write(line, b"\x15")


@pytest.mark.posix
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_tab_completes_files_where_no_word_is_known(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "a-long-match.mat").touch()
    with shell_at_a_terminal(shell, tmp_path) as line:
        read_until(line, "ready> ")
        os.write(line, b"fullprime review a-lo\t")
        read_until(line, "match.mat")


def words(*before: str) -> list[str]:
    return [value for value, _ in matches(ROOT, before[:-1], before[-1])]


def test_words_follow_from_what_stands_before() -> None:
    assert words("hint", "--level", "1") == ["1-ply"]
    assert words("review", "--level", "st") == ["standard"]
    assert words("diagram", "--theme", "pr") == ["print"]
    assert words("hint", "--level=0") == ["--level=0-ply"]
    assert words("hint", "4HPwATDgc/ABMA", "--thr") == ["--threads"]
    assert words("library", "search", "--theme", "misses a h") == ["misses a hit"]
    assert words("id", "4HPwATDgc/ABMA", "--to", "g") == ["gnuid"]
    assert words("puzzles", "make", "dutch", "nack") == ["nackgammon"], "several may be given"
    assert words("rules", "dutch", "nack") == [], "only one may be given"
    assert words("hint", "--no-such", "-") != []
    assert words("no-such", "x", "") == []


def test_quotes_and_the_signs_of_shells_are_understood(fullprime: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def lines(shell: str, *before: str) -> list[str]:
        monkeypatch.setenv(VARIABLE, shell)
        done = fullprime.run(*before)
        assert (done.code, done.err) == (0, "")
        return done.out.splitlines()

    assert lines("bash", "hint", "--variant", "=", "du") == ["dutch"]
    assert lines("bash", "hint", "--variant", "=")[0] == "backgammon"
    assert lines("bash", "library", "search", "--stage", '"middle') == ["middle\\ game"]
    assert lines("powershell", "hint", "--variant", "+du") == ["dutch\t"]
    assert lines("powershell", "+")[0] == "play\tPlay at a board in the terminal, against a bot or a friend"


def test_each_shell_has_a_script_and_another_is_refused_by_name(fullprime: CommandLine) -> None:
    for shell, script in SCRIPTS.items():
        assert fullprime.run("completion", shell).out == script
        assert f"fullprime completion {shell}" in script
    done = fullprime.run("completion", "tcsh")
    assert (done.code, done.err) == (
        2, "error: there is completion for bash, zsh, fish, powershell, not for 'tcsh'\n",
    )  # fmt: skip


def test_completion_imports_neither_numpy_nor_the_engine() -> None:
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('MODULES', *sys.modules))\n"
        "from fullprime.cli.main import main\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "hint", "--variant", ""],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, VARIABLE: "bash"},
    )
    answer, _, loaded = done.stdout.partition("MODULES ")
    assert answer.split() == list(values.VARIANTS)
    assert not set(loaded.split()) & {"numpy", "numba", "sqlalchemy", "rich", "fullprime.rules.game"}
    assert not any(name.startswith(("fullprime.play", "fullprime.engine")) for name in loaded.split())


def test_the_lists_of_values_are_those_of_the_package() -> None:
    from fullprime.analysis.diagrams import THEMES
    from fullprime.engine.search.levels import LEVELS
    from fullprime.formats.registry import FORMATS
    from fullprime.learn.flashcards.making import KINDS
    from fullprime.learn.lessons import course
    from fullprime.learn.opening_book.reference import ReferenceTheme
    from fullprime.learn.opening_book.scores import SCORES
    from fullprime.learn.puzzles.service import MODES
    from fullprime.learn.puzzles.service import THEMES as PUZZLE_THEMES
    from fullprime.learn.trainers.service import TRAINERS
    from fullprime.play.options.options import PRESETS
    from fullprime.play.options.strengths import bot_strengths
    from fullprime.reviews.decision import GameStage, Verdict
    from fullprime.reviews.error_themes import ErrorTheme
    from fullprime.reviews.levels import LEVELS as REVIEW_LEVELS
    from fullprime.reviews.reasons.plans import Plan
    from fullprime.rules.ids import IDS
    from fullprime.rules.variants import VARIANTS
    from fullprime.rules.variants.variant import Backgammon

    assert set(values.VARIANTS) == set(VARIANTS)
    assert set(values.LEVELS) == set(LEVELS)
    assert list(values.BOTS) == [strength.name for strength in bot_strengths()]
    assert set(values.REVIEW_LEVELS) == set(REVIEW_LEVELS)
    assert set(values.READ) == {name for name, kind in FORMATS.items() if kind.recognises.__name__ != "_never"}
    assert set(values.WRITTEN) == {name for name, kind in FORMATS.items() if kind.write is not None}
    assert set(values.IDS) == set(IDS)
    assert set(values.BOOK_SCORES) == set(SCORES)
    assert [lesson.name for part in course().parts for lesson in part.lessons] == list(values.LESSONS)
    assert set(values.TRAINERS) == set(TRAINERS)
    assert set(values.ERROR_THEMES) == set(map(str, ErrorTheme))
    assert set(values.VALUES["--preset"]) == set(PRESETS)
    assert set(values.VALUES["--mode"]) == set(MODES)
    assert set(values.VALUES["--stage"]) == {str(member.value) for member in GameStage}
    assert set(values.VALUES["--verdict"]) == {str(member.value) for member in Verdict}
    assert set(values.VALUES["--plan"]) == {str(member.value) for member in Plan}
    assert set(values.VALUES["--backgammon"]) == {str(member.value) for member in Backgammon}
    assert set(values.VALUES_OF["diagram", "--theme"]) == set(THEMES)
    assert set(values.VALUES_OF["puzzles solve", "--theme"]) == set(PUZZLE_THEMES)
    assert set(values.VALUES_OF["cards add", "--kind"]) == set(KINDS)
    assert set(values.VALUES_OF["book reference", "THEME"]) == set(map(str, ReferenceTheme))


def test_every_list_belongs_to_an_option_or_an_argument_that_is_there() -> None:
    there = {
        (path, name)
        for path, command in every_command()
        for param in command.params
        for name in (
            param.opts if param.param_type_name == "option" else [str(param.metavar or param.name).upper().strip("[].")]
        )
    }
    assert set(values.VALUES) - {name for _, name in there} == set()
    assert set(values.VALUES_OF) - there == set()
