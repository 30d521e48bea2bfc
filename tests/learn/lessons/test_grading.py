"""Answers to steps are judged by the rules, by the lesson's own list, or by the stored figures."""

from __future__ import annotations

import pytest

from fullprime.learn.lessons import LessonError, LessonStep, StepFigures, StepVerdict, course, grade, read_lesson
from fullprime.learn.lessons.figures import PlayFigures, StepCube
from fullprime.learn.lessons.grading import solution, why

HEAD = 'title = "T"\nabout = "A"\n[[step]]\nsay = "S"\nposition = "start"\n'
PLAYS = (
    PlayFigures("8/5 6/5", 0.0, 0.22, 0.55, 0.17, 0.12, 0),
    PlayFigures("24/23 13/10", 0.226, -0.004, 0.5, 0.14, 0.13, 17),
)
CUBE = StepCube(0.5, 0.4, 1.0, "no double, take", 0.61, 0.2, 0.09)


def step(more: str) -> LessonStep:
    return read_lesson(HEAD + more).steps[0]


def judge(more: str, answer: str, figures: StepFigures | None = None) -> StepVerdict:
    return grade(step(more), figures or StepFigures(), answer)


def test_an_accepted_play_is_right_however_it_is_written() -> None:
    more = 'do = "play"\ndice = "31"\naccept = ["8/5 6/5"]\nright = "Good."\nwrong = "No."'
    assert judge(more, "6-5, 8-5").right
    verdict = judge(more, "13/9")
    assert (verdict.right, verdict.refused, verdict.words) == (False, False, "No.")


def test_a_refused_play_names_its_rule_and_does_not_count() -> None:
    verdict = judge('do = "play"\ndice = "53"\naccept = "any"', "24/19 13/10")
    assert verdict.refused
    assert "your 19-point is blocked by 5 checkers" in verdict.words


def test_the_rule_that_was_to_be_tried_is_right_only_for_its_own_move() -> None:
    more = 'do = "try"\ndice = "53"\nline = "24/19 13/10"\nright = "So."'
    assert judge(more, "24/19").right
    assert judge(more, "24/19 13/10").words.endswith("So.")
    assert not judge(more, "13/2").right
    assert not judge(more, "13/5").right, "that play is legal"


def test_a_move_backwards_is_told_as_such() -> None:
    verdict = judge('do = "try"\ndice = "21"\nline = "6/7 13/11"', "6/7")
    assert verdict.right
    assert "goes backwards" in verdict.words


def test_a_graded_play_is_told_its_loss_and_what_can_be_counted() -> None:
    figures = StepFigures(plays=PLAYS)
    verdict = judge('do = "play"\ndice = "31"', "24/23 13/10", figures)
    assert (verdict.right, verdict.loss, verdict.best) == (False, 0.226, "8/5 6/5")
    assert (
        "costs 0.23 against 8/5 6/5: it leaves 17 shots of 36 outside his home, 8/5 6/5 leaves none; it wins 5.0 % less"
        in verdict.words
    )
    assert judge('do = "play"\ndice = "31"', "8/5 6/5", figures).right
    assert judge('do = "play"\ndice = "31"\nwithin = 0.3', "24/23 13/10", figures).right


def test_what_speaks_for_the_costly_play_is_no_reason_against_it() -> None:
    """The best play leaves more shots and wins fewer gammons: the first is left to a reason, the second conceded."""
    best = PlayFigures("24/16*", 0.0, 0.2, 0.55, 0.14, 0.12, 22)
    chosen = PlayFigures("8/2", 0.22, 0.0, 0.5, 0.17, 0.12, 0)
    assert why(chosen, best) == (
        "8/2 costs 0.22 against 24/16*: it wins 5.0 % less often, but it wins gammons 3.0 % more often."
    )


def test_shots_are_told_once() -> None:
    figures = StepFigures(plays=PLAYS)
    better = "Better is 8/5 6/5, which leaves nothing to hit."
    verdict = grade(step('do = "play"\ndice = "31"'), figures, "24/23 13/10", lambda *_: better)
    assert "shots" not in verdict.words
    assert verdict.words.split("\n\n")[1] == better
    # Shots of a lesson leave the opponent's home out, reasons count every hit: "5 shots" stood beside "10 rolls".
    better = "Better is 8/5 6/5, which cannot lose two checkers at once as 24/23 13/10 does to 10 rolls of 36."
    assert "shots" not in grade(step('do = "play"\ndice = "31"'), figures, "24/23 13/10", lambda *_: better).words


def test_no_gammons_are_not_spoken_of() -> None:
    none = StepFigures(cube=StepCube(0.5, 0.4, 1.0, "no double, take", 0.61, 0.0, 0.0))
    assert judge('do = "cube"', "roll", none).words == "To roll is right. You win 61.0 % of the games."


def test_cube_actions_are_judged_from_the_side_that_decides() -> None:
    figures = StepFigures(cube=CUBE)
    assert judge('do = "cube"', "roll", figures).right
    assert judge('do = "cube"', "double", figures).loss == pytest.approx(0.1)
    offered = 'do = "cube"\noffered = true'
    assert judge(offered, "take", figures).right
    assert judge(offered, "pass", figures).loss == pytest.approx(0.6)
    assert judge(offered, "double", figures).refused


def test_cube_actions_are_taken_by_number_too() -> None:
    """Pages send the number, since the words on their buttons may be in another language."""
    figures, offered = StepFigures(cube=CUBE), 'do = "cube"\noffered = true'
    for more, words in (('do = "cube"', ("double", "roll")), (offered, ("take", "drop"))):
        for number, word in enumerate(words, 1):
            assert judge(more, str(number), figures) == judge(more, word, figures)
        for wrong in ("0", "3", "-1", "\u0661", "\u00b2", ""):
            assert judge(more, wrong, figures).refused


def test_questions_take_a_choice_by_number_or_by_its_words() -> None:
    more = 'do = "choose"\nchoices = ["One", "Two"]\nanswer = 2'
    assert judge(more, "2").right
    assert judge(more, "two").right
    assert not judge(more, "1").right
    assert judge(more, "3").refused
    numbers = 'do = "choose"\nchoices = ["1", "4", "16"]\nanswer = 3'
    assert judge(numbers, "3").right
    assert judge(numbers, "16").right
    assert not judge(numbers, "4").right


def test_numbers_are_taken_within_the_distance_that_the_lesson_allows() -> None:
    figures = StepFigures(values={"pips": 167.0})
    more = 'do = "count"\nnumber = "{pips}"'
    assert judge(more, "167", figures).right
    assert not judge(more, "166", figures).right
    assert judge(f"{more}\nwithin = 2", "165", figures).right
    assert judge(more, "many", figures).refused


def test_a_step_that_asks_nothing_takes_no_answer() -> None:
    with pytest.raises(LessonError, match="asks nothing"):
        judge("", "8/5 6/5")


def test_every_step_of_the_course_is_solved_by_its_own_solution() -> None:
    for lesson in course():
        for number, (step, figures) in enumerate(zip(lesson.steps, course().get_figures(lesson).steps, strict=True), 1):
            if step.asks:
                verdict = grade(step, figures, solution(step, figures))
                assert verdict.right, f"{lesson.name}, step {number}: {verdict.words}"
