"""The twelve programs of docs/first-hour-python.md: short, one import, names of the front door alone, and right."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import fullprime as fp
from fullprime.reviews.decision import XG, Verdict
from fullprime.reviews.explain import explanation
from fullprime.rules.ids import read_id
from fullprime.rules.notation import format_play
from fullprime.rules.plays import legal_plays

PAGE = (Path(__file__).parents[2] / "docs" / "first-hour-python.md").read_text(encoding="utf-8")
MARK = r"<!-- run by tests/front/test_programs.py: program (\d+) -->\n```python\n(.*?)```"
PROGRAMS = {int(number): code for number, code in re.findall(MARK, PAGE, re.DOTALL)}
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
OTHER = "XGID=-a-a--E-C---dE---c-e----B-:0:0:1:52:0:0:0:7:10"


def run(number: int, inputs: dict[str, str], capsys: pytest.CaptureFixture[str]) -> tuple[str, dict[str, object]]:
    """What a program prints, and its variables, with other inputs than the page has."""
    code = PROGRAMS[number]
    for text, meant in inputs.items():
        assert text in code, text
        code = code.replace(text, meant)
    names: dict[str, object] = {}
    exec(compile(code, f"program {number}", "exec"), names)
    return capsys.readouterr().out, names


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two short matches, in two formats."""
    folder = tmp_path_factory.mktemp("matches")
    fp.write(fp.play_match("0-ply", "random", seed=4), folder / "one.mat")
    fp.write(fp.play_match("random", "heuristic", seed=5), folder / "two.sgf")
    return folder


@pytest.mark.parametrize("number", range(1, 13))
def test_a_program_is_one_import_and_at_most_six_lines_of_the_front_door(number: int) -> None:
    lines = [line for line in PROGRAMS[number].splitlines() if line.strip()]
    assert len(lines) <= 6
    tree = ast.parse(PROGRAMS[number])
    assert [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)] == [
        "import fullprime as fp"
    ]
    named = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "fp"
    }
    assert named
    assert named <= set(fp.__all__)


def test_every_legal_play_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    output, _ = run(1, {'"31"': '"65"', "00:0:0:0:7:10": "00:0:0:0:9:10"}, capsys)
    start = fp.Position.start()
    first = [format_play(play) for play in legal_plays(start, fp.Roll(6, 5))]
    second = [format_play(play) for play in legal_plays(start, fp.Roll(6, 4))]
    assert output.split("\n")[:-1] == first + second


def test_a_match_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    output, names = run(2, {"length=3": "length=2", "seed=7": "seed=11"}, capsys)
    match = names["match"]
    assert isinstance(match, fp.Match)
    assert match.is_over
    assert max(match.score.points) >= 2
    assert match == fp.play_match("0-ply", "beginner", length=2, seed=11)
    winner = match.names[match.score.match_winner(match.settings) or 0]
    assert f"{winner} wins the match" in output
    assert output.count("\nGame ") == len(match.games)


def test_the_best_plays_and_the_cube_are_those_of_the_engine(capsys: pytest.CaptureFixture[str]) -> None:
    output, names = run(3, {XGID: OTHER}, capsys)
    ranking, cube = names["plays"], names["cube"]
    assert isinstance(ranking, fp.Ranking)
    assert isinstance(cube, fp.CubeDecision)
    engine = fp.Engine.open(level="0-ply")
    assert ranking.best.play == engine.best_play(read_id(OTHER).game)
    assert {play.play.after for play in ranking} == {play.after for play in read_id(OTHER).game.legal_plays}
    assert output.startswith(ranking.best.text)
    assert cube.verdict in output
    assert cube.no_double == engine.cube_decision("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10").no_double


def test_a_rollout_has_its_interval_and_its_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    inputs = {"trials=144": "trials=72", "rollout.svg": str(tmp_path / "r.svg"), "truncate=5": "truncate=3"}
    output, names = run(4, inputs, capsys)
    rollout = names["rollout"]
    assert isinstance(rollout, fp.Rollout)
    assert rollout.trials == 72
    low, high = rollout.best.interval()
    assert low < rollout.best.equity < high
    assert f"({low!r}, {high!r})" in output
    picture = (tmp_path / "r.svg").read_text(encoding="utf-8")
    assert all(play.name in picture for play in rollout.rolled)
    assert rollout.records()[0]["low"] == low


def test_blunders_are_told_with_their_sentences(capsys: pytest.CaptureFixture[str], matches: Path) -> None:
    output, _ = run(5, {"match.mat": str(matches / "one.mat")}, capsys)
    match = fp.read(matches / "one.mat")[0].match
    review = match.review("fast")
    wanted = sorted(
        (decision for decision in review.decisions if decision.verdict(XG) is Verdict.BLUNDER),
        key=lambda each: -each.loss,
    )
    assert wanted
    lines = output.splitlines()
    assert len(lines) == len(wanted)
    for line, decision in zip(lines, wanted, strict=True):
        game = list(match.games[decision.game].entries())[decision.event].before
        assert decision.best.text in line
        assert line.endswith(explanation(decision, game).first)
        assert f"loses {decision.loss:.3f} (blunder)" in line


def test_a_folder_is_a_table_with_a_row_for_each_decision(capsys: pytest.CaptureFixture[str], matches: Path) -> None:
    output, names = run(6, {'"matches"': repr(str(matches))}, capsys)
    rows = names["rows"]
    assert isinstance(rows, list)
    reviews = [fp.read(matches / name)[0].match.review("fast") for name in ("one.mat", "two.sgf")]
    assert len(rows) == sum(len(review.decisions) for review in reviews)
    assert {row["match"] for row in rows} == {"one.mat", "two.sgf"}
    assert len({tuple(row) for row in rows}) == 1
    assert [row["loss"] for row in rows] == [decision.loss for review in reviews for decision in review.decisions]
    blunders = sum(decision.verdict(XG) is Verdict.BLUNDER for review in reviews for decision in review.decisions)
    assert output == f"{len(rows)} decisions, {blunders} blunders\n"


def test_identifiers_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    output, _ = run(7, {XGID: OTHER}, capsys)
    values = dict(line.split(" ", 1) for line in output.splitlines())
    assert set(values) == {"xgid", "gnuid", "ogid", "text"}
    assert {read_id(text).game.position for text in values.values()} == {read_id(OTHER).game.position}


def test_boards_are_drawn_with_arrows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra `png` is not installed")
    run(8, {"board.svg": str(tmp_path / "b.svg"), "board.png": str(tmp_path / "b.png")}, capsys)
    with_arrows = (tmp_path / "b.svg").read_text(encoding="utf-8")
    assert with_arrows == fp.draw(XGID, plays=["8/5 6/5", "13/10 24/23"])
    assert with_arrows != fp.draw(XGID)
    data = (tmp_path / "b.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20]) == 400


def test_two_players_are_dueled(capsys: pytest.CaptureFixture[str]) -> None:
    output, names = run(10, {"games=200": "games=20"}, capsys)
    result = names["result"]
    assert isinstance(result, fp.DuelResult)
    assert result.games == 20
    assert output == f"{result}\n"
    assert "0-ply" in output
    assert "heuristic" in output


def test_the_library_is_searched(capsys: pytest.CaptureFixture[str], matches: Path, tmp_path: Path) -> None:
    inputs = {"library.db": str(tmp_path / "l.db"), '"matches"': repr(str(matches)), "limit=5": "limit=1000"}
    output, _ = run(11, inputs, capsys)
    boards = {
        entry.before.position.text
        for match in fp.read(matches).matches
        for game in match.games
        for entry in game.entries()
    }
    with fp.Library(tmp_path / "l.db") as library:
        hits = library.search("6:2+ 5:2+ * / 24:1+ *", limit=1000)
        everything = library.search("* / *", limit=10_000)
    fitting = [board.position for board in everything if _fits(board.position)]
    assert fitting
    assert [hit.position for hit in hits] == fitting
    assert {hit.position.text for hit in hits} <= boards
    assert output == "".join(f"{hit}\n" for hit in hits)


def _fits(position: fp.Position) -> bool:
    return position.player[6] >= 2 and position.player[5] >= 2 and position.opponent[24] >= 1


def test_a_house_variant_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    output, names = run(12, {'{"exact_bearoff": "yes"}': '{"bar_priority": "no"}'}, capsys)
    house = names["house"]
    assert isinstance(house, fp.Variant)
    assert house.bar_priority is False
    assert house == eval(repr(house), vars(fp))
    assert "'bar_priority': 'no'" in output
    match = fp.play_match("heuristic", "heuristic", variant=house, seed=5)
    assert match.settings.variant == house
    assert str(match) in output
