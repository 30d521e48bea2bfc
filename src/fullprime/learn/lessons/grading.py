"""Judging answers to the steps of lessons: by the rules, by the lesson's own list, or by the stored figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.learn.lessons.figures import PlayFigures, StepFigures
from fullprime.learn.lessons.lesson import ANY, HIT, Board, Do, LessonError, LessonStep
from fullprime.learn.lessons.texts import format_figure
from fullprime.rules.errors import FullprimeError
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import Play

_MOVE = re.compile(r"(?P<source>\d+|bar|hand)[/-](?P<target>\d+|off)", re.IGNORECASE)
_WORTH_SAYING = 0.01
"""Chances that differ by less are not mentioned."""
_SEEN = 0.0005
"""Smaller shares of gammons would be rounded to none, and are not mentioned."""
_SHOTS_APART = 2
"""Shots that differ by less are not mentioned."""
_CUBE_WORDS = {
    "d": "double", "double": "double", "redouble": "double", "r": "roll", "roll": "roll", "no double": "roll",
    "t": "take", "take": "take", "accept": "take", "drop": "drop", "pass": "drop", "reject": "drop",
}  # fmt: skip


_COSTS = 0.005
"""A play that loses less is nearly as good as the best one."""
_OF_SHOTS = re.compile(r"\b(?:shots?|hit|lose two)\b")
Reason = Callable[[Board, str, str, float], str]
"""Gives the reason why the first play is better than the second, which loses the last argument; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepVerdict:
    """The judgement of an answer."""

    __json__: ClassVar[JsonFields] = json_names("right", "refused", "play", "moves", "loss", "best", "best_moves")

    right: bool
    """True if the step is done."""
    words: str
    """The text of the answer; it may hold placeholders and terms, as a lesson's texts do."""
    refused: bool = False
    """True for an answer that the rules do not allow or that cannot be read, which does not count."""
    play: str = ""
    """The play or the word that was understood."""
    moves: tuple[str, ...] = ()
    """The checker moves of the play."""
    loss: float | None = None
    """The equity that it costs; null where it was not judged."""
    best: str = ""
    """The best play or the right answer; empty where there is no single one."""
    best_moves: tuple[str, ...] = ()
    """The checker moves of the best play."""


def grade(step: LessonStep, figures: StepFigures, answer: str, reason: Reason | None = None) -> StepVerdict:
    """Judge an answer to a step; ``reason`` says why the best play is better than a play that costs something.

    Raises LessonError for a step that asks nothing.
    """
    text = " ".join(answer.split())
    match step.do:
        case Do.TRY:
            return _grade_refused_play(step, text)
        case Do.PLAY:
            return _grade_play(step, figures, text, reason)
        case Do.CUBE:
            return _cube(step, figures, text)
        case Do.TURN:
            return _grade_turn(step, text)
        case Do.CHOOSE:
            return _grade_choice(step, text)
        case Do.COUNT:
            return _grade_number(step, figures, text)
    raise LessonError("this step asks nothing")


def solution(step: LessonStep, figures: StepFigures) -> str:
    """A right answer, as the learner would give it; empty for a step that asks nothing."""
    board = step.board
    match step.do:
        case Do.TRY | Do.TURN:
            return step.line
        case Do.PLAY if step.graded:
            return figures.plays[0].play
        case Do.PLAY:
            first = step.accept[0]
            return _find_example(board, hitting=first == HIT) if board and first in (ANY, HIT) else first
        case Do.CUBE:
            return _cube_best(step, figures)[0]
        case Do.CHOOSE:
            return str(step.answer)
        case Do.COUNT:
            return format_figure(_number(step), figures.values[_number(step)])
    return ""


# -- plays -----------------------------------------------------------------------------------------------------------
def _grade_refused_play(step: LessonStep, text: str) -> StepVerdict:
    """Judge a play that is to be refused: right if it is the play that was to be tried, or a part of that play."""
    try:
        play = _read(step.board, text)
    except FullprimeError as error:
        shared = set(_pairs(text)) & set(_pairs(step.line))
        if shared:
            return StepVerdict(right=True, words=f"{_refusal(text, error)}\n\n{step.right}".strip(), play=text)
        words = f"{_refusal(text, error)} Here another play is to be tried: {step.line}."
        return StepVerdict(right=False, words=words, refused=True)
    words = step.wrong or f"{format_play(play)} is legal. Here a play is wanted that is not: try {step.line}."
    return StepVerdict(right=False, words=words, refused=True, play=format_play(play))


def _pairs(text: str) -> list[str]:
    """The checker moves as they are written, without their marks."""
    return [match.group().casefold() for match in _MOVE.finditer(text)]


def _refusal(text: str, error: Exception) -> str:
    """The reason why a play is refused. Upward moves are named so, because beginners do not mean the other side."""
    for match in _MOVE.finditer(text):
        source, target = match["source"], match["target"]
        if source.isdigit() and target.isdigit() and int(source) < int(target):
            return f"{match.group()} goes backwards: your checkers move from higher points to lower ones."
    return _sentence(str(error))


def _grade_play(step: LessonStep, figures: StepFigures, text: str, reason: Reason | None) -> StepVerdict:
    try:
        play = _read(step.board, text)
    except FullprimeError as error:
        return StepVerdict(right=False, words=_refusal(text, error), refused=True)
    remarks = {_read(step.board, line).after: words for line, words in step.answers}
    remark = remarks.get(play.after, "")
    moves = tuple(map(str, play.moves))
    if not step.graded:
        right = any(_accepts(step.board, play, line) for line in step.accept)
        words = (
            (remark or step.right) if right else (remark or step.wrong or "That is legal, but not what is asked here.")
        )
        return StepVerdict(right=right, words=words, play=format_play(play), moves=moves)
    best = figures.plays[0]
    row = next(
        (play_figures for play_figures in figures.plays if _read(step.board, play_figures.play).after == play.after),
        None,
    )
    if row is None:
        raise LessonError(f"there is no figure for {format_play(play)}")
    right = row.loss <= step.within
    better = ""
    if reason is not None and step.board is not None and row.loss >= _COSTS:
        better = reason(step.board, best.play, row.play, row.loss)
    parts = [why(row, best, better), better, remark, step.right if right else step.wrong]
    return StepVerdict(
        right=right,
        words="\n\n".join(part for part in parts if part),
        play=format_play(play),
        moves=moves,
        loss=row.loss,
        best=best.play,
        best_moves=tuple(map(str, _read(step.board, best.play).moves)),
    )


def why(chosen: PlayFigures, best: PlayFigures, better: str = "") -> str:
    """The loss of a play and what the figures know of the reason. What speaks for the play comes last, after a "but".
    Shots are mentioned only for the play that leaves more, and left to ``better``, the sentence that follows, if it has
    some.
    """
    if chosen.play == best.play:
        return f"{chosen.play} is the best play."
    if not chosen.loss >= 0.0005:
        return f"{chosen.play} is as good as {best.play}."
    against = []
    if not _OF_SHOTS.search(better) and chosen.shots - best.shots >= _SHOTS_APART:
        against.append(
            f"it leaves {chosen.shots} shots of 36 outside his home, {best.play} leaves {best.shots or 'none'}"
        )
    but = []
    for gap, word, good in (
        (chosen.win - best.win, "wins", True),
        (chosen.gammons - best.gammons, "wins gammons", True),
        (chosen.lost - best.lost, "loses gammons", False),
    ):
        if abs(gap) < _WORTH_SAYING:
            continue
        if (gap > 0) is good:
            but.append(f"but it {word} {100 * abs(gap):.1f} % {'more' if gap > 0 else 'less'} often")
        else:
            against.append(f"it {word} {100 * abs(gap):.1f} % {'more' if gap > 0 else 'less'} often")
    reasons = f": {', '.join(('; '.join(against), *but))}" if against else ""
    return f"{chosen.play} costs {chosen.loss:.2f} against {best.play}{reasons}." if chosen.loss >= _COSTS else (
        f"{chosen.play} is all but as good as {best.play}.")  # fmt: skip


def _read(board: Board | None, text: str) -> Play:
    if board is None or board.dice is None:
        raise LessonError("this step has no roll to play")
    return read_play(text, board.position, board.dice, board.variant)


def _accepts(board: Board | None, play: Play, line: str) -> bool:
    if line == ANY:
        return True
    if line == HIT:
        return any(move.hit for move in play.moves)
    return _read(board, line).after == play.after


def _find_example(board: Board, *, hitting: bool) -> str:
    assert board.dice is not None
    plays = board.position.plays(board.dice, board.variant)
    return format_play(next(play for play in plays if not hitting or any(move.hit for move in play.moves)))


# -- the cube --------------------------------------------------------------------------------------------------------
def _cube(step: LessonStep, figures: StepFigures, text: str) -> StepVerdict:
    best, losses = _cube_best(step, figures)
    word = _CUBE_WORDS.get(text.casefold(), "")
    offered = cube_words(step)
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= len(offered):
        word = offered[int(text) - 1]
    if word not in losses:
        return StepVerdict(right=False, words=f"Answer {' or '.join(losses)}.", refused=True)
    loss = losses[word]
    right = loss <= step.within
    cube = figures.cube
    assert cube is not None
    who = "Your opponent wins" if step.board is not None and step.board.offered else "You win"
    chances = f"{who} {100 * cube.win:.1f} % of the games."
    if cube.gammons >= _SEEN:
        chances = f"{who} {100 * cube.win:.1f} % of the games, {100 * cube.gammons:.1f} % by a gammon."
    cost = f"To {word} costs {loss:.2f}." if loss >= 0.005 else f"To {word} is right."
    if loss < 0.005 and word != best:
        cost = f"To {word} is as good as to {best}."
    parts = (f"{cost} {chances}", step.right if right else step.wrong)
    words = "\n\n".join(part for part in parts if part)
    return StepVerdict(right=right, words=words, play=word, loss=loss, best=best)


def cube_words(step: LessonStep) -> tuple[str, str]:
    """The two answers to a cube decision, in the order in which they are shown; their numbers are answers, too."""
    return ("take", "drop") if step.board is not None and step.board.offered else ("double", "roll")


def _grade_turn(step: LessonStep, text: str) -> StepVerdict:
    offered = step.turns
    word = _CUBE_WORDS.get(text.casefold(), text.casefold())
    if step.board is not None and step.board.choose:
        word = f"{word[0]}-{word[1]}" if re.fullmatch(r"([1-6])\1", word) else word
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= len(offered):
        word = offered[int(text) - 1]
    if word not in offered:
        return StepVerdict(
            right=False,
            words=f"Answer {' or '.join((', '.join(offered[:-1]), offered[-1])[-len(offered) :])}.",
            refused=True,
        )
    right = word == step.line
    words = step.right if right else step.wrong or f"The rules allow that. Here {step.line} is to be tried."
    return StepVerdict(right=right, words=words, play=word, best=step.line)


def _cube_best(step: LessonStep, figures: StepFigures) -> tuple[str, dict[str, float]]:
    if figures.cube is None or step.board is None:
        raise LessonError("the cube of this step has not been judged")
    losses = figures.cube.losses(offered=step.board.offered)
    return min(losses, key=lambda word: losses[word]), losses


# -- questions -------------------------------------------------------------------------------------------------------
def _grade_choice(step: LessonStep, text: str) -> StepVerdict:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= len(step.choices):
        matching = [at for at, choice in enumerate(step.choices, 1) if choice.casefold() == text.casefold()]
        if not matching:
            return StepVerdict(right=False, words=f"Answer with a number from 1 to {len(step.choices)}.", refused=True)
        number = matching[0]
    right = number == step.answer
    return StepVerdict(right=right, words=step.right if right else step.wrong, play=str(number), best=str(step.answer))


def _grade_number(step: LessonStep, figures: StepFigures, text: str) -> StepVerdict:
    try:
        number = float(text.rstrip("% ").replace(",", "."))
    except ValueError:
        return StepVerdict(right=False, words="Answer with a number.", refused=True)
    fact = _number(step)
    true = format_figure(fact, figures.values[fact])
    right = abs(number - float(true.rstrip(" %"))) <= step.within + 1e-9
    words = step.right if right else f"It is {true}.\n\n{step.wrong}".strip()
    return StepVerdict(right=right, words=words, play=text, best=true)


def _number(step: LessonStep) -> str:
    return " ".join(step.number.strip("{}").split())


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."
