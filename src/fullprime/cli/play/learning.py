"""``fullprime learn``: the lessons at a terminal, by words and by Enter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.terminal import say, show_paragraph
from fullprime.rules.words import count_noun

if TYPE_CHECKING:
    from fullprime.learn.lessons.progress import LessonProgress
    from fullprime.learn.lessons.texts import Paragraphs
    from fullprime.learn.teaching.teaching import Course, Lesson, LessonStep, StepFigures

WORDS = "hint, show (the answer), back, board, help WORD (the glossary), quit"
HOW = "13/7 8/7 (from the higher point to the lower one), bar/20 or 6/off"
"""The way to write a play."""
_GAME = ("play", "--bot", "beginner", "--length", "1", "--tutor", "0.08")
"""The whole game after the first lesson: a gentle bot, and a tutor."""
"""Texts are no wider: longer lines are hard to read."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, "learn", learn, "fullprime learn", "fullprime learn first-game", "fullprime learn 12")


def learn(
    lesson: Annotated[
        list[str] | None, typer.Argument(metavar="[LESSON]", help="A lesson by its name or its number.")
    ] = None,
    *,
    lessons: Annotated[
        Path | None, typer.Option("--lessons", help="A folder of lessons of your own, instead of ours.")
    ] = None,
    compute: Annotated[
        bool, typer.Option("--compute", help="Compute the figures of stale lessons (or of LESSON) and store them.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Say which lessons have stale figures; exit code 1 if any.")
    ] = False,
    progress: Annotated[Path | None, typer.Option("--progress", help="Keep the progress in this file.")] = None,
) -> None:
    """Learn to play, or to play better: lessons at a board. Without a lesson, the list of all with your progress."""
    from fullprime.learn.teaching import teaching

    course = teaching.course() if lessons is None else teaching.read_course(lessons)
    name = " ".join(lesson or ())
    if compute or check:
        _figures(course, name, check=check)
        return
    from fullprime.learn.teaching.progress import load, progress_file

    file = progress or progress_file()
    if not name:
        _show_list(course, load(file))
        return
    _Class(course, course.get_lesson(name), file).run()


def _figures(course: Course, name: str, *, check: bool) -> None:
    from fullprime.cli.terminal import show_text
    from fullprime.learn.teaching.computing import list_stale, write_figures

    if not check:
        written = write_figures(course, [name] if name else [], stale_only=not name, report=show_text)
        show_text(f"{count_noun(len(written), 'file')} written." if written else "All figures are up to date.")
        return
    reasons = list_stale(course)
    for lesson, reason in reasons.items():
        show_text(f"{lesson}: {reason}")
    if reasons:
        raise typer.Exit(1)
    show_text("All figures are up to date.")


def _show_list(course: Course, progress: dict[str, LessonProgress]) -> None:
    from fullprime.cli.terminal import show_text

    number = 0
    for part in course.parts:
        show_text(f"\n{part.title}")
        for lesson in part.lessons:
            number += 1
            show_text(f"{number:>4}  {_mark(progress.get(lesson.name)):<13} {lesson.title}")
            show_text(f"{'':>20}{lesson.about}")
    show_text("\nfullprime learn NUMBER begins a lesson.")


def _mark(progress: LessonProgress | None) -> str:
    if progress is None:
        return ""
    if not progress.done:
        return f"step {progress.step}"
    result = f"{progress.right} of {progress.asked}"
    if not progress.passed:
        return f"again: {result}"
    return result if progress.asked else "done"


class _Class:
    """One lesson with one person."""

    def __init__(self, course: Course, lesson: Lesson, file: Path) -> None:
        self._course, self._lesson, self._file = course, lesson, file
        self._figures = course.get_figures(lesson)
        self._right = self._asked = 0
        self._answered: set[int] = set()
        self._missed: list[int] = []
        self._shown = ""

    def run(self) -> None:
        from fullprime.cli.terminal import show_text

        steps = self._lesson.steps
        show_text(f"{self._lesson.title}. {len(steps)} steps, about {count_noun(self._lesson.minutes, 'minute')}.")
        show_text(f"Enter goes on. Other words: {WORDS}.")
        at = 0
        try:
            while at < len(steps):
                moved = self._step(at)
                if moved == 0:
                    return
                at = max(0, at + moved)
                if moved > 0:
                    self._note(at)
            while self._missed:
                self._shown = ""
                show_paragraph(f"Once more, {count_noun(len(self._missed), 'step')}:")
                step = self._missed.pop(0)
                moved = self._step(step)
                if moved == 0:
                    return
                if moved < 0:
                    self._missed.append(step)
            self._note(len(steps))
        except (EOFError, KeyboardInterrupt):
            show_text("")
            return
        self._farewell()

    # -- one step -------------------------------------------------------------------------------------------------
    def _step(self, at: int) -> int:
        """Do a step: 1 to go on, -1 to go back, 0 to leave."""
        step, figures = self._lesson.steps[at], self._figures.steps[at]
        self._show(at, step, figures)
        while True:
            line = read_line(f"{self._asks(step)} > ")
            word = line.casefold()
            if word in ("quit", "q", "exit"):
                return 0
            if word == "back":
                return -1
            if self._heard(word, step, figures):
                continue
            if not step.asks:
                return 1
            if not line:
                show_paragraph(f"Answer, or write show. Words: {WORDS}.")
                continue
            if self._answer(at, step, figures, line):
                return 1

    def _heard(self, word: str, step: LessonStep, figures: StepFigures) -> bool:
        """True for a word that asks for something and is no answer."""
        from fullprime.learn.teaching.teaching import hint

        if word == "board":
            self._shown = ""
            self._board(step)
        elif word.startswith(("help ", "? ")):
            show_paragraph(glossary_text(word.partition(" ")[2]))
        elif word in ("help", "?"):
            how = {"try": f"your play, such as {HOW}", "play": f"your play, such as {HOW}", "count": "a number"}
            expected = (
                how.get(str(step.do), "your choice, or its number") if step.asks else "nothing but Enter to go on"
            )
            show_paragraph(f"Write {expected}. Words: {WORDS}.")
        elif word == "hint":
            self._paragraphs(hint(step, figures), "There is no hint for this one: show gives the answer.")
        else:
            return False
        return True

    def _answer(self, at: int, step: LessonStep, figures: StepFigures, line: str) -> bool:
        from fullprime.learn.teaching.teaching import judge_answer, solution_of

        shown = line.casefold() == "show"
        if shown:
            line = solution_of(step, figures)
            show_paragraph(f"The answer: {line}.")
        judgement = judge_answer(step, figures, line)
        self._paragraphs(judgement.words)
        if judgement.verdict.refused:
            return False
        if step.quiz and at not in self._answered:
            self._answered.add(at)
            self._asked += 1
            self._right += judgement.verdict.right and not shown
        if (shown or not judgement.verdict.right) and at not in self._missed:
            self._missed.append(at)
        if not judgement.verdict.right:
            show_paragraph("Try again, or write show.")
        return judgement.verdict.right or shown

    # -- showing --------------------------------------------------------------------------------------------------
    def _show(self, at: int, step: LessonStep, figures: StepFigures) -> None:
        from fullprime.learn.teaching.teaching import paragraphs, to_plain_text, words_of

        quiz = ", this one counts" if step.quiz else ""
        show_paragraph(f"\n--- {self._lesson.title}: {at + 1} of {len(self._lesson.steps)}{quiz} ---")
        self._board(step)
        self._paragraphs(paragraphs(step.say, figures.values))
        if figures.rolls and not step.asks:
            show_paragraph(rolls_map(figures.rolls))
        for number, choice in enumerate(words_of(step), 1):
            show_paragraph(f"  {number}  {to_plain_text(choice, figures.values)}")

    def _board(self, step: LessonStep) -> None:
        from fullprime.cli.terminal import make_console, needs_ascii, show_board
        from fullprime.learn.teaching.computing import game_at
        from fullprime.rules.board import BoardView
        from fullprime.rules.score import Player

        if step.board is None or step.board.key == self._shown:
            return
        self._shown = step.board.key
        view = BoardView.of(game_at(step.board), names=("You", "Opponent"), scores=step.board.score,
                            ascii_only=needs_ascii(), bottom=Player.X)  # fmt: skip
        show_board(make_console(), view)

    def _paragraphs(self, paragraphs: Paragraphs, otherwise: str = "") -> None:
        for paragraph in paragraphs:
            show_paragraph("".join(piece.text for piece in paragraph))
        if not paragraphs and otherwise:
            show_paragraph(otherwise)

    def _asks(self, step: LessonStep) -> str:
        from fullprime.learn.teaching.teaching import Do

        if step.do is Do.TURN and step.board is not None and (step.board.choose or step.board.throw):
            return "Name a double" if step.board.choose else "Throw"
        dice = "" if step.board is None or step.board.dice is None else f" {step.board.dice.words}"
        return {
            Do.READ: "Enter",
            Do.TRY: f"Try{dice}",
            Do.PLAY: f"Play{dice}",
            Do.CUBE: "Take or drop" if step.board is not None and step.board.offered else "Double or roll",
            Do.TURN: "Turn the cube",
            Do.CHOOSE: f"1 to {len(step.choices)}",
            Do.COUNT: "A number",
        }[step.do]

    # -- keeping --------------------------------------------------------------------------------------------------
    def _note(self, done: int) -> None:
        from fullprime.learn.lessons.progress import LessonProgress
        from fullprime.learn.teaching.progress import note

        over = done >= len(self._lesson.steps) and not self._missed
        mark = LessonProgress(done, over, self._right if over else 0, self._asked if over else 0)
        note(self._file, self._lesson.name, mark)

    def _begin_game(self) -> None:
        """The whole game after the first lesson: begun at a terminal, else its command is shown."""
        show_paragraph(f"Your first game: fullprime {' '.join(_GAME)} (undo takes a play back, hint advises you).")
        if sys.stdin.isatty() and read_line("Enter begins it, quit leaves > ").casefold() not in ("quit", "q"):
            command = [sys.executable, "-c", "from fullprime.cli.main import main; main()", *_GAME]
            subprocess.run(command, check=False)  # noqa: S603 - our own words

    def _farewell(self) -> None:
        from fullprime.cli.terminal import show_text

        lesson = self._lesson
        result = f" {self._right} of {self._asked} right at the first try." if self._asked else ""
        show_text(f"\nThat was {lesson.title}.{result}")
        if 2 * self._right < self._asked:
            show_text(f"It is done with half of them right: fullprime learn {lesson.name}")
            return
        if lesson.leads_to == "game":
            self._begin_game()
        lessons = list(self._course)
        after = lessons.index(lesson) + 1
        if after < len(lessons):
            show_text(f"Next: fullprime learn {lessons[after].name}")


def glossary_text(word: str) -> str:
    """A term of the glossary, or that there is none."""
    from fullprime.learn.glossary import UnknownTerm, look_up

    try:
        return str(look_up(word))
    except UnknownTerm as error:
        return f"{error}."


def read_line(prompt: str) -> str:
    """A line of the learner; one that comes from a file is shown, as if it had been typed."""
    line = input(prompt).strip()
    if not sys.stdin.isatty():
        say(line, flush=True)
    return line


def rolls_map(rolls: tuple[str, ...]) -> str:
    """The 36 throws as a square; those of the rolls given are marked.

    >>> print(rolls_map(("21", "66")).splitlines()[1])
       1  .  #  .  .  .  .
    """
    marked = {frozenset(roll) for roll in rolls}
    head = "      1  2  3  4  5  6"
    rows = [
        f"   {one}  " + "  ".join("#" if frozenset(f"{one}{other}") in marked else "." for other in range(1, 7))
        for one in range(1, 7)
    ]
    return "\n".join([head, *rows])
