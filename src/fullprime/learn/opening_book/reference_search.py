"""Searching games of self-play for reference positions: cube decisions at their borders, which one pip more turns.
Rollouts must confirm the decision of the position and of its neighbour.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fullprime.engine import shared
from fullprime.engine.cube.equity import CubeContext
from fullprime.engine.rollouts.result import DOUBLE_TAKE, NO_DOUBLE
from fullprime.engine.rollouts.rollout import StoppingRule, TrialPolicy
from fullprime.learn.opening_book.reference import Neighbour, Reference, ReferenceCube, ReferenceTheme
from fullprime.reviews.reasons.counts import count_behind, longest_prime
from fullprime.reviews.reasons.plans import Plan, plan_of
from fullprime.rules.dice import Roll
from fullprime.rules.position import BAR, OFF, Position, Row
from fullprime.rules.variants import BACKGAMMON

if TYPE_CHECKING:
    from fullprime.engine.cube.action import CubeDecision
    from fullprime.engine.engine import Engine

TRIALS, CUT = 1296, 7
"""The most trials of a verifying rollout, and the plies after which they are cut."""
APART = 2.5
"""Joint standard errors by which a decision must be clear."""
_FAR = 0.15
"""The greatest distance from a border, in equity, of a position at it."""
_CLEAR = 0.02
"""The least margin by search of both decisions of a position, because rollouts of closer ones seldom decide."""
_FEW = 6
"""Checkers that each side has left in the last rolls."""
_A_GAME = 1
"""Positions of a theme that one game may give."""

_NOT_YET, _TAKE, _DROP, _TOO_GOOD = "no double, take", "double, take", "double, drop", "too good to double, drop"
_BORDERS = {
    ReferenceTheme.RACE: {_TAKE, _DROP},
    ReferenceTheme.HOLDING: {_TAKE, _DROP},
    ReferenceTheme.BLITZ: {_TAKE, _DROP},
    ReferenceTheme.WINDOW: {_NOT_YET, _TAKE},
    ReferenceTheme.TOO_GOOD: {_DROP, _TOO_GOOD},
}
"""The border that a theme is about, as the decisions on its two sides; the other themes take any."""

MONEY = CubeContext()


def search_references(
    goals: dict[ReferenceTheme, int],
    nets: str,
    start: int = 1,
    stop: Callable[[], bool] = lambda: False,
    names: Collection[str] = (),
) -> Iterator[Reference | int]:
    """Find reference positions in self-play until every theme has as many as are wanted, or until ``stop`` says so.

    ``names``: positions that do not come again. Gives the positions, and after each game its number. A
    position is a function of the game's number and the nets.
    """
    engine = shared.engine_for(BACKGAMMON)
    left, game = Counter(goals), start
    while +left and not stop():
        of_game: Counter[ReferenceTheme] = Counter()
        for position in _game(engine, game):
            if stop():
                return
            theme = theme_of(engine, position)
            if theme is None or left[theme] <= 0 or of_game[theme] >= _A_GAME:
                continue
            reference = _verify(engine, position, theme, nets, stop)
            if reference is not None and reference.name not in names:
                of_game[theme] += 1
                left[theme] -= 1
                yield reference
        yield game
        game += 1


def judge_again(before: Reference, nets: str, stop: Callable[[], bool] = lambda: False) -> Reference | None:
    """A reference position rolled out anew, with its neighbours that still turn the decision; None where none does."""
    engine = shared.engine_for(BACKGAMMON)
    cube = _roll_out(engine, before.position, stop)
    if cube is None:
        return None
    neighbours = []
    for neighbour in before.neighbours:
        cube_there = _roll_out(engine, Position.from_text(neighbour.board, BACKGAMMON.checkers), stop)
        if cube_there is not None and _turns(before.theme, cube.verdict, cube_there.verdict):
            neighbours.append(replace(neighbour, cube=cube_there))
    return replace(before, nets=nets, cube=cube, neighbours=tuple(neighbours)) if neighbours else None


def theme_of(engine: Engine, position: Position) -> ReferenceTheme | None:
    """The theme of a position at a border of its cube decision, None for another position."""
    quick = engine.cube_decision(position, MONEY, level="0-ply")
    if quick.double_take is None or not _near_border(quick, 2 * _FAR):
        return None
    theme = _kind(position, quick)
    if theme is None:
        return None
    sure = engine.cube_decision(position, MONEY, level="1-ply")
    return theme if _near_border(sure, _FAR) and _kind(position, sure) is theme else None


def neighbours_of(position: Position) -> list[tuple[str, Position]]:
    """The boards in which one checker stands one point farther or nearer, each with the change in words."""
    neighbours = []
    for mine in (True, False):
        row, other = (position.player, position.opponent) if mine else (position.opponent, position.player)
        owner = "yours" if mine else "the other side's"
        for source in range(1, 25):
            for target in (source - 1, source + 1):
                if not row[source] or not 1 <= target <= 24 or other[25 - target]:
                    continue
                moved = _move_checker(row, source, target)
                change = "One pip less" if target < source else "One pip more"
                board = (
                    replace(position, player=moved) if mine else replace(position, opponent=moved)
                )  # fmt: skip
                neighbours.append((f"{change} ({owner}, the {source}-point to the {target}-point)", board))
    return neighbours


# -- inside --------------------------------------------------------------------------------------------------------
def _game(engine: Engine, number: int) -> Iterator[Position]:
    """The positions before the rolls of one game."""
    dice = random.Random(f"reference:{number}")
    position = engine.variant.starting_position
    for turn in range(300):
        roll = Roll(dice.randint(1, 6), dice.randint(1, 6))
        if turn > 2:
            yield position
        position = engine.best_play(position, roll, level="fast" if dice.random() < 0.9 else "casual").position
        if position.is_over:
            return


def _near_border(decision: CubeDecision, far: float) -> bool:
    take, rolling = decision.double_take, decision.no_double
    if take is None or rolling < 0.2 or rolling > 1.4:
        return False
    return min(abs(take - 1.0), abs(rolling - min(take, 1.0))) <= far


def _kind(position: Position, decision: CubeDecision) -> ReferenceTheme | None:
    mine, theirs = position.player, position.opponent
    take, rolling = decision.double_take or 0.0, decision.no_double
    if position.is_race:
        if max(_count_checkers(mine), _count_checkers(theirs)) <= _FEW and not mine[BAR] and not theirs[BAR]:
            return ReferenceTheme.LAST_ROLLS
        return ReferenceTheme.RACE if position.pips[0] > 40 and abs(take - 1.0) < _FAR else None
    if theirs[OFF] and not mine[OFF] and (theirs[BAR] or any(theirs[point] for point in range(13, 25))):
        return ReferenceTheme.CONTAINING
    if abs(rolling - 1.0) < 0.1 and take > 1.05:
        return ReferenceTheme.TOO_GOOD
    if _primes(mine, theirs) and _primes(theirs, mine):
        return ReferenceTheme.PRIMES
    if abs(take - 1.0) < _FAR:
        if plan_of(position) is Plan.BLITZ:
            return ReferenceTheme.BLITZ
        return ReferenceTheme.HOLDING if plan_of(position.swapped) is Plan.HOLDING else None
    return ReferenceTheme.WINDOW if take < 0.8 and abs(rolling - take) < 0.06 else None


def _count_checkers(row: Row) -> int:
    return sum(row) - row[OFF]


def _primes(own: Row, other: Row) -> bool:
    points = frozenset(point for point in range(1, 25) if own[point] >= 2)
    prime = longest_prime(points, other)
    return prime.length >= 4 and bool(count_behind(prime, other))


def _move_checker(row: Row, source: int, target: int) -> Row:
    counts = list(row)
    counts[source] -= 1
    counts[target] += 1
    return tuple(counts)


def _verify(
    engine: Engine, position: Position, theme: ReferenceTheme, nets: str, stop: Callable[[], bool]
) -> Reference | None:
    """The position with the neighbour that turns its decision, if rollouts say so of both."""
    here = engine.cube_decision(position, MONEY, level="2-ply")
    if not _is_clear(here):
        return None
    turned = []
    for change, board in neighbours_of(position):
        if theme_word(engine.cube_decision(board, MONEY, level="0-ply")) == theme_word(here):
            continue
        beyond = engine.cube_decision(board, MONEY, level="2-ply")
        if _turns(theme, here.verdict, beyond.verdict) and _is_clear(beyond):
            turned.append((change, board))
    cube = _roll_out(engine, position, stop) if turned else None
    if cube is None:
        return None
    for change, board in turned[:2]:
        other = _roll_out(engine, board, stop)
        if other is not None and _turns(theme, cube.verdict, other.verdict):
            return Reference(theme, position.text, nets, CUT, cube, (Neighbour(board.text, change, other),))
    return None


def _turns(theme: ReferenceTheme, here: str, other: str) -> bool:
    """True if the two verdicts differ, and on the two sides of the border that the theme is about."""
    words = {_word(here), _word(other)}
    return len(words) == 2 and (theme not in _BORDERS or words == _BORDERS[theme])


def _is_clear(decision: CubeDecision) -> bool:
    """True if search sees both decisions, to double and to take, so far from their borders that trials can tell."""
    take = decision.double_take
    if take is None or decision.exact:
        return take is not None
    return min(abs(take - 1.0), abs(decision.no_double - min(take, 1.0))) >= _CLEAR


def theme_word(decision: CubeDecision) -> str:
    """The decision in a word; optional doubles count as doubles."""
    return _word(decision.verdict)


def _word(verdict: str) -> str:
    return verdict.removeprefix("optional ").replace("beaver", "take")


def _roll_out(engine: Engine, position: Position, stop: Callable[[], bool]) -> ReferenceCube | None:
    """The figures of a rollout, None where it does not become clear."""
    result = engine.rollout(
        position,
        context=MONEY,
        policy=TrialPolicy(truncate=CUT),
        trials=TRIALS,
        rule=StoppingRule(least=324, apart=APART),
        threads=1,
        stop=stop,
    )
    if not result.reason.startswith("the decision is") and not _exact(result.best.error):
        return None
    by_action = {row.action: row for row in result.rolled}
    rolling, doubled = by_action[NO_DOUBLE], by_action[DOUBLE_TAKE]
    win, gammon, backgammon, lost, lost_backgammon = (max(0.0, _round_figure(part)) for part in rolling.probabilities)
    return ReferenceCube(
        no_double=_round_figure(rolling.equity),
        no_double_error=_round_figure(rolling.error),
        double_take=_round_figure(doubled.equity),
        double_take_error=_round_figure(doubled.error),
        verdict=result.decision.verdict,
        probabilities=(win, gammon, backgammon, lost, lost_backgammon),
        trials=result.trials,
    )


def _round_figure(figure: float) -> float:
    """A figure rounded as it is stored."""
    return round(figure, 5)


def _exact(error: float) -> bool:
    return error < 1e-6
