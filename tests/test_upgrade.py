"""What version 0.1 stored is opened by this version, and reads as before; its games on the server are refused.

The data lie in ``tests/data/version_0_1``, beside the script that made them with the code of that version.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commandline import CommandLine
from tests.web.conftest import Server
from tests.web.people import Browser
from tests.web.seat import Seat

from fullprime import formats
from fullprime.app.table.proof import OLDER
from fullprime.engine.nets.net import manifest

KEPT = Path(__file__).parent / "data" / "version_0_1"
AS_THE_DAY = ("now", "clock", "created", "expires", "begun", "ended", "ends", "used", "since", "at", "ago")
"""Times. Those in the database are moved with the day of the test, so that no clock has run out since it was made."""
OTHERWISE = ("rated", "snowie", "anki")
"""Fields whose values the present version gives in another way; none of a position, a score, dice or a name.

Snowie's format holds one position: matches are not offered in it any more. Cards for Anki are made of one's errors
(`fullprime cards`), not of a match.
"""


@cache
def told() -> dict[str, Any]:
    """What version 0.1 told of all that is in the database."""
    found: dict[str, Any] = json.loads(gzip.decompress((KEPT / "told.json.gz").read_bytes()))
    return found


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return opened(tmp_path / "games.db")


def opened(path: Path) -> Path:
    """The database of version 0.1, as if it had been made a minute ago."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(gzip.decompress((KEPT / "games.sql.gz").read_bytes()).decode())
        made = datetime.fromisoformat(told()["made"])
        later = datetime.now(UTC).replace(tzinfo=None) - timedelta(minutes=1) - made
        connection.create_function("moved", 1, lambda text: text and _moved(text, later))
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
                if kind == "DATETIME":
                    connection.execute(f"UPDATE {table} SET {name} = moved({name})")
        connection.commit()
    return path


def _moved(text: str, later: timedelta) -> str:
    return (datetime.fromisoformat(text) + later).isoformat(" ", "microseconds")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for tests that change nothing."""
    running = Server(opened(tmp_path_factory.mktemp("read") / "games.db"))
    yield running
    running.stop()


@pytest.fixture
def read(reader: Server) -> Iterator[Browser]:
    with Browser(base_url=reader.url, timeout=60) as browser:
        yield browser


def differences(before: Any, now: Any, where: str = "") -> list[str]:
    """Where a value of version 0.1 is another one now; fields that are new are none."""
    if isinstance(before, dict) and isinstance(now, dict):
        names = [name for name in before if name not in AS_THE_DAY + OTHERWISE]
        return [fault for name in names for fault in differences(before[name], now.get(name), f"{where}.{name}")]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = enumerate(zip(before, now, strict=True))
        return [fault for number, (one, other) in pairs for fault in differences(one, other, f"{where}[{number}]")]
    return [] if before == now else [f"{where}: {str(before)[:80]} is {str(now)[:80]}"]


@pytest.mark.broad
def test_every_game_on_the_server_is_refused_in_one_line(read: Browser) -> None:
    """Its dice follow a formula that is not played any more; nothing of it is shown, and nobody can sit down."""
    for game, facts in told()["games"].items():
        refusal = f"game {game} cannot be opened: {OLDER}"
        for side, key in facts["keys"].items():
            seat = Seat(read, game, key)
            for path in ("", "/proof", "/record"):
                answer = read.get(f"/api/games/{game}{path}", headers=seat.headers)
                assert (answer.status_code, answer.json()["error"]) == (404, refusal), (facts["label"], side)
            assert seat.post("act", {"line": "roll"}).status_code == 404
    (game, facts), *_ = ((game, each) for game, each in told()["games"].items() if "invitation" in each)
    asked = {"invitation": facts["invitation"], "name": "Zoe"}
    assert read.post(f"/api/games/{game}/join", json=asked).status_code == 404


@pytest.mark.broad
def test_people_are_who_they_were(reader: Server, read: Browser) -> None:
    """Passwords, browsers that were signed in, tokens, profiles, ratings and challenges."""
    faults, people = [], told()["people"]
    browsers: dict[str, Browser] = {}
    for name, facts in people.items():
        browsers[name] = Browser(base_url=reader.url, timeout=60)
        for cookie, value in facts["cookies"].items():
            browsers[name].cookies.set(cookie, value, domain="127.0.0.1")
        assert browsers[name].read("/api/account")["name"] == name
        faults += differences(told()["profiles"][name], browsers[name].read(f"/api/users/{name}"), name)
        faults += differences(told()["lists"][name], browsers[name].read(f"/api/users/{name}/games"), name)
    faults += differences(told()["ratings"], read.read("/api/ratings?kind=backgammon:short"), "ratings")
    faults += differences(told()["lobby"], read.read("/api/lobby"), "lobby")
    faults += differences(told()["challenges"], browsers["Bob"].read("/api/challenge"), "challenges")
    faults += differences(told()["tokens"], browsers["Robot"].read("/api/account/tokens"), "tokens")
    assert faults == []
    signed = read.asks("/api/account/sign-in", {"name": "Ann", "password": people["Ann"]["password"]})
    assert signed["name"] == "Ann"
    token = {"Authorization": f"Bearer {people['Robot']['token']}"}
    assert read.get("/api/board/playing", headers=token).status_code == 200
    for browser in browsers.values():
        browser.close()


# -- without the server ----------------------------------------------------------------------------------------------
@pytest.fixture
def fullprime(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_games_of_the_terminal_are_resumed(fullprime: CommandLine, database: Path) -> None:
    rooms = "SELECT match_id FROM rooms WHERE match_id IS NOT NULL"
    with closing(sqlite3.connect(database)) as connection:
        numbers = connection.execute(f"SELECT id FROM matches WHERE id NOT IN ({rooms}) ORDER BY id").fetchall()
    for (number,), before in zip(numbers, told()["terminal"], strict=True):
        done = fullprime.run(
            *("play", "--resume", str(number), "--script", "-", "--json", "--db", str(database)),
            typed="board\nrefuse\n",
        )
        now, after = done.lines
        shown = ("position", "on_roll", "turn", "phase", "dice", "cube", "score", "game", "legal_actions", "length")
        assert [now[name] for name in shown] == [before[name] for name in shown]
        assert "error" not in after


def test_the_library_reads_as_before(fullprime: CommandLine, database: Path) -> None:
    db = ("--db", str(database))
    listed = fullprime.run("library", "list", "--json", *db).json
    assert differences(told()["library_list"], listed, "list") == []
    for before in told()["library_show"]:
        now = fullprime.run("library", "show", str(before["match"]), "--json", *db).json
        assert differences(before, now, str(before["match"])) == []
    stats = fullprime.run("library", "stats", "Ann", "--json", *db).json
    assert differences(told()["library_stats"], stats, "stats") == []
    assert "reviewed" in told()["library_review"]
    again = fullprime.run("library", "review", "--level", "fast", *db)
    assert (again.code, again.out) == (0, "0 matches reviewed\n")


def test_each_proof_is_refused_in_one_line(fullprime: CommandLine, database: Path) -> None:
    done = fullprime.run("verify", "--all", "--db", str(database))
    *refused, said = done.out.splitlines()
    assert (done.code, said) == (1, "2 of the 2 that were named could not be verified")
    assert [OLDER in line for line in refused] == [True, True]


def test_files_that_were_kept_are_read(fullprime: CommandLine) -> None:
    now = fullprime.run("info", str(KEPT / "match.json"), "--json").json
    assert [_facts(each) for each in now] == [_facts(each) for each in told()["info"]]
    ours, theirs = (formats.read((KEPT / f"match.{ending}").read_bytes()).documents[0] for ending in ("json", "mat"))
    assert [game.result for game in ours.match.games] == [game.result for game in theirs.match.games]


def _facts(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if name not in ("file", "matches")}


def test_a_rollout_that_was_kept_goes_on_with_the_same_nets(fullprime: CommandLine, tmp_path: Path) -> None:
    kept = tmp_path / "rollout.json"
    kept.write_bytes((KEPT / "rollout.json").read_bytes())
    asked = ("rollout", "6:2 5:3 4:2 / 6:3 5:2 4:2", "31", "--seed", "1", "--json")
    began = json.loads(kept.read_text(encoding="utf-8"))
    used = sorted(manifest()["backgammon"].values())
    if began["nets"] != used:
        refused = fullprime.run(*asked, "--load", str(kept), "--trials", "72")
        assert refused.code == 2
        assert "the rollout began with" in refused.err
        kept.write_text(json.dumps({**began, "nets": used}), encoding="utf-8")  # a race asks none of them
    more = fullprime.run(*asked, "--load", str(kept), "--trials", "72")
    assert more.code == 0, more.err
    before, now = told()["rollout"]["candidates"], more.json["candidates"]
    assert [each["equity"] for each in now] == pytest.approx([each["equity"] for each in before], abs=1e-6)


def test_a_report_has_the_fields_it_had(fullprime: CommandLine) -> None:
    """The figures follow the nets; programs that read a report find every field where it was."""
    now = fullprime.run("review", str(KEPT / "match.mat"), "--level", "fast", "--json").json
    assert _missing(json.loads((KEPT / "review.json").read_text(encoding="utf-8")), now) == []


def _missing(before: Any, now: Any, where: str = "") -> list[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        gone = [f"{where}.{name}" for name in before if name not in now]
        return gone + [each for name in before if name in now for each in _missing(before[name], now[name], name)]
    if isinstance(before, list) and isinstance(now, list) and before and now:
        return _missing(before[0], now[0], where)
    return []


def test_what_named_the_database_names_it(
    fullprime: CommandLine, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The configuration of 0.1 is its variables and options; there is no file of it."""
    monkeypatch.setenv("FULLPRIME_DB", f"sqlite:///{database}")
    listed = fullprime.run("library", "list", "--json").json
    assert differences(told()["library_list"], listed, "list") == []
    done = fullprime.run("verify", "--all")
    assert (done.code, len(done.out.splitlines())) == (1, 3)
