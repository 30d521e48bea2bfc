"""The open benchmark: its files, its rollouts and its players (benchmarks/open)."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from lab.tests.peers.test_puretd import written as net_file
from tests.engine.random_nets import random_engine

from fullprime.engine.bots.batch import PlayerError
from fullprime.engine.cube.context import CUBELESS
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.rollouts.task import TrialPolicy
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game
from fullprime.rules.position import Position
from fullprime.rules.score import Score, Settings
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.measure.completions import Completions
from fullprime_lab.measure.json_lines import append_line, read_lines
from fullprime_lab.measure.rolling import Figures, _join_stands, _Standing, roll_out_boards, roll_out_cube_action
from fullprime_lab.peers.players import LinesPlayer, PeerPlayer, open_player
from fullprime_lab.peers.questions import write_board

HERE = Path(__file__).parents[3] / "benchmarks" / "open"
RACE = "6:1 5:2 4:1 off:11 / 6:2 3:2 off:11"
QUICK = TrialPolicy(ply=0, truncate=1)


@pytest.fixture(autouse=True)
def _on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    yield
    for name in ("records", "make", "run"):
        sys.modules.pop(name, None)


def roll_line(name="backgammon-1-1", losses=(0.0, 0.05)):
    """A line about a 3-1 from the start with two plays."""
    game = Game.new(Settings(variant=BACKGAMMON, length=0))
    from fullprime.rules.plays import legal_plays

    plays = legal_plays(game.position, Roll(3, 1), BACKGAMMON)[: len(losses)]
    request = {
        "position": write_board(game.position),
        "dice": [3, 1],
        "variant": "backgammon",
        "cubeful": True,
        "cube": {"value": 2, "owner": "mover"},
        "match": {"length": 7, "mover": 3, "opponent": 6, "crawford": False},
        "rules": {"jacoby": False, "beavers": False},
    }
    candidates = [
        {"play": str(play), "position_id": write_board(play.position), "equity": -loss, "loss": loss, "error": 0.001}
        for play, loss in zip(plays, losses, strict=True)
    ]
    return {"id": name, "asked": request, "found": {"candidates": candidates}}


def cube_line(no_double, double_take):
    line = roll_line("backgammon-1-2-cube")
    line["asked"]["dice"] = None
    line["found"] = {"no_double": no_double, "double_take": double_take, "double_drop": 1.0}
    return line


def decision(line):
    from records import Decision

    return Decision(line["id"], line["asked"], line["found"])


def test_a_line_is_kept_whole_and_what_was_cut_off_is_made_again(tmp_path):
    from records import decisions_in

    path = tmp_path / "plays.jsonl"
    append_line(path, roll_line())
    with path.open("a") as file:
        file.write('{"id": "half a li')
    assert [kept.name for kept in decisions_in(path)] == ["backgammon-1-1"]
    append_line(path, roll_line("backgammon-2-9"))
    assert [line["id"] for line in read_lines(path)] == ["backgammon-1-1", "backgammon-2-9"]
    assert list(read_lines(tmp_path / "none.jsonl")) == []
    (kept, _) = decisions_in(path)
    assert kept.roll == Roll(3, 1)
    assert kept.position == BACKGAMMON.starting_position
    assert kept.context == CubeContext(cube=2, owner=CubeOwner.MOVER, away=(4, 1))


def test_the_halves_follow_from_the_name_alone():
    from records import CHOOSING, JUDGING, half_of

    counts = Counter(half_of(f"backgammon-{game}-{turn}") for game in range(40) for turn in range(50))
    assert abs(counts[CHOOSING] - counts[JUDGING]) < 150
    assert half_of("backgammon-1-4") == half_of("backgammon-1-4") == JUDGING


def test_plays_are_rolled_out_until_they_are_apart():
    """Each as far behind as it was when it had its last trials; the same every time."""
    from fullprime.rules.plays import legal_plays

    engine = random_engine()
    plays = legal_plays(Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"), Roll(3, 1), BACKGAMMON)[:3]
    boards = [play.position for play in plays]
    figures = roll_out_boards(engine, boards, CUBELESS, 7, QUICK)
    assert figures[:1] == roll_out_boards(engine, boards, CUBELESS, 7, QUICK)[:1]
    assert min(figure.loss for figure in figures) == 0.0
    best = max(figure.equity for figure in figures)
    assert all(figure.loss == pytest.approx(best - figure.equity) for figure in figures)
    assert all(figure.trials % 36 == 0 and figure.settled in ("clear", "precise", "open") for figure in figures)
    assert all(figure.error <= 0.005 or figure.loss >= 3 * figure.error or figure.trials == 1296 for figure in figures)


def test_distances_go_on_from_one_that_was_in_front_to_the_next():
    stands = {
        0: _Standing(0, 0.0, 0.0, 72, "precise"),
        1: _Standing(0, 0.02, 0.003, 72, "precise"),
        2: _Standing(1, 0.10, 0.004, 36, "clear"),
    }
    figures = _join_stands(stands, 0, 0.5)
    assert [round(figure.equity, 6) for figure in figures] == [0.5, 0.48, 0.38]
    assert figures[2].error == pytest.approx(0.005)
    stands[1].gap = -0.01  # the one that left earlier proves better
    assert [round(figure.loss, 6) for figure in _join_stands(stands, 0, 0.5)] == [0.01, 0.0, 0.1]


def test_a_cube_is_rolled_out():
    rolled = roll_out_cube_action(random_engine(), Position.from_text(RACE), CubeContext(), 3, QUICK)
    assert rolled["double_drop"] == 1.0
    assert rolled["trials"] >= 108
    assert rolled["joint_error"] >= 0


class Chooser:
    """Chooses one board in every decision, and to double against a drop."""

    name = "chooser"

    def __init__(self, after):
        self._after = after

    def play(self, question):
        return self._after

    def cube(self, question):
        return (True, False)

    def close(self):
        pass


def charged(after, decisions, completions=None):
    from run import choices_of, measure

    return measure(choices_of(Chooser(after), decisions), decisions, completions)


def test_players_are_charged_what_they_lose():
    from run import cube_costs

    decisions = [decision(roll_line()), decision(cube_line(0.5, 0.6))]
    figures = charged(decisions[0].candidates[1].after, decisions)
    assert (figures.plays, figures.cubes, figures.charged, figures.completed) == (1, 1, 0, 0)
    assert figures.pr == pytest.approx(25)
    assert (figures.wrong_doubles, figures.wrong_answers) == (0, 1)
    elsewhere = charged(BACKGAMMON.starting_position.swapped, decisions)
    assert (elsewhere.charged, elsewhere.completed, elsewhere.pr) == (1, 0, pytest.approx(25))
    assert cube_costs(decision(cube_line(0.7, 0.6)), doubled=True, taken=True) == pytest.approx((0.1, 0.0))
    assert cube_costs(decision(cube_line(0.7, 1.2)), doubled=False, taken=True) == pytest.approx((0.3, 0.2))


def test_a_completed_play_is_charged_by_its_own_verdict_and_all_alike(tmp_path):
    decisions = [decision(roll_line()), decision(roll_line("backgammon-1-5"))]
    elsewhere, (best, second) = BACKGAMMON.starting_position.swapped, decisions[0].candidates
    path = tmp_path / "outside.jsonl"
    append_line(path, {"id": "backgammon-1-1", "position_id": write_board(elsewhere), "loss": 0.01})
    append_line(path, {"id": "backgammon-1-5", "position_id": write_board(elsewhere), "loss": -0.02})
    completions = Completions(path)
    figures = charged(elsewhere, decisions, completions)
    assert (figures.completed, figures.charged) == (2, 0)
    assert (figures.pr, figures.completed_loss) == (pytest.approx(500 * 0.01 / 2), 1.0)
    # In the second decision the completed play is the best one: what was best before it has lost.
    assert charged(best.after, decisions, completions).pr == pytest.approx(500 * 0.02 / 2)
    of_second = charged(second.after, decisions, completions)
    assert (of_second.pr, of_second.completed, of_second.completed_loss) == (pytest.approx(500 * 0.12 / 2), 0, 0.0)


def test_every_play_that_a_player_chose_is_completed_once(tmp_path, monkeypatch):
    from run import choices_of, complete

    rolled = []

    def roll_out_boards(engine, boards, context, seed):
        rolled.append(boards)
        return [Figures(0.1, 0.0, 0.001, 36, "clear"), Figures(0.07, 0.03, 0.002, 36, "clear")]

    monkeypatch.setattr("fullprime_lab.measure.completions.roll_out_boards", roll_out_boards)
    decisions = [decision(roll_line()), decision(cube_line(0.5, 0.6))]
    best, second = (candidate.after for candidate in decisions[0].candidates)
    elsewhere = BACKGAMMON.starting_position.swapped
    table = [choices_of(Chooser(after), decisions) for after in (elsewhere, second, elsewhere)]
    complete(table, decisions, Completions(tmp_path / "outside.jsonl"))
    complete(table, decisions, Completions(tmp_path / "outside.jsonl"))
    assert rolled == [[best, elsewhere]]
    (line,) = read_lines(tmp_path / "outside.jsonl")
    assert (line["id"], line["loss"], line["error"], line["trials"]) == ("backgammon-1-1", 0.03, 0.002, 36)


def test_a_program_that_speaks_our_lines_is_asked(tmp_path):
    line = roll_line()
    answer = {"plays": [{"position_id": line["found"]["candidates"][1]["position_id"]}], "cube": None}
    program = tmp_path / "program.py"
    program.write_text(f"import sys\nfor _ in sys.stdin:\n    print({json.dumps(json.dumps(answer))}, flush=True)\n")
    player = open_player(f"engine: {sys.executable} {program}")
    assert isinstance(player, LinesPlayer)
    assert player.play(decision(line)) == decision(line).candidates[1].after
    assert player.cube(decision(line)) is None
    player.close()
    with pytest.raises(PlayerError, match="has ended"):
        player.play(decision(line))
    with pytest.raises(PlayerError, match="nothing-there"):
        open_player("engine: nothing-there")


def test_a_peer_by_its_file_chooses_plays_alone(tmp_path):
    player = open_player(str(net_file(tmp_path / "net.pt", 5)))
    assert isinstance(player, PeerPlayer)
    question = decision(roll_line())
    assert player.play(question) in {play.after.swapped for play in question.position.plays(question.roll)}
    assert player.cube(question) is None


def test_rare_plans_go_first_and_every_score_occurs():
    import make

    game = Game.new(Settings(variant=BACKGAMMON, length=0))
    places = [make.Place(turn, game, plan) for turn, plan in enumerate(("race", "blitz", "race", "back game"))]
    counts = Counter({"race": 5, "blitz": 1})
    places_chosen = make.rarest(places, counts, 2, "seed")
    assert {place.plan for place in places_chosen} == {"back game", "blitz"}
    assert counts == Counter({"race": 5, "blitz": 1})
    kinds = [make.settings_of(number, BACKGAMMON) for number in range(400)]
    assert sum(settings.is_match for settings, _ in kinds) == 200
    assert any(score.post_crawford for _, score in kinds)
    assert any(score.crawford_game for _, score in kinds)
    request = make.asked(Game.new(Settings(variant=BACKGAMMON, length=7), Score((5, 2))), roll=False)
    assert request["match"] == {"length": 7, "mover": 5, "opponent": 2, "crawford": False}
    assert make.number_of("backgammon-17-23-cube") == 17
