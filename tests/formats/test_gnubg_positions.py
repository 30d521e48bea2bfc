"""GNU Backgammon reads our identifiers and position lines as the games that they are. Skipped without it."""

from __future__ import annotations

import random
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from tests.formats.generate import random_match
from tests.formats.gnubg import GNUBG, boards, needs_gnubg

from fullprime import formats
from fullprime.formats.recording import walk
from fullprime.rules.game import Game, Phase
from fullprime.rules.ids import fibs_board, gnu_id, write_id
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import HYPERGAMMON, NACKGAMMON

pytestmark = needs_gnubg

SETTINGS = [
    Settings(length=7),
    Settings(length=3),
    Settings(length=5, crawford=False),
    Settings(jacoby=True),
    Settings(),
    Settings(length=5, variant=NACKGAMMON),
    Settings(length=5, variant=HYPERGAMMON),
]


def some_games(settings: Settings, count: int, *phases: Phase) -> list[Game]:
    rng = random.Random(5)
    match = random_match(rng, settings, games=6)
    states = [entry.after for record in match.games for entry in record.entries()]
    return rng.sample([game for game in states if game.phase in phases], count)


WAITING = (Phase.PLAY, Phase.ROLL, Phase.CUBE_DECISION)


@cache
def waiting_games() -> list[Game]:
    """Four of each match. To play them takes a second, which only those who need them pay."""
    return [game for settings in SETTINGS for game in some_games(settings, 4, *WAITING)]


def exchanged(game: Game) -> Game:
    """The game with the names of X and O exchanged."""
    owner = game.cube.owner
    return replace(
        game,
        on_roll=game.on_roll.other,
        cube=replace(game.cube, owner=None if owner is None else owner.other),
        score=replace(game.score, points=game.score.points[::-1]),
    )


def test_gnubg_reads_our_gnu_ids() -> None:
    ids = [gnu_id(game).text for game in waiting_games()]
    assert boards([f"set gnubgid {text}" for text in ids]) == ids


def test_gnubg_reads_our_xgids() -> None:
    """It shows the player on roll at the bottom, where we have X."""
    games = [game if game.on_roll is Player.X else exchanged(game) for game in waiting_games()]
    commands = [f"set xgid {write_id(game, 'xgid').text}" for game in waiting_games()]
    assert boards(commands) == [gnu_id(game).text for game in games]


def test_gnubg_reads_our_snowie_positions(tmp_path: Path) -> None:
    commands, expected = [], []
    for number, game in enumerate(waiting_games()):
        if game.settings.variant is not HYPERGAMMON:
            path = tmp_path / f"{number}.txt"
            match = Match(game.settings, ("Bob", "Ann"), (GameRecord(game),))
            path.write_bytes(formats.write(formats.Document(match), "snowie")[0])
            commands.append(f"import snowietxt {path}")
            expected.append(gnu_id(game).text)
    assert boards(commands) == expected


@pytest.fixture
def external() -> Iterator[Callable[[str], str]]:
    """GNU Backgammon as an external player, which is asked by board lines."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = subprocess.Popen(
        [str(GNUBG), "-t", "-q", "-r"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(f"external 127.0.0.1:{port}\n")
    program.stdin.flush()
    for line in program.stdout:
        if "waiting" in line.lower():
            break
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=60) as link, link.makefile("rw") as lines:

            def ask(line: str) -> str:
                lines.write(line + "\n")
                lines.flush()
                return lines.readline().strip()

            yield ask
    finally:
        program.kill()
        program.communicate()


@pytest.mark.broad
def test_gnubg_plays_legally_on_our_board_lines(external: Callable[[str], str]) -> None:
    """A line whose sides, directions or signs were exchanged would bring plays that the game does not allow."""
    for game in [game for settings in SETTINGS[:5] for game in some_games(settings, 6, Phase.PLAY)]:
        answer = external(fibs_board(game).text)
        hops = walk.hops(answer)
        assert hops is not None, answer
        assert walk.find_play(game, hops, "*" in answer) is not None, (answer, game)
