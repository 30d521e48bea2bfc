"""Hints of lessons: the author's, or one made from the figures that does not give the answer away."""

from __future__ import annotations

import re

from fullprime.learn.lessons.figures import StepCube, StepFigures
from fullprime.learn.lessons.lesson import Board, Do, LessonStep
from fullprime.reviews.explain import why_better
from fullprime.rules.notation import read_play

_BEST = "the best play"


def hint_of(step: LessonStep, figures: StepFigures) -> str:
    """A hint for a step, written as lessons are; empty where there is none.

    Without one by the author it is the reason for the best play, which is not named; the chances before a cube action;
    or the move of a play that the rules refuse.
    """
    if step.hint:
        return step.hint
    if step.do is Do.TRY and step.line:
        return f"Write {step.line.split()[0]}, or move it so: the rules refuse it and say why."
    if step.do is Do.PLAY and step.board is not None and len(figures.plays) > 1:
        best, other = (play.play for play in figures.plays[:2])
        return _leave_out_best(reason(step.board, best, other, figures.plays[1].loss), best, other)
    if step.do is Do.CUBE and step.board is not None and figures.cube is not None:
        return _chances(figures.cube, offered=step.board.offered)
    return ""


def reason(board: Board, best: str, other: str, loss: float) -> str:
    """The reason why a play is better than another, as in reviews; empty where none is sure."""
    if board.dice is None:
        return ""
    plays = [read_play(text, board.position, board.dice, board.variant) for text in (best, other)]
    return why_better(board.position, plays[0], plays[1], board.variant, loss)


def _leave_out_best(words: str, best: str, other: str) -> str:
    """The reason without the name of the best play.

    >>> _leave_out_best("Better than 8/4 6/5 is 8/4, which makes the 4 point.", "8/4", "8/4 6/5")
    'Compared with 8/4 6/5, the best play makes the 4 point.'
    """
    names = {best: _BEST, other: other}
    pattern = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    words = re.sub(rf"(?<![\w/])(?:{pattern})(?![\w/*(])", lambda match: names[match[0]], words)
    words = words.replace(f"Better than {other} is {_BEST}, which ", f"Compared with {other}, {_BEST} ")
    return words[:1].upper() + words[1:]


def _chances(cube: StepCube, *, offered: bool) -> str:
    """The chances of the player who doubles, or could, before the roll."""
    gammons = f", {100 * cube.gammons:.0f} % as gammons" if cube.gammons >= 0.05 else ""
    if offered:
        return f"Your opponent wins {100 * cube.win:.0f} % of these games{gammons}."
    return f"You win {100 * cube.win:.0f} % of these games{gammons}."
