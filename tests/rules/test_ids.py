"""Identifiers both ways: facts from other programs, what is lost, what is refused, and noise."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from fullprime.rules import game as actions
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IdError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.ids import (
    IDS,
    convert,
    fibs_board,
    gnu_id,
    gnu_position_id,
    ogid,
    read_gnu_position,
    read_id,
    read_ogid,
    text_id,
    write_id,
    xgid,
)
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, DUTCH, HYPERGAMMON, NACKGAMMON, VARIANTS, Backgammon

START = "24:2 13:5 8:3 6:5"
START_XGID = "XGID=-b----E-C---eE---c-e----B-"
START_OGID = "11ccccchhhjjjjj:66666888dddddoo"


# -- facts ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("position_id", "board"),
    [
        ("4HPwATDgc/ABMA", f"{START} / {START}"),
        ("4PPgAWDBc/ABMA", "24:2 13:5 8:3 6:4 1 / bar:2 13:4 8:4 6:5"),
        ("9w4AALg3AAAAAA", "1:3 2:4 3:2 / 1:3 2:4 3:3"),
        ("4PPgASjgc/ABMA", f"{START} / 6:5 8:4 13:4 23 24"),
        ("0HPhATDgc/ABMA", f"{START} / 24:2 13:4 9 8:3 6:4 5"),
        ("hnPwESDgOXgAbA", "bar:2 24:2 13:4 8:3 6:4 / 24 16 13:5 8:3 6:3 2:2"),
        ("4HPDESDgOXgAbA", "bar:2 24:2 13:4 8:3 6:4 / 24 16 13:3 9:2 8:3 6:5"),
        ("mE/wESDgOXgAbA", "bar:2 24:2 13:4 8:3 6:4 / 24 16 13:5 8 6:5 4:2"),
        ("4Dl4QFiGc/ARIA", "24 16 13:5 8:3 6:3 2:2 / bar 24:2 20 13:4 8:3 6:4"),
    ],
)
def test_gnu_position_ids(position_id: str, board: str) -> None:
    position = Position.from_text(board)
    assert gnu_position_id(position) == position_id
    assert read_gnu_position(position_id) == position
    assert read_id(position_id + "==").game.position == position


@pytest.mark.parametrize(
    ("match_id", "length", "points", "on_roll", "dice", "cube", "crawford", "phase"),
    [
        ("cAngAAAAAAAE", 7, (0, 0), Player.X, None, Cube(), False, Phase.CUBE_DECISION),
        ("MIHqAAAAAAAE", 7, (0, 0), Player.O, Roll(5, 2), Cube(), False, Phase.PLAY),
        ("8AngAFAAMAAE", 7, (6, 5), Player.X, None, Cube(), True, Phase.ROLL),
        ("QYmqABAAGAAE", 5, (3, 1), Player.X, Roll(5, 2), Cube(2, Player.O), False, Phase.PLAY),
        ("MAFqAAAAAAAE", 3, (0, 0), Player.O, Roll(4, 2), Cube(), False, Phase.PLAY),
        ("cBHgACAAGAAE", 7, (3, 2), Player.X, None, Cube(1, None, 2), False, Phase.DOUBLE_OFFERED),
        ("cBHgAAAAAAAE", 7, (0, 0), Player.X, None, Cube(1, None, 2), False, Phase.DOUBLE_OFFERED),
    ],
)
def test_gnu_match_ids(
    match_id: str,
    length: int,
    points: tuple[int, int],
    on_roll: Player,
    dice: Roll | None,
    cube: Cube,
    crawford: bool,
    phase: Phase,
) -> None:
    game = read_id(f"4HPwATDgc/ABMA:{match_id}").game
    assert game.settings == Settings(length=length)
    assert game.score == Score(points, crawford_game=crawford)
    assert (game.on_roll, game.dice, game.cube, game.phase) == (on_roll, dice, cube, phase)
    assert gnu_id(game).text == f"4HPwATDgc/ABMA:{match_id}"
    assert gnu_id(game).lost == ()


def test_the_jacoby_bit_is_set_when_the_rule_is_off() -> None:
    game = read_id("4HPwATDgc/ABMA:cAkAAAAAAAAA").game
    assert game.settings == Settings(jacoby=True)
    assert gnu_id(replace(game, settings=Settings())).text == "4HPwATDgc/ABMA:cAkAAAAAAAAE"


def test_a_resignation_that_waits() -> None:
    game = read_id("4HPwATDgc/ABMA:AUngAAAAAAAE").game
    assert (game.phase, game.on_roll, game.turn, game.resignation) == (
        Phase.RESIGNATION_OFFERED,
        Player.O,
        Player.X,
        2,
    )
    assert gnu_id(game).text.endswith("AUngAAAAAAAE")
    assert "the resignation that waits for an answer: gammon" in xgid(game).lost


def test_the_first_half_of_a_position_id_is_the_side_not_on_roll() -> None:
    game = Game.new(Settings(length=7)).act(actions.opening(5, 1))
    played = next(play for play in game.legal_plays if play.after.text.startswith("24 23 13:4 8:4 6:5"))
    assert gnu_id(game.act(actions.play(played))).text.startswith("4PPgASjgc/ABMA:")


PAIRS = [
    ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "4HPwATDgc/ABMA:cAngAAAAAAAE"),
    ("-CDB------------------cdc-:1:-1:1:52:3:1:0:5:10", "9w4AALg3AAAAAA:QYmqABAAGAAE"),
    ("-b----E-C---eE---c-e----B-:0:0:1:00:6:5:1:7:10", "4HPwATDgc/ABMA:8AngAFAAMAAE"),
    ("-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10", "Mw5jkCQyz+AhAg:cAkgAUAAEAAE"),
]
"""XGIDs and GNU IDs of the same positions, as GNU Backgammon, eXtreme Gammon and BGBlitz print them."""


@pytest.mark.parametrize(("xgid_text", "gnu_text"), PAIRS)
def test_xgid_and_gnu_id_of_the_same_position(xgid_text: str, gnu_text: str) -> None:
    assert convert(xgid_text, "gnuid").text == gnu_text
    assert convert(gnu_text, "xgid").text == "XGID=" + xgid_text
    assert read_id(xgid_text).game == read_id("XGID=" + xgid_text).game == read_id(gnu_text).game


def test_money_with_jacoby_and_beavers() -> None:
    read = read_id("XGID=bA----D-C---dE---d-e----B-:0:0:1:00:0:0:3:0:10")
    assert read.game.settings == Settings(jacoby=True, beavers=True)
    assert gnu_id(read.game).text == "4PPgAWDBc/ABMA:cAkAAAAAAAAA"
    assert gnu_id(read.game).lost == ("beavers: on",)


def test_after_the_crawford_game() -> None:
    text = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10"
    read = read_id(text)
    assert read.game.score == Score((3, 6), post_crawford=True)
    assert any("read as after it" in note for note in read.notes)
    assert xgid(read.game).text == text
    # BGBlitz writes the smaller die first; GNU Backgammon, like us, the larger.
    assert read_id("b9sBCIC5bYDQAA:QYnoAGAAGAAE").game == read.game
    assert gnu_id(read.game).text == "b9sBCIC5bYDQAA:QQnlAGAAGAAE"


def test_one_point_matches_have_no_crawford_game() -> None:
    game = Game.new(Settings(length=1)).act(actions.opening(6, 1))
    assert not game.score.crawford_game
    assert read_id(gnu_id(game).text).game == game
    read = read_id(f"{START_XGID}:0:0:1:61:0:0:1:1:10")
    assert read.game == game
    assert "a match to one point has no Crawford game" in read.notes


@pytest.mark.parametrize(
    ("ogid_text", "xgid_text"),
    [
        (
            "024cchhjjjjjkkk:355666788dddeoo:W1N:63:B::0:1:7:",
            "a-aAaBCAB---bCA--b-ec---B-:1:-1:1:63:1:0:0:7:0",
        ),
        ("llm:15:W1N:54:B::1:0:4:", "-A---A---------------ba---:1:-1:1:54:0:1:0:4:0"),
    ],
)
def test_ogids(ogid_text: str, xgid_text: str) -> None:
    assert read_id(ogid_text).game == read_id(xgid_text).game
    assert ogid(read_id(ogid_text).game).text == ogid_text


def test_the_start_in_an_ogid() -> None:
    read = read_id(f"{START_OGID}:N0N::W:IW:0:0:1:0")
    assert (read.kind, read.game.phase, read.game.settings.length) == ("ogid", Phase.OPENING_ROLL, 1)


def test_the_colour_of_an_ogid_means_the_last_mover_when_moves_are_numbered() -> None:
    text = f"{START_OGID}:N0N:31:W::0:0:7:"
    assert read_id(text).game.on_roll is Player.O
    assert read_id(text + "4").game.on_roll is Player.X
    assert any("moved last" in note for note in read_id(text + "4").notes)
    assert read_ogid(text, last_mover=True).game.on_roll is Player.X
    assert read_ogid(text + "4", last_mover=False).game.on_roll is Player.O
    # Whoever doubled is both the last to have acted and on roll.
    assert read_id(f"{START_OGID}:N0O::W::0:0:7:4").game.on_roll is Player.O
    assert read_id(f"{START_OGID}:N0O::W::0:0:7:").game.on_roll is Player.O


def test_a_passed_double_in_an_ogid_ends_the_game() -> None:
    game = read_id(f"{START_OGID}:N0P::W::0:0:7:").game
    assert game.result is not None
    assert (game.result.winner, game.result.points, game.result.how) == (Player.O, 1, "drop")
    assert ogid(game).text == f"{START_OGID}:N0P::W::0:0:7:"


def test_a_board_line_of_fibs() -> None:
    line = (
        "board:You:Opp:7:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25"
        ":0:0:0:0:2:0:0:0"
    )
    read = read_id(line)
    assert read.names == ("Opp", "O")
    assert (read.game.position.text, str(read.game.dice)) == (f"{START} / {START}", "31")
    assert read.game.on_roll is Player.O
    assert read_id(line.replace(":3:1:0:0:1:1", ":0:0:0:0:1:1")).game.phase is Phase.CUBE_DECISION
    doubled = read_id(line.replace(":3:1:0:0:1:1:1:0:", ":0:0:0:0:1:1:1:1:")).game
    assert (doubled.phase, doubled.turn) == (Phase.DOUBLE_OFFERED, Player.O)


def test_a_board_line_of_fibs_in_the_other_direction() -> None:
    read = read_id(
        "board:GammonBot_VII:pipcat:5:0:0:0:-1:0:0:0:-1:5:0:3:0:0:0:-4:5:0:0:0:-3:-1:-5:0:0:0:0:1:1:1:0:0:4:1:1:1:1"
        ":0:-1:1:25:0:0:0:0:1:2:1:0:0"
    )
    assert read.names == ("GammonBot_VII", "pipcat")
    assert read.game.position.text == "bar 24 13:5 8:3 6:5 / 24 20 13:4 8:3 7 6:5"
    assert (read.game.on_roll, str(read.game.dice)) == (Player.O, "41")


def test_fibs_and_the_crawford_game() -> None:
    game = read_id("4HPwATDgc/ABMA:8AngAFAAMAAE").game
    line = fibs_board(game, ("Ann", "Bob"))
    assert line.lost == ()
    assert line.text.endswith(":0:0")
    read = read_id(line.text)
    assert read.game == game
    assert read.names == ("Ann", "Bob")
    after = replace(game, score=Score((6, 5), post_crawford=True), phase=Phase.CUBE_DECISION)
    assert read_id(fibs_board(after).text).game == after
    off = replace(after, settings=Settings(length=7, crawford=False), score=Score((6, 5)))
    assert read_id(fibs_board(off).text).game == off


@pytest.fixture(scope="module")
def transcripts() -> list[str]:
    folder = os.environ.get("FULLPRIME_SHARED_DATA")
    if not folder:
        pytest.skip("FULLPRIME_SHARED_DATA is not set")
    found = []
    for path in sorted(Path(folder, "generated").glob("*.transcript.txt")):
        pairs = re.findall(r"Position ID: (\S+)\s+Match ID   : (\S+)", path.read_text(encoding="utf-8"))
        found += [f"{position}:{match}" for position, match in pairs]
    return found


def test_everything_gnu_backgammon_printed_comes_back(transcripts: list[str]) -> None:
    """Doubles, beavers, resignations offered and accepted, bear-offs: not one of the 1,648 pairs loses anything."""
    assert len(transcripts) == 1648
    for text in transcripts:
        written = gnu_id(read_id(text).game)
        assert written.text == text
        assert written.lost == ()


# -- our own text form, and bare boards --------------------------------------------------------------------
def test_a_bare_board_takes_its_rules_from_the_settings() -> None:
    read = read_id("4HPwATDgc/ABMA", settings=Settings(length=5))
    assert (read.game.settings.length, read.game.phase, read.game.on_roll) == (5, Phase.CUBE_DECISION, Player.X)
    assert read.notes[0] == "says nothing but the board: no score, cube or dice"
    assert read_id(f"{START} / {START}").game == read_id("4HPwATDgc/ABMA").game


def test_hand_and_licence_live_in_the_text_form_alone() -> None:
    settings = Settings(variant=DUTCH)
    text = "hand:12 20:3 / hand:14 licence 9"
    read = read_id(text, settings=settings)
    assert read.kind == "text"
    assert text_id(read.game).text == "hand:12 20:3 / hand:14 9 licence"
    for kind in ("xgid", "gnuid", "ogid", "fibs"):
        with pytest.raises(IdError, match="12 checkers that X has in hand"):
            write_id(read.game, kind)
    entered = read_id("20:15 / 9:15 licence", settings=settings).game
    assert "that O has earned the right to hit" in xgid(entered).lost


def test_hypergammon_needs_its_number_of_checkers() -> None:
    settings = Settings(variant=HYPERGAMMON)
    game = read_id("24 23 / 24 22 3", settings=settings).game
    assert game.position.player[0] == 1
    for kind in ("xgid", "gnuid", "fibs", "ogid"):
        written = write_id(game, kind)
        assert read_id(written.text, settings=settings).game.position == game.position
        assert ("the game: Hypergammon" in written.lost) == (kind != "ogid")
    assert read_id(ogid(game).text).game == game
    with pytest.raises(IdError, match="3 checkers a side, not 15"):
        read_id(f"{START_OGID}:N0N:31:W::0:0:7::15", settings=settings)


def test_a_finished_board_is_a_finished_game() -> None:
    for text in ("off:15 / 24:15", "24:15 / off:15", "XGID=-----------------------O--:0:0:1:00:0:0:0:0:10"):
        game = read_id(text).game
        assert game.phase is Phase.OVER
        assert game.result is not None
    assert read_id("XGID=-----------------------O--:0:0:1:00:0:0:0:0:10").game.on_roll is Player.O


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"{START_XGID}:0:0:1:00:0:0:0:7:10", "xgid"),
        (f"  {START_XGID}:0:0:1:00:0:0:0:7:10\n", "xgid"),
        (f"{START_XGID[5:]}:0:0:1:00:0:0:0:7", "xgid"),
        ("GNUbg ID 4HPwATDgc/ABMA:cAngAAAAAAAE", "gnuid"),
        ("GNUbg ID: 4HPwATDgc/ABMA==:cAngAAAAAAAE", "gnuid"),
        ("cAngAAAAAAAE:4HPwATDgc/ABMA", "gnuid"),
        ("Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAngAAAAAAAE", "gnuid"),
        ("Position-ID: 4HPwATDgc/ABMA Match-ID: cAngAAAAAAAE", "gnuid"),
        ("4HPwATDgc/ABMA", "gnuid"),
        (START_OGID + ":N0N", "ogid"),
        (f"{START} / {START}", "text"),
        ("24:2 13:5/24:2", "text"),
    ],
)
def test_what_is_what(text: str, kind: str) -> None:
    assert read_id(text).kind == kind
    assert read_id(text, kind=kind).kind == kind


def test_the_twenty_letter_key() -> None:
    raw = read_gnu_position("4HPwATDgc/ABMA")
    key = "OAHDPAABDAOAHDPAABDA"
    assert read_gnu_position(key) == raw
    assert read_id(key).game.position == raw
    assert read_id(key + ":cAngAAAAAAAE").game == read_id("4HPwATDgc/ABMA:cAngAAAAAAAE").game


# -- what is lost -----------------------------------------------------------------------------------------
def test_what_an_identifier_cannot_say_is_named() -> None:
    settings = Settings(
        stake=Decimal(5),
        jacoby=True,
        beavers=True,
        raccoons=True,
        automatic_doubles=2,
        cube_cap=64,
        backgammon=Backgammon.BAR_ONLY,
    )
    game = Game.new(settings).act(actions.opening(3, 3)).act(actions.opening(3, 1))
    game = game.act(actions.play(game.legal_plays[0])).act(actions.DOUBLE).act(actions.BEAVER).act(actions.RACCOON)
    always = {"the stake: 5", "automatic doubles: 2", "what a backgammon is: bar only"}
    merged = "that automatic doubles made 2 of the stake (they are merged into the cube)"
    assert set(xgid(game).lost) == {"the stake: 5", "what a backgammon is: bar only", "automatic doubles: 2"}
    assert set(gnu_id(game).lost) == always | {"the limit of the cube: 64", merged}
    assert {"jacoby: on", "beavers: on", "raccoons: on", "the raccoon that waits for an answer"} < set(ogid(game).lost)
    text = text_id(game)
    assert {"that O is on roll", "the stake: 5", "the cube: 4, owned by X"} < set(text.lost)


def test_acey_deucey_loses_its_stages() -> None:
    game = read_id("24:15 / 24:15", settings=Settings(variant=ACEY_DEUCEY)).game
    game = game.act(actions.roll(Roll(2, 1)))
    lost = xgid(game).lost
    assert lost[0] == "the game: Acey Deucey"
    assert "what the special roll still gives: choose double, then roll again" in lost


def test_options_of_a_variant_are_part_of_the_game() -> None:
    variant = BACKGAMMON.with_options({"exact_bearoff": True})
    game = read_id("4HPwATDgc/ABMA", settings=Settings(variant=variant)).game
    assert xgid(game).lost == ("the game: Backgammon",)
    assert xgid(read_id("4HPwATDgc/ABMA", settings=Settings(variant=NACKGAMMON)).game).lost == ("the game: Nackgammon",)


def test_automatic_doubles_are_a_centred_cube() -> None:
    game = Game.new(Settings(automatic_doubles=None)).act(actions.opening(2, 2)).act(actions.opening(2, 1))
    read = read_id(xgid(game).text)
    assert (read.game.multiplier, read.game.cube) == (2, Cube())
    assert "a cube of 2 in the middle: read as automatic doubles" in read.notes
    with pytest.raises(IdError, match="no automatic doubles"):
        read_id(f"{START_XGID}:1:0:1:21:0:0:0:7:10")


def test_a_game_without_a_cube() -> None:
    game = read_id("4HPwATDgc/ABMA", settings=Settings(cube=False)).game
    assert game.phase is Phase.ROLL
    assert "that no doubling cube is used" in xgid(game).lost


# -- what is refused --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is no identifier that we read"),
        ("hello", "is no identifier that we read"),
        ("cAngAAAAAAAE", "is no identifier that we read"),
        ("4HPwATDgc/ABMA:cAngAAAAAAAE:4HPwATDgc/ABMA", "is no identifier that we read"),
        ("x" * 5000, "no identifier has 5000 characters"),
        (f"{START_XGID}:0:0:1:00:0:0:0:7", None),
        (f"{START_XGID}:0:0:1:00:0:0:0", "10 fields"),
        (f"{START_XGID}:0:0:1:00:0:0:0:7:10:1", "10 fields"),
        (f"{START_XGID}:0:0:0:00:0:0:0:7:10", "the player on roll is '0'"),
        (f"{START_XGID}:0:2:1:00:0:0:0:7:10", "the cube's owner is '2'"),
        (f"{START_XGID}:0:0:1:70:0:0:0:7:10", "the dice are '70'"),
        (f"{START_XGID}:0:0:1:06:0:0:0:7:10", "the dice are '06'"),
        (f"{START_XGID}:0:0:1:00:٣:0:0:7:10", "X's score"),
        (f"{START_XGID}:0:0:1:00:0:0:0:99999999999999999999:10", "the length of the match"),
        (f"{START_XGID}:0:0:1:00:7:0:0:7:10", "is over at 7\u20130"),
        (f"{START_XGID}:0:0:1:00:1:0:1:7:10", "there is no Crawford game"),
        (f"{START_XGID}:4:0:1:00:0:0:0:0:3", "shows 16 and may not go beyond 8"),
        (f"{START_XGID}:0:0:1:D:6:5:1:7:10", "cannot have doubled"),
        (f"{START_XGID}:1:-1:1:D:0:0:0:7:10", "cannot have doubled"),
        (f"{START_XGID}:0:0:1:B:0:0:0:7:10", "beavers are for money play"),
        ("XGID=Ab----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "O's bar, and X stands there"),
        ("XGID=-b----E-C---eE---c-e----Bb:0:0:1:00:0:0:0:7:10", "X's bar, and O stands there"),
        ("XGID=-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", "X has 16 checkers instead of 15"),
        ("XGID=--------------------------:0:0:1:00:0:0:0:7:10", "both sides have borne off"),
        ("XGID=-b----E-C---eE---c-e---:0:0:1:00:0:0:0:7:10", "the board has 26 characters"),
        ("4HPwATDgc/ABMB", "the last character of a Position ID"),
        ("////////////MA", "O has 74 checkers instead of 15"),
        ("AAAAAAAAAAAAEA", "50 groups"),
        ("AAAAAAAAAAAAAA", "both sides have borne off"),
        ("4HPwATDgc/ABMA:cAngAAAAAAAf", "67 bits"),
        ("4HPwATDgc/ABMA:cAXgAAAAAAAE", "no state|neither side"),
        ("4HPwATDgc/ABMA:cAHgAAAAAAAE", "no offer explains that"),
        (f"{START_OGID}:N0X", "is no identifier"),
        (f"{START_OGID}:N99N", "the cube's exponent"),
        (f"{START_OGID}:?1N", "nobody knows who owns"),
        (f"1{START_OGID}:N0N", "O has 16 checkers"),
        ("pcccchhhjjjjj:66666888dddddoo:N0N", "no place for a checker of O"),
        (f"{START_OGID}:N0N:31:W::0:0:7Z", "the length of the match"),
        (f"{START} / {START} / {START}", "is no identifier"),
        (f"{START} 6 / {START}", "named twice"),
        (f"{START} 5 / {START}", "more than 15 checkers"),
        ("24:2 / 1:2", "both sides stand on"),
        ("board:a:b:7", "52 fields"),
    ],
)
def test_refused_with_a_reason(text: str, reason: str | None) -> None:
    if reason is None:
        assert read_id(text).game.settings.length == 7
        return
    with pytest.raises(IdError, match=re.escape(reason).replace(r"\|", "|")):
        read_id(text)


def test_a_kind_that_nobody_knows() -> None:
    with pytest.raises(IdError, match="no identifier 'fen'"):
        read_id("4HPwATDgc/ABMA", kind="fen")
    with pytest.raises(IdError, match="no identifier 'fen'"):
        convert("4HPwATDgc/ABMA", "fen")
    with pytest.raises(IdError, match="as XGID"):
        read_id("4HPwATDgc/ABMA", kind="xgid")


@pytest.mark.parametrize("name", ["", "a:b", "a\nb"])
def test_a_name_that_a_board_line_cannot_hold(name: str) -> None:
    with pytest.raises(IdError, match="cannot hold the name"):
        fibs_board(read_id("4HPwATDgc/ABMA").game, (name, "O"))


# -- games and noise --------------------------------------------------------------------------------------
def random_games(rng: random.Random) -> Iterator[Game]:
    """Every moment of random games of all variants, under random rules, up to a random length."""
    while True:
        variant = rng.choice(list(VARIANTS.values())) if rng.random() < 0.4 else BACKGAMMON
        length = rng.choice([0, 0, 1, 3, 5, 7])
        money = variant.cube and not length
        beavers = money and rng.random() < 0.6
        settings = Settings(
            variant=variant,
            length=length,
            jacoby=money and rng.random() < 0.5,
            beavers=beavers,
            raccoons=beavers and rng.random() < 0.5,
            automatic_doubles=None if money and rng.random() < 0.3 else 0,
        )
        points = (rng.randrange(length or 9), rng.randrange(length or 9))
        game = Game.new(settings, Score.start(settings, points))
        for _ in range(rng.randrange(140)):
            yield game
            if game.is_over:
                break
            game = game.act(random_action(game, rng))


def random_action(game: Game, rng: random.Random) -> Action:
    kinds = game.actions()
    kind = rng.choice(kinds)
    if kind in (ActionKind.RESIGN, ActionKind.DROP) and rng.random() < 0.9:
        kind = kinds[0]
    first, second = rng.randint(1, 6), rng.randint(1, 6)
    match kind:
        case ActionKind.OPENING:
            return actions.opening(first, second)
        case ActionKind.ROLL:
            return actions.roll(Roll(first, second))
        case ActionKind.PLAY:
            return actions.play(rng.choice(game.legal_plays))
        case ActionKind.CHOOSE:
            return actions.choose(first)
        case ActionKind.RESIGN:
            return actions.resign(rng.choice(game.resignation_levels))
    return Action(kind)


def check_round_trip(text: str, settings: Settings | None) -> None:
    """What was accepted writes itself, and what is written reads as the same game."""
    read = read_id(text, settings=settings)
    back = settings or Settings(variant=read.game.settings.variant)
    once = write_id(read.game, read.kind)
    again = read_id(once.text, settings=back)
    assert again.game.position == read.game.position, text
    assert write_id(again.game, again.kind).text == once.text, text
    if read.kind != "text" and settings is None and not once.lost:
        assert again.game == read.game, text


def test_games_of_every_kind_survive_or_say_what_they_lose() -> None:
    rng = random.Random(20261121)
    games = random_games(rng)
    for _ in range(600):
        game = next(games)
        settings = Settings(variant=game.settings.variant)
        for id_format in IDS.values():
            try:
                written = id_format.write(game)
            except IdError:
                assert id_format.name != "text"
                assert game.position.player[26] or game.position.opponent[26]
                continue
            read = read_id(written.text, settings=settings)
            assert read.kind == id_format.name
            assert id_format.write(read.game).text == written.text
            if not written.lost:
                # Ties are history once the opening roll has been thrown.
                assert read.game == replace(game, ties=read.game.ties)


NOISE = "-:/ =0123456789ABCDEFabcdefgopXRWN+*()٣é\n\0"


def mutated(text: str, rng: random.Random) -> str:
    letters = list(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(letters) + 1)
        match rng.randrange(5):
            case 0 if letters:
                letters[at % len(letters)] = rng.choice(NOISE)
            case 1:
                letters.insert(at, rng.choice(NOISE))
            case 2 if letters:
                del letters[at % len(letters)]
            case 3:
                fields = "".join(letters).split(":")
                fields[rng.randrange(len(fields))] = rng.choice(["0", "1", "-1", "2", "63", "D", "", "15", "99999999"])
                letters = list(":".join(fields))
            case _ if len(letters) > 1:
                other = rng.randrange(len(letters))
                at %= len(letters)
                letters[at], letters[other] = letters[other], letters[at]
    return "".join(letters)


def noisy_ids(number: int, seed: int) -> Iterator[tuple[str, Settings | None]]:
    rng = random.Random(seed)
    games = random_games(rng)
    seeds: list[str] = []
    for _ in range(max(40, number // 40)):
        game = next(games)
        for id_format in IDS.values():
            try:
                seeds.append(id_format.write(game).text)
            except IdError:
                continue
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for n in range(number):
        settings = None if n % 3 else Settings(variant=rng.choice(list(VARIANTS.values())))
        if n % 10 == 0:
            yield "".join(rng.choices(letters, k=14)), settings
        elif n % 10 == 1:
            yield rng.choice(["4HPwATDgc/ABMA:"]) + "".join(rng.choices(letters, k=12)), settings
        else:
            yield mutated(rng.choice(seeds), rng), settings


def check_noise(number: int, seed: int) -> int:
    accepted = 0
    for text, settings in noisy_ids(number, seed):
        try:
            read_id(text, settings=settings)
        except IdError:
            continue
        accepted += 1
        check_round_trip(text, settings)
    return accepted


def test_noise_is_refused_or_means_what_it_says() -> None:
    assert 200 < check_noise(4_000, seed=1) < 3_000


@pytest.mark.slow
def test_a_hundred_thousand_noisy_identifiers() -> None:
    assert check_noise(100_000, seed=2) > 5_000


def test_a_limit_of_the_cube_that_no_cube_comes_to_is_none() -> None:
    reading = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:90")
    assert reading.game.settings.cube_cap is None
    assert "90 for the highest cube, which no cube comes to: read as no limit" in reading.notes
    assert read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:62").game.settings.cube_cap == 1 << 62


@pytest.mark.parametrize(
    "written",
    [
        "xgid={}", "XGID: {}", "XGID = {}", "XGID {}", "'XGID={}'", "\u201cXGID={}\u201d", "(XGID={})", "`{}`",
        "XGID={}.", "\ufeffXGID={}\u200b", "https://example.org/board?xgid={}", "https://example.org/#{}&flip=1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("sign", ["-", "\N{EN DASH}", "\N{NON-BREAKING HYPHEN}", "\N{MINUS SIGN}"])
def test_an_xgid_out_of_a_sentence_a_page_or_a_word_processor(written: str, sign: str) -> None:
    board = "-b----E-C---eE---c-e----B-:1:-1:-1:31:0:2:0:7:10"
    if sign != "-" and "http" in written:
        return
    assert read_id(written.format(board.replace("-", sign))) == read_id("XGID=" + board)


def test_identifiers_with_labels_and_in_links() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:0:2:0:7:10"
    assert read_id(xgid.replace(":", "%3A").replace("=", "%3D")) == read_id(xgid)
    assert read_id(xgid.replace(":", "\N{FULLWIDTH COLON}")) == read_id(xgid)
    other = "4HPwATDgc/ABMA:8AngAFAAMAAE"
    assert read_id(f"gnubgid={other}") == read_id(other.replace("/", "%2F")) == read_id(other)
    third = "11ccccchhhjjjjj:66666888dddddoo:N0N:31:W"
    assert read_id(f"OGID={third}") == read_id(third)


_OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"


@pytest.mark.parametrize(
    "written",
    [
        "Best play? {}", "{}?", "{} # opening 31", "**{}**", "{} 31 to play", "XGID {}", "XGID={}", "[id]{}[/id]",
        "https://example.org/?pos={}&lang=en",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "identifier", [_OPENING, "4HPwATDgc/ABMA:8AngAFAAMAAE", "11ccccchhhjjjjj:66666888dddddoo:N0N:31:W"]
)
def test_the_one_identifier_in_a_text_is_read(written: str, identifier: str) -> None:
    if "XGID" in written and "XGID" not in identifier:
        return
    assert read_id(written.format(identifier)) == read_id(identifier)


@pytest.mark.parametrize("at", [10, 25, 35, 42])
@pytest.mark.parametrize("end", ["\n", "\r\n> ", "=\n"])
def test_an_xgid_that_the_end_of_a_line_has_cut(at: int, end: str) -> None:
    cut = _OPENING[:at] + end + _OPENING[at:]
    assert read_id(cut.replace("\r\n> ", "\r\n")) == read_id(f"Look: {cut} 8/5") == read_id(_OPENING)


def test_of_several_identifiers_in_a_text_none_is_chosen() -> None:
    for text in (
        f"{_OPENING} or {_OPENING.replace(':31:', ':42:')}",
        f"{_OPENING}:7",
        f"{_OPENING.replace('c', 'd')} !",
    ):
        with pytest.raises(IdError):
            read_id(text)


def test_what_is_no_identifier_stays_none() -> None:
    for text in ("%00", "XGID=", "xgid", "%ff%fe", "''", "https://example.org/", "OGID", "\u2013" * 26):
        with pytest.raises(IdError):
            read_id(text)


@pytest.mark.parametrize("text", [None, 5, b"XGID=", [], ("XGID=",)])
def test_what_is_no_text_is_no_identifier(text: object) -> None:
    with pytest.raises(IdError, match="an identifier"):
        read_id(text)  # type: ignore[arg-type]
