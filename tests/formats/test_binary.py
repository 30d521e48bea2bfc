"""BGBlitz's Smile files and OGXM: matches we packed ourselves, and damage."""

from __future__ import annotations

import gzip
import json
import random

import pytest
from tests.formats import makers
from tests.formats.generate import random_match
from tests.formats.shared import shared

from fullprime import formats
from fullprime.formats import FormatError
from fullprime.formats.bgblitz import reader as bgblitz
from fullprime.formats.bgblitz import smile
from fullprime.formats.ogxm import reader as ogxm
from fullprime.rules.game import ActionKind
from fullprime.rules.record import Setup
from fullprime.rules.score import Settings

SETTINGS = [Settings(length=7), Settings(length=1), Settings(length=5, crawford=False), Settings(jacoby=True)]
BOTH = pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: f"{s.length}-{s.crawford}")
CHANCES = (0.5, 0.125, 0.0, 0.25, 0.0)


@pytest.mark.parametrize("shared_names", [True, False])
def test_smile(shared_names: bool) -> None:
    value = {
        "a": [0, 1, -1, 15, -16, 16, -17, 63, 64, 8191, 8192, -100_000, 2**40],
        "b": {"a": 0.1, "c": -1e300, "name": 1.5},
        "name": ["", "x", "x" * 32, "x" * 33, "x" * 64, "x" * 200, "é" * 10, "名" * 20, "é" * 400],
        "t": [True, False, None, [], {}],
        **{f"key{i}": i for i in range(120)},
        "again": [{f"key{i}": i for i in range(120)}],
    }
    assert smile.loads(makers.smile(value, shared=shared_names)) == value


@pytest.mark.parametrize("body", [b"", b"\0", b"\0\xf8", b"\0" + b"\xf8" * 500, b"\0\x05", b"\0\xe0abc", b"\0\xfa\x40"])
def test_damaged_smile_is_refused(body: bytes) -> None:
    with pytest.raises(FormatError):
        smile.loads(b":)\n" + body)


@BOTH
@pytest.mark.parametrize("green", [-1, 1])
def test_bgblitz(settings: Settings, green: int) -> None:
    rng = random.Random(7)
    for _ in range(3):
        match = random_match(rng, settings, games=3, resignations=0.01)
        (document,) = formats.read(makers.bgf(match, green=green, packed=green < 0)).documents
        assert document.format == "bgblitz"
        assert document.report == ()
        assert document.match.names == match.names
        assert document.match.settings == settings
        assert [game.events for game in document.match.games] == [game.events for game in match.games]
        assert [game.start.score for game in document.match.games] == [game.start.score for game in match.games]
        assert document.review is not None
        for (game, event), analysis in document.review.events.items():
            action = match.games[game].events[event]
            assert not isinstance(action, Setup)
            if analysis.play is not None:
                (candidate,) = analysis.play.candidates
                assert (candidate.moves, candidate.equity, candidate.chances) == (action.moves, 0.25, CHANCES)
            if action.kind is ActionKind.DOUBLE:
                assert analysis.cube is not None
                assert (analysis.cube.no_double, analysis.cube.double_take) == (0.5, 0.625)


@BOTH
def test_ogxm(settings: Settings) -> None:
    rng = random.Random(8)
    for _ in range(3):
        match = random_match(rng, settings, games=3, resignations=0.01)
        (document,) = formats.read(makers.ogxm(match, "a remark")).documents
        assert document.format == "ogxm"
        assert document.report == ()
        assert document.match.names == match.names
        assert [game.events for game in document.match.games] == [game.events for game in match.games]
        assert document.match.games[0].comments[1] == "a remark"
        assert document.review is not None
        for (game, event), analysis in document.review.events.items():
            action = match.games[game].events[event]
            assert not isinstance(action, Setup)
            if analysis.play is not None:
                (candidate,) = analysis.play.candidates
                assert (candidate.moves, candidate.equity, candidate.chances) == (action.moves, 0.25, CHANCES)
                assert (candidate.level, analysis.play.played) == ("2ply", 0)


def test_bgblitz_is_no_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bgblitz, "_MAX_BYTES", 1 << 16)
    head = json.dumps({"encoding": "smile", "compression": "gzip"}).encode() + b"\n"
    with pytest.raises(FormatError, match="more than"):
        formats.read(head + gzip.compress(b":)\n\0" + bytes(1 << 20)))


@pytest.mark.parametrize("settings", [Settings(length=7), Settings(jacoby=True)], ids=lambda s: str(s.length))
def test_ogxm_version_1(settings: Settings) -> None:
    rng = random.Random(9)
    for _ in range(3):
        match = random_match(rng, settings, games=3, resignations=0.01)
        (document,) = formats.read(makers.ogxm1(match)).documents
        assert document.report == ()
        assert document.match.names == match.names
        assert document.match.settings == settings
        assert document.match.info == {"Event": "Club", "EventDate": "2023.11.14"}
        assert [game.events for game in document.match.games] == [game.events for game in match.games]
        assert [game.start.score for game in document.match.games] == [game.start.score for game in match.games]
        assert document.review is not None
        assert document.review.program == "engine"
        for game, record in enumerate(match.games):
            for event, action in enumerate(record.events):
                assert not isinstance(action, Setup)
                analysis = document.review.events.get((game, event))
                if action.kind is ActionKind.PLAY:
                    assert analysis is not None
                    assert analysis.play is not None
                    (candidate,) = analysis.play.candidates
                    assert (candidate.moves, candidate.equity, candidate.chances) == (action.moves, 0.25, CHANCES)
                    assert (candidate.level, analysis.play.played, analysis.error) == ("2-ply", 0, 0.0125)
                    before = document.review.events[game, event - 1]
                    assert before.luck == -0.05
                elif action.kind is ActionKind.DOUBLE:
                    assert analysis is not None
                    assert analysis.cube is not None
                    assert (analysis.cube.no_double, analysis.cube.double_take, analysis.cube.double_pass) == (
                        0.5,
                        0.625,
                        1.0,
                    )


def test_damage_to_a_file_of_version_1_is_reported() -> None:
    match = random_match(random.Random(1), Settings(length=3), games=2)
    data = bytearray(makers.ogxm1(match))
    data[-1 - data[::-1].index(b"engine"[::-1])] ^= 1
    (document,) = formats.read(bytes(data)).documents
    assert "check sum" in str(document.report)
    (document,) = formats.read(bytes(data[: data.index(b"ANAL") + 20])).documents
    assert "cut off" in str(document.report)
    assert [game.events for game in document.match.games] == [game.events for game in match.games]


def test_another_version_of_ogxm_is_refused() -> None:
    data = bytearray(makers.ogxm(random_match(random.Random(1), Settings(length=1), games=1)))
    data[4] = 3
    with pytest.raises(FormatError, match="version 3"):
        ogxm.read(bytes(data))


@pytest.mark.parametrize(
    ("name", "other"), [("gbf_test.ogxm", "mat/gbf_test.mat"), ("charlot_7p.ogxm", "sgf/charlot_7p.sgf")]
)
def test_ogxm_equals_other_formats(name: str, other: str) -> None:
    (document,) = formats.read(shared("corpus", "ogxm", name)).documents
    (same,) = formats.read(shared("corpus", other)).documents
    assert document.report == ()
    assert document.match.names == same.match.names
    assert document.match.settings == same.match.settings
    assert document.match.games == same.match.games
    assert document.review is not None
    for (game, event), analysis in document.review.events.items():
        if analysis.play is not None and analysis.play.played is not None:
            action = document.match.games[game].events[event]
            assert not isinstance(action, Setup)
            assert analysis.play.candidates[analysis.play.played].moves == action.moves


def test_a_match_with_comments() -> None:
    (document,) = formats.read(shared("corpus", "ogxm", "gbf_match_with_comment.ogxm")).documents
    assert document.report == ()
    assert sorted(document.match.score.points) == [4, 10]


def test_winning_chances_agree_with_those_of_another_program() -> None:
    """The OGXM file was converted elsewhere, with the same table; its numbers have six decimals."""
    (points,) = formats.read(shared("corpus", "xg", "gbf_test.xg")).documents
    (chances,) = formats.read(shared("corpus", "ogxm", "gbf_test.ogxm")).documents
    (converted,) = formats.read(formats.write(points, "sgf")[0]).documents
    assert converted.review is not None
    assert chances.review is not None
    compared = 0
    for key, analysis in converted.review.events.items():
        other = chances.review.events.get(key)
        if analysis.cube is not None and other is not None and other.cube is not None:
            assert analysis.cube.no_double == pytest.approx(other.cube.no_double, abs=2e-5)
            assert analysis.cube.double_take == pytest.approx(other.cube.double_take, abs=2e-5)
            compared += 1
    assert compared == 209
    assert points.review is not None
    for key, analysis in points.review.events.items():
        luck = chances.review.events[key].luck if key in chances.review.events else None
        if analysis.luck is not None and luck is not None:
            assert luck == pytest.approx(analysis.luck, abs=1e-4)
            compared += 1
    assert compared > 500
