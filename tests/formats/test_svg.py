"""Pictures of boards: where things stand, what is said in words, and that nothing is drawn twice or left out."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fullprime
from fullprime.drawing.png import PngError, png
from fullprime.drawing.svg import THEMES, Arrow, SvgError, describe, play_arrows, svg
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.game import DOUBLE, Game, opening, resign, roll
from fullprime.rules.ids import read_id
from fullprime.rules.notation import read_play
from fullprime.rules.position import BAR, HAND, OFF, Position
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import BACKGAMMON, VARIANTS

SVG = "{http://www.w3.org/2000/svg}"
START = BACKGAMMON.starting_position


def parts(picture: str, part: str, tag: str = "circle") -> list[ET.Element]:
    return [element for element in ET.fromstring(picture).iter(SVG + tag) if element.get("class") == f"fp-{part}"]


def texts(picture: str, part: str) -> list[str]:
    return [each.text or "" for each in parts(picture, part, "text")]


def discs(picture: str, side: str) -> list[tuple[float, float]]:
    return [(float(e.get("cx", 0)), float(e.get("cy", 0))) for e in parts(picture, side) if e.get("r") == "19"]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda v: v.name)
@pytest.mark.parametrize("theme", THEMES)
def test_every_game_has_a_picture_in_every_theme(variant, theme) -> None:
    game = Game.new(Settings(variant=variant))
    picture = svg(game, theme=theme)
    assert ET.fromstring(picture).get("role") == "img"
    for player, side in enumerate("xo"):
        row = game.position.player if player == 0 else game.position.opponent
        assert len(discs(picture, side)) == sum(min(count, 5) for count in row[1:25])
        assert len(parts(picture, side, "rect")) == row[OFF] + row[HAND] + 0


def test_the_bottom_player_bears_off_at_the_right_and_mirrored_at_the_left() -> None:
    board = Position.from_text("1 off:14 / 1 off:14")
    (x, y), (ox, oy) = discs(svg(board), "x")[0], discs(svg(board), "o")[0]
    assert x > 550
    assert y > 400
    assert ox == x
    assert oy < 100
    (left, _), _ = discs(svg(board, home="left"), "x")[0], None
    assert left < 120
    assert discs(svg(board, bottom=Player.O), "o")[0] == (x, y)


def test_points_carry_the_numbers_of_the_player_who_is_asked_for() -> None:
    labels = texts(svg(START), "label")
    assert sorted(map(int, labels)) == list(range(1, 25))
    other = texts(svg(START, numbers=Player.O), "label")
    assert [25 - int(label) for label in labels] == [int(label) for label in other]
    assert texts(svg(START, coordinates=False), "label") == []


def test_tall_stacks_say_how_tall_they_are() -> None:
    board = Position.from_text("6:15 / bar:6 6:9")
    picture = svg(board)
    assert texts(picture, "count-x") == ["15"]
    assert sorted(texts(picture, "count-o")) == ["6", "9"]
    assert len(discs(picture, "x")) == 5
    assert len(discs(picture, "o")) == 5 + 4


def test_checkers_of_the_two_sides_differ_in_shape() -> None:
    picture = svg(START)
    rings = [e for e in parts(picture, "ring") if e.get("r") == "14"]
    assert len(rings) == len(discs(picture, "o")) == 15
    assert len([e for e in parts(picture, "mark") if e.get("r") == "14"]) == len(discs(picture, "x"))


def test_boards_of_pages_reports_and_pictures_have_the_same_colours() -> None:
    """The set that the pages have when nothing was chosen, in pictures and in the style sheet of a report."""
    package = Path(fullprime.__file__).parent
    tokens = (package / "web" / "static" / "parts" / "tokens.css").read_text(encoding="utf-8")
    club = dict(re.findall(r"--([\w-]+): (#\w+)", tokens.partition('[data-theme="tournament"]')[0]))
    report = (package / "drawing" / "data" / "report.css").read_text(encoding="utf-8")
    same = {
        "frame": "wood", "felt": "field", "tray": "well-fill", "point-light": "light-point",
        "point-dark": "dark-point", "x": "x1", "ring": "o-mark",
    }  # fmt: skip
    for part, token in same.items():
        assert THEMES["classic"][part] == club[token], part
        assert re.search(rf"\.fp-{part} {{[^}}]*{club[token]}", report), part
    # With the lights off it is the same board on a dark page.
    night = dict(re.findall(r"--([\w-]+): (#\w+)", tokens.partition(':root[data-light="dark"]')[2].partition("}")[0]))
    assert THEMES["dark"] == {**THEMES["classic"], "ground": night["page"], "ink": night["ink"]}


@given(st.lists(st.integers(0, 26), min_size=15, max_size=15), st.lists(st.integers(0, 26), min_size=15, max_size=15))
def test_every_checker_is_drawn_or_counted(mine: list[int], theirs: list[int]) -> None:
    theirs = [slot if not 1 <= slot <= 24 or 25 - slot not in mine else BAR for slot in theirs]
    rows = [tuple(side.count(slot) for slot in range(27)) for side in (mine, theirs)]
    picture = svg(Position(*rows))
    ET.fromstring(picture)
    for side, row in zip("xo", rows, strict=True):
        counted = {int(text) for text in texts(picture, f"count-{side}")}
        assert counted == {n for slot, n in enumerate(row[1:26], 1) if n > (4 if slot == BAR else 5)}
        assert len(parts(picture, side, "rect")) == row[OFF] + row[HAND]
    words = describe(Position(*rows))
    for row in rows:
        for slot, name in ((BAR, "on the bar"), (HAND, "in hand"), (OFF, "off")):
            if row[slot]:
                assert f"{row[slot]} {name}" in words


def test_a_game_brings_dice_cube_score_and_crawford() -> None:
    game = read_id("XGID=-b----E-C---eE---c-e----B-:1:1:1:63:3:1:0:7:10").game
    picture = svg(game, names=("Ann", "Bob & <Co>"))
    assert len(parts(picture, "die", "g")) == 2
    assert texts(picture, "cube-text") == ["2"]
    assert texts(picture, "name") == ["Ann, 4-away", "Bob & <Co>, 6-away"]
    assert "Ann to play 6-3." in picture
    assert "Cube 2 with Ann." in picture
    last = Game.new(Settings(length=7), Score.start(Settings(length=7), (6, 2))).act(opening(6, 1))
    assert texts(svg(last), "note") == ["Crawford game"]
    assert texts(svg(last), "cube-text") == []


def test_an_offered_cube_lies_on_the_board_and_the_taker_sits_at_the_bottom() -> None:
    game = Game.new(Settings()).act(opening(6, 1))
    game = game.act(play_action(game, "13/7 8/7")).act(DOUBLE)
    picture = svg(game)
    assert texts(picture, "cube-text") == ["2"]
    assert "The cube is offered at 2." in picture
    assert "X to act." in picture
    assert discs(picture, "x")[0][1] == discs(svg(START), "x")[0][1]


def play_action(game: Game, text: str):
    from fullprime.rules.game import play

    assert game.dice is not None
    return play(read_play(text, game.position, game.dice))


def test_a_resignation_is_a_flag_with_a_number() -> None:
    game = Game.new(Settings()).act(opening(6, 1))
    game = game.act(play_action(game, "13/7 8/7")).act(roll(Roll(5, 5))).act(resign(2))
    assert texts(svg(game), "flag") == ["2"]


def test_arrows_follow_checkers_and_differ_by_loss_without_colour() -> None:
    play = read_play("24/18/14", START, Roll(6, 4))
    assert play_arrows(play) == (Arrow(24, 14),)
    double = read_play("8/4(2) 6/2(2)", START, Roll(4, 4))
    assert len(play_arrows(double, 0.1, Player.X)) == 4
    dashes = set()
    for loss, severity in ((None, "neutral"), (0.0, "best"), (0.01, "fine"), (0.05, "error"), (0.3, "blunder")):
        arrow = Arrow(24, 14, loss)
        assert arrow.severity == severity
        picture = svg(START, arrows=[arrow])
        assert f"fp-arrow fp-{severity}" in picture
        dashes.add(re.findall(r'stroke-dasharray="([^"]+)"', picture)[0] if "stroke-dasharray" in picture else "")
    assert len(dashes) == 4


def test_nothing_is_drawn_for_what_is_not_there() -> None:
    with pytest.raises(SvgError, match="no theme 'pink'"):
        svg(START, theme="pink")
    with pytest.raises(SvgError, match="no part is called 'sky'"):
        svg(START, theme={"sky": "#fff"})
    with pytest.raises(SvgError, match="home is right or left"):
        svg(START, home="up")  # type: ignore[arg-type]
    with pytest.raises(SvgError, match="places are 0 to 26"):
        svg(START, arrows=[Arrow(30, 1)])


def test_two_pictures_on_a_page_have_different_ids_and_the_same_picture_the_same() -> None:
    ids = [re.search(r'<title id="([^"]+)"', svg(board))[1] for board in (START, START.swapped, START)]  # type: ignore[index]
    other = re.search(r'<title id="([^"]+)"', svg(START, cube=Cube(2, Player.O)))[1]  # type: ignore[index]
    assert ids[0] == ids[2]
    assert ids[0] != other


def test_positions_and_games_show_themselves_in_notebooks() -> None:
    assert START._repr_svg_() == svg(START)
    game = Game.new(Settings(length=5))
    assert game._repr_svg_() == svg(game)


def test_png_is_as_wide_as_asked_and_refuses_what_is_no_width() -> None:
    pytest.importorskip("resvg_py")
    data = png(svg(START), 300)
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 300
    with pytest.raises(PngError, match="not 0"):
        png(svg(START), 0)
