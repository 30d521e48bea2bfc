"""Completed verdicts: files of completions, and decisions that are judged by them."""

from __future__ import annotations

import json

import pytest

from fullprime.engine.boards.conversion import row_of
from fullprime.rules.dice import Roll
from fullprime.rules.ids.gnu import gnu_position_id
from fullprime.rules.plays import legal_plays
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.measure import completions as completing
from fullprime_lab.measure.completions import Completions
from fullprime_lab.measure.decisions import Decisions
from fullprime_lab.measure.json_lines import LinesError, append_line, read_lines
from fullprime_lab.measure.rolling import Figures

START = BACKGAMMON.starting_position
PLAYS = legal_plays(START, Roll(3, 1))
NAME = f"{gnu_position_id(START)}:31"


def board_id(index):
    return gnu_position_id(PLAYS[index].position)


@pytest.fixture
def path(tmp_path):
    """A 3-1 from the start with two plays, the second 0.2 behind the first."""
    candidates = [{"position_id": board_id(0), "equity": 0.1}, {"position_id": board_id(1), "equity": -0.1}]
    line = {"position_id": gnu_position_id(START), "dice": [1, 3], "candidates": candidates}
    file = tmp_path / "decisions.jsonl"
    file.write_text(json.dumps(line) + "\n")
    return file


def loss(decisions, index):
    return decisions.loss(0, row_of(PLAYS[index].position)[0])


def test_a_play_that_is_completed_costs_what_its_own_verdict_says(path):
    beside = path.with_name("completions.jsonl")
    append_line(beside, {"id": NAME, "position_id": board_id(2), "loss": 0.05})
    decisions = Decisions.read(path, Completions(beside))
    assert [loss(decisions, index) for index in range(4)] == pytest.approx([0, 0.2, 0.05, 0.2])
    assert (decisions.listed.sum(), decisions.completed.sum()) == (2, 1)
    assert decisions.completed[decisions.row_of(0, row_of(PLAYS[2].position)[0])]
    append_line(beside, {"id": NAME, "position_id": board_id(3), "loss": -0.03})
    decisions = Decisions.read(path, Completions(beside))
    assert [loss(decisions, index) for index in range(5)] == pytest.approx([0.03, 0.23, 0.08, 0, 0.23])
    assert [loss(Decisions.read(path), index) for index in range(4)] == pytest.approx([0, 0.2, 0.2, 0.2])


def test_a_play_is_rolled_out_once_beside_the_best_and_a_cut_line_is_made_again(path, monkeypatch):
    rolled = []

    def roll_out_boards(engine, boards, context, seed):
        rolled.append((boards, seed))
        return [Figures(0.1, 0.0, 0.001, 36, "clear"), Figures(0.02, 0.08, 0.002, 36, "clear")]

    monkeypatch.setattr(completing, "roll_out_boards", roll_out_boards)
    completions = Completions(path.with_name("completions.jsonl"))
    decisions = Decisions.read(path, completions)
    rows = [decisions.row_of(0, row_of(PLAYS[index].position)[0]) for index in (0, 4, 4)]
    for row in rows:
        decisions.complete(row, completions)
    assert rolled == [([PLAYS[0].position, PLAYS[4].position], completing.seed_of(NAME))]
    assert loss(Decisions.read(path, completions), 4) == pytest.approx(0.08)
    whole = completions.path.read_text()
    completions.path.write_text(whole[:-20])
    decisions.complete(rows[1], Completions(completions.path))
    assert (len(rolled), completions.path.read_text()) == (2, whole)


def test_a_sealed_file_holds_nothing_of_the_decisions(path, monkeypatch):
    figures = [Figures(0.1, 0.0, 0.001, 36, "clear"), Figures(0.02, 0.08, 0.002, 36, "clear")]
    monkeypatch.setattr(completing, "roll_out_boards", lambda *_asked: figures)
    completions = Completions(path.with_name("sealed.jsonl"), sealed=True)
    decisions = Decisions.read(path, completions)
    decisions.complete(decisions.row_of(0, row_of(PLAYS[4].position)[0]), completions)
    (line,) = read_lines(completions.path)
    assert line["version"].startswith("fullprime 0")
    assert not {NAME, gnu_position_id(START), board_id(4)} & set(map(str, line.values()))
    decisions = Decisions.read(path, Completions(completions.path, sealed=True))
    assert (loss(decisions, 4), decisions.completed.sum()) == (pytest.approx(0.08), 1)
    assert decisions.completed[decisions.row_of(0, row_of(PLAYS[4].position)[0])]


@pytest.mark.parametrize(
    "text", ["no JSON\n", "[1]\n", '{"id": "a"}\n', '{"id": "a", "position_id": "b", "loss": "c"}\n']
)
def test_what_is_no_file_of_completions_is_refused_in_one_line(tmp_path, text):
    file = tmp_path / "bad.jsonl"
    file.write_text(text)
    with pytest.raises(LinesError, match=r"bad\.jsonl") as refused:
        Completions(file)
    assert "\n" not in str(refused.value)
    with pytest.raises(LinesError, match="cannot be written"):
        append_line(tmp_path / "nowhere" / "lines.jsonl", {})
    assert list(read_lines(tmp_path / "none.jsonl")) == []
