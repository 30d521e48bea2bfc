"""eXtreme Gammon files: matches we packed ourselves, damage, and archives that are meant to explode."""

from __future__ import annotations

import random
import struct
import zlib
from dataclasses import replace

import pytest
from tests.formats.generate import random_match
from tests.formats.xg_maker import container, rolled_out, xg_file

from fullprime import formats
from fullprime.formats import FormatError
from fullprime.formats.analysis import CubeAnalysis
from fullprime.formats.recording.units import to_mwc, to_points
from fullprime.formats.xg import container as xg_container
from fullprime.formats.xg import reader as xg
from fullprime.rules.game import ActionKind
from fullprime.rules.record import Setup
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON

CHANCES = (0.5, 0.125, 0.0, 0.125, 0.0)
SETTINGS = [
    Settings(length=7),
    Settings(length=1),
    Settings(variant=NACKGAMMON, length=5, crawford=False),
    Settings(variant=HYPERGAMMON, jacoby=True),
    Settings(variant=BACKGAMMON, jacoby=True, beavers=True, raccoons=True),
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: f"{s.variant.name}-{s.length}")
def test_matches_are_read_as_they_were(settings: Settings) -> None:
    rng = random.Random(9)
    for _ in range(3):
        match = random_match(rng, settings, games=3, resignations=0.01)
        (document,) = formats.read(xg_file(match)).documents
        assert document.format == "xg"
        assert document.report == ()
        assert document.match.names == match.names
        assert document.match.settings == settings
        assert [game.events for game in document.match.games] == [game.events for game in match.games]
        assert [game.start.score for game in document.match.games] == [game.start.score for game in match.games]
        assert document.match.info["EventDate"] == "2023.11.26"


def test_a_money_game_of_galaxy_is_no_match() -> None:
    match = random_match(random.Random(9), Settings(length=16), games=1)
    document = formats.Document(replace(match, info={"Site": "BackgammonGalaxy"}))
    (read,) = formats.read(formats.write(document, "xg")[0]).documents
    assert read.match.settings == Settings(cube_cap=16)
    assert read.match.info["Match Length"] == "16"
    (read,) = formats.read(formats.write(replace(document, match=match), "xg")[0]).documents
    assert read.match.settings.length == 16
    assert "Match Length" not in read.match.info


def test_the_analysis_is_keyed_to_the_events() -> None:
    match = random_match(random.Random(3), Settings(length=7), games=1)
    (document,) = xg.read(xg_file(match))
    assert document.review is not None
    for number, event in enumerate(match.games[0].events):
        assert not isinstance(event, Setup)
        analysis = document.review.events.get((0, number))
        if event.kind is ActionKind.PLAY:
            assert analysis is not None
            assert analysis.play is not None
            assert analysis.play.played == 0
            (candidate,) = analysis.play.candidates
            assert candidate.moves == event.moves
            assert (candidate.equity, candidate.chances, candidate.level) == (-0.5, CHANCES, "XG Roller")
            assert analysis.error == 0.25
        elif event.kind is ActionKind.DOUBLE:
            assert analysis is not None
            assert analysis.cube == CubeAnalysis(0.25, 0.125, 1.0, CHANCES, CHANCES, 0.25, "3-ply")
            assert analysis.error == 0.125
        elif event.kind is ActionKind.ROLL:
            assert analysis is not None
            assert analysis.luck == 0.5


def test_rollouts_say_how_many_games_and_how_sure() -> None:
    match = random_match(random.Random(3), Settings(length=7), games=1)
    (document,) = xg.read(rolled_out(xg_file(match)))
    assert document.report == ()
    assert document.review is not None
    plays = [analysis.play for analysis in document.review.events.values() if analysis.play is not None]
    cubes = [analysis.cube for analysis in document.review.events.values() if analysis.cube is not None]
    assert [play.candidates[0].level for play in plays[:2]] == ["rollout 1296", "XG Roller"]
    assert plays[0].candidates[0].deviation == pytest.approx(0.01, rel=1e-3)
    assert plays[1].candidates[0].deviation is None
    assert [cube.level for cube in cubes[:2]] == ["rollout 5184", "3-ply"]
    assert cubes[0].deviation == pytest.approx(0.005, rel=1e-3)


def test_comments() -> None:
    match = random_match(random.Random(4), Settings(length=3), games=1)
    rtf = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard na\'efve\par twice {\b bold} \u8364?\par }"
    data = bytearray(xg_container.unpack(xg_file(match, rtf + b"\r\nplain"), []).members["temp.xg"])
    struct.pack_into("<i", data, 2560 + 56, 1)
    struct.pack_into("<i", data, 3 * 2560 + 2524, 0)
    comments = rtf + b"\r\nplain\r\nthe end"
    (document,) = xg.read(container({"temp.xg": bytes(data), "temp.xgc": comments}))
    assert document.match.games[0].comments == {-1: "plain", 1: "naïve\ntwice bold €"}
    struct.pack_into("<i", data, 2560 + 60, 2)  # The head of a game names the comment about its end, too.
    (document,) = xg.read(container({"temp.xg": bytes(data), "temp.xgc": comments}))
    (last,) = set(document.match.games[0].comments) - {-1, 1}
    assert document.match.games[0].comments[last] == "the end"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (r"\ansi\ansicpg932{\fonttbl{\f0\fnil\fcharset128 MS;}}\f0\'95\'5c \'82\'a0", "表 あ"),
        (
            r"\ansi\ansicpg1252{\fonttbl{\f0\fnil Arial;}{\f1\fnil\fcharset204 Arial;}}\f1\'c4\'e0\f0  d\'e9j\'e0",
            "Да déjà",
        ),
        (r"\ansi\ansicpg1251\'c4\'e0 \u1044\'c4\u1072?", "Да Да"),
        (r"\ansi a \'7bset\'7d \'5c b", "a {set} \\ b"),
        (r"\ansi\ansicpg99999 na\'efve", "naïve"),
    ],
)
def test_comments_are_read_in_the_letters_of_their_font(body: str, words: str) -> None:
    assert xg_container.plain_text("{\\rtf1" + body + "\\par }") == words


def test_an_illegal_play_and_a_board_that_was_set_are_facts() -> None:
    match = random_match(random.Random(5), Settings(length=7), games=1)
    records = bytearray(xg_container.unpack(xg_file(match), []).members["temp.xg"])
    # The first play ends on another board: one checker goes from 13 to 12 as well.
    end = 3 * 2560 + 35
    records[end + 13] -= 1
    records[end + 12] += 1 if records[end + 12] < 128 else 0
    (document,) = xg.read(container({"temp.xg": bytes(records)}))
    assert any(isinstance(event, Setup) for event in document.match.games[0].events)
    assert document.report


def test_a_check_sum_that_does_not_fit_is_reported() -> None:
    match = random_match(random.Random(6), Settings(length=3), games=1)
    data = bytearray(xg_file(match))
    data[-36] ^= 1
    (document,) = xg.read(bytes(data))
    assert "check sum" in str(document.report[0])
    assert [game.events for game in document.match.games] == [game.events for game in match.games]


@pytest.mark.parametrize("cut", [0, 4, 100, 8232, 8400])
def test_a_beginning_is_no_file(cut: int) -> None:
    match = random_match(random.Random(6), Settings(length=3), games=1)
    with pytest.raises(FormatError):
        xg.read(xg_file(match)[:cut])


def test_no_bomb() -> None:
    huge = zlib.compress(bytes(200 << 20), 9)
    with pytest.raises(FormatError):
        xg.read(_with_entry(huge, 1 << 31))
    with pytest.raises(FormatError):
        xg.read(_with_entry(huge, 2560))
    with pytest.raises(FormatError):
        xg.read(_with_entry(huge, -5))


def _with_entry(blob: bytes, stated: int) -> bytes:
    entry = bytearray(532)
    entry[:8] = b"\x07temp.xg"
    struct.pack_into("<IiiIBB", entry, 512, stated & 0xFFFFFFFF, len(blob), 0, 0, 0, 9)
    index = zlib.compress(bytes(entry))
    tail = struct.pack("<Iiiiii12x", 0, 1, 1, len(index), len(blob), 1)
    return b"RGMH" + bytes(8228) + blob + index + tail


def test_conversion_to_sgf_keeps_the_analysis_in_gnubgs_terms() -> None:
    match = random_match(random.Random(3), Settings(length=7), games=1)
    (document,) = xg.read(xg_file(match))
    data, losses = formats.write(document, "sgf")
    (again,) = formats.read(data).documents
    assert again.match.games == document.match.games
    assert document.review is not None
    assert again.review is not None
    assert "0-ply" in str(losses)
    first = next(key for key, analysis in document.review.events.items() if analysis.cube is not None)
    cube = again.review.events[first].cube
    assert cube is not None
    assert (cube.unit, cube.level) == ("mwc", "2-ply cubeful")
    game = list(document.match.games[0].entries())[first[1]].before
    assert cube.no_double == pytest.approx(to_mwc(0.25, game), abs=1e-6)
    assert to_points(to_mwc(0.25, game), game) == pytest.approx(0.25)
