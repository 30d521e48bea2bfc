"""Cards out of lessons: a position that was answered wrongly is asked again, with the figures of its step."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from fullprime.db.database import open_database
from fullprime.learn.flashcards.from_lessons import card_of_answer
from fullprime.learn.flashcards.service import Cards, body_text, judge_answer, read_body
from fullprime.learn.learners import LearnerId
from fullprime.learn.lessons import course

NOW = datetime.fromisoformat("2026-03-01T09:00")
GRADED = [
    pytest.param(lesson.name, number, id=f"{lesson.name} {number}")
    for lesson in course()
    for number, step in enumerate(lesson.steps, 1)
    if step.graded
]


@pytest.mark.parametrize(("name", "number"), GRADED)
def test_every_step_that_the_engine_judges_makes_a_card_with_its_costs(name: str, number: int) -> None:
    lesson = course().get_lesson(name)
    step, figures = lesson.steps[number - 1], course().get_figures(lesson).steps[number - 1]
    body = card_of_answer(name, number, "")
    assert body is not None
    assert read_body(body_text(body)) == body
    assert [option.loss for option in body.options] == sorted(option.loss for option in body.options)
    answer, loss, play = judge_answer(body, body.options[0].text)
    assert (answer, loss) == (body.options[0].text, 0.0)
    assert (play is None) == (figures.cube is not None)
    if figures.cube is not None and step.board is not None:
        costs = figures.cube.losses(offered=step.board.offered)
        words = {"no double": "roll", "no redouble": "roll", "redouble": "double"}
        assert {words.get(option.text, option.text): option.loss for option in body.options} == costs


def test_only_a_wrong_answer_makes_a_card_and_it_costs_what_it_lost() -> None:
    wrong = card_of_answer("two-key-points", 2, "13/9")
    assert wrong is not None
    assert wrong.cost == next(option.loss for option in wrong.options if option.text == "13/9")
    assert (wrong.made, wrong.source) == ("", "The two key points, step 2")
    assert card_of_answer("two-key-points", 2, "8/5 6/5") is None
    assert card_of_answer("two-key-points", 2, "24/18") is None, "a play that the rules refuse is no answer"
    assert card_of_answer("two-key-points", 6, "2") is None, "a question has no position with costs"


def test_a_card_is_there_once_however_often_the_step_is_missed(tmp_path: Path) -> None:
    engine = open_database(str(tmp_path / "cards.db"))
    cards, me = Cards(engine, lambda: NOW), LearnerId(key="me")
    for text, added in (("13/9", 1), ("13/10 24/23", 0), ("", 0)):
        body = card_of_answer("two-key-points", 2, text)
        assert body is not None
        assert cards.add(me, [body]).added == added
    due = cards.get_due(me)
    assert due.card is not None
    assert (due.deck.due, due.card.kind) == (1, "play")
    assert cards.answer(me, due.card.id, "8/5 6/5", 3.0).right
    engine.dispose()
