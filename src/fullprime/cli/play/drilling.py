"""``fullprime drill``: the trainers at a terminal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from fullprime.cli.command import add
from fullprime.cli.options import Database
from fullprime.cli.play.learning import HOW, looked_up, read_line
from fullprime.cli.terminal import say

if TYPE_CHECKING:
    from fullprime.learn.trainers.fields import DrillAnswer, TrainerJson
    from fullprime.learn.trainers.service import Question, Trainer, Training, Who

WORDS = "help (the method), help WORD (the glossary), board, skip, quit"
_NAMES = 14


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add(app, "drill", drill, "fullprime drill", "fullprime drill pips", "fullprime drill race-cube --count 5",
        "fullprime drill takes --away 3-5 --cube-value 2")  # fmt: skip


def drill(
    trainer: Annotated[str | None, typer.Argument(metavar="[TRAINER]", help="A trainer by its name.")] = None,
    *,
    count: Annotated[int, typer.Option("--count", "-c", min=1, help="So many questions.")] = 10,
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
    from fullprime.learn.trainers.service import HERE, DrillError, Training, Who, chosen_seed, new_seed, trainer_named

    found = None if trainer is None else trainer_named(trainer)
    if away is None and (cube != 1 or crawford is not None):
        raise DrillError("--cube-value and --crawford-game go with --away")
    if away is not None:
        if found is None or number is not None:
            raise DrillError("--away goes with a trainer and without --number")
        number, count = chosen_seed(found.name, away, cube, crawford), 1
    with open_drills(database) as engine:
        training, who = Training(engine), Who(key=HERE)
        if found is None:
            for each in training.trainers(who)["trainers"]:
                _say(f"{each['title']}: {each['about']}\n{_result(each)}", each["name"])
            _say("\nfullprime drill NAME begins.")
            return
        _Round(training, who, found, count, number if number is not None else new_seed()).run()


class _Round:
    """Some questions of one trainer."""

    def __init__(self, training: Training, who: Who, trainer: Trainer, count: int, seed: int) -> None:
        self._training, self._who, self._trainer, self._count, self._seed = training, who, trainer, count, seed

    def run(self) -> None:
        from fullprime.learn.trainers.service import question_of

        asked = "1 question" if self._count == 1 else f"{self._count} questions"
        _say(f"{self._trainer.title}: {asked}. Words: {WORDS}.")
        try:
            for number in range(self._count):
                question = question_of(self._trainer.name, self._seed + number)
                if not self._ask(number + 1, question):
                    break
        except (EOFError, KeyboardInterrupt):
            _say("")
        _say(_result(self._training.history(self._who, self._trainer.name)["trainer"]))

    def _ask(self, number: int, question: Question) -> bool:
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
                for each in self._trainer.teaches:
                    _say(each)
                _say(f"Write {_how(question)}. Words: {WORDS}.")
            elif word.startswith(("help ", "? ")):
                _say(looked_up(word.partition(" ")[2]))
            elif word == "board":
                self._board(question)
            elif line:
                try:
                    seconds = time.monotonic() - begun
                    self._tell(self._training.answer(self._who, self._trainer.name, question.seed, line, seconds))
                except FullprimeError as error:
                    _say(f"{error}.")
                    continue
                return True

    def _tell(self, found: DrillAnswer) -> None:
        if found["right"]:
            _say(f"Right: {found['best']}.")
        else:
            error = found["error"]
            whole = float(error).is_integer()
            far = f"{error:.{0 if whole else self._trainer.digits}f} {self._trainer.unit}"
            _say(f"{found['answer']}: off by {'one' if error == 1 else far}. The answer: {found['best']}.")
        for line in found["lines"]:
            _say(f"  {line}")

    def _board(self, question: Question) -> None:
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


def _how(question: Question) -> str:
    """What can be written as an answer."""
    from fullprime.learn.trainers.service import Ask

    return {
        Ask.PLAY: f"your play, such as {HOW}", Ask.CHOICE: "your choice, or its number", Ask.NUMBER: "a number",
    }[question.ask]  # fmt: skip


def _result(found: TrainerJson) -> str:
    """The progress in a trainer, in words."""
    if found["seconds"] is None or found["error"] is None:
        return "Not tried yet."
    error = f"{found['error']:.{found['digits']}f} {found['unit']}"
    return f"{found['right']} of {found['tries']} right, {found['seconds']:.1f} seconds an answer, off by {error}."


def _say(text: str, name: str = "") -> None:
    """Text; beside a name in a column of its own, if there is one."""
    from fullprime.cli.terminal import PARAGRAPH, width, wrapped

    if name:
        text = "\n".join(" " * _NAMES + line for line in text.split("\n"))
    found = wrapped(text, min(width(), PARAGRAPH))
    say(f"{name:<{_NAMES}}{found[_NAMES:]}" if name else found, flush=True)
