"""The open benchmark: its files, its rollouts and its players (benchmarks/open)."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from lab.tests.peers.test_puretd import written as net_file
from tests.engine.random_nets import random_engine

from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.rollouts.task import Conduct
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game
from fullprime.rules.position import Position
from fullprime.rules.score import Score, Settings
from fullprime.rules.variants import BACKGAMMON

HERE = Path(__file__).parents[3] / "benchmarks" / "open"
RACE = "6:1 5:2 4:1 off:11 / 6:2 3:2 off:11"
QUICK = Conduct(ply=0, truncate=1)


@pytest.fixture(autouse=True)
def _on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    yield
    for name in ("records", "rolling", "players", "make", "run"):
        sys.modules.pop(name, None)


def roll_line(name="backgammon-1-1", losses=(0.0, 0.05)):
    """A line about a 3-1 from the start with two plays."""
    from records import written

    game = Game.new(Settings(variant=BACKGAMMON, length=0))
    from fullprime.rules.plays import legal_plays

    plays = legal_plays(game.position, Roll(3, 1), BACKGAMMON)[: len(losses)]
    asked = {
        "position": written(game.position),
        "dice": [3, 1],
        "variant": "backgammon",
        "cubeful": True,
        "cube": {"value": 2, "owner": "mover"},
        "match": {"length": 7, "mover": 3, "opponent": 6, "crawford": False},
        "rules": {"jacoby": False, "beavers": False},
    }
    candidates = [
        {"play": str(each), "position_id": written(each.position), "equity": -loss, "loss": loss, "error": 0.001}
        for each, loss in zip(plays, losses, strict=True)
    ]
    return {"id": name, "asked": asked, "found": {"candidates": candidates}}


def cube_line(no_double, double_take):
    line = roll_line("backgammon-1-2-cube")
    line["asked"]["dice"] = None
    line["found"] = {"no_double": no_double, "double_take": double_take, "double_drop": 1.0}
    return line


def decision(line):
    from records import Decision

    return Decision(line["id"], line["asked"], line["found"])


def test_a_line_is_kept_whole_and_what_was_cut_off_is_made_again(tmp_path):
    from records import append, decisions_in, read_lines

    path = tmp_path / "plays.jsonl"
    append(path, roll_line())
    with path.open("a") as file:
        file.write('{"id": "half a li')
    assert [each.name for each in decisions_in(path)] == ["backgammon-1-1"]
    append(path, roll_line("backgammon-2-9"))
    assert [each["id"] for each in read_lines(path)] == ["backgammon-1-1", "backgammon-2-9"]
    assert list(read_lines(tmp_path / "none.jsonl")) == []
    (found, _) = decisions_in(path)
    assert found.roll == Roll(3, 1)
    assert found.position == BACKGAMMON.starting_position
    assert found.context == CubeContext(cube=2, owner=CubeOwner.MOVER, away=(4, 1))


def test_the_halves_follow_from_the_name_alone():
    from records import CHOOSING, JUDGING, half_of

    counts = Counter(half_of(f"backgammon-{game}-{turn}") for game in range(40) for turn in range(50))
    assert abs(counts[CHOOSING] - counts[JUDGING]) < 150
    assert half_of("backgammon-1-4") == half_of("backgammon-1-4") == JUDGING


def test_plays_are_rolled_out_until_they_are_apart():
    """Each as far behind as it was when it had its last trials; the same every time."""
    from rolling import plays_rolled

    from fullprime.rules.plays import legal_plays

    engine = random_engine()
    plays = legal_plays(Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"), Roll(3, 1), BACKGAMMON)[:3]
    boards = [each.position for each in plays]
    found = plays_rolled(engine, boards, CUBELESS, 7, QUICK)
    assert found[:1] == plays_rolled(engine, boards, CUBELESS, 7, QUICK)[:1]
    assert min(each.loss for each in found) == 0.0
    best = max(each.equity for each in found)
    assert all(each.loss == pytest.approx(best - each.equity) for each in found)
    assert all(each.trials % 36 == 0 and each.settled in ("clear", "precise", "open") for each in found)
    assert all(each.error <= 0.005 or each.loss >= 3 * each.error or each.trials == 1296 for each in found)


def test_distances_go_on_from_one_that_was_in_front_to_the_next():
    from rolling import _joined, _Stand

    stands = {
        0: _Stand(0, 0.0, 0.0, 72, "precise"),
        1: _Stand(0, 0.02, 0.003, 72, "precise"),
        2: _Stand(1, 0.10, 0.004, 36, "clear"),
    }
    found = _joined(stands, 0, 0.5)
    assert [round(each.equity, 6) for each in found] == [0.5, 0.48, 0.38]
    assert found[2].error == pytest.approx(0.005)
    stands[1].gap = -0.01  # the one that left earlier proves better
    assert [round(each.loss, 6) for each in _joined(stands, 0, 0.5)] == [0.01, 0.0, 0.1]


def test_a_cube_is_rolled_out():
    from rolling import cube_rolled

    found = cube_rolled(random_engine(), Position.from_text(RACE), CubeContext(), 3, QUICK)
    assert found["double_drop"] == 1.0
    assert found["trials"] >= 108
    assert found["joint_error"] >= 0


def test_players_are_charged_what_they_lose():
    from run import cube_costs, measure

    class One:
        name = "one"

        def __init__(self, after):
            self._after = after

        def play(self, asked):
            return self._after

        def cube(self, asked):
            return (True, False)

    line = roll_line()
    asked = [decision(line), decision(cube_line(0.5, 0.6))]
    second = asked[0].candidates[1].after
    found = measure(One(second), asked, lambda _decision, _after: None)
    assert (found.plays, found.cubes, found.outside) == (1, 1, 0)
    assert found.pr == pytest.approx(25)
    assert (found.wrong_doubles, found.wrong_answers) == (0, 1)
    elsewhere = BACKGAMMON.starting_position.swapped
    charged = measure(One(elsewhere), asked, lambda _decision, _after: None)
    assert (charged.outside, charged.charged, charged.pr) == (1, 1, pytest.approx(25))
    rolled = measure(One(elsewhere), asked, lambda _decision, _after: 0.01)
    assert (rolled.outside, rolled.charged, rolled.pr) == (1, 0, pytest.approx(5))
    assert cube_costs(decision(cube_line(0.7, 0.6)), doubled=True, taken=True) == pytest.approx((0.1, 0.0))
    assert cube_costs(decision(cube_line(0.7, 1.2)), doubled=False, taken=True) == pytest.approx((0.3, 0.2))


def test_a_program_that_speaks_our_lines_is_asked(tmp_path):
    from players import AskedError, LinesPlayer, named

    line = roll_line()
    answer = {"plays": [{"position_id": line["found"]["candidates"][1]["position_id"]}], "cube": None}
    program = tmp_path / "program.py"
    program.write_text(f"import sys\nfor _ in sys.stdin:\n    print({json.dumps(json.dumps(answer))}, flush=True)\n")
    player = named(f"engine: {sys.executable} {program}")
    assert isinstance(player, LinesPlayer)
    assert player.play(decision(line)) == decision(line).candidates[1].after
    assert player.cube(decision(line)) is None
    player.close()
    with pytest.raises(AskedError, match="no answer"):
        player.play(decision(line))
    with pytest.raises(AskedError, match="nothing-there"):
        named("engine: nothing-there")


def test_a_peer_by_its_file_chooses_plays_alone(tmp_path):
    from players import PeerPlayer, named

    player = named(str(net_file(tmp_path / "net.pt", 5)))
    assert isinstance(player, PeerPlayer)
    asked = decision(roll_line())
    assert player.play(asked) in {play.after.swapped for play in asked.position.plays(asked.roll)}
    assert player.cube(asked) is None


def test_rare_plans_go_first_and_every_score_occurs():
    import make

    game = Game.new(Settings(variant=BACKGAMMON, length=0))
    places = [make.Place(turn, game, plan) for turn, plan in enumerate(("race", "blitz", "race", "back game"))]
    counts = Counter({"race": 5, "blitz": 1})
    found = make.rarest(places, counts, 2, "seed")
    assert {each.plan for each in found} == {"back game", "blitz"}
    assert counts == Counter({"race": 5, "blitz": 1})
    kinds = [make.settings_of(number, BACKGAMMON) for number in range(400)]
    assert sum(settings.is_match for settings, _ in kinds) == 200
    assert any(score.post_crawford for _, score in kinds)
    assert any(score.crawford_game for _, score in kinds)
    asked = make.asked(Game.new(Settings(variant=BACKGAMMON, length=7), Score((5, 2))), roll=False)
    assert asked["match"] == {"length": 7, "mover": 5, "opponent": 2, "crawford": False}
    assert make.number_of("backgammon-17-23-cube") == 17
