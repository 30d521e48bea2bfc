"""Files that version 0.1 wrote are read by this version; the database that it left is refused and stays as it is.

The data lie in ``tests/data/version_0_1``, beside the script that made them with the code of that version.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commandline import CommandLine

from fullprime import formats
from fullprime.engine.nets.net import manifest

KEPT = Path(__file__).parent / "data" / "version_0_1"


@cache
def told() -> dict[str, Any]:
    """What version 0.1 told of a match and of a rollout."""
    stored: dict[str, Any] = json.loads(gzip.decompress((KEPT / "told.json.gz").read_bytes()))
    return stored


# -- the database ------------------------------------------------------------------------------------------------
@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(gzip.decompress((KEPT / "games.sql.gz").read_bytes()).decode())
    return path


@pytest.mark.parametrize("named", ["--db", "FULLPRIME_DB"])
@pytest.mark.parametrize(
    "words",
    [
        ("play", "--resume", "1", "--script", "-"),
        ("play", "--script", "-", "--bot", "random"),
        ("library", "list"),
        ("library", "stats", "Ann"),
        ("verify", "--all"),
    ],
    ids=" ".join,
)
def test_the_database_is_refused_in_one_line_and_stays_as_it_is(
    fullprime: CommandLine, database: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], named: str
) -> None:
    before = database.read_bytes()
    monkeypatch.setenv("FULLPRIME_DB", f"sqlite:///{database}")
    refused = fullprime.run(*words, *(("--db", str(database)) if named == "--db" else ()), typed="board\n")
    assert (refused.code, refused.out, refused.err) == (2, "", refusal(database))
    assert database.read_bytes() == before


def test_a_server_refuses_the_database_in_one_line_and_leaves_it_as_it_is(database: Path) -> None:
    pytest.importorskip("fastapi", reason="the extra `web` is not installed")
    before = database.read_bytes()
    serve = (sys.executable, "-m", "fullprime", "serve", "--port", "0", "--db", str(database))
    refused = subprocess.run(serve, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", refusal(database))
    assert database.read_bytes() == before


def refusal(database: Path) -> str:
    return (
        f"error: the games in {database} were stored by another version of Fullprime, which this one does not read, and"
        f" are left as they are: keep a copy with `fullprime backup COPY --db {database}`, and name another database"
        " with --db\n"
    )


def test_the_database_is_copied_whole_and_the_copy_is_not_restored(
    fullprime: CommandLine, database: Path, tmp_path: Path
) -> None:
    copy, ours = tmp_path / "copy.db", tmp_path / "ours.db"
    before = database.read_bytes()
    copied = fullprime.run("backup", str(copy), "--db", str(database))
    assert (copied.code, copied.out) == (0, f"{copy}: {copy.stat().st_size:,} bytes\n")
    assert rows(copy) == rows(database)
    assert database.read_bytes() == before
    assert fullprime.run("library", "list", "--db", str(ours)).code == 0
    rows_now = rows(ours)
    for target in (ours, tmp_path / "new.db"):
        refused = fullprime.run("restore", str(copy), "--force", "--db", str(target))
        assert (refused.code, refused.out) == (2, "")
        assert refused.err == (
            f"error: {copy} is a copy by another version of Fullprime, which this one does not read; nothing has been"
            " replaced\n"
        )
    assert rows(ours) == rows_now
    assert not (tmp_path / "new.db").exists()


def rows(database: Path) -> list[str]:
    """All that is in a database, as statements."""
    with closing(sqlite3.connect(database)) as connection:
        return list(connection.iterdump())


# -- files -------------------------------------------------------------------------------------------------------
def test_files_that_were_kept_are_read(fullprime: CommandLine) -> None:
    now = fullprime.run("info", str(KEPT / "match.json"), "--json").json
    assert [_facts(info) for info in now] == [_facts(info) for info in told()["info"]]
    ours, theirs = (formats.read((KEPT / f"match.{ending}").read_bytes()).documents[0] for ending in ("json", "mat"))
    assert [game.result for game in ours.match.games] == [game.result for game in theirs.match.games]


def _facts(info: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in info.items() if name not in ("file", "matches")}


def test_a_rollout_that_was_kept_goes_on_with_the_same_nets(fullprime: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "rollout.json"
    file.write_bytes((KEPT / "rollout.json").read_bytes())
    arguments = ("rollout", "6:2 5:3 4:2 / 6:3 5:2 4:2", "31", "--seed", "1", "--json")
    began = json.loads(file.read_text(encoding="utf-8"))
    used = sorted(manifest()["backgammon"].values())
    if began["nets"] != used:
        refused = fullprime.run(*arguments, "--load", str(file), "--trials", "72")
        assert refused.code == 2
        assert "the rollout began with" in refused.err
        file.write_text(json.dumps({**began, "nets": used}), encoding="utf-8")  # a race asks none of them
    more = fullprime.run(*arguments, "--load", str(file), "--trials", "72")
    assert more.code == 0, more.err
    before, now = told()["rollout"]["candidates"], more.json["candidates"]
    assert [candidate["equity"] for candidate in now] == pytest.approx(
        [candidate["equity"] for candidate in before], abs=1e-6
    )


def test_a_report_has_the_fields_it_had(fullprime: CommandLine) -> None:
    """The figures follow the nets; programs that read a report find every field where it was."""
    now = fullprime.run("review", str(KEPT / "match.mat"), "--level", "fast", "--json").json
    assert _missing(json.loads((KEPT / "review.json").read_text(encoding="utf-8")), now) == []


def _missing(before: Any, now: Any, where: str = "") -> list[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        gone = [f"{where}.{name}" for name in before if name not in now]
        return gone + [missing for name in before if name in now for missing in _missing(before[name], now[name], name)]
    if isinstance(before, list) and isinstance(now, list) and before and now:
        return _missing(before[0], now[0], where)
    return []
