"""What the commands do where their output cannot be written, or has few letters."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fullprime.cli import main

FULL = Path("/dev/full")
MATCH = " 5 point match\n\n Game 1\n Jörg 望 : 0     Ann : 0\n  1) 31: 8/5 6/5\n"


def run(*arguments: str, output: int, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "fullprime", *arguments],
        stdout=output, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False, env=os.environ | variables,
    )  # fmt: skip


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("line", ["levels", "--help", "", "show 4HPwATDgc/ABMA --json"])
def test_a_full_disk_is_one_line(line: str) -> None:
    with FULL.open("wb") as full:
        done = run(*line.split(), output=full.fileno())
    assert done.stderr.decode() == f"error: the output cannot be written: {os.strerror(28)}\n"
    assert done.returncode == 2


def test_a_full_disk_elsewhere_is_not_told_as_the_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(main, "_run", fail)
    with pytest.raises(SystemExit) as end:
        main.main()
    assert end.value.code == 2
    assert capsys.readouterr().err == f"error: {os.strerror(errno.ENOSPC)}\n"


def test_a_terminal_of_few_letters_gets_those_it_has(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    path.write_text(MATCH, encoding="utf-8")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    done = run("info", str(path), output=subprocess.PIPE, **plain)
    assert b"Ann (X) - J?rg ? (O), a match to 5, backgammon: 0-0" in done.stdout
    assert (done.stderr, done.returncode) == (b"", 0)
    answer = json.loads(run("info", str(path), "--json", output=subprocess.PIPE, **plain).stdout)
    assert answer[0]["matches"][0]["names"] == ["Ann", "Jörg 望"]
