"""Files that we write, read by programs of others: GammonView, the published codec of OGXM, xgdatatools and AnkiGammon.

The first three are the dependency group ``readers``: ``make test-files`` installs it, and there none may be missing. Of
AnkiGammon, whose package needs a GUI, the reading is recorded (``record_ankigammon.py``).
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.formats.generate import random_match
from tests.formats.record_ankigammon import RECORD, hash_of_records, positions
from tests.formats.test_ogxm_writer import opinions

from fullprime import formats
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.ids import read_id, write_id
from fullprime.rules.record import Entry, Match, Setup
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import HYPERGAMMON, NACKGAMMON

SETTINGS = [
    Settings(length=7),
    Settings(length=5, crawford=False),
    Settings(jacoby=True, beavers=True, raccoons=True),
    Settings(variant=NACKGAMMON, length=3),
    Settings(variant=HYPERGAMMON, length=5),
]
EACH = pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: f"{s.variant.name}-{s.length}")


def other(module: str) -> Any:
    if importlib.util.find_spec(module) is None:
        assert not os.environ.get("FULLPRIME_READERS"), f"{module} is not installed"
        pytest.skip(f"{module} is not installed: make test-files installs it")
    return importlib.import_module(module)


def boards(match: Match) -> list[list[str]]:
    """The board after every play of each game, as the first two fields of an OGID."""
    return [
        [
            ":".join(write_id(entry.after, "ogid").text.split(":")[:2])
            for entry in game.entries()
            if isinstance(entry.event, Setup) or entry.event.kind is ActionKind.PLAY
        ]
        for game in match.games
    ]


def their_boards(read: Any) -> list[list[str]]:
    """The same of a match that one of the programs has read: its dice are actions 0 to 20, a set board is 31."""
    return [
        [":".join(ply["ogid_after"].split(":")[:2]) for ply in game["plies"] if ply["action_id"] in (*range(21), 31)]
        for game in read["games"]
    ]


PLACES = "0123456789abcdefghijklmnop"


def mirrored(board: str) -> str:
    """The board with White and Black exchanged."""
    white, black = ("".join(sorted(PLACES[25 - PLACES.index(place)] for place in side)) for side in board.split(":"))
    return f"{black}:{white}"


def results(match: Match) -> list[tuple[str, int]]:
    results = [game.result for game in match.games]
    return [(match.names[result.winner], result.points) for result in results if result is not None]


@EACH
def test_gammonview_reads_extreme_gammon_files(settings: Settings, tmp_path: Path) -> None:
    """Without beavers: gammonview 3.1.0 stops at one that is dropped."""
    gvformat = other("gvformat")
    settings = replace(settings, beavers=False, raccoons=False)
    for seed in range(4):
        match = random_match(random.Random(seed), settings, games=3, resignations=0.02)
        path = tmp_path / "match.xg"
        path.write_bytes(formats.write(formats.Document(match), "xg")[0])
        read = gvformat.convert_xg(path)
        assert read["match_length"] == settings.length
        sides = read["player_white"], read["player_black"]
        for game, (winner, points) in zip(read["games"], results(match), strict=True):
            assert sides[game["winner"]] == winner
            assert game["points_won"] == points


def test_gammonview_sees_the_boards_of_extreme_gammon_files(tmp_path: Path) -> None:
    """It takes plays from the candidates of an analysis; who is White it decides by the names."""
    gvformat = other("gvformat")
    for seed in range(4):
        match = random_match(random.Random(seed), Settings(length=7), games=3, resignations=0)
        path = tmp_path / "match.xg"
        review = opinions(match, random.Random(seed), "points")
        path.write_bytes(formats.write(formats.Document(match, review=review), "xg")[0])
        read = gvformat.convert_xg(path)
        boards_read = their_boards(read)
        if read["player_white"] != match.names[Player.O]:
            boards_read = [[mirrored(board) for board in game] for game in boards_read]
        assert boards_read == boards(match)


def test_the_published_codec_sees_the_boards_of_illegal_plays() -> None:
    other("ogxm")
    codec: Any = importlib.import_module("ogxm.codec")
    for seed in range(4):
        match = random_match(random.Random(seed), Settings(length=7), games=3, illegal=0.06)
        read = codec.binary_to_json(formats.write(formats.Document(match), "ogxm")[0])
        assert their_boards(read) == boards(match)


@EACH
def test_the_published_codec_reads_and_replays_ogxm(settings: Settings) -> None:
    other("ogxm")
    codec: Any = importlib.import_module("ogxm.codec")
    for seed in range(6):
        match = random_match(random.Random(seed), settings, games=4, resignations=0.02)
        review = opinions(match, random.Random(seed), "points")
        read = codec.binary_to_json(formats.write(formats.Document(match, review=review), "ogxm")[0])
        assert read["replay_complete"]
        assert read["analysis_info"]["currency"] == "cubeful"
        sides = read["player_white"], read["player_black"]
        assert [(sides[game["winner"]], game["points_won"]) for game in read["games"]] == results(match)


# -- xgdatatools: every record of eXtreme Gammon's files --------------------------------------------------------------
MATCH, GAME, CUBE, MOVE, RESULT = range(5)
ILLEGAL = 2


def records(data: bytes, folder: Path) -> list[dict[str, Any]]:
    """The records as xgdatatools prints them; it is a program of its own."""
    program = Path(other("xgdatatools").__file__).with_name("extractxgdata.py")
    path = folder / "written.xg"
    path.write_bytes(data)
    command = [sys.executable, program, "-d", folder, path]
    printed = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    return [ast.literal_eval(record) for record in re.split(r"^(?=\{)", printed.stdout, flags=re.MULTILINE)[1:]]


def seen_by(player: Player, game: Game) -> tuple[int, ...]:
    """The board in the player's numbering, the other side's counts negative: its bar, 24 points, the player's bar."""
    own, theirs = game.position_of(player).player, game.position_of(player.other).player
    return (-theirs[25], *(own[point] - theirs[25 - point] for point in range(1, 25)), own[25])


def plays_of(match: Match) -> list[Entry]:
    """Every play, legal or not."""
    entries = [entry for game in match.games for entry in game.entries()]
    return [entry for entry in entries if not isinstance(entry.event, Action) or entry.event.kind is ActionKind.PLAY]


@EACH
def test_xgdatatools_sees_every_board_of_extreme_gammon_files(settings: Settings, tmp_path: Path) -> None:
    """Legal plays and others; the board before a play is player 1's, our O's, and the one after it the mover's."""
    match = random_match(random.Random(1), settings, games=2, resignations=0, illegal=0.1)
    read = records(formats.write(formats.Document(match), "xg")[0], tmp_path)
    (head,) = (record for record in read if record["EntryType"] == MATCH)
    assert head["MatchLength"] == (settings.length or 99999)
    moves, plays = [record for record in read if record["EntryType"] == MOVE], plays_of(match)
    assert {isinstance(entry.event, Setup) for entry in plays} == {True, False}
    for move, entry in zip(moves, plays, strict=True):
        before, mover = entry.before, entry.before.on_roll
        assert before.dice is not None
        assert sorted(move["Dice"]) == [before.dice.low, before.dice.high]
        assert move["ActiveP"] == (1 if mover is Player.O else -1)
        assert move["PositionI"] == seen_by(Player.O, before)
        assert move["PositionEnd"] == seen_by(mover, entry.after)
        assert move["InvalidM"] == (ILLEGAL if isinstance(entry.event, Setup) else 0)
    ends = [record for record in read if record["EntryType"] == RESULT]
    for end, (winner, points) in zip(ends, results(match), strict=True):
        assert (end["Winner"], end["PointsWon"]) == (1 if winner == match.names[Player.O] else -1, points)


@EACH
def test_xgdatatools_reads_extreme_gammon_positions(settings: Settings, tmp_path: Path) -> None:
    phases = set()
    for seed in range(4):
        match = random_match(random.Random(seed), settings, games=2, resignations=0)
        *before, last = match.games
        events = last.events[: random.Random(seed).randrange(1, len(last.events))]
        match = replace(match, games=(*before, replace(last, events=events)))
        game = match.game
        if game.phase not in (Phase.PLAY, Phase.CUBE_DECISION):
            continue
        phases.add(game.phase)
        read = records(formats.write(formats.Document(match), "xgp")[0], tmp_path)
        head = next(record for record in read if record["EntryType"] == GAME)
        assert (head["Score2"], head["Score1"]) == game.score.points
        decision = [record for record in read if record["EntryType"] in (CUBE, MOVE)][-1]
        assert decision["EntryType"] == (MOVE if game.phase is Phase.PLAY else CUBE)
        assert decision["ActiveP"] == (1 if game.on_roll is Player.O else -1)
        assert decision["PositionI" if game.phase is Phase.PLAY else "Position"] == seen_by(Player.O, game)
        exponent = game.cube.value.bit_length() - 1
        owner = {None: 0, Player.O: exponent, Player.X: -exponent}[game.cube.owner]
        assert decision["CubeA" if game.phase is Phase.PLAY else "CubeB"] == owner
        if game.phase is Phase.PLAY:
            assert game.dice is not None
            assert sorted(decision["Dice"]) == [game.dice.low, game.dice.high]
    assert phases


# -- AnkiGammon: positions of eXtreme Gammon, recorded ----------------------------------------------------------------
@pytest.mark.parametrize("name", positions())
def test_ankigammon_has_read_what_is_written_as_xgp(name: str) -> None:
    """Its O is our O, player 1, whose checkers are upper case in its XGID."""
    document = positions()[name]
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))[name]
    data, _ = formats.write(document, "xgp")
    assert hash_of_records(data) == recorded["records"], "what is written has changed: record the reading again"
    read, game = recorded["reading"], document.match.game
    reading = read_id(read["xgid"]).game
    assert (reading.position, reading.on_roll) == (game.position, game.on_roll.other)
    assert (read["on_roll"], (read["score_x"], read["score_o"])) == (game.on_roll.name, game.score.points)
    assert (read["match_length"], read["cube_value"]) == (game.settings.length, game.cube.value)
    assert game.cube.owner is not None
    assert read["cube_owner"] == f"{game.cube.owner.name.lower()}_owns"
    assert document.review is not None
    (judged,) = document.review.events.values()
    moves = read["candidate_moves"]
    if judged.play is not None:
        assert game.dice is not None
        assert read["dice"] == [game.dice.high, game.dice.low]
        assert [move["equity"] for move in moves] == [candidate.equity for candidate in judged.play.candidates]
        for move, candidate in zip(moves, judged.play.candidates, strict=True):
            assert candidate.chances is not None
            win, gammon, _, lost_gammon, _ = candidate.chances
            assert move["player_win_pct"] == 100 * win
            assert (move["player_gammon_pct"], move["opponent_gammon_pct"]) == (100 * gammon, 100 * lost_gammon)
            ends = [(int(part.split("/")[0]), int(part.split("/")[-1])) for part in move["notation"].split()]
            assert candidate.moves is not None
            assert sum(start - end for start, end in ends) == sum(m.source - m.target for m in candidate.moves)
            assert ends[0][0] == candidate.moves[0].source
    else:
        assert judged.cube is not None
        equities = {move["notation"]: move["equity"] for move in moves}
        assert equities["No Double/Take"] == judged.cube.no_double
        assert equities["Double/Take"] == judged.cube.double_take
        assert equities["Double/Pass"] == judged.cube.double_pass
