"""A court from its stock to its table, and the families of its positions."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from tests.cli.commandline import CommandLine

from fullprime.engine.bots.batch import end_turns
from fullprime.engine.core.pack import pack
from fullprime.engine.engine import Engine
from fullprime.engine.nets.evaluator import NetEvaluator, best_results
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.court.families import FAMILIES, SHAPES, families_of
from fullprime_lab.court.peer_rollouts import roll_out_by
from fullprime_lab.court.stock import StockError, make_stock, read_stock
from fullprime_lab.measure.json_lines import read_lines

POSITIONS = {
    "double back game": "24:2 22:2 13:5 8:3 6:3 / 23:2 21:2 13:4 8:3 6:4",
    "early back game": "24:2 22:3 13:3 8:3 6:4 / 13:4 8:4 6:4 5:3",
    "late back game": "24:2 22:3 6:4 5:3 4:3 / 6:4 5:4 4:3 2:2 off:2",
    "snake": "17:2 16:2 15:2 14:2 12:3 11:2 10:2 / 24:1 6:4 5:3 4:3 off:4",
    "containment": "8:2 7:2 6:3 5:3 4:3 2:2 / 22:1 6:2 5:2 off:10",
    "prime against prime": "24:2 7:2 6:3 5:3 4:3 3:2 / 24:2 7:2 6:3 5:3 4:3 3:2",
    "ace-point game": "24:2 6:4 5:4 4:3 3:2 / 8:1 6:4 5:4 4:4 3:2",
    "bear-in against contact": "8:2 6:5 5:4 4:4 / 23:2 13:5 8:4 6:4",
    "blitz": "13:2 8:3 7:2 6:4 5:2 4:2 / bar:1 24:1 13:5 8:3 6:5",
    "deep race": "12:4 10:4 8:4 6:3 / 11:4 9:4 7:4 5:3",
}


@pytest.mark.parametrize("family", SHAPES)
def test_a_position_belongs_to_its_family_whoever_is_on_roll(family):
    position = Position.from_text(POSITIONS[family])
    numbers = families_of(pack([position, position.swapped, BACKGAMMON.starting_position]))
    assert [list(SHAPES)[number] if number >= 0 else None for number in numbers] == [family, family, None]


def test_a_rollout_by_another_program_finds_what_the_tables_know():
    evaluator = NetEvaluator(BACKGAMMON)

    class Peer:
        evaluate = evaluator.evaluate

        def choose(self, boards, dice):
            return end_turns(best_results(evaluator, boards, dice))

    boards = [Position.from_text(text) for text in ("5:2 3:1 off:12 / 4:2 3:1 off:12", "1:1 off:14 / 6:5 5:5 4:5")]
    rollouts = roll_out_by(Peer(), pack(boards), 144, 3)
    assert rollouts == roll_out_by(Peer(), pack(boards), 144, 3)
    engine = Engine.open(level="0-ply")
    exact = [-engine.evaluate(board).equity for board in boards]
    assert rollouts[0].equity == pytest.approx(exact[0], abs=4 * rollouts[0].error)
    assert 0 < rollouts[0].error < 0.04
    assert rollouts[1].equity == pytest.approx(exact[1], abs=1e-3)


@pytest.fixture(scope="module")
def stock(tmp_path_factory):
    """One decision of each family, chosen by the static level."""
    path = tmp_path_factory.mktemp("court") / "court.jsonl"
    make_stock(path, 1, levels=("fast",))
    return path


@pytest.mark.broad
def test_a_stock_has_every_family_and_goes_on_to_the_same_end(stock, tmp_path):
    decisions = read_stock(stock)
    assert sorted(decision.family for decision in decisions) == sorted(FAMILIES)
    for decision in decisions:
        assert (len(decision.candidates) in (2, 3)) == decision.is_play
    whole = stock.read_text()
    cut = tmp_path / "cut.jsonl"
    cut.write_text(whole[: len(whole) // 2])
    make_stock(cut, 1, levels=("fast",))
    assert sorted(cut.read_text().splitlines()) == sorted(whole.splitlines())


def few_of(stock, path):
    """A stock of four families whose games are soon over."""
    families = ("containment", "ace-point game", "deep race", "cube at the border")
    lines = [line for line in stock.read_text().splitlines() if json.loads(line)["family"] in families]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


CHOOSER = """\
import json, sys
answers = {}
for line in open(sys.argv[1]):
    line = json.loads(line)
    cube = {"no_double": 0.5, "double_take": 0.6, "double_drop": 1.0}
    answers[line["id"]] = {"plays": line["candidates"][-1:], "cube": cube}
for line in sys.stdin:
    print(json.dumps(answers[json.loads(line)["id"]]), flush=True)
"""


@pytest.mark.broad
def test_a_court_is_held_from_end_to_end(stock, tmp_path, monkeypatch, capsys):
    fullprime = CommandLine(monkeypatch, capsys)
    stocked = fullprime.run("court", "stock", str(stock), "--decisions", "1", "-l", "fast", "--json").json
    assert set(stocked["families"].values()) == {1}
    stock = few_of(stock, tmp_path / "court.jsonl")
    judge = ("court", "judge", str(stock), "fullprime", "--trials", "36", "--plies", "0")
    done = fullprime.run(*judge, "--json")
    assert (done.code, done.json["judged"]) == (0, {"fullprime": 4}), done.err
    verdicts = stock.with_suffix(".verdicts.jsonl")
    lines = list(read_lines(verdicts))
    assert len(lines) == 4
    assert all(np.isfinite(pair).all() for line in lines for pair in line["plays"].values())
    assert fullprime.run(*judge).out == "  fullprime       4 of 4 decisions\n"
    assert len(list(read_lines(verdicts))) == 4
    program = tmp_path / "fullprime" / "last.py"
    program.parent.mkdir()
    program.write_text(CHOOSER)
    players = (f"engine: {sys.executable} {program} {stock}", "fast")
    done = fullprime.run("court", "table", str(stock), *players, "--json")
    other, ours = done.json["contestants"]
    assert (other["judges"], ours["judges"]) == (["fullprime"], [])
    assert other["every"][-1]["decisions"] == 4
    assert other["every"][-1]["loss"] > 0
    assert ours["every"][-1] == {"family": "all", "decisions": 0, "loss": None, "error": None}
    assert done.json["agreed"] == 0, "one judge cannot agree"
    table = fullprime.run("court", "table", str(stock), *players).out
    assert "judged by nobody else yet" in table
    assert f"…{players[0][-23:]} " in table, "the head of a column is short"
    assert "ace-point game" in table


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("stock", "STOCK", "--family", "chess"), "no family 'chess'"),
        (("judge", "STOCK"), "no decisions of a court"),
        (("judge", "STOCK", "snowie"), "no judge 'snowie'"),
        (("judge", "STOCK", "--trials", "1"), "--trials"),
        (("table", "STOCK", "1-ply"), "no decisions of a court"),
        (("table", "WRONG", "1-ply"), "wrong.jsonl, line 1"),
        (("table", "GOOD", "snowie"), "no player 'snowie'"),
        (("table", "GOOD", "engine: nothing-there"), "nothing-there"),
        (("table",), "STOCK"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(stock, tmp_path, monkeypatch, capsys, words, says):
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(json.dumps({"id": "blitz-1", "family": "blitz"}) + "\n")
    paths = {"STOCK": str(tmp_path / "none.jsonl"), "WRONG": str(wrong), "GOOD": str(stock)}
    done = CommandLine(monkeypatch, capsys).run("court", *(paths.get(word, word) for word in words))
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err


def test_a_line_that_is_no_decision_is_named(tmp_path):
    path = tmp_path / "court.jsonl"
    path.write_text('{"id": "blitz-1", "family": "blitz", "round": 0, "asked": {"position": "x"}, "candidates": []}\n')
    with pytest.raises(StockError, match="line 1"):
        read_stock(path)
