"""Finished games are verified: every die and every choice of a bot, at every level, and one changed bit is found."""

from __future__ import annotations

import random
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.commandline import CommandLine
from tests.play.dicing import move_bots, rest_bots
from tests.play.seen import frame_of
from tests.web.seat import some_line

from fullprime.play.server.game_server import GameServer

QUICK = ("random", "heuristic")
LEVELS = ("beginner", "casual", "intermediate", "advanced", "expert", "0-ply")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    memory = Path("/dev/shm")
    path = (memory if memory.is_dir() else tmp_path) / f"verify-{tmp_path.name}.db"
    yield path
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def play(game_server: GameServer, number: int, bot: str) -> str:
    """A match to one point to its end, against a bot that is asked here and nowhere else; gives its id."""
    chance = random.Random(number)
    handle, _, _ = game_server.create(opponent="bot", bot=bot, variant="hypergammon", rules={"length": 1})
    handle.add_seed("X", f"{number:x}")
    for _ in range(1000):
        move_bots(handle)
        state = frame_of(handle, "X", [])["state"]
        if state["game_over"]:
            return handle.id
        handle.act("X", some_line(state, chance), sequence=state["sequence"])
    raise AssertionError("the game does not end")


def finished(database: Path, games: int, bots: tuple[str, ...]) -> list[str]:
    with closing(GameServer(str(database))) as game_server:
        rest_bots(game_server)
        return [play(game_server, number, bots[number % len(bots)]) for number in range(games)]


CHANGES = {
    "the secret": "UPDATE game_sessions SET secret = CASE substr(secret, 1, 1) WHEN '0' THEN '1' ELSE '0' END"
    " || substr(secret, 2) WHERE session_id = :game",
    "what a player added": "UPDATE session_events SET data = json_set(data, '$.seed', 'f0')"
    " WHERE session_id = :game AND kind = 'seed_given'",
    "who the bot was": "UPDATE session_events SET data = json_set(data, '$.seats[1]',"
    " CASE json_extract(data, '$.seats[1]') WHEN 'random' THEN 'heuristic' ELSE 'random' END)"
    " WHERE session_id = :game AND kind = 'session_opened'",
}


def change_a_die(database: sqlite3.Connection, game: str, chance: random.Random) -> None:
    """One bit of one die that was thrown."""
    rows = database.execute(
        "SELECT sequence, data FROM session_events WHERE session_id = ? AND kind = 'action_taken'"
        " AND (data LIKE '%roll%' OR data LIKE '%opening%')",
        (game,),
    ).fetchall()
    sequence, event = chance.choice(rows)
    place = event.index("[") + 1
    flipped = next(str(int(event[place]) ^ bit) for bit in (1, 2, 4) if 1 <= int(event[place]) ^ bit <= 6)
    database.execute(
        "UPDATE session_events SET data = ? WHERE session_id = ? AND sequence = ?",
        (event[:place] + flipped + event[place + 1 :], game, sequence),
    )


@pytest.mark.parametrize(
    ("games", "bots"),
    [
        (8, QUICK),
        pytest.param(1000, (*QUICK, *LEVELS), marks=[pytest.mark.slow, pytest.mark.timeout(7200)]),
    ],
)
def test_finished_games_follow_from_their_seeds(
    database: Path, fullprime: CommandLine, games: int, bots: tuple[str, ...]
) -> None:
    ids = finished(database, games, bots)
    done = fullprime.run("verify", "--all", "--db", str(database))
    assert done.code == 0, done.out
    assert done.out.startswith(f"{games} games: ")
    sys.stderr.write(done.out)
    # One change in each of some games, and nothing else, is found in each of them.
    chance, changed = random.Random(7), ids[1 :: max(1, games // 8)]
    with closing(sqlite3.connect(database)) as connection, connection:
        for index, game in enumerate(changed):
            statements = list(CHANGES.values())
            if index % (len(statements) + 1) == len(statements):
                change_a_die(connection, game, chance)
            else:
                connection.execute(statements[index % (len(statements) + 1)], {"game": game})
    done = fullprime.run("verify", "--all", "--db", str(database))
    assert done.code == 1
    assert {line.split(":")[0] for line in done.out.splitlines()} & set(ids) == set(changed)


def test_what_cannot_be_verified(database: Path, fullprime: CommandLine) -> None:
    (game,) = finished(database, 1, ("random",))
    for arguments in ((), (game, "--all")):
        done = fullprime.run("verify", *arguments, "--db", str(database))
        assert (done.code, done.err) == (2, "error: name the games to verify, or --all\n")
    done = fullprime.run("verify", game, "nothing", "--db", str(database))
    assert done.code == 1
    assert "nothing: there is no game 'nothing'" in done.out
    done = fullprime.run("verify", "4711", "--db", str(database))
    assert (done.code, done.out + done.err) == (2, "error: there is no game '4711'\n")
