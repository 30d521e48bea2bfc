"""Files that we write, read by programs of others, where these are installed: gammonview and ogxm, both MIT.

``pip install gammonview ogxm`` in the environment of the tests runs them; docs/formats says when that was done last.
"""

from __future__ import annotations

import importlib
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.formats.generate import random_match
from tests.formats.test_ogxm_writer import opinions

from fullprime import formats
from fullprime.rules.game import ActionKind
from fullprime.rules.ids import write_id
from fullprime.rules.record import Match, Setup
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
    return pytest.importorskip(module, reason=f"{module} is not installed: its reading was tried by hand")


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
