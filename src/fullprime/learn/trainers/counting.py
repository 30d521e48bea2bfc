"""Trainers that count: pips, by several systems, and the throws that hit."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from fullprime.learn.puzzles.puzzle import read_stock
from fullprime.learn.trainers.model import Trainer
from fullprime.learn.trainers.question import Ask, DrillError, MarkedAnswer, TrainerQuestion, dice_of, number_in
from fullprime.rules.position import BAR, Position, Row, mirror, pip_count
from fullprime.rules.position_facts import rolls_that, shot_rolls
from fullprime.rules.variants.standard import BACKGAMMON

HALF = 3
"""Points of half a quadrant."""


@cache
def _boards() -> tuple[Position, ...]:
    """Boards of games of self-play: those of the package's puzzles, seen by both sides."""
    boards = [puzzle.position for puzzle in read_stock(BACKGAMMON) if min(puzzle.position.pips) > 20]
    if not boards:
        raise DrillError("the package's stock of puzzles is missing: there are no boards to count")
    return tuple(boards) + tuple(board.swapped for board in boards)


# -- pips ------------------------------------------------------------------------------------------------------------
def _ask_pips(seed: int) -> TrainerQuestion:
    board = dice_of("pips", seed).choice(_boards())
    return TrainerQuestion(seed=seed, ask=Ask.NUMBER, words="How many pips have you left?", position=board)


def _mark_pips(question: TrainerQuestion, answer: str) -> MarkedAnswer:
    position = question.position
    if position is None:
        raise DrillError("there is no board")
    count, pips = round(number_in(answer, 0, 999)), position.pips[0]
    lines = (half_crossovers(position.player), count_clusters(position.player), count_colourless(position))
    return MarkedAnswer(right=count == pips, answer=str(count), error=abs(count - pips), best=str(pips), lines=lines)


def half_crossovers(row: Row) -> str:
    """The count by half-crossovers, in words.

    >>> from fullprime.rules.variants.standard import BACKGAMMON
    >>> half_crossovers(BACKGAMMON.starting_position.player)
    'Half-crossovers: 2 x 15 = 30; 3 x 45 = 135 for the steps; 2 more for high and low points: 167.'
    """
    steps = corrections = 0
    for point in range(1, BAR + 1):
        group, place = divmod(point - 1, HALF)
        steps += group * row[point]
        corrections += (place - 1) * row[point]
    men = sum(row[1 : BAR + 1])
    more = f"{abs(corrections)} {'more' if corrections >= 0 else 'fewer'} for high and low points"
    total = 2 * men + 3 * steps + corrections
    return f"Half-crossovers: 2 x {men} = {2 * men}; 3 x {steps} = {3 * steps} for the steps; {more}: {total}."


def count_clusters(row: Row) -> str:
    """The count by clusters, in words: groups whose pips are a round number, then the rest."""
    left = [point for point in range(BAR, 0, -1) for _ in range(row[point])]
    groups: list[tuple[int, ...]] = []
    for size in (1, 2, 3, 4):
        while (group := _round(left, size)) is not None:
            groups.append(group)
            for point in group:
                left.remove(point)
    sums = [f"{'+'.join(map(str, group))} = {sum(group)}" if len(group) > 1 else str(group[0]) for group in groups]
    tens, over = sum(map(sum, groups)), sum(left)
    end = f"; {'+'.join(map(str, left))} = {over} over" if left else ""
    return f"Clusters: {', '.join(sums) or 'none'}{end}: {tens + over}."


def _round(points: list[int], size: int) -> tuple[int, ...] | None:
    """Checkers with a round number of pips in all, the closest together first."""
    groups = {group for group in combinations(points, size) if sum(group) % 10 == 0}
    return min(groups, key=lambda group: (max(group) - min(group), group), default=None)


def count_colourless(position: Position) -> str:
    """The lead by the colourless count, in words.

    >>> from fullprime.rules.variants.standard import BACKGAMMON
    >>> count_colourless(BACKGAMMON.starting_position)
    'Colourless: all checkers in your numbers make 375. Without 25 x 15 = 375 the difference is left: level.'
    """
    mine, theirs = position.player, position.opponent
    men = sum(theirs[1 : BAR + 1])
    total = pip_count(mine) + sum(mirror(point) * theirs[point] for point in range(1, BAR + 1))
    behind = total - 25 * men
    lead = "level" if not behind else f"you are {abs(behind)} {'behind' if behind > 0 else 'ahead'}"
    return (
        f"Colourless: all checkers in your numbers make {total}. Without 25 x {men} = {25 * men} the difference is"
        f" left: {lead}."
    )


# -- shots -----------------------------------------------------------------------------------------------------------
def _ask_shots(seed: int) -> TrainerQuestion:
    boards = _boards()
    order = dice_of("shots", seed).sample(range(len(boards)), len(boards))
    board = next((boards[at] for at in order if _has_plain_shots(boards[at])), None)
    if board is None:
        raise DrillError("none of the boards has a blot that can be hit")
    return TrainerQuestion(seed=seed, ask=Ask.NUMBER, words="How many of the 36 throws hit a blot?", position=board)


def _has_plain_shots(board: Position) -> bool:
    """True if some throws hit, and each of them is a shot: none hits in the player's own home board alone."""
    rolls = shot_rolls(board, BACKGAMMON)
    return bool(rolls) and rolls == rolls_that("hits", board, BACKGAMMON)


def _mark_shots(question: TrainerQuestion, answer: str) -> MarkedAnswer:
    if question.position is None:
        raise DrillError("there is no board")
    guess, rolls = round(number_in(answer, 0, 36)), shot_rolls(question.position, BACKGAMMON)
    count = sum(roll.weight for roll in rolls)
    listed = ", ".join(roll.words for roll in rolls)
    hits = f"These hit: {listed}." if rolls else "No throw hits."
    doubles = sum(roll.is_double for roll in rolls)
    sums = f"Doubles fall in one way, the others in two: {doubles} + 2 x {len(rolls) - doubles} = {count} of 36."
    return MarkedAnswer(
        right=guess == count, answer=str(guess), error=abs(guess - count), best=str(count),
        lines=(hits, sums) if rolls else (hits,),
    )  # fmt: skip


PIPS = Trainer(
    name="pips",
    title="Pip count",
    about="Count the pips of a board out of a game.",
    unit="pips",
    digits=1,
    teaches=(
        (
            "Half-crossovers (Douglas Zare): the board is eight groups of three points. Two pips for every"
            " checker, three"
            " for every group it has to leave behind, one more on the high point of a group, one less on the low one."
        ),
        (
            "Clusters (Jack Kissane): look for checkers whose pips are together a round number, and for those"
            " that become one"
            " by a shift: one checker a step forward, another a step back."
        ),
        (
            "Colourless (Robert Urquhart): count every checker of both sides in your own numbers, as if all were"
            " yours. The"
            " excess over 25 for each checker of the opponent is your distance behind: a difference without two counts."
        ),
    ),
    ask=_ask_pips,
    mark=_mark_pips,
)
SHOTS = Trainer(
    name="shots",
    title="Throws that hit",
    about="Say how many of the 36 throws hit a blot.",
    unit="throws",
    digits=1,
    teaches=(
        (
            "A blot within six pips is hit by 11 throws with the number itself, and by combinations of two dice"
            " or doubles"
            " whose intermediate points are open. With several blots count the throws that hit any, each once."
        ),
        (
            "Farther than six pips only combinations hit: six throws at seven and at eight pips, five at nine,"
            " three at ten, two at eleven and three at twelve; beyond that one double at 15, 16, 18, 20 and 24. Where"
            " the points between are blocked there are fewer."
        ),
    ),
    ask=_ask_shots,
    mark=_mark_shots,
)
