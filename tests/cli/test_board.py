"""The drawing, line by line. `FULLPRIME_UPDATE_GOLDEN=1 make test ARGS=tests/cli/test_board.py` draws the golden files
again; read them before you believe them.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullprime.cli.terminal import STYLES, board_text
from fullprime.rules.board import HEIGHT, WIDTH, BoardView, draw_board
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.game import DOUBLE, TAKE, Game, opening, play, roll
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON

X, O = Player
GOLDEN = Path(__file__).parent / "golden"

START = BoardView(BACKGAMMON.starting_position)
MIDDLE = BoardView(
    Position.from_text("bar:2 24 20 13:4 8:3 6:4 / 24 16 13:5 8 6:6 2"),
    turn=X,
    dice=(4, 4, 4, 4),
    cube=Cube(4, owner=O),
    names=("Ada", "Grace"),
    scores=(3, 11),
    length=13,
)
BEAR_OFF = BoardView(
    Position.from_text("6:3 5:3 4:2 off:7 / bar 3:2 2:6 1:2 off:4"), turn=O, cube=Cube(4, owner=X, offered=8)
)
VIEWS = {
    "start": replace(START, turn=X, dice=Roll(3, 1), cube=Cube(), scores=(0, 0), length=7),
    "start_ascii": replace(START, dice=Roll(3, 1), cube=Cube(), ascii_only=True),
    "middle": MIDDLE,
    "middle_mirrored": replace(MIDDLE, home_left=True),
    "middle_ascii": replace(MIDDLE, ascii_only=True),
    "middle_from_the_top": replace(MIDDLE, bottom=O),
    "bear_off_offered": BEAR_OFF,
    "bear_off_mirrored_ascii": replace(BEAR_OFF, home_left=True, ascii_only=True),
    "bar_full": BoardView(Position.from_text("bar:7 24:8 / bar:12 24:3")),
    "stacks_mirrored": BoardView(Position.from_text("24:15 / 24:15"), home_left=True, on_roll=O, turn=O),
    "crawford_o_on_roll": replace(
        START, on_roll=O, turn=O, dice=Roll(6, 2), scores=(6, 2), length=7, note="Crawford game"
    ),
    "dutch": BoardView(Position.from_text("hand:12 24:2 22 / hand:15"), on_roll=O, turn=O, dice=(5, 2), cube=Cube()),
    "acey_deucey_mirrored": BoardView(
        Position.from_text("hand:3 bar 24:2 22:9 / hand:10 20:5"), home_left=True, dice=(2, 1), scores=(-12, 12)
    ),
    "hypergammon": BoardView(HYPERGAMMON.starting_position, cube=Cube(2, owner=X)),
}


@pytest.mark.parametrize("name", VIEWS)
def test_the_drawing_is_the_golden_one(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    drawn = draw_board(VIEWS[name]) + "\n"
    if os.environ.get("FULLPRIME_UPDATE_GOLDEN"):
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VIEWS)
def test_the_coloured_board_says_the_same(name: str) -> None:
    lines = [line.rstrip() for line in board_text(VIEWS[name]).plain.split("\n")]
    assert "\n".join(lines) == draw_board(VIEWS[name])


def test_no_golden_file_without_a_view() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(VIEWS)


def test_colour_is_never_the_only_difference() -> None:
    text = board_text(START)
    styled = {span.style: text.plain[span.start : span.end] for span in text.spans}
    assert set(styled[STYLES["x"]]) == {"●"}
    assert set(styled[STYLES["o"]]) == {"○"}


@pytest.mark.parametrize(("value", "face"), [(1, "64"), (2, "2"), (1024, "1024"), (65536, "65536"), (2**20, "2^20")])
def test_the_cube_shows(value: int, face: str) -> None:
    assert f"│{face:^5}│" in draw_board(replace(START, cube=Cube(value)))


def test_the_cube_lies_with_its_owner() -> None:
    def line_of_cube(view: BoardView) -> int:
        return next(number for number, line in enumerate(draw_board(view).split("\n")) if "│  2  │" in line[:8])

    assert line_of_cube(replace(START, cube=Cube(2))) == HEIGHT // 2
    assert line_of_cube(replace(START, cube=Cube(2, owner=X))) > HEIGHT // 2
    assert line_of_cube(replace(START, cube=Cube(2, owner=O))) < HEIGHT // 2
    assert line_of_cube(replace(START, cube=Cube(2, owner=O), bottom=O, on_roll=O, turn=O)) > HEIGHT // 2


def test_who_holds_the_position_makes_no_difference() -> None:
    seen_by_x = replace(MIDDLE, dice=())
    seen_by_o = replace(seen_by_x, position=MIDDLE.position.swapped, on_roll=O)
    assert draw_board(seen_by_x) == draw_board(seen_by_o)


def test_a_game_is_drawn_as_it_stands() -> None:
    game = Game.new(Settings(length=3))
    assert BoardView.of(game) == BoardView(game.position, cube=Cube(), scores=(0, 0), length=3)
    game = game.act(opening(2, 5))
    view = BoardView.of(game, names=("Ada", "Bot"))
    assert (view.turn, view.on_roll, view.dice, view.names) == (O, O, Roll(5, 2), ("Ada", "Bot"))
    game = game.act(play(game.legal_plays[0])).act(DOUBLE)
    view = BoardView.of(game)
    assert (view.turn, view.on_roll, view.cube) == (O, X, Cube(1, None, 2))
    assert BoardView.of(game.act(TAKE)).cube == Cube(2, O)
    assert BoardView.of(game.act(TAKE).act(roll(Roll(1, 1)))).dice == Roll(1, 1)


def test_the_crawford_game_and_a_raised_stake_are_said() -> None:
    settings = Settings(length=3)
    crawford = BoardView.of(Game.new(settings, Score.start(settings, (2, 0))))
    assert crawford.cube is None
    assert draw_board(crawford).endswith("Crawford game")
    assert BoardView.of(Game.new(Settings(length=1))).cube is None
    raised = Game.new(Settings(automatic_doubles=None)).act(opening(3, 3)).act(opening(4, 4))
    assert draw_board(BoardView.of(raised)).endswith("stake x4")


def test_a_long_name_is_cut_visibly() -> None:
    drawn = draw_board(replace(START, names=("x" * 100, "O"), length=25, scores=(24, 24)))
    assert "x" * 19 + "~" in drawn
    assert "x" * 20 not in drawn


@st.composite
def sides(draw: st.DrawFn) -> Position:
    """Any two sides that can share a board, on points, bar, hand and off."""
    owners = draw(st.lists(st.integers(0, 1), min_size=25, max_size=25))
    rows = []
    for player in (0, 1):
        free = [p for p in range(1, 25) if owners[p if player == 0 else 25 - p] == player]
        row = [0] * 27
        for slot in draw(st.lists(st.sampled_from([0, 25, 26, *free]), min_size=15, max_size=15)):
            row[slot] += 1
        rows.append(tuple(row))
    return Position(rows[0], rows[1])


@pytest.mark.broad
@settings(max_examples=150)
@given(
    position=sides(),
    on_roll=st.sampled_from(Player),
    bottom=st.sampled_from(Player),
    home_left=st.booleans(),
    ascii_only=st.booleans(),
    offered=st.booleans(),
    dice=st.lists(st.integers(1, 6), max_size=4),
)
def test_every_board_fits_and_shows_every_checker(position: Position, **options: object) -> None:
    view = BoardView(position, cube=Cube(32, owner=X, offered=64 if options.pop("offered") else None), **options)
    lines = draw_board(view).split("\n")
    assert len(lines) == HEIGHT
    assert max(map(len, lines)) <= WIDTH <= 80
    if view.ascii_only:
        assert draw_board(view).isascii()
    board = "\n".join(lines[3:16])
    for player, glyph in zip(Player, "XO" if view.ascii_only else "●○", strict=True):
        row = view.row(player)
        drawn = sum(count if count <= 5 else 4 for count in row[1:26]) + row[0] + (row[26] > 0)
        assert board.count(glyph) == drawn
        for count in row[1:27]:
            assert count <= 5 or str(count) in board
