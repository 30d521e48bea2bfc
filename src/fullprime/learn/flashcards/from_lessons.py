"""Flashcards made from wrongly answered steps of lessons, with the stored figures of the step."""

from __future__ import annotations

from fullprime.analysis.setups import setup_of
from fullprime.learn.flashcards.model import CardBody, CardOption
from fullprime.learn.lessons import StepFigures, course, grade
from fullprime.learn.lessons.lesson import Board
from fullprime.learn.lessons.texts import to_plain_text
from fullprime.learn.teaching.computing import game_at
from fullprime.learn.teaching.teaching import find_step
from fullprime.rules.notation import read_play


def card_of_answer(name: str, number: int, text: str) -> CardBody | None:
    """The card of a step that was answered wrongly, or shown (an empty answer).

    None for a right answer, and for a step that the engine does not judge, because only a position with its costs can
    be asked again by itself. Raises UnknownLesson, LessonError for a step that is not there.
    """
    lesson = course().get_lesson(name)
    step, figures = find_step(course(), lesson, number)
    if not step.graded or step.board is None:
        return None
    verdict = grade(step, figures, text) if text else None
    if verdict is not None and (verdict.right or verdict.refused):
        return None
    options = _options(step.board, figures, int(course().get_figures(lesson).level.partition("-")[0]))
    return CardBody(
        kind="play" if step.board.dice is not None else "take" if step.board.offered else "double",
        setup=setup_of(game_at(step.board)),
        options=options,
        choices=_choices(step.board) if figures.cube is not None else (),
        made="",
        cost=options[1].loss if verdict is None or verdict.loss is None else verdict.loss,
        reason=" ".join(to_plain_text(step.right, figures.values).split()),
        source=f"{lesson.title}, step {number}",
    )


def _choices(board: Board) -> tuple[str, ...]:
    """The actions with the cube, in the words and in the order of a review's cards."""
    if board.offered:
        return ("take", "drop")
    return ("no redouble", "redouble") if board.owner == "you" else ("no double", "double")


def _options(board: Board, step_figures: StepFigures, depth: int) -> tuple[CardOption, ...]:
    """The options of a step with their costs, the best first."""
    if step_figures.cube is None:
        assert board.dice is not None  # a graded play has a roll
        options = []
        for figures in step_figures.plays:
            play = read_play(figures.play, board.position, board.dice, board.variant)
            moves = tuple(map(str, play.moves))
            options.append(
                CardOption(text=figures.play, loss=figures.loss, after=play.after.player, moves=moves, depth=depth)
            )
    else:
        losses = step_figures.cube.losses(offered=board.offered)
        words = ("take", "drop") if board.offered else ("roll", "double")
        options = [
            CardOption(text=text, loss=losses[word], depth=depth)
            for word, text in zip(words, _choices(board), strict=True)
        ]
    return tuple(sorted(options, key=lambda option: option.loss))
