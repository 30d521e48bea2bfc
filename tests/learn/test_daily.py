"""The position of the day: the stock is whole and of the nets in use, each day has one, and answers are judged."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from fullprime.learn.lessons.figures import FiguresError
from fullprime.learn.lessons.position_of_day import boards_text, question, read_boards, read_stock, stock
from fullprime.learn.teaching import daily
from fullprime.rules.errors import SettingsError
from fullprime.rules.notation import read_play
from fullprime.rules.plays import legal_plays

DAY = date(2026, 11, 22)


def test_the_stock_is_of_the_nets_in_use() -> None:
    assert daily.why_stale() == "", "fullprime daily --make"


def test_a_stock_that_another_cube_has_judged_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = stock().figures
    other = replace(figures, nets={**figures.nets, "backgammon cube": "0000000000000000"})
    monkeypatch.setattr(daily, "stock", lambda: replace(stock(), figures=other))
    assert "0000000000000000" in daily.why_stale()


def test_every_position_has_one_clear_answer_and_figures_of_all_its_plays() -> None:
    positions = set()
    for step, figures in zip(stock().lesson.steps, stock().figures.steps, strict=True):
        board = step.board
        assert board is not None
        assert board.dice is not None
        positions.add(f"{board.position.text} {board.dice}")
        legal = legal_plays(board.position, board.dice, board.variant)
        assert len(figures.plays) == len(legal), board.key
        assert figures.plays[0].loss == 0
        assert daily.CLEAR <= figures.plays[1].loss <= daily.FAR, board.key
        best = read_play(figures.plays[0].play, board.position, board.dice, board.variant)
        assert best.after in {play.after for play in legal}
    assert len(positions) == len(stock()), "no position comes twice"


def test_each_day_has_its_position_and_the_next_day_another() -> None:
    days = [DAY + timedelta(days) for days in range(len(stock()))]
    assert len({daily.of_day(day).board.key for day in days}) == len(stock())
    assert daily.of_day(days[0]) == daily.of_day(DAY + timedelta(len(stock())))


def test_a_play_is_judged_by_its_loss_and_a_refused_one_by_its_rule() -> None:
    plays = daily.of_day(DAY).figures.plays
    right = daily.answer(DAY, plays[0].play)
    assert right.verdict.right
    assert "Next best: " in right.words[1][0].text
    wrong = daily.answer(DAY, plays[-1].play)
    assert not wrong.verdict.right
    assert wrong.verdict.loss == pytest.approx(plays[-1].loss)
    assert wrong.verdict.best == plays[0].play
    assert daily.answer(DAY, "24/1").verdict.refused
    assert daily.position_of(DAY).board.tree is not None
    assert daily.solution(DAY).verdict.play == plays[0].play


def test_the_question_names_the_score_and_the_roll() -> None:
    board = daily.of_day(DAY).board
    assert board.dice is not None
    assert question(board).endswith(f"How do you play {board.dice.high}-{board.dice.low}?")
    assert read_boards(boards_text([board], "a test")) == [board]


@pytest.mark.broad
def test_every_day_says_why_its_best_play_is_better() -> None:
    silent = [
        step.board.key
        for step, figures in zip(stock().lesson.steps, stock().figures.steps, strict=True)
        if step.board is not None and not daily.why_best(step.board, figures)
    ]
    assert silent == [], "fullprime daily --mend"


@pytest.mark.slow
def test_days_without_a_reason_get_another_position_and_the_others_keep_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = daily.make_stock(2, seed=3, folder=tmp_path)
    first, second = (step.board for step in read_stock(folder).lesson.steps)
    assert first is not None
    assert second is not None
    reason = daily.reason
    monkeypatch.setattr(daily, "reason", lambda board, *plays: "" if board.key == first.key else reason(board, *plays))
    daily.mend_stock(seed=4, folder=folder)
    mended = [step.board for step in read_stock(folder).lesson.steps]
    assert mended[0] != first
    assert mended[1] == second


def test_a_damaged_stock_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(FiguresError, match="there is no stock"):
        read_stock(tmp_path)
    with pytest.raises(FiguresError, match="these are no positions"):
        read_boards('{"version": 1, "positions": [["backgammon", "start"]]}')
    with pytest.raises(FiguresError, match="version 9"):
        read_boards('{"version": 9}')
    with pytest.raises(SettingsError, match="1 to 5000"):
        daily.make_stock(0)


@pytest.mark.slow
def test_a_stale_stock_is_judged_anew_and_keeps_the_days_that_are_still_good(tmp_path: Path) -> None:
    folder = daily.make_stock(2, seed=3, folder=tmp_path)
    files = (folder / "figures.json").read_text(), (folder / "positions.json").read_text()
    stale = files[0].replace(read_stock(folder).figures.nets["backgammon cube"], "0000000000000000")
    assert stale != files[0]
    (folder / "figures.json").write_text(stale)
    daily.mend_stock(seed=4, folder=folder)
    assert (folder / "figures.json").read_text() == files[0]
    assert read_boards((folder / "positions.json").read_text()) == read_boards(files[1])


@pytest.mark.slow
def test_a_stock_is_made_again_from_its_seed(tmp_path: Path) -> None:
    first, second = (daily.make_stock(2, seed=3, folder=tmp_path / name) for name in ("a", "b"))
    for name in ("positions.json", "figures.json"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
