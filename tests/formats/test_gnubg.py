"""GNU Backgammon as a peer: it imports what we write, says nothing, and exports the same plays. Skipped without it."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.formats.generate import random_match

from fullprime import formats
from fullprime.rules.record import Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import NACKGAMMON

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")

pytestmark = pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")

SETTINGS = [Settings(length=7), Settings(length=1), Settings(length=5, variant=NACKGAMMON), Settings(jacoby=True)]
IMPORT = {"mat": "import mat", "sgf": "load match"}


def through_gnubg(match: Match, kind: str, folder: Path) -> formats.Document:
    source, target = folder / f"match.{kind}", folder / "back.mat"
    source.write_bytes(formats.write(formats.Document(match), kind)[0])
    commands = f"{IMPORT[kind]} {source}\nexport match mat {target}\nexit\ny\n"
    done = subprocess.run(
        [str(GNUBG), "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=60, check=False
    )
    said = (done.stdout + done.stderr).lower()
    for word in ("warning", "illegal", "invalid", "unrecognised", "unrecognized", "error"):
        assert word not in said, done.stdout[:2000]
    (document,) = formats.read(target).documents
    return document


@pytest.mark.parametrize("kind", ["mat", "sgf"])
@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: f"{s.variant.name}-{s.length}")
def test_gnubg_reads_what_we_write(settings: Settings, kind: str, tmp_path: Path) -> None:
    match = random_match(random.Random(31), settings, games=3, resignations=0.01)
    document = through_gnubg(match, kind, tmp_path)
    assert document.match.names == match.names
    assert [game.events for game in document.match.games] == [game.events for game in match.games]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mat", "sgf"])
def test_gnubg_reads_many_of_them(kind: str, tmp_path: Path) -> None:
    rng = random.Random(32)
    for number in range(60):
        match = random_match(rng, SETTINGS[number % len(SETTINGS)], resignations=0.01)
        document = through_gnubg(match, kind, tmp_path)
        assert [game.events for game in document.match.games] == [game.events for game in match.games], number
