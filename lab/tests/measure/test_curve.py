"""PR against time: files of decisions, the measurement, the picture, the command."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from tests.cli.commandline import CommandLine

from fullprime.engine.bots.batch import PlayerError
from fullprime.rules.dice import Roll
from fullprime.rules.ids.gnu import gnu_position_id
from fullprime.rules.plays import legal_plays
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.measure.curve import StrengthPoint, measure_curve
from fullprime_lab.measure.decisions import PR, Decisions, DecisionsError
from fullprime_lab.measure.strength_graph import draw_strength_graph

START = BACKGAMMON.starting_position


def line(dice, count, worst=0.0):
    """A decision from the start whose first plays lose 0, 0.1, 0.2 ... in the order of the readable rules."""
    plays = legal_plays(START, Roll(*dice))[:count]
    candidates = [
        {"position_id": gnu_position_id(play.after.swapped), "equity": -0.1 * index - worst * (index == count - 1)}
        for index, play in enumerate(plays)
    ]
    return {"position_id": gnu_position_id(START), "dice": list(dice), "candidates": candidates}


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "decisions.jsonl"
    lines = [line((3, 1), 3), line((6, 5), 2, worst=0.4), line((4, 2), 5)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_a_choice_costs_what_the_file_says(path):
    decisions = Decisions.read(path)
    assert len(decisions) == 3
    plays = legal_plays(START, Roll(3, 1))
    rows = {row.tobytes(): row for row in decisions.boards[decisions.first[0] : decisions.first[1]]}
    from fullprime.engine.boards.conversion import row_of

    costs = [decisions.loss(0, rows[row_of(play.after.swapped)[0].tobytes()]) for play in plays]
    assert costs[:3] == pytest.approx([0, 0.1, 0.2])
    assert costs[3:] == pytest.approx([0.2] * (len(plays) - 3)), "what is no candidate costs what the worst one does"
    losses = decisions.losses[decisions.rows_of(lambda boards: np.zeros(len(boards)))]
    assert losses.shape == (3,)
    with pytest.raises(DecisionsError, match="not legal"):
        decisions.loss(0, decisions.before[0])


@pytest.mark.parametrize(
    "text", ["", "{}", "no JSON", '{"position_id": "4HPwATDgc/ABMA", "dice": [3, 1], "candidates": []}']
)
def test_what_is_no_file_of_decisions_is_refused(tmp_path, text):
    file = tmp_path / "decisions.jsonl"
    file.write_text(text)
    with pytest.raises(DecisionsError, match=r"decisions\.jsonl"):
        Decisions.read(file)
    with pytest.raises(DecisionsError, match="nowhere"):
        Decisions.read(tmp_path / "nowhere")


def test_a_curve_measures_everybody_on_the_same_decisions(path):
    reports = []
    points = measure_curve(Decisions.read(path), ("0-ply", "random"), seconds=5, progress=reports.append)
    assert [(point.program, point.level, point.decisions) for point in points] == [
        ("fullprime", "0-ply", 3),
        ("fullprime", "random", 3),
    ]
    assert all(0 <= point.pr <= 0.5 * PR and point.milliseconds > 0 for point in points)
    assert len(reports) == 2
    with pytest.raises(PlayerError, match="no player 'chess'"):
        measure_curve(Decisions.read(path), ("chess",))


def test_the_picture_shows_every_point():
    points = [
        StrengthPoint("fullprime", "0-ply", 2.0, 0.2, 0.05, 100),
        StrengthPoint("fullprime", "1-ply", 1.0, 0.2, 1.0, 100),
    ]
    points.append(StrengthPoint("gnubg <nn>", "0", 2.9, float("nan"), 0.06, 1))
    picture = ET.fromstring(draw_strength_graph(points))
    name = "{http://www.w3.org/2000/svg}"
    circles = picture.findall(f"{name}circle")
    assert len(circles) == 3
    across = [float(circle.get("cx")) for circle in circles]
    assert across[0] < across[2] < across[1], "slower is farther right"
    heights = [float(circle.get("cy")) for circle in circles]
    assert heights[1] > heights[0] > heights[2], "stronger is lower"
    words = [text.text for text in picture.iter(f"{name}text")]
    assert {"gnubg <nn>", "0-ply", "1-ply"} <= set(words)
    with pytest.raises(ValueError, match="points"):
        draw_strength_graph([])


def test_the_command_prints_and_draws(path, tmp_path, monkeypatch, capsys):
    command = CommandLine(monkeypatch, capsys)
    picture = tmp_path / "strength.svg"
    done = command.run(
        "bench", "--curve", str(path), "-l", "0-ply", "--seconds", "5", "--picture", str(picture), "--json"
    )
    assert done.code == 0, done.err
    assert [point["level"] for point in done.json["points"]] == ["0-ply"]
    assert str(picture) in done.json["pictures"]
    ET.parse(picture)
    done = command.run("bench", "--curve", str(path), "-l", "random")
    assert "fullprime random" in done.out
    for wrong, words in ((("--curve", "nowhere"), "nowhere"), (("--curve", str(path), "--seconds", "0"), "--seconds")):
        done = command.run("bench", *wrong)
        assert (done.code, words in done.err) == (2, True)
