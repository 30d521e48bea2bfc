"""Answers to the steps of lessons, judged: by the rules, by the lesson's own list, or by the stored figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from fullprime.learn.lessons.figures import PlayFigures, StepFigures
from fullprime.learn.lessons.lesson import ANY, HIT, Board, Do, LessonError, Step
from fullprime.learn.lessons.texts import told
from fullprime.rules.errors import FullprimeError
from fullprime.rules.notation import format_play, read_play
from fullprime.rules.plays import Play

_MOVE = re.compile(r"(?P<source>\d+|bar|hand)[/-](?P<target>\d+|off)", re.IGNORECASE)
_WORTH_SAYING = 0.01
"""Chances that differ by less are not spoken of."""
_SEEN = 0.0005
"""Fewer gammons than this read as none, and nothing is said of them."""
_SHOTS_APART = 2
"""Shots that differ by less are not spoken of."""
_CUBE_WORDS = {
    "d": "double", "double": "double", "redouble": "double", "r": "roll", "roll": "roll", "no double": "roll",
    "t": "take", "take": "take", "accept": "take", "drop": "drop", "pass": "drop", "reject": "drop",
}  # fmt: skip


_COSTS = 0.005
"""A play that loses less is all but as good as the best one."""
_OF_SHOTS = re.compile(r"\b(?:shots?|hit|lose two)\b")
Reason = Callable[[Board, str, str, float], str]
"""Why the first play of a board is better than the second, which costs so much; empty where nothing is sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer to an answer. ``words`` may hold placeholders and terms, as a lesson's texts do."""

    right: bool
    words: str
    refused: bool = False
    """True if the rules do not allow it, or it is no answer: it does not count as one."""
    play: str = ""
    """The play or the word that was understood."""
    moves: tuple[str, ...] = ()
    loss: float | None = None
    best: str = ""
    """The best play, or the right word, once it may be told; empty for a question that has none."""
    best_moves: tuple[str, ...] = ()


def grade(step: Step, figures: StepFigures, answer: str, reason: Reason | None = None) -> Verdict:
    """Judge an answer to a step; ``reason`` says why the best play is better than a play that costs something.

    Raises LessonError for a step that asks nothing.
    """
    text = " ".join(answer.split())
    match step.do:
        case Do.TRY:
            return _tried(step, text)
        case Do.PLAY:
            return _played(step, figures, text, reason)
        case Do.CUBE:
            return _cube(step, figures, text)
        case Do.TURN:
            return _turned(step, text)
        case Do.CHOOSE:
            return _chosen(step, text)
        case Do.COUNT:
            return _counted(step, figures, text)
    raise LessonError("this step asks nothing")


def solution(step: Step, figures: StepFigures) -> str:
    """A right answer, as the learner would give it; empty for a step that asks nothing."""
    board = step.board
    match step.do:
        case Do.TRY | Do.TURN:
            return step.line
        case Do.PLAY if step.graded:
            return figures.plays[0].play
        case Do.PLAY:
            first = step.accept[0]
            return _some_play(board, hitting=first == HIT) if board and first in (ANY, HIT) else first
        case Do.CUBE:
            return _cube_best(step, figures)[0]
        case Do.CHOOSE:
            return str(step.answer)
        case Do.COUNT:
            return told(_number(step), figures.values[_number(step)])
    return ""


# -- plays -----------------------------------------------------------------------------------------------------------
def _tried(step: Step, text: str) -> Verdict:
    """Right if the rules refuse it, and it is the play (or a part of the play) that was to be tried."""
    try:
        play = _read(step.board, text)
    except FullprimeError as error:
        asked = set(_pairs(text)) & set(_pairs(step.line))
        if asked:
            return Verdict(right=True, words=f"{_refusal(text, error)}\n\n{step.right}".strip(), play=text)
        words = f"{_refusal(text, error)} Here another play is to be tried: {step.line}."
        return Verdict(right=False, words=words, refused=True)
    words = step.wrong or f"{format_play(play)} is legal. Here a play is wanted that is not: try {step.line}."
    return Verdict(right=False, words=words, refused=True, play=format_play(play))


def _pairs(text: str) -> list[str]:
    """The checker moves as they are written, without their marks."""
    return [each.group().casefold() for each in _MOVE.finditer(text)]


def _refusal(text: str, error: Exception) -> str:
    """Why a play is refused. Moves upwards are told as such: a beginner does not mean the other side's numbers."""
    for found in _MOVE.finditer(text):
        source, target = found["source"], found["target"]
        if source.isdigit() and target.isdigit() and int(source) < int(target):
            return f"{found.group()} goes backwards: your checkers move from higher points to lower ones."
    return _sentence(str(error))


def _played(step: Step, figures: StepFigures, text: str, reason: Reason | None) -> Verdict:
    try:
        play = _read(step.board, text)
    except FullprimeError as error:
        return Verdict(right=False, words=_refusal(text, error), refused=True)
    known = {_read(step.board, line).after: words for line, words in step.answers}
    said = known.get(play.after, "")
    moves = tuple(map(str, play.moves))
    if not step.graded:
        right = any(_accepted(step.board, play, line) for line in step.accept)
        words = (said or step.right) if right else (said or step.wrong or "That is legal, but not what is asked here.")
        return Verdict(right=right, words=words, play=format_play(play), moves=moves)
    best = figures.plays[0]
    made = next((each for each in figures.plays if _read(step.board, each.play).after == play.after), None)
    if made is None:
        raise LessonError(f"there is no figure for {format_play(play)}")
    right = made.loss <= step.within
    better = ""
    if reason is not None and step.board is not None and made.loss >= _COSTS:
        better = reason(step.board, best.play, made.play, made.loss)
    parts = [why(made, best, better), better, said, step.right if right else step.wrong]
    return Verdict(
        right=right,
        words="\n\n".join(part for part in parts if part),
        play=format_play(play),
        moves=moves,
        loss=made.loss,
        best=best.play,
        best_moves=tuple(map(str, _read(step.board, best.play).moves)),
    )


def why(made: PlayFigures, best: PlayFigures, better: str = "") -> str:
    """The loss of a play and what the figures know of the reason. What speaks for the play comes last, after a "but".
    Shots are told only of the play that leaves more, and left to ``better``, a sentence that follows, if it has some.
    """
    if made.play == best.play:
        return f"{made.play} is the best play."
    if not made.loss >= 0.0005:
        return f"{made.play} is as good as {best.play}."
    said = []
    if not _OF_SHOTS.search(better) and made.shots - best.shots >= _SHOTS_APART:
        said.append(f"it leaves {made.shots} shots of 36 outside his home, {best.play} leaves {best.shots or 'none'}")
    but = []
    for gap, word, good in (
        (made.win - best.win, "wins", True),
        (made.gammons - best.gammons, "wins gammons", True),
        (made.lost - best.lost, "loses gammons", False),
    ):
        if abs(gap) < _WORTH_SAYING:
            continue
        if (gap > 0) is good:
            but.append(f"but it {word} {100 * abs(gap):.1f} % {'more' if gap > 0 else 'less'} often")
        else:
            said.append(f"it {word} {100 * abs(gap):.1f} % {'more' if gap > 0 else 'less'} often")
    reasons = f": {', '.join(('; '.join(said), *but))}" if said else ""
    return f"{made.play} costs {made.loss:.2f} against {best.play}{reasons}." if made.loss >= _COSTS else (
        f"{made.play} is all but as good as {best.play}.")  # fmt: skip


def _read(board: Board | None, text: str) -> Play:
    if board is None or board.dice is None:
        raise LessonError("this step has no roll to play")
    return read_play(text, board.position, board.dice, board.variant)


def _accepted(board: Board | None, play: Play, line: str) -> bool:
    if line == ANY:
        return True
    if line == HIT:
        return any(move.hit for move in play.moves)
    return _read(board, line).after == play.after


def _some_play(board: Board, *, hitting: bool) -> str:
    assert board.dice is not None
    plays = board.position.plays(board.dice, board.variant)
    return format_play(next(play for play in plays if not hitting or any(move.hit for move in play.moves)))


# -- the cube --------------------------------------------------------------------------------------------------------
def _cube(step: Step, figures: StepFigures, text: str) -> Verdict:
    best, losses = _cube_best(step, figures)
    word = _CUBE_WORDS.get(text.casefold(), "")
    offered = cube_words(step)
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= len(offered):
        word = offered[int(text) - 1]
    if word not in losses:
        return Verdict(right=False, words=f"Answer {' or '.join(losses)}.", refused=True)
    loss = losses[word]
    right = loss <= step.within
    found = figures.cube
    assert found is not None
    who = "Your opponent wins" if step.board is not None and step.board.offered else "You win"
    chances = f"{who} {100 * found.win:.1f} % of the games."
    if found.gammons >= _SEEN:
        chances = f"{who} {100 * found.win:.1f} % of the games, {100 * found.gammons:.1f} % by a gammon."
    cost = f"To {word} costs {loss:.2f}." if loss >= 0.005 else f"To {word} is right."
    if loss < 0.005 and word != best:
        cost = f"To {word} is as good as to {best}."
    parts = (f"{cost} {chances}", step.right if right else step.wrong)
    words = "\n\n".join(part for part in parts if part)
    return Verdict(right=right, words=words, play=word, loss=loss, best=best)


def cube_words(step: Step) -> tuple[str, str]:
    """The two answers to a cube decision, in the order in which they are shown; their numbers are answers, too."""
    return ("take", "drop") if step.board is not None and step.board.offered else ("double", "roll")


def _turned(step: Step, text: str) -> Verdict:
    offered = step.turns
    word = _CUBE_WORDS.get(text.casefold(), text.casefold())
    if step.board is not None and step.board.choose:
        word = f"{word[0]}-{word[1]}" if re.fullmatch(r"([1-6])\1", word) else word
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= len(offered):
        word = offered[int(text) - 1]
    if word not in offered:
        return Verdict(
            right=False,
            words=f"Answer {' or '.join((', '.join(offered[:-1]), offered[-1])[-len(offered) :])}.",
            refused=True,
        )
    right = word == step.line
    words = step.right if right else step.wrong or f"The rules allow that. Here {step.line} is to be tried."
    return Verdict(right=right, words=words, play=word, best=step.line)


def _cube_best(step: Step, figures: StepFigures) -> tuple[str, dict[str, float]]:
    if figures.cube is None or step.board is None:
        raise LessonError("the cube of this step has not been judged")
    losses = figures.cube.losses(offered=step.board.offered)
    return min(losses, key=lambda word: losses[word]), losses


# -- questions -------------------------------------------------------------------------------------------------------
def _chosen(step: Step, text: str) -> Verdict:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= len(step.choices):
        said = [at for at, choice in enumerate(step.choices, 1) if choice.casefold() == text.casefold()]
        if not said:
            return Verdict(right=False, words=f"Answer with a number from 1 to {len(step.choices)}.", refused=True)
        number = said[0]
    right = number == step.answer
    return Verdict(right=right, words=step.right if right else step.wrong, play=str(number), best=str(step.answer))


def _counted(step: Step, figures: StepFigures, text: str) -> Verdict:
    try:
        said = float(text.rstrip("% ").replace(",", "."))
    except ValueError:
        return Verdict(right=False, words="Answer with a number.", refused=True)
    fact = _number(step)
    true = told(fact, figures.values[fact])
    right = abs(said - float(true.rstrip(" %"))) <= step.within + 1e-9
    words = step.right if right else f"It is {true}.\n\n{step.wrong}".strip()
    return Verdict(right=right, words=words, play=text, best=true)


def _number(step: Step) -> str:
    return " ".join(step.number.strip("{}").split())


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."
