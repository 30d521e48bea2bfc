"""``fullprime drill``: the trainers at a terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.options import Database
from fullprime.cli.play.learning import HOW, glossary_text, read_line
from fullprime.cli.terminal import say

if TYPE_CHECKING:
    from fullprime.learn.trainers.model import DrillAnswer, Trainer, TrainerProgress
    from fullprime.learn.trainers.question import TrainerQuestion
    from fullprime.learn.trainers.service import LearnerId, Training

WORDS = "help (the method), help WORD (the glossary), board, skip, quit"
_NAMES = 14


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, "drill", drill, "fullprime drill", "fullprime drill pips", "fullprime drill race-cube --count 5",
        "fullprime drill takes --away 3-5 --cube-value 2")  # fmt: skip


def drill(
    trainer: Annotated[str | None, typer.Argument(metavar="[TRAINER]", help="A trainer by its name.")] = None,
    *,
    count: Annotated[int, typer.Option("--count", "-c", min=1, help="The number of questions.")] = 10,
    number: Annotated[
        int | None, typer.Option("--number", min=0, help="The number of the first question; others follow it.")
    ] = None,
    away: Annotated[
        str | None,
        typer.Option("--away", help="Ask about one score, the points that you and the opponent need: 3-5."),
    ] = None,
    cube: Annotated[int, typer.Option("--cube-value", min=1, help="With --away: the cube as it lies.")] = 1,
    crawford: Annotated[
        str | None, typer.Option("--crawford-game", help="With --away: now (this is the Crawford game) or played.")
    ] = None,
    database: Database = None,
) -> None:
    """Train one skill: counts, races, scores, openings, shots. Without a trainer, the list with your progress."""
    from fullprime.learn.learner_database import open_drills
    from fullprime.learn.trainers.service import (
        HERE,
        DrillError,
        LearnerId,
        Training,
        choose_seed,
        new_seed,
        trainer_named,
    )

    chosen = None if trainer is None else trainer_named(trainer)
    if away is None and (cube != 1 or crawford is not None):
        raise DrillError("--cube-value and --crawford-game go with --away")
    if away is not None:
        if chosen is None or number is not None:
            raise DrillError("--away goes with a trainer and without --number")
        number, count = choose_seed(chosen.name, away, cube, crawford), 1
    with open_drills(database) as engine:
        training, learner = Training(engine), LearnerId(key=HERE)
        if chosen is None:
            for progress in training.list_trainers(learner).trainers:
                facts = progress.trainer
                _say(f"{facts.title}: {facts.about}\n{_result(progress)}", facts.name)
            _say("\nfullprime drill NAME begins.")
            return
        _Round(training, learner, chosen, count, number if number is not None else new_seed()).run()


class _Round:
    """Some questions of one trainer."""

    def __init__(self, training: Training, learner: LearnerId, trainer: Trainer, count: int, seed: int) -> None:
        self._training, self._learner, self._trainer, self._count, self._seed = training, learner, trainer, count, seed

    def run(self) -> None:
        from fullprime.learn.trainers.service import question_of

        questions = "1 question" if self._count == 1 else f"{self._count} questions"
        _say(f"{self._trainer.title}: {questions}. Words: {WORDS}.")
        try:
            for number in range(self._count):
                question = question_of(self._trainer.name, self._seed + number)
                if not self._pose(number + 1, question):
                    break
        except (EOFError, KeyboardInterrupt):
            _say("")
        _say(_result(self._training.get_history(self._learner, self._trainer.name).trainer))

    def _pose(self, number: int, question: TrainerQuestion) -> bool:
        """Ask until there is an answer; False to leave."""
        from fullprime.rules.errors import FullprimeError

        _say(f"\n--- {number} of {self._count} ---")
        self._board(question)
        _say(question.words)
        for place, choice in enumerate(question.choices, 1):
            _say(f"  {place}  {choice}")
        begun = time.monotonic()
        while True:
            line = read_line("> ")
            word = line.casefold()
            if word in ("quit", "q", "exit"):
                return False
            if word == "skip":
                return True
            if word in ("help", "?"):
                for paragraph in self._trainer.teaches:
                    _say(paragraph)
                _say(f"Write {_how(question)}. Words: {WORDS}.")
            elif word.startswith(("help ", "? ")):
                _say(glossary_text(word.partition(" ")[2]))
            elif word == "board":
                self._board(question)
            elif line:
                try:
                    seconds = time.monotonic() - begun
                    self._tell(self._training.answer(self._learner, self._trainer.name, question.seed, line, seconds))
                except FullprimeError as error:
                    _say(f"{error}.")
                    continue
                return True

    def _tell(self, answer: DrillAnswer) -> None:
        marked = answer.marked
        if marked.right:
            _say(f"Right: {marked.best}.")
        else:
            integral = float(marked.error).is_integer()
            far = f"{marked.error:.{0 if integral else self._trainer.digits}f} {self._trainer.unit}"
            _say(f"{marked.answer}: off by {'one' if marked.error == 1 else far}. The answer: {marked.best}.")
        for line in marked.lines:
            _say(f"  {line}")

    def _board(self, question: TrainerQuestion) -> None:
        from fullprime.cli.terminal import make_console, needs_ascii, show_board
        from fullprime.learn.trainers.service import game_at
        from fullprime.rules.board import BoardView
        from fullprime.rules.score import Player

        game = game_at(question)
        if game is None:
            return
        view = BoardView.of(game, names=("You", "Opponent"), ascii_only=needs_ascii(), bottom=Player.X,
                            pips=self._trainer.name != "pips")  # fmt: skip
        show_board(make_console(), view)


def _how(question: TrainerQuestion) -> str:
    """What can be written as an answer."""
    from fullprime.learn.trainers.service import Ask

    return {
        Ask.PLAY: f"your play, such as {HOW}", Ask.CHOICE: "your choice, or its number", Ask.NUMBER: "a number",
    }[question.ask]  # fmt: skip


def _result(progress: TrainerProgress) -> str:
    """The progress in a trainer, in words."""
    trainer, totals = progress.trainer, progress.totals
    if totals.seconds is None or totals.error is None:
        return "Not tried yet."
    error = f"{totals.error:.{trainer.digits}f} {trainer.unit}"
    return f"{totals.right} of {totals.tries} right, {totals.seconds:.1f} seconds an answer, off by {error}."


def _say(text: str, name: str = "") -> None:
    """Text; beside a name in a column of its own, if there is one."""
    from fullprime.cli.terminal import PARAGRAPH, width, wrap_text

    if name:
        text = "\n".join(" " * _NAMES + line for line in text.split("\n"))
    paragraph = wrap_text(text, min(width(), PARAGRAPH))
    say(f"{name:<{_NAMES}}{paragraph[_NAMES:]}" if name else paragraph, flush=True)
