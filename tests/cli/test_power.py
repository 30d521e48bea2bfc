"""The terminal's `play` without power and on a full disk: what was told as done is there afterwards."""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.db import power

from fullprime.common.json_values import to_json
from fullprime.play.table import seating
from fullprime.play.table.table import table_state
from fullprime.rules.errors import FullprimeError

pytestmark = [
    pytest.mark.posix,
    pytest.mark.skipif(power.why_not() is not None, reason=f"{power.why_not()}"),
]
FULLPRIME = [sys.executable, "-c", "from fullprime.cli.main import main; main()"]
FACTS = ("position", "on_roll", "turn", "phase", "dice", "cube", "score", "game", "legal_actions")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return power.recorder(tmp_path_factory.mktemp("recorder"))


def played(folder: Path, lines: int, environment: dict[str, str], *options: str) -> tuple[int, str]:
    """A script of so many lines, its answers in `confirmed` beside the database; gives the exit code and the errors."""
    typed = "".join(f"{line}\n" for line in ["resign", "refuse"] * (lines // 2))
    with (folder / "confirmed").open("ab") as confirmed:
        done = subprocess.run(
            [*FULLPRIME, "play", "--script", "-", "--json", "--db", str(folder / "games.db"), *options],
            input=typed.encode(), stdout=confirmed, stderr=subprocess.PIPE, env=environment, check=False,
        )  # fmt: skip
    return done.returncode, done.stderr.decode()


NEW = ("--length", "25", "--seed", "power", "--two-players")


def last_confirmed(files: dict[str, bytes], folder: Path) -> dict[str, Any] | None:
    """The state that the player had last seen confirmed in a whole line."""
    lines = files.get(str(folder / "confirmed"), b"").split(b"\n")[:-1]
    return json.loads(lines[-1]) if lines else None


def check(files: dict[str, bytes], confirmed: dict[str, Any] | None, place: Path) -> bool:
    """The database opens, is sound, and has what was confirmed. Gives True if a game is there."""
    for old in place.iterdir():
        old.unlink()
    for path, data in files.items():
        if "games.db" in path:
            (place / Path(path).name).write_bytes(data)
    database = place / "games.db"
    store = seating.open_store(str(database))
    try:
        table = seating.resume_table(store, None, automatic=True, confirm=False)
    except FullprimeError:
        assert confirmed is None, "a game that was told as stored is gone"
        return False
    else:
        now: dict[str, Any] = to_json(table_state(table))
        if confirmed is not None:
            assert now["stored"] >= confirmed["stored"], "an action that was confirmed is gone"
            if now["stored"] == confirmed["stored"]:
                assert {name: now[name] for name in FACTS} == {name: confirmed[name] for name in FACTS}
        return True
    finally:
        store.close()
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def cut_everywhere(library: Path, tmp_path: Path, lines: int, step: int) -> int:
    """Cut the power after every `step`-th change; gives the number of cuts."""
    folder, place, log = tmp_path / "played", tmp_path / "after", tmp_path / "log"
    folder.mkdir()
    place.mkdir()
    assert played(folder, lines, power.environment(library, folder, log), *NEW)[0] == 0
    recorded = power.changes(log)
    confirmed: dict[str, Any] | None = None
    disk, cuts, games = power.Disk(folder), 0, 0
    for number, change in enumerate(recorded):
        disk.does(change)
        # What a person has seen is seen, whether or not it came to a disk.
        confirmed = last_confirmed(disk.whole(), folder) or confirmed
        if number % step:
            continue
        for files in (disk.bare(), disk.torn(random.Random(number)), disk.whole()):
            games += check(files, confirmed, place)
            cuts += 1
    assert confirmed is not None
    assert games > cuts / 4
    return cuts


@pytest.mark.broad
def test_nothing_confirmed_is_lost_when_the_power_fails(library: Path, tmp_path: Path) -> None:
    assert cut_everywhere(library, tmp_path, 6, 7) > 30


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_power_fails_after_every_single_change(library: Path, tmp_path: Path) -> None:
    cuts = cut_everywhere(library, tmp_path, 30, 1)
    sys.stdout.write(f"{cuts} power cuts: nothing that was confirmed is lost\n")


@pytest.mark.broad
@pytest.mark.parametrize("room", [300_000, 400_000, 500_000])
def test_a_full_disk_is_said_in_one_line_and_loses_nothing(library: Path, tmp_path: Path, room: int) -> None:
    folder, log = tmp_path / "played", tmp_path / "log"
    folder.mkdir()
    environment = power.environment(library, folder, log, full_after=room)
    code, errors = played(folder, 200, environment, *NEW)
    answers = [json.loads(line) for line in (folder / "confirmed").read_bytes().splitlines()]
    assert "Traceback" not in errors
    assert "full" in errors or any("full" in answer.get("error", "") for answer in answers), (code, errors)
    if not answers:
        assert code == 2
        return
    confirmed = [answer for answer in answers if "error" not in answer]
    (folder / "confirmed").unlink()
    assert played(folder, 2, power.environment(library, folder, log), "--resume")[0] == 0
    after = [json.loads(line) for line in (folder / "confirmed").read_bytes().splitlines()]
    if confirmed:
        assert after[0]["stored"] > confirmed[-1]["stored"]
