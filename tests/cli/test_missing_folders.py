"""No command makes a folder that nobody asked for: one line says that there is none, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine

START = "4HPwATDgc/ABMA"
COMMANDS: dict[str, tuple[str, ...]] = {
    "convert to a file": ("convert", "{match}", "missing/out.sgf"),
    "convert to a folder": ("convert", "{match}", "missing/deep/", "--to", "sgf"),
    "review": ("review", "{match}", "--level", "fast", "--no-keep", "--html", "missing/report.html"),
    "review of several": ("review", "{match}", "{second}", "--level", "fast", "--no-keep", "--html", "missing/deep"),
    "library export to a file": ("library", "export", "missing/all.json"),
    "library export to a folder": ("library", "export", "missing/deep"),
    "library export of originals": ("library", "export", "missing/deep", "--original"),
    "diagram": ("diagram", START, "--output", "missing/board.svg"),
    "rollout": ("rollout", START, "--trials", "36", "--truncate", "1", "--save", "missing/rollout.json"),
    "record": ("play", "--script", "-", "--two-players", "--record", "missing/match.mat"),
    "cards": ("cards", "export", "missing/cards.txt"),
    "backup": ("backup", "missing/copy.db"),
    "restore": ("restore", "{copy}", "--db", "missing/games.db"),
    "a database": ("library", "list", "--db", "missing/games.db"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_missing_folder_is_named_and_not_made(
    fullprime: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {}
    for place, points in (("match", 3), ("second", 5)):
        path = tmp_path / f"{place}.mat"
        path.write_text(f" {points} point match\n\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5  62: 24/18 13/11\n")
        places[place] = str(path)
    if name.startswith(("library export", "backup", "restore")):
        assert fullprime.run("library", "add", places["match"]).code == 0
    if name == "restore":
        assert fullprime.run("backup", "copy.db").code == 0
        places["copy"] = str(tmp_path / "copy.db")
    done = fullprime.run(*(argument.format(**places) for argument in COMMANDS[name]))
    assert done.code == 2, done.out + done.err
    line = done.err.strip().splitlines()[-1]
    assert "missing" in line
    assert "no folder" in line or "No such file or directory" in line
    assert not (tmp_path / "missing").exists()
