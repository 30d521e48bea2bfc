"""GNU Backgammon as a counterpart of the tests: commands in, words out."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")

needs_gnubg = pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")

_IDS = re.compile(r"Position ID: (\S+)\s+Match ID\s+: (\S+)")
_MARK = "show prompt"
_ANSWER = "The prompt is set to"


def ask(commands: str, language: str = "en") -> str:
    """What GNU Backgammon says to the commands; fails when it warns of anything."""
    in_language = {"LC_ALL": "C.UTF-8", "LANGUAGE": language}
    done = subprocess.run(
        [str(GNUBG), "-t", "-q", "-r"],
        input=f"{commands}\nexit\ny\n", capture_output=True, text=True, timeout=60, check=False,
        env=os.environ | in_language,
    )  # fmt: skip
    words = (done.stdout + done.stderr).lower()
    for word in ("warning", "illegal", "invalid", "unrecognised", "unrecognized", "error", "not a valid"):
        assert word not in words, done.stdout[:2000]
    return done.stdout


def boards(commands: list[str]) -> list[str]:
    """Position ID and Match ID of the board that stands after each of the commands."""
    marked = "".join(f"{command}\nshow board\n{_MARK}\n" for command in commands)
    parts = ask(marked).split(_ANSWER)[:-1]
    assert len(parts) == len(commands)
    return [":".join(_IDS.findall(part)[-1]) for part in parts]
