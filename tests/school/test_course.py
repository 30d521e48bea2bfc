"""The course of the package: complete, in our own words, with figures of the nets in use."""

from __future__ import annotations

import re

import pytest

from fullprime.app.school.computing import compute, game_at, nets_in_use, stale
from fullprime.app.school.teaching import read_one
from fullprime.rules.variants import VARIANTS
from fullprime.school import Do, FiguresError, Lesson, course
from fullprime.school.figures import Figures, figures_text, read_figures
from fullprime.school.texts import plain

LESSONS = {lesson.name: lesson for lesson in course()}
CHOSEN = (0.03, 0.12)
"""What the best play of a lesson may lose one level deeper, beyond what the lesson lets pass: at backgammon, and where
equities are counted in checkers."""


def test_the_course_has_what_it_promises() -> None:
    parts = {part.name: [lesson.name for lesson in part.lessons] for part in course().parts}
    assert parts["first"] == ["first-game"]
    tours = {game.replace("_", "-") for game in VARIANTS if game != "backgammon"} | {"money", "matches"}
    assert set(parts["tours"]) == tours
    assert len(parts["strategy"]) >= 20
    assert {"the-sample-game", "claims", "history"} <= set(parts["sources"])
    assert {step.do for step in LESSONS["first-game"].steps} >= {Do.READ, Do.TRY, Do.PLAY, Do.CUBE, Do.CHOOSE}
    for name in (*parts["strategy"], *parts["tours"]):
        assert LESSONS[name].quizzes >= (2 if name in parts["strategy"] else 0), name
        assert any(step.asks for step in LESSONS[name].steps), name


def test_the_first_game_tries_every_rule() -> None:
    """Direction, blocked points, hitting, entering, doubles, bearing off, gammon, cube."""
    said = " ".join(step.say for step in LESSONS["first-game"].steps)
    for word in (
        "never go back",
        "block",
        "[[hit]]",
        "[[bar]]",
        "[[double]]",
        "bear-off",
        "[[gammon]]",
        "[[doubling cube]]",
    ):
        assert word in said or word in " ".join(step.right for step in LESSONS["first-game"].steps), word
    assert LESSONS["first-game"].leads_to == "game"


def test_no_figures_are_stale() -> None:
    assert stale(course()) == {}, "run: fullprime learn --compute"


def test_stale_figures_are_found_and_said() -> None:
    lesson = LESSONS["two-key-points"]
    figures = dict(course().stored)[lesson.name]
    other = Figures({"backgammon": "0000000000000000"}, figures.level, figures.steps)
    assert "they are by the nets 0000000000000000" in other.why_stale(lesson, nets_in_use(["backgammon"]))
    missing = Figures(figures.nets, figures.level, figures.steps[:-1])
    assert missing.why_stale(lesson).startswith("there are figures for")
    assert "the board has changed" in figures.why_stale(
        Lesson(name="x", title="x", about="x", minutes=1, steps=(LESSONS["holding"].steps[0], *lesson.steps[1:]))
    )


@pytest.mark.parametrize("name", LESSONS)
def test_figures_survive_the_way_through_their_file(name: str) -> None:
    figures = dict(course().stored)[name]
    assert read_figures(figures_text(figures)) == figures


def test_files_that_are_no_figures_are_refused_in_one_line() -> None:
    for text in ("", "[]", '{"version": 7}', '{"version": 1, "nets": {}, "level": "x", "steps": [{}]}'):
        with pytest.raises(FiguresError, match=r"^f.json: "):
            read_figures(text, "f.json")


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_can_be_shown(name: str) -> None:
    shown = read_one(name)
    assert len(shown["tasks"]) == len(LESSONS[name].steps)
    for task, step in zip(shown["tasks"], LESSONS[name].steps, strict=True):
        assert task["say"]
        if step.do in (Do.PLAY, Do.TRY):
            assert task["board"] is not None
            assert "tree" in task["board"], "there is something to move"
        if step.board is not None:
            assert game_at(step.board).settings.variant.name == step.board.variant.name


@pytest.mark.parametrize("name", LESSONS)
def test_numbers_of_strength_are_figures_and_never_typed(name: str) -> None:
    """Decimals and shares in per cent come from placeholders; what a source says stands in quotation marks."""
    for step in LESSONS[name].steps:
        for text in (step.say, step.right, step.wrong, step.hint, *step.choices):
            own = re.sub(r'"[^"]*"|\{[^{}]*\}', "", text)
            found = re.findall(r"\d+\.\d+|\d+ ?%", own)
            assert set(found) <= {"8 %", "12 %", "0.10"}, f"{name}: {found}"


def test_texts_have_no_unfilled_place() -> None:
    for lesson in LESSONS.values():
        for step, figures in zip(lesson.steps, course().figures(lesson).steps, strict=True):
            for text in (step.say, step.right, step.wrong, step.hint):
                assert not re.search(r"[{}]|\[\[", plain(text, figures.values)), lesson.name


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
def test_every_claim_and_every_best_play_holds_one_level_deeper(name: str) -> None:
    lesson = LESSONS[name]
    stored = course().figures(lesson)
    deeper = compute(lesson, stored, level="3-ply")
    for number, (step, known, found) in enumerate(zip(lesson.steps, stored.steps, deeper.steps, strict=True), 1):
        checkers = step.board is not None and not step.board.variant.cube
        if known.plays:
            best = next(each for each in found.plays if each.play == known.plays[0].play)
            assert best.loss <= step.within + CHOSEN[checkers], f"step {number}: {best.play} loses {best.loss:.3f}"
        if known.cube is not None and found.cube is not None and step.board is not None:
            offered = step.board.offered
            before, after = (each.losses(offered=offered) for each in (known.cube, found.cube))
            best = min(before, key=lambda word: before[word])
            assert after[best] <= step.within + CHOSEN[checkers], f"step {number}: {best} loses {after[best]:.3f}"
