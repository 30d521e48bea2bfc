"""Every rule scenario of ``tests/data/scenarios.json``: legal plays, results, cube, match and variant rules.

Plays and results are compared straight from the file. The events of the other kinds are prose: each has its own
test here, named after its id, and a last test fails when the file holds an id that no test covers.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from fullprime.rules.dice import Roll
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.game import (
    ACCEPT,
    BEAVER,
    DOUBLE,
    DROP,
    RACCOON,
    TAKE,
    ActionKind,
    Game,
    Phase,
    choose,
    opening,
    play,
    resign,
    roll,
)
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, DUTCH, Backgammon

DATA = json.loads((Path(__file__).parents[1] / "data" / "scenarios.json").read_text(encoding="utf-8"))["scenarios"]
SCENARIOS = {scenario["id"]: scenario for scenario in DATA}
LEGAL = [s for s in DATA if s["kind"] == "legal_plays"]
SCORES = [s for s in DATA if s["kind"] == "score"]


def texts(plays: tuple[Play, ...]) -> set[tuple[str, ...]]:
    return {tuple(sorted(str(move) for move in legal.moves)) for legal in plays}


def moves(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split()))


@pytest.mark.parametrize("scenario", LEGAL, ids=lambda s: s["id"])
def test_legal_plays(scenario: dict) -> None:
    position = Position.of(scenario["player"], scenario["opponent"])
    plays = legal_plays(position, Roll(*scenario["dice"]))
    real = [legal for legal in plays if legal.moves]
    assert len(real) == scenario["n_distinct"]
    assert {len(legal.moves) for legal in plays} == {scenario["dice_used"]}
    expected = scenario["expected"]
    if expected is not None:
        assert {legal.after for legal in real} == {Position.of(e["player"], e["opponent"]) for e in expected}
    for text in scenario["expected_notation"]:
        assert any(_same_moves(position, legal, text) for legal in real), text


def _same_moves(position: Position, legal: Play, text: str) -> bool:
    """Whether the hops in ``text`` lead from the position to the board of this play."""
    own, other = list(position.player), list(position.opponent)
    for hop in text.split():
        match = re.fullmatch(r"(bar|hand|\d+)/(off|\d+)(\*?)", hop)
        assert match, hop
        source = {"bar": 25, "hand": 26}.get(match[1]) or int(match[1])
        target = 0 if match[2] == "off" else int(match[2])
        own[source] -= 1
        own[target] += 1
        if match[3]:
            other[25 - target] -= 1
            other[25] += 1
    return (tuple(own), tuple(other)) == (legal.after.player, legal.after.opponent)


@pytest.mark.parametrize("scenario", SCORES, ids=lambda s: s["id"])
def test_score(scenario: dict) -> None:
    loser = Position.of({"off": 15}, scenario["loser"]).opponent
    readings = {
        "default": Backgammon.HOME_OR_BAR,
        "seed003_literal": Backgammon.HOME_OR_BAR,
        "seed004_literal": Backgammon.BAR_ONLY,
        "quad_bar": Backgammon.BAR_FOUR,
    }
    for reading, expected in scenario["expected"].items():
        if isinstance(expected, int):
            assert Settings(backgammon=readings[reading]).level(loser, True) == expected, reading


# -- the cube ---------------------------------------------------------------------------------------------


def money(**options: object) -> Settings:
    return Settings(**options)  # type: ignore[arg-type]


def at_cube(settings: Settings, player: Player = Player.X, score: Score | None = None) -> Game:
    """A game in which it is that player's turn to double or roll."""
    game = Game.new(settings, score).act(opening(1, 3) if player is Player.X else opening(3, 1))
    game = game.act(play(game.legal_plays[0]))
    assert game.on_roll is player
    return game


def winning(game: Game, loser: dict[int | str, int]) -> Game:
    """The game set to the moment before its player on roll bears off the last checker."""
    position = Position.of({1: 1, "off": 14}, loser)
    game = replace(game, position=position, phase=Phase.ROLL, dice=None).act(roll(Roll(6, 5)))
    return game.act(play(game.legal_plays[0]))


GAMMONISH = {6: 15}


def test_c02() -> None:
    game = at_cube(money()).act(DOUBLE).act(DROP)
    assert game.result == Result(Player.X, 1, 1, "drop")


def test_c05() -> None:
    game = Game.new(money()).act(opening(4, 1))
    with pytest.raises(IllegalAction, match="before rolling"):
        game.act(DOUBLE)
    game = game.act(play(game.legal_plays[0]))
    assert game.on_roll is Player.O
    assert game.act(DOUBLE).phase is Phase.DOUBLE_OFFERED


def test_c06() -> None:
    with pytest.raises(IllegalAction, match="dice are cast"):
        at_cube(money()).act(roll(Roll(3, 1))).act(DOUBLE)


def beavered(**options: object) -> Game:
    return at_cube(money(beavers=True, **options)).act(DOUBLE).act(BEAVER)


def test_c07() -> None:
    cube = beavered().act(TAKE).cube
    assert (cube.value, cube.owner) == (4, Player.O)


def test_c08() -> None:
    assert beavered().act(DROP).result == Result(Player.O, 2, 1, "drop")


def test_c09() -> None:
    game = beavered(raccoons=True).act(RACCOON).act(TAKE)
    assert (game.cube.value, game.cube.owner, game.phase, game.on_roll) == (8, Player.O, Phase.ROLL, Player.X)


def test_c10() -> None:
    assert beavered(raccoons=True).act(RACCOON).act(DROP).result == Result(Player.X, 4, 1, "drop")


def test_c11() -> None:
    with pytest.raises(IllegalAction, match="raccoons are not played"):
        beavered().act(RACCOON)


def test_c12() -> None:
    game = at_cube(money(beavers=True)).act(DOUBLE).act(TAKE).act(roll(Roll(3, 1)))
    with pytest.raises(IllegalAction, match="before the dice are thrown"):
        game.act(BEAVER)


def test_c13() -> None:
    with pytest.raises(IllegalAction, match="not for a match"):
        at_cube(Settings(length=7)).act(DOUBLE).act(BEAVER)
    with pytest.raises(SettingsError):
        Settings(length=7, beavers=True)


def test_c14() -> None:
    assert winning(at_cube(money(jacoby=True)), GAMMONISH).result == Result(Player.X, 1, 1, "bear-off")


def test_c15() -> None:
    game = at_cube(money(jacoby=True)).act(DOUBLE).act(TAKE)
    assert winning(game, GAMMONISH).result == Result(Player.X, 4, 2, "bear-off")


def automatic(*openings: tuple[int, int], **options: object) -> Game:
    game = Game.new(money(automatic_doubles=None, **options))
    for x_die, o_die in openings:
        game = game.act(opening(x_die, o_die))
    return game


def test_c17() -> None:
    game = automatic((3, 3), (5, 5), (1, 4), jacoby=True)
    assert (game.multiplier, game.cube.owner, game.cube.value, game.on_roll) == (4, None, 1, Player.O)
    assert winning(game, GAMMONISH).result == Result(Player.O, 4, 1, "bear-off")


def test_c18() -> None:
    game = automatic((3, 3), (5, 5), (4, 1), jacoby=True)
    game = game.act(play(game.legal_plays[0])).act(DOUBLE).act(TAKE)
    result = winning(game, GAMMONISH).result
    assert result is not None
    assert result.points == 16


def cube_at(value: int, owner: Player, settings: Settings, score: Score | None = None) -> Game:
    game = at_cube(settings, owner, score)
    return replace(game, cube=replace(game.cube, value=value, owner=owner))


def test_c21() -> None:
    game = cube_at(64, Player.X, money(cube_cap=64))
    assert not game.may_double
    game = replace(game, phase=Phase.ROLL)
    with pytest.raises(IllegalAction, match="limit is 64"):
        game.act(DOUBLE)


def test_c22() -> None:
    cube = cube_at(64, Player.X, money()).act(DOUBLE).act(TAKE).cube
    assert (cube.value, cube.owner) == (128, Player.O)


def test_c23() -> None:
    game = Game.new(Settings(length=5)).act(opening(3, 3)).act(opening(4, 1))
    assert game.multiplier == 1
    with pytest.raises(SettingsError):
        Settings(length=5, automatic_doubles=1)


def test_c25() -> None:
    assert at_cube(money(jacoby=True)).act(DOUBLE).act(DROP).result == Result(Player.X, 1, 1, "drop")


def test_c27() -> None:
    game = at_cube(money(jacoby=True))
    assert game.resignation_levels == (1,)
    assert game.act(resign(2)).act(ACCEPT).result == Result(Player.O, 1, 1, "resignation")


def test_c28() -> None:
    game = at_cube(money(backgammon=Backgammon.BAR_FOUR)).act(DOUBLE).act(TAKE)
    result = winning(game, {"bar": 1, 6: 14}).result
    assert result is not None
    assert result.points == 8


# -- the match --------------------------------------------------------------------------------------------


def won(winner: Player, points: int) -> Result:
    return Result(winner, points, 1, "bear-off")


def test_m02() -> None:
    settings = Settings(length=9)
    score = Score.start(settings, (8, 3))
    assert score.crawford_game
    score = score.after(won(Player.O, 1), settings)
    assert score == Score((8, 4), crawford_game=False, post_crawford=True)
    assert at_cube(settings, score=score).may_double


def test_m03() -> None:
    settings = Settings(length=5)
    score = Score.start(settings, (4, 0)).after(won(Player.O, 1), settings).after(won(Player.O, 3), settings)
    assert score == Score((4, 4), crawford_game=False, post_crawford=True)
    assert at_cube(settings, score=score).may_double


def test_m04() -> None:
    settings = Settings(length=5)
    assert Score.start(settings).after(won(Player.X, 4), settings).crawford_game


def test_m06() -> None:
    assert not Score.start(Settings(length=5)).crawford_game


@pytest.mark.parametrize("player", Player)
def test_m08(player: Player) -> None:
    game = at_cube(Settings(length=5), player, Score.start(Settings(length=5), (4, 2)))
    assert game.phase is Phase.ROLL
    with pytest.raises(IllegalAction, match="Crawford"):
        game.act(DOUBLE)


def test_m09() -> None:
    score = Score((4, 2), post_crawford=True)
    assert at_cube(Settings(length=5), Player.X, score).act(DOUBLE).phase is Phase.DOUBLE_OFFERED


def test_m10() -> None:
    game = cube_at(4, Player.X, Settings(length=7), Score((5, 5)))
    assert game.act(DOUBLE).act(TAKE).cube.value == 8


def test_m11() -> None:
    result = winning(at_cube(Settings(length=5)), GAMMONISH).result
    assert result == Result(Player.X, 2, 2, "bear-off")


# -- the variants -----------------------------------------------------------------------------------------


def scenario_plays(name: str, **options: object) -> tuple[Play, ...]:
    scenario = SCENARIOS[name]
    variant = {"dutch": DUTCH, "acey_deucey": ACEY_DEUCEY}[scenario["variant"]].with_options(options)
    position = Position.of(scenario["state"]["player"], scenario["state"]["opponent"])
    return legal_plays(position, Roll(*scenario["dice"]), variant)


def test_d01() -> None:
    assert texts(scenario_plays("D01")) == {moves("hand/20 hand/22")}


def test_d03() -> None:
    assert texts(scenario_plays("D03")) == {moves("hand/19 hand/24")}


def test_d04() -> None:
    plays = scenario_plays("D04")
    state = SCENARIOS["D04"]["state"]
    position = Position.of(state["player"], state["opponent"])
    for example in SCENARIOS["D04"]["expected"]["example"]:
        assert any(_same_moves(position, legal, example) for legal in plays), example
    assert all(str(legal.moves[0]).startswith("hand/") and len(legal.moves) == 2 for legal in plays)
    assert all(legal.after.player[26] == 0 for legal in plays)
    # hand/19 then any 1 (24/23, 20/19, 19/18); hand/24 then any 6 (24/18, 20/14); hand/19/18 = hand/24/18.
    assert len(plays) == 4


def test_d05() -> None:
    assert [legal.moves for legal in scenario_plays("D05")] == [()]


def test_d08() -> None:
    assert not any(move.hit for legal in scenario_plays("D08") for move in legal.moves)
    allowed = scenario_plays("D08", entering_move_may_hit=True)
    assert any(str(move) == "8/5*" for legal in allowed for move in legal.moves)


def test_d09() -> None:
    assert any(str(legal.moves[0]) == "bar/21*" for legal in scenario_plays("D09"))
    assert not any(move.hit for legal in scenario_plays("D09", hit_licence="current") for move in legal.moves)


def test_a01() -> None:
    plays = scenario_plays("A01")
    assert len(plays) == 2
    assert {legal.after.text for legal in plays} == {"hand:13 22 19 / hand:15", "hand:14 16 / hand:15"}


def acey(name: str, **options: object) -> Game:
    scenario = SCENARIOS[name]
    game = Game.new(Settings(variant=ACEY_DEUCEY.with_options(options)))
    position = Position.of(scenario["state"]["player"], scenario["state"]["opponent"])
    game = replace(game, position=position, phase=Phase.ROLL)
    return game.act(roll(Roll(*scenario["dice"])))


def played(game: Game, text: str) -> Game:
    wanted = moves(text)
    for legal in game.legal_plays:
        if tuple(sorted(map(str, legal.moves))) == wanted:
            return game.act(play(legal))
    raise AssertionError(f"{text} is not among {texts(game.legal_plays)}")


def test_a02() -> None:
    game = acey("A02")
    game = game.act(play(game.legal_plays[0]))
    assert (game.phase, game.on_roll) == (Phase.CHOOSE_DOUBLE, Player.X)
    assert game.actions() == (ActionKind.CHOOSE, ActionKind.RESIGN)
    game = game.act(choose(5))
    assert (game.phase, game.dice) == (Phase.PLAY, Roll(5, 5))
    game = game.act(play(next(legal for legal in game.legal_plays if len(legal.moves) == 4)))
    assert (game.phase, game.on_roll) == (Phase.ROLL, Player.X)


def test_a04() -> None:
    game = acey("A04")
    assert texts(game.legal_plays) == {moves("20/18")}
    game = played(game, "20/18")
    assert (game.phase, game.on_roll) == (Phase.ROLL, Player.O)


def test_a05() -> None:
    game = acey("A05")
    assert moves("10/9 9/7") in texts(game.legal_plays)
    game = played(game, "10/9 9/7").act(choose(6))
    four = [legal for legal in game.legal_plays if len(legal.moves) == 4]
    assert four
    game = game.act(play(four[0]))
    assert (game.phase, game.on_roll) == (Phase.ROLL, Player.X)


@pytest.mark.parametrize(("number", "dice_played"), [(6, 0), (3, 0), (1, 2)])
def test_a06(number: int, dice_played: int) -> None:
    game = acey("A06")
    game = game.act(play(game.legal_plays[0])).act(choose(number))
    assert {len(legal.moves) for legal in game.legal_plays} == {dice_played}
    game = game.act(play(game.legal_plays[0]))
    assert (game.phase, game.on_roll) == (Phase.ROLL, Player.O)


def test_a06_the_double_that_wins() -> None:
    game = acey("A06")
    game = game.act(play(game.legal_plays[0])).act(choose(4))
    game = played(game, "9/5 5/1 1/off")
    assert game.result == Result(Player.X, 15, None, "bear-off")


def acey_won(loser: dict[int | str, int], **options: object) -> Game:
    game = Game.new(Settings(variant=ACEY_DEUCEY.with_options(options)))
    position = Position.of({1: 1, "off": 14}, loser)
    game = replace(game, position=position, phase=Phase.ROLL).act(roll(Roll(6, 5)))
    return game.act(play(game.legal_plays[0]))


def test_a07() -> None:
    loser: dict[int | str, int] = {10: 4, "bar": 2, "hand": 1, "off": 8}
    stake = SCENARIOS["A07"]["state"]["stake"]
    result = acey_won(loser).result
    assert result is not None
    assert result.points * stake == 14
    literal = acey_won(loser, settlement="checkers_on_board").result
    assert literal is not None
    assert literal.points * stake == 8


@pytest.mark.parametrize(("doubled", "points"), [(False, 5), (True, 20)])
def test_a08(doubled: bool, points: int) -> None:
    game = Game.new(Settings(variant=ACEY_DEUCEY.with_options({"acey_deucey_doubles_stake": doubled})))
    game = game.act(opening(2, 1))
    position = Position.of({1: 1, "off": 14}, {10: 5, "off": 10})
    game = replace(game, position=position, phase=Phase.ROLL, dice=None).act(roll(Roll(2, 1)))
    result = game.act(play(game.legal_plays[0])).result
    assert result is not None
    assert result.points == points


def test_a09() -> None:
    game = acey("A02")
    for _ in range(3):
        game = game.act(play(game.legal_plays[0])).act(choose(1))
        game = game.act(play(next(legal for legal in game.legal_plays if len(legal.moves) == 4)))
        assert (game.phase, game.on_roll) == (Phase.ROLL, Player.X)
        game = game.act(roll(Roll(2, 1)))
        assert game.phase is Phase.PLAY


def test_a12() -> None:
    game = acey("A12")
    game = game.act(play(game.legal_plays[0]))
    assert (game.phase, game.on_roll) == (Phase.ROLL, Player.O)
    game = acey("A12", after_double="roll_again")
    game = game.act(play(game.legal_plays[0]))
    assert (game.phase, game.on_roll) == (Phase.ROLL, Player.X)


def test_every_scenario_is_covered() -> None:
    named = {name[5:8].upper() for name in globals() if re.match(r"test_[a-z]\d\d", name)}
    by_file = {scenario["id"] for scenario in LEGAL + SCORES}
    assert set(SCENARIOS) == named | by_file


def test_the_start_is_the_sources() -> None:
    assert BACKGAMMON.starting_position.text == "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
