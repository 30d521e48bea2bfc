"""Values print as players read them, their repr gives them back, and verbs take whatever people write."""

from __future__ import annotations

import ast
import random
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import fullprime as fp
from fullprime.rules import late_binding
from fullprime.rules.actions import ActionKind
from fullprime.rules.errors import IllegalAction, IllegalPlay, NotationError
from fullprime.rules.record import GameRecord, Setup


def test_functions_bound_late_are_those_that_type_checkers_see() -> None:
    """The table of what runs and the imports for type checkers say the same."""
    tree = ast.parse(Path(late_binding.__file__).read_text(encoding="utf-8"))
    (checked,) = (node for node in tree.body if isinstance(node, ast.If))
    imported = {
        alias.name: node.module for node in checked.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert {name: module for name, module in imported.items() if name[0].islower()} == late_binding.MODULES
    for name, module in late_binding.MODULES.items():
        assert getattr(late_binding, name) is getattr(import_module(module), name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        late_binding.nothing  # noqa: B018


def again(value: object) -> object:
    return eval(repr(value), vars(fp))


def games(variant: str, seed: int) -> list[fp.Game]:
    """Every game of a match for money with all agreements between random players."""
    rules = fp.Settings(variant=variant)
    if rules.cube:
        rules = fp.Settings(variant=variant, jacoby=True, beavers=True, automatic_doubles=2, stake="2.50")
    match = fp.play_match("random", "random", settings=rules, seed=seed)
    return [entry.before for game in match.games for entry in game.entries()] + [match.game]


@pytest.mark.parametrize("variant", list(fp.variants))
def test_the_repr_of_a_value_gives_it_back(variant: str) -> None:
    games_found = games(variant, 3)
    for game in random.Random(5).sample(games_found, 12) + games_found[-1:]:
        assert again(game) == game
        assert again(game.position) == game.position
        assert again(game.cube) == game.cube
        assert again(game.score) == game.score
        assert again(game.settings) == game.settings
        assert again(game.result) == game.result
        assert again(game.dice) == game.dice
        for play in game.legal_plays[:3]:
            assert again(play) == play


@pytest.mark.parametrize(
    "settings",
    [
        fp.Settings(),
        fp.Settings(length=7, crawford=False),
        fp.Settings(variant="dutch", length=3),
        fp.Settings(stake="0.05", jacoby=True, beavers=True, raccoons=True, cube_cap=64, automatic_doubles=None),
        fp.Settings(cube=False, backgammon=next(iter(type(fp.Settings().backgammon)))),
        fp.Settings(variant=fp.variants["acey_deucey"].with_options({"after_double": "none"})),
        fp.Settings(variant=fp.Variant(name="house", title="House", start=fp.Position.start().player)),
    ],
)
def test_the_repr_of_settings_gives_them_back_and_is_short(settings: fp.Settings) -> None:
    assert again(settings) == settings
    if settings.variant.name != "house":
        assert len(repr(settings)) < 160


def test_the_repr_of_a_match_gives_it_back() -> None:
    match = fp.play_match("heuristic", "random", length=3, seed=8)
    assert again(match) == match
    noted = fp.Match(
        match.settings,
        ("Ann", "Bo"),
        (GameRecord(match.games[0].start, (Setup(match.games[0].start, "set up"),), comments={-1: "long"}),),
        {"Event": "Club"},
    )
    assert again(noted) == noted
    assert hash(match.settings) == hash(again(match.settings))


@pytest.mark.parametrize("action", [
    fp.Action("roll", dice=(3, 1)), fp.Action("resign", number=2), fp.Action("double"),
    fp.Action("opening", dice=(1, 6)),
])  # fmt: skip
def test_the_repr_of_an_action_gives_it_back(action: fp.Action) -> None:
    assert again(action) == action
    assert isinstance(action.kind, ActionKind)


def test_values_print_as_players_read_them() -> None:
    game = fp.Game.new(fp.Settings(length=5)).opening(3, 1)
    play = game.plays()[0]
    assert str(fp.Player.X) == f"{fp.Player.X}" == "X"
    assert [str(play) for play in game.plays() if set(map(str, play.moves)) == {"8/5", "6/5"}] == ["8/5 6/5"]
    assert str(game).count("\n") == 18
    assert "167 pips" in str(game)
    assert "score 0 of 5" in str(game)
    assert str(fp.Position.start()).count("●") == 15 + 1
    assert str(fp.Cube(2, fp.Player.O)) == "cube at 2, held by O"
    assert str(fp.Settings(length=5, crawford=False)) == "Backgammon, match to 5, no crawford"
    assert str(fp.Action("play", moves=play.moves)) == str(play)
    over = game.play("8/5 6/5").resign("gammon").accept()
    assert str(over.result) == "O wins a gammon, 2 points (resignation)" or str(over.result).startswith("X wins")


def test_a_match_prints_as_a_score_sheet() -> None:
    match = fp.Match.new(3).opening(3, 1).play("8/5 6/5").double().take().roll("66").play("24/18(2) 13/7(2)")
    assert [line.rstrip() for line in str(match).splitlines()] == [
        "Backgammon, match to 3: X (X) \N{EN DASH} O (O)",
        "",
        "Game 1, X 0, O 0",
        "     X                               O",
        "  1) 31: 8/5 6/5                     doubles to 2",
        "  2) takes                           66: 24/18(2) 13/7(2)",
        "",
        "The score: X 0, O 0",
    ]


def test_verbs_take_what_people_write() -> None:
    start = fp.Game.new().opening(3, 1)
    by_text = start.play("8/5 6/5")
    play = next(play for play in start.plays() if play.after == by_text.position_of(fp.Player.X))
    assert start.play(play) == by_text == start.play(play.moves) == start.play("6-5, 8-5")
    assert by_text.roll("42") == by_text.roll((2, 4)) == by_text.roll(fp.Roll(4, 2)) == by_text.roll("4-2")
    assert by_text.double().take().cube == fp.Cube(2, fp.Player.X)
    assert fp.Position.start("nackgammon").plays((6, 5)) == fp.Position.start("nackgammon").plays("65")
    assert fp.Position.start("hypergammon").plays("65") == fp.Game.new("hypergammon").opening(6, 5).plays()
    assert fp.Game.from_id("4HPwATDgc/ABMA").position == fp.Position.start()


def test_a_match_goes_on_with_the_next_game() -> None:
    match = fp.Match.new(2).opening(3, 1).resign().accept()
    assert match.score.points == (0, 1)
    match = match.opening(6, 2)
    assert len(match.games) == 2
    assert match.game.score.crawford_game


GAME = fp.Game.new().opening(3, 1)


@pytest.mark.parametrize(
    ("refused", "error", "words"),
    [
        (lambda: GAME.play("8/5 6/5").act(fp.Action("roll")), IllegalAction, "no dice"),
        (lambda: fp.Action("play", moves=("8/5",)), IllegalAction, "'8/5'"),
        (lambda: fp.Action("fly"), IllegalAction, "'fly'"),
        (lambda: fp.Action("choose"), IllegalAction, "None"),
        (lambda: fp.Action("double", dice=(3, 1)), IllegalAction, "(3, 1)"),
        (lambda: GAME.act("roll"), IllegalAction, "'roll'"),
        (lambda: GAME.play(("8/5",)), IllegalAction, "'8/5'"),
        (lambda: GAME.play(31), IllegalAction, "31"),
        (lambda: GAME.play("8/3"), IllegalPlay, "8/3"),
        (lambda: GAME.play("e2e4"), NotationError, "e2e4"),
        (lambda: GAME.roll("31"), IllegalAction, "roll"),
        (lambda: GAME.play("8/5 6/5").roll("71"), fp.FullprimeError, "'71'"),
        (lambda: GAME.play("8/5 6/5").roll((3, "x")), fp.FullprimeError, "'x'"),
        (lambda: GAME.play("8/5 6/5").roll(31), fp.FullprimeError, "31"),
        (lambda: GAME.play("8/5 6/5").roll(None), fp.FullprimeError, "None"),
        (lambda: GAME.resign("everything"), IllegalAction, "'everything'"),
        (lambda: fp.Game.new("chess"), fp.FullprimeError, "'chess'"),
        (lambda: fp.Position.start(7), fp.FullprimeError, "7"),
        (lambda: fp.Position.from_id("nonsense"), fp.FullprimeError, "'nonsense'"),
        (lambda: fp.Settings(length="7"), fp.FullprimeError, "'7'"),
        (lambda: fp.Settings(stake="much"), fp.FullprimeError, "'much'"),
        (lambda: fp.Settings(variant=None), fp.FullprimeError, "None"),
        (lambda: fp.hint(31), fp.FullprimeError, "31"),
        (lambda: fp.convert("4HPwATDgc/ABMA", "fen"), fp.FullprimeError, "'fen'"),
        (lambda: fp.read("nowhere.mat"), fp.FullprimeError, "nowhere.mat"),
        (lambda: fp.review("nowhere.mat"), fp.FullprimeError, "nowhere.mat"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_refused_by_an_error_that_carries_it(refused, error, words) -> None:
    with pytest.raises(error) as raised:
        refused()
    assert isinstance(raised.value, fp.FullprimeError)
    assert words in str(raised.value)


def run_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.alone
def test_importing_the_package_is_nearly_free() -> None:
    code = "import time; begun = time.process_time(); import fullprime; print(time.process_time() - begun)"
    assert min(float(run_python(code)) for _ in range(3)) < 0.05


def test_importing_the_package_loads_nothing() -> None:
    code = "import sys; before = set(sys.modules); import fullprime; print(*(set(sys.modules) - before))"
    loaded = set(run_python(code).split())
    assert {name for name in loaded if name.startswith("fullprime")} == {"fullprime", "fullprime.version"}
    assert not loaded & {"numpy", "numba", "dataclasses"}


def test_the_front_door_names_what_it_has() -> None:
    assert set(dir(fp)) == set(fp.__all__)
    assert len(fp.__all__) <= 100
    for name in fp.__all__:
        assert getattr(fp, name) is not None
    with pytest.raises(AttributeError, match="it has Action"):
        fp.nothing  # noqa: B018
    assert [name for name in fp.__all__ if name not in (fp.__doc__ or "")] == ["__version__"]


def test_every_error_that_the_front_door_raises_is_had_from_it() -> None:
    named: set[str] = set()
    for name in fp.__all__:
        value = getattr(fp, name)
        for member in (value, *(vars(value).values() if isinstance(value, type) else ())):
            for names_told in re.findall(r"[Rr]aises? ([^.:]*)", getattr(member, "__doc__", None) or ""):
                named |= set(re.findall(r"\b[A-Z]\w*(?:Error|Action|Play)\b", names_told))
    assert {"IllegalPlay", "LevelError", "FileError"} <= named
    assert named - set(fp.__all__) == set()
    with pytest.raises(fp.IllegalPlay):
        GAME.play("8/3")


def test_games_of_other_modules_evaluate_before_any_name_was_used() -> None:
    code = (
        "from fullprime.rules.variants import DUTCH; from fullprime.rules.game import Game; import fullprime as fp\n"
        "game = Game.new('dutch'); fp.Game; assert eval(repr(game), vars(fp)) == game; print('ok')"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "ok\n"
