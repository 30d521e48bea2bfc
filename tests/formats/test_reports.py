"""Texts for people and other programs, and our own review as an analysis that files can carry."""

from __future__ import annotations

import csv
import io
import random
from dataclasses import replace

import pytest
from tests.formats.generate import random_match
from tests.formats.xg_maker import xg_file

from fullprime import formats
from fullprime.formats import FormatError
from fullprime.formats.analysis import CubeAnalysis
from fullprime.reviews.decision import CubeEquities, Decision, GameStage, Kind, Option
from fullprime.reviews.file_analysis import file_analysis
from fullprime.reviews.luck import RollLuck
from fullprime.reviews.review import Review
from fullprime.rules.dice import Roll
from fullprime.rules.game import ActionKind, Game, opening, play, roll
from fullprime.rules.ids import read_id
from fullprime.rules.record import GameRecord, Match, Setup
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import ACEY_DEUCEY, DUTCH

CHANCES = (0.5, 0.125, 0.0, 0.25, 0.0)


@pytest.fixture
def analysed() -> formats.Document:
    return formats.read(xg_file(random_match(random.Random(3), Settings(length=5), games=2))).documents[0]


def test_csv_has_a_line_for_each_event(analysed: formats.Document) -> None:
    data, losses = formats.write(analysed, "csv")
    rows = list(csv.DictReader(io.StringIO(data.decode())))
    assert len(rows) == sum(len(game.events) for game in analysed.match.games)
    assert not any("analysis" in loss for loss in losses.losses)
    for row in rows:
        game = analysed.match.games[int(row["game"]) - 1]
        event = game.events[int(row["event"]) - 1]
        assert not isinstance(event, Setup)
        assert row["kind"] == event.kind.value
        assert read_id(row["position"]).kind == "xgid"
        if event.kind is ActionKind.PLAY:
            assert (row["best_equity"], row["loss"]) == ("-0.5000", "0.2500")
            assert row["dice"]
    assert {row["player"] for row in rows} == set(analysed.match.names)


def test_plain_text(analysed: formats.Document) -> None:
    data, losses = formats.write(analysed, "text")
    text = data.decode()
    assert "Match to 5 points, Backgammon" in text
    assert "Game 1, score 0\u20130" in text
    assert " wins a " in text
    assert "the analysis is not written" in str(losses)


@pytest.mark.parametrize("variant", [DUTCH, ACEY_DEUCEY], ids=lambda v: v.name)
def test_every_variant_has_plain_text_and_csv(variant: object) -> None:
    game = Game.new(Settings(variant=variant)).act(opening(3, 2))  # type: ignore[arg-type]
    record = GameRecord(Game.new(game.settings), (opening(3, 2), play(game.legal_plays[0]), roll(Roll(6, 5))))
    document = formats.Document(Match(game.settings, games=(record,)))
    assert "bar" in formats.write(document, "text")[0].decode() or "hand" in formats.write(document, "text")[0].decode()
    assert formats.write(document, "csv")[0].count(b"\n") == 4


def test_snowie_text_is_match_text_without_a_head(analysed: formats.Document) -> None:
    data, losses = formats.write(analysed, "snowietxt")
    assert data.startswith(b" 5 point match")
    assert b";" not in data
    assert "head of match text" in str(losses)
    (again,) = formats.read(data).documents
    assert [game.events for game in again.match.games] == [game.events for game in analysed.match.games]


def test_texts_for_people_are_not_read_back() -> None:
    with pytest.raises(FormatError, match="cannot be read back"):
        formats.read(b"x", format="csv")


def decision(kind: Kind, event: int, options: tuple[Option, ...], player: Player = Player.X) -> Decision:
    cube = CubeEquities(0.5, 0.75, 1.0, "double, take", 0.4, CHANCES)
    return Decision(0, event, player, kind, GameStage.MIDDLE, options, 1, 0.0, True, True, cube=cube)


def test_our_review_as_an_analysis() -> None:
    plays = (Option("8/5 6/5", 0.25, 0.0, 0.6, 2, CHANCES, ()), Option("24/21 6/5", 0.125, 0.125, 0.55, 2, CHANCES, ()))
    doubles = (Option("double", 0.75, 0.0, 0.65, 2), Option("no double", 0.5, 0.25, 0.6, 2))
    answers = (Option("take", -0.75, 0.0, 0.35, 2), Option("drop", -1.0, 0.25, 0.3, 2))
    review = Review(
        "deep",
        "Fullprime",
        "backgammon",
        5,
        1,
        True,
        (
            decision(Kind.PLAY, 1, plays),
            decision(Kind.DOUBLE, 2, doubles),
            decision(Kind.TAKE, 3, answers, Player.O),
        ),
        (RollLuck(0, 0, Player.X, Roll(3, 1), 0.5, 0.0, 0.0),),
    )
    found = file_analysis(review)
    assert found.events[0, 0].luck == 0.5
    play_found = found.events[0, 1].play
    assert play_found is not None
    assert (play_found.played, play_found.candidates[0].level) == (1, "2-ply")
    assert found.events[0, 1].error == 0.125
    for event in (2, 3):
        cube = found.events[0, event].cube
        assert isinstance(cube, CubeAnalysis)
        assert cube.unit == "mwc"
        assert (cube.no_double, cube.double_take, cube.double_pass) == pytest.approx((0.6, 0.65, 0.7))


@pytest.mark.parametrize(("name", "extension"), [("mat", ".mat"), ("csv", ".csv"), ("text", ".txt")])
def test_a_written_file_has_the_extension_of_its_format(analysed: formats.Document, name: str, extension: str) -> None:
    assert formats.write_file(analysed, name) == (formats.write(analysed, name)[0], extension)
    without = formats.write(replace(analysed, review=None), name)[0]
    assert formats.write_file(analysed, name, analysis=False) == (without, extension)
