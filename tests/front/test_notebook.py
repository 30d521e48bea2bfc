"""Values show themselves in notebooks, and give tables that programs take."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

import fullprime as fp

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"


@pytest.fixture(scope="module")
def review() -> fp.Review:
    return fp.play_match("0-ply", "random", seed=4).review("fast")


def test_boards_are_pictures() -> None:
    game = fp.Game.from_id(XGID)
    for shown in (game, game.position, game.plays()[0]):
        assert ET.fromstring(shown._repr_svg_()).tag.endswith("svg")


def test_a_ranking_is_a_table_with_a_row_for_each_play() -> None:
    ranking = fp.hint(XGID, level="0-ply")
    assert isinstance(ranking, fp.Ranking)
    rows = ranking.records()
    assert [row["play"] for row in rows] == [ranked.text for ranked in ranking]
    assert [row["equity"] for row in rows] == [ranked.equity for ranked in ranking]
    html = ranking._repr_html_()
    assert html.count("<tr>") == len(ranking) + 1
    assert "<td>8/5 6/5</td>" in html


def test_a_rollout_is_a_picture_and_a_table() -> None:
    rollout = fp.rollout(XGID, trials=36, truncate=3)
    html = rollout._repr_html_()
    assert html.startswith("<svg")
    assert html.count("<tr>") == len(rollout.rolled) + 1
    for row, rolled in zip(rollout.records(), rollout.rolled, strict=True):
        assert (row["low"], row["high"]) == rolled.interval()


def test_a_review_shows_its_ratings_and_its_errors(review: fp.Review) -> None:
    html = review._repr_html_()
    assert html.count("<tr>") == len(review.errors) + 1
    assert "decisions" in html
    assert [error.loss for error in review.errors] == sorted((error.loss for error in review.errors), reverse=True)
    assert set(review.blunders) <= set(review.errors)
    assert all(blunder.sentence for blunder in review.blunders)


def test_a_review_prints_both_players_and_the_costliest_decisions(review: fp.Review) -> None:
    text = str(review)
    assert "0-ply" in text
    assert "random" in text
    assert str(review.errors[0]) in text


def test_rows_of_one_table_have_the_same_plain_columns(review: fp.Review) -> None:
    rows = review.records()
    assert len(rows) == len(review.decisions)
    assert len({tuple(row) for row in rows}) == 1
    assert {type(value) for row in rows for value in row.values()} <= {str, int, float, bool, type(None)}


def answers(review: fp.Review) -> dict[str, object]:
    """One of each kind of answer."""
    cube = XGID.replace(":31:", ":00:")
    return {
        "ranking": fp.hint(XGID, level="0-ply"),
        "ranked play": fp.hint(XGID, level="1-ply")[0],
        "cube decision": fp.hint(cube, level="0-ply"),
        "match cube decision": fp.hint(fp.Position.start(), level="0-ply", length=3, score=(2, 0)),
        "evaluation": fp.evaluate(cube, level="0-ply"),
        "rollout": fp.rollout(XGID, trials=36, truncate=1),
        "rolled": fp.rollout(cube, trials=36, truncate=1).best,
        "duel": fp.duel("random", "random", games=2),
        "review": review,
        "reviews": fp.Reviews((review,), (("bad.mat", "no match"),)),
        "decision": review.errors[0].decision,
        "reviewed decision": review.errors[0],
    }


def test_the_repr_of_an_answer_gives_it_back(review: fp.Review) -> None:
    for name, answer in answers(review).items():
        assert eval(repr(answer), vars(fp)) == answer, name


def test_every_answer_shows_itself_in_a_notebook(review: fp.Review) -> None:
    shown = answers(review) | {"match": fp.play_match("random", "random", seed=3)}
    del shown["ranked play"], shown["rolled"]  # rows of what shows itself
    for name, answer in shown.items():
        pictures = [getattr(answer, method)() for method in ("_repr_html_", "_repr_svg_") if hasattr(answer, method)]
        assert pictures, name
        assert all(text.startswith("<") and text.rstrip().endswith(">") for text in pictures), name
    assert "&lt;b&gt;" in fp.Match.new(3, names=("<b>", "Bob"))._repr_html_()


def test_the_repr_of_an_answer_needs_no_other_name_of_the_package_first() -> None:
    code = (
        "import fullprime as fp; game = fp.Game.from_id('" + XGID + "'); answer = game.hint('fast')\n"
        "assert eval(repr(answer), vars(fp)) == answer; print('ok')"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "ok\n"
