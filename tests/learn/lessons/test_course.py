"""The course of the package: complete, in our own words, with figures of the nets in use."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.learn.glossary.facts import wrong

from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.shared import engine_for
from fullprime.learn.glossary import Term
from fullprime.learn.lessons import Do, FiguresError, Lesson, course
from fullprime.learn.lessons.figures import LessonFigures, figures_text, read_figures
from fullprime.learn.lessons.texts import to_plain_text
from fullprime.learn.opening_book.files import read
from fullprime.learn.opening_book.node import NodeKey
from fullprime.learn.teaching.computing import compute, game_at, list_stale, nets_in_use, why_stale
from fullprime.learn.teaching.hints import hint_of
from fullprime.learn.teaching.teaching import read_one
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.notation import read_play
from fullprime.rules.variants import BACKGAMMON, VARIANTS

LESSONS = {lesson.name: lesson for lesson in course()}
CHOSEN = (0.03, 0.12)
"""What the best play of a lesson may lose one level deeper, beyond what the lesson lets pass: at backgammon, and where
equities are counted in checkers."""

COUNTED: dict[tuple[str, int], dict[str, tuple[str, ...]]] = {
    ("first-game", 11): {
        "any roll takes the last checker off": ("their off = 14", "their ends = 36", "off = 9"),
    },
    ("money", 4): {"three checkers behind your five-point prime": ("prime = 5", "their point 24 = 3")},
    ("two-key-points", 1): {"last two checkers stand on your 1-point": ("their point 24 = 2", "their back = 2")},
    ("two-key-points", 2): {
        "You now hold 8, 6 and 5: three": ("after point 8 = 2", "after point 6 = 4", "after point 5 = 2",
                                           "after point 7 = 0", "after point 4 = 0", "after point 3 = 0"),
    },
    ("two-key-points", 3): {"Three points in a row from 8 to 6": ("after prime = 3", "after point 7 = 2")},
    ("anchors", 3): {"he holds four points of his home": ("their home points = 4",)},
    ("anchors", 4): {"he holds only three": ("their home points = 3", "anchors = 1")},
    ("primes", 1): {"His two checkers behind it": ("prime = 6", "their point 24 = 2", "their back = 2")},
    ("primes", 2): {"five in a row": ("their prime = 5", "point 22 = 1")},
    ("primes", 3): {
        "two checkers of his are behind": ("their back = 2",), "Five points in a row": ("after prime = 5",),
    },
    ("primes", 4): {"a full one": ("prime = 6",), "The wall still stands": ("after prime = 6",)},
    ("primes", 5): {
        "Both of you have five points in a row and two checkers behind": ("prime = 5", "their prime = 5", "back = 2",
                                                                          "their back = 2"),
    },
    ("edge-of-the-prime", 4): {
        "neither is at its edge": ("their prime = 5", "their point 8 = 3", "point 22 = 0", "back = 2"),
        "Both stand at the edge": ("after point 22 = 2",),
    },
    ("running", 3): {"His last two checkers": ("their point 18 = 2", "their back = 0", "point 7 = 0")},
    ("running", 4): {
        "pass the five that he holds on your 12-point": ("their point 13 = 5", "point 15 = 1", "back = 0"),
    },
    ("priming", 1): {"he has two checkers behind them": ("their point 24 = 2", "prime = 4")},
    ("priming", 2): {"Five in a row": ("after prime = 5",)},
    ("priming", 4): {
        "two blots into his home": ("their point 4 = 1", "their point 5 = 1"),
        "Two checkers on the bar against your five points": ("after their bar = 2", "after prime = 5"),
    },
    ("blitz", 1): {"two points more than at the start": ("home points = 3", "their bar = 1", "their point 24 = 1")},
    ("blitz", 2): {"Two points and a second checker on the bar": ("after home points = 3", "after their bar = 2")},
    ("blitz", 3): {"a fourth point made, and two of his": ("after home points = 4", "after their bar = 2")},
    ("blitz", 4): {
        "Four points, and the slot is covered": ("after home points = 4", "point 2 = 1", "after point 2 = 2"),
    },
    ("holding", 4): {"24 pips, and suddenly you are ahead": ("lead = -15",)},
    ("when-to-break", 4): {"After 24 pips the race is level": ("lead = -24",)},
    ("nackgammon", 2): {
        "Four checkers on four points of his home": ("after point 24 = 1", "after point 23 = 1", "after point 22 = 1",
                                                     "after point 20 = 1"),
    },
    ("dutch-strategy", 2): {"Run with one": ("after point 8 = 1", "after home points = 0")},
    ("bearing-in", 1): {"two checkers on your 1-point": ("their point 24 = 2", "their back = 2")},
    ("bearing-off", 3): {"five checkers left": ("off = 10",), "Two checkers off": ("after off = 12",)},
    ("market-losers", 3): {
        "Your prime has four points": ("prime = 4",), "loose builder on your 16": ("their point 9 = 1",),
    },
    ("too-good", 2): {"Two of his checkers on the bar, three points": ("their bar = 2", "home points = 3")},
    ("too-good", 4): {"taken off three": ("off = 3", "home points = 6", "their bar = 1", "their off = 0")},
    ("gammons-and-recubes", 2): {"he has three points": ("their home points = 3", "bar = 1", "point 24 = 1")},
    ("gammons-and-recubes", 4): {"both have four checkers on the 1-point": ("point 1 = 4", "their point 1 = 4")},
    ("gammons-and-recubes", 5): {"six checkers each, three rolls: you win": ("point 1 = 6", "their point 1 = 6")},
    ("claims", 2): {"right behind four points in a row": ("their prime = 4", "point 22 = 1", "their point 7 = 2")},
    ("claims", 3): {"a fifth point": ("their prime = 5",)},
    ("claims", 4): {"six in a row": ("their prime = 6",)},
}  # fmt: skip
"""What lessons count in words on the board of a step, with the facts that say so (tests/learn/glossary/facts.py)."""


def test_the_course_has_what_it_promises() -> None:
    parts = {part.name: [lesson.name for lesson in part.lessons] for part in course().parts}
    assert parts["first"] == ["first-game", "other-rules", "what-a-play-costs"]
    tours = {game.replace("_", "-") for game in VARIANTS if game != "backgammon"} | {"money", "matches"}
    assert list(parts) == ["first", "strategy", "tours", "sources"], "a beginner meets no variant before the strategy"
    assert set(parts["tours"]) == tours | {"dutch-strategy", "acey-deucey-strategy"}
    assert len(parts["strategy"]) >= 20
    assert {"the-sample-game", "claims", "history"} <= set(parts["sources"])
    assert {step.do for step in LESSONS["first-game"].steps} >= {Do.READ, Do.TRY, Do.PLAY, Do.CUBE, Do.CHOOSE}
    for name in (*parts["strategy"], *parts["tours"]):
        assert LESSONS[name].quizzes >= (2 if name in parts["strategy"] else 0), name
        assert any(step.asks for step in LESSONS[name].steps), name


def test_the_first_game_tries_every_rule() -> None:
    """Direction, blocked points, hitting, entering, doubles, bearing off, gammon, cube."""
    text = " ".join(step.say for step in LESSONS["first-game"].steps)
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
        assert word in text or word in " ".join(step.right for step in LESSONS["first-game"].steps), word
    assert LESSONS["first-game"].leads_to == "game"


def test_no_figures_are_stale() -> None:
    assert list_stale(course()) == {}, "run: fullprime learn --compute"


def test_stale_figures_are_found_and_said() -> None:
    lesson = LESSONS["two-key-points"]
    figures = dict(course().stored)[lesson.name]
    other = LessonFigures({"backgammon": "0000000000000000"}, figures.level, figures.steps)
    assert "they are by the nets 0000000000000000" in other.why_stale(lesson, nets_in_use(["backgammon"]))
    missing = LessonFigures(figures.nets, figures.level, figures.steps[:-1])
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
    assert read_one(name) is shown, "a lesson is rendered once"
    assert len(shown.tasks) == len(LESSONS[name].steps)
    for task, step in zip(shown.tasks, LESSONS[name].steps, strict=True):
        assert task.say
        if step.do in (Do.PLAY, Do.TRY):
            assert task.board is not None
            assert task.board.tree is not None, "there is something to move"
        if step.board is not None:
            assert game_at(step.board).settings.variant.name == step.board.variant.name


@pytest.mark.parametrize("name", LESSONS)
def test_numbers_of_strength_are_figures_and_never_typed(name: str) -> None:
    """Decimals and shares in per cent come from placeholders; what a source says stands in quotation marks."""
    for step in LESSONS[name].steps:
        for text in (step.say, step.right, step.wrong, step.hint, *step.choices):
            own = re.sub(r'"[^"]*"|\{[^{}]*\}', "", text)
            quoted = re.findall(r"\d+\.\d+|\d+ ?%", own)
            allowed = {"8 %", "12 %", "0.10", "95 %"}
            if name == "what-a-play-costs":  # tests/learn/lessons/test_rules_tried.py counts these again.
                allowed |= {"0.25", "0.15", "0.02", "0.08", "0.05"}
            assert set(quoted) <= allowed, f"{name}: {quoted}"


@pytest.mark.parametrize("place", COUNTED, ids=lambda place: f"{place[0]} {place[1]}")
def test_what_a_lesson_counts_in_words_is_on_its_board(place: tuple[str, int]) -> None:
    """Once "four points of the six" were three, "his last three" were five, and a figure was of another position."""
    name, number = place
    step = LESSONS[name].steps[number - 1]
    text = " ".join(re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", f"{step.say} {step.right} {step.wrong}").split())
    board, plays = step.board, course().get_figures(LESSONS[name]).steps[number - 1].plays
    assert board is not None
    shown = Term(name, "", board.position, roll=board.dice, play=plays[0].play if plays else "")
    for words, facts in COUNTED[place].items():
        assert words in text, f"{words!r} is not said"
        assert wrong(replace(shown, shows=facts)) == [], words


def test_the_words_of_a_step_speak_of_its_best_play() -> None:
    """Once Dutch Backgammon had better nets, and a lesson still praised two checkers together where one runs."""
    lines = (Path(__file__).parent / "data/best_plays.txt").read_text().splitlines()
    best_plays = [
        f"{lesson.name} {number}: {figures.plays[0].play}"
        for lesson in LESSONS.values()
        for number, (step, figures) in enumerate(zip(lesson.steps, course().get_figures(lesson).steps, strict=True), 1)
        if step.do is Do.PLAY and figures.plays
    ]
    assert best_plays == [line for line in lines if not line.startswith("#")], "read the words of these steps again"


@pytest.mark.parametrize("name", LESSONS)
def test_a_hint_does_not_name_the_best_play(name: str) -> None:
    lesson = LESSONS[name]
    for number, (step, figures) in enumerate(zip(lesson.steps, course().get_figures(lesson).steps, strict=True), 1):
        hint = hint_of(step, figures)
        if step.do is Do.PLAY and figures.plays and not step.hint:
            assert not re.search(rf"(?<![\w/]){re.escape(figures.plays[0].play)}(?![\w/*(])", hint), (
                f"step {number}: {hint}"
            )
        teaches_rules = lesson.part in ("first", "tours") and not name.endswith("-strategy")
        if step.do is Do.TRY or (step.do is Do.PLAY and teaches_rules):
            assert hint, f"step {number}: whoever asks for a hint hears nothing"


def test_what_a_step_says_of_its_wins_is_of_its_own_board() -> None:
    """Once the wins of three rolls stood under the name of the two-roll position."""
    lesson, rolls = LESSONS["gammons-and-recubes"], course().get_figures(LESSONS["gammons-and-recubes"]).steps
    (two, three) = (float(rolls[at].values["wins"]) for at in (3, 4))
    assert three < two - 0.05
    assert "{wins}, less than with two rolls" in lesson.steps[4].say


def test_texts_have_no_unfilled_place() -> None:
    for lesson in LESSONS.values():
        for step, figures in zip(lesson.steps, course().get_figures(lesson).steps, strict=True):
            for text in (step.say, step.right, step.wrong, step.hint):
                assert not re.search(r"[{}]|\[\[", to_plain_text(text, figures.values)), lesson.name


def test_figures_without_the_hash_of_the_cube_are_stale() -> None:
    lesson = LESSONS["market-losers"]
    figures = dict(course().stored)[lesson.name]
    assert why_stale(lesson, figures) == ""
    nets = {name: digest for name, digest in figures.nets.items() if name != "backgammon cube"}
    assert "which backgammon cube" in why_stale(lesson, replace(figures, nets=nets))
    other = replace(figures, nets={**figures.nets, "backgammon cube": "0000000000000000"})
    assert "0000000000000000" in why_stale(lesson, other)


def test_market_losers_are_counted_on_a_board_of_the_lesson_about_them() -> None:
    """Each exchange is judged by itself: the best plays of both, then the double before the next roll."""
    lesson, engine = LESSONS["market-losers"], engine_for(VARIANTS["backgammon"], 1)
    counted = 0
    for step, figures in zip(lesson.steps, course().get_figures(lesson).steps, strict=True):
        for roll in (Roll(4, 2), Roll(2, 1)):
            loss_count = figures.values.get(f"market_losers {roll.high}{roll.low}")
            if loss_count is None:
                continue
            assert step.board is not None
            position, context = step.board.position, CubeContext()
            mine = engine.best_play(position, roll, context, cubeful=False, level="fast").after.swapped
            lost = 0
            for answer in ALL_ROLLS:
                board = engine.best_play(mine, answer, context.swapped, cubeful=False, level="fast").after.swapped
                double = engine.cube_decision(board, context, level="fast").double_take
                assert double is not None
                lost += answer.weight * (double > 1.0)
            assert abs(lost - float(loss_count)) <= 2, "plays of the same worth may part"
            counted += 1
    assert counted == 2


def test_give_or_take_is_half_of_the_95_per_cent_interval_everywhere() -> None:
    count = 0
    for lesson in LESSONS.values():
        for step in lesson.steps:
            for text in (step.say, step.right, step.wrong, *step.choices):
                for part in re.split(r"give or take(?! no more| is half)", " ".join(text.split()))[1:]:
                    if part.startswith('" is half'):
                        continue
                    assert re.match(r" (no more than )?\{rolled[a-z_]*_half[ }]", part), f"{lesson.name}: {part[:60]}"
                    count += 1
    assert count > 20


def test_a_play_has_one_loss_in_all_lessons() -> None:
    """What a text says a play costs is what the answer to it says, and what another lesson says."""
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for lesson in LESSONS.values():
        for number, (step, figures) in enumerate(zip(lesson.steps, course().get_figures(lesson).steps, strict=True), 1):
            board = step.board
            if board is None or board.dice is None:
                continue
            losses = [(play.play, play.loss) for play in figures.plays]
            for fact, value in figures.values.items():
                name, _, play = fact.partition(" ")
                if name in ("loss", "rolled_loss") and "/" in play and isinstance(value, float):
                    losses.append((play, value))
            for play, loss in losses:
                after = read_play(play, board.position, board.dice, board.variant).after.text
                rows.setdefault((board.key, after), {})[f"{lesson.name} {number} {play}"] = loss
    for (key, _), losses_of in rows.items():
        assert max(losses_of.values()) - min(losses_of.values()) < 0.001, f"{key}: {losses_of}"


def test_every_claim_about_a_play_or_a_position_has_a_rollout_and_an_interval() -> None:
    lesson = LESSONS["claims"]
    for step, figures in zip(lesson.steps, course().get_figures(lesson).steps, strict=True):
        assert any("_half" in fact for fact in figures.values), step.say
        assert not any(fact.split()[0] in ("roll", "loss", "win") for fact in figures.values if "_half" not in fact)


def test_the_rollouts_of_lessons_agree_with_the_book() -> None:
    figures = dict(course().stored)["the-sample-game"]
    book = read(BACKGAMMON)
    start = BACKGAMMON.starting_position.text
    worth = {fact.split()[1]: value for step_figures in figures.steps for fact, value in step_figures.values.items()
             if fact.startswith("rolled_roll ")}  # fmt: skip
    assert len(worth) > 8
    for dice, value in worth.items():
        node = book.find(NodeKey("backgammon", "money", start, dice))
        assert node is not None
        assert node.best is not None
        assert abs(float(value) - node.best.equity) < 0.001, f"{dice}: run fullprime learn --compute the-sample-game"


@pytest.mark.slow
@pytest.mark.parametrize("name", LESSONS)
def test_every_claim_and_every_best_play_holds_one_level_deeper(name: str) -> None:
    lesson = LESSONS[name]
    stored = course().get_figures(lesson)
    deeper = compute(lesson, stored, level="3-ply")
    for number, (step, stored_figures, deep) in enumerate(
        zip(lesson.steps, stored.steps, deeper.steps, strict=True), 1
    ):
        checkers = step.board is not None and not step.board.variant.cube
        if stored_figures.plays:
            best = next(play for play in deep.plays if play.play == stored_figures.plays[0].play)
            assert best.loss <= step.within + CHOSEN[checkers], f"step {number}: {best.play} loses {best.loss:.3f}"
        if stored_figures.cube is not None and deep.cube is not None and step.board is not None:
            offered = step.board.offered
            before, after = (cube.losses(offered=offered) for cube in (stored_figures.cube, deep.cube))
            best = min(before, key=lambda word: before[word])
            assert after[best] <= step.within + CHOSEN[checkers], f"step {number}: {best} loses {after[best]:.3f}"
