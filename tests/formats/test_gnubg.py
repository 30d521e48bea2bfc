"""GNU Backgammon as a peer: it imports what we write, says nothing, and exports the same plays. Skipped without it."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.formats.generate import random_match

from fullprime import formats
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import Match
from fullprime.rules.score import Settings
from fullprime.rules.variants import LONGGAMMON, NACKGAMMON

GNUBG = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")

pytestmark = pytest.mark.skipif(GNUBG is None, reason="gnubg is not installed")

SETTINGS = [Settings(length=7), Settings(length=1), Settings(length=5, variant=NACKGAMMON), Settings(jacoby=True)]
# Only a position that is set up can say that a game is Longgammon; match text has no such position.
ALL_SETTINGS = {"mat": SETTINGS, "sgf": [*SETTINGS, Settings(length=3, variant=LONGGAMMON)]}
CASES = [(kind, settings) for kind, found in ALL_SETTINGS.items() for settings in found]
IMPORT = {"mat": "import mat", "sgf": "load match"}
EXPORT = {"mat": "export match mat", "sgf": "save match"}


def deeds(match: Match) -> list[list[object]]:
    """What was done with every roll and every cube, game by game."""
    rolls = (ActionKind.OPENING, ActionKind.ROLL)
    return [
        [event for event in game.events if isinstance(event, Action) and event.kind not in rolls]
        for game in match.games
    ]


def through_gnubg(match: Match, kind: str, folder: Path) -> formats.Document:
    export = "sgf" if match.settings.variant is LONGGAMMON else "mat"
    source, target = folder / f"match.{kind}", folder / f"back.{export}"
    source.write_bytes(formats.write(formats.Document(match), kind)[0])
    commands = f"{IMPORT[kind]} {source}\n{EXPORT[export]} {target}\nexit\ny\n"
    done = subprocess.run(
        [str(GNUBG), "-t", "-q", "-r"], input=commands, capture_output=True, text=True, timeout=60, check=False
    )
    said = (done.stdout + done.stderr).lower()
    for word in ("warning", "illegal", "invalid", "unrecognised", "unrecognized", "error"):
        assert word not in said, done.stdout[:2000]
    (document,) = formats.read(target).documents
    return document


@pytest.mark.parametrize(
    ("kind", "settings"), CASES, ids=lambda x: x if isinstance(x, str) else f"{x.variant.name}-{x.length}"
)
def test_gnubg_reads_what_we_write(settings: Settings, kind: str, tmp_path: Path) -> None:
    match = random_match(random.Random(31), settings, games=3, resignations=0.01)
    document = through_gnubg(match, kind, tmp_path)
    assert document.match.names == match.names
    assert deeds(document.match) == deeds(match)
    if settings.variant is not LONGGAMMON:  # A game that is set up has no opening roll for GNU Backgammon.
        assert [game.events for game in document.match.games] == [game.events for game in match.games]


@pytest.mark.slow
@pytest.mark.parametrize("kind", IMPORT)
def test_gnubg_reads_many_of_them(kind: str, tmp_path: Path) -> None:
    rng = random.Random(32)
    for number in range(60):
        match = random_match(rng, ALL_SETTINGS[kind][number % len(ALL_SETTINGS[kind])], resignations=0.01)
        document = through_gnubg(match, kind, tmp_path)
        assert deeds(document.match) == deeds(match), number
