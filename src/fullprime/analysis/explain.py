"""Explanations in words: the difference between two options, on the board and in the chances.

An explanation names only facts that can be counted: points made, blots left where they can be hit at once, checkers
hit, and the difference in the chances. The reader judges if these are the reason.
"""

from __future__ import annotations

from fullprime.analysis.decision import NOTHING, Decision, Kind, Option
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.game import Game
from fullprime.rules.plays import CheckerMove, legal_plays
from fullprime.rules.position import BAR, OFF, Position, Row, longest_prime
from fullprime.rules.variants import BACKGAMMON, Variant

WORTH_SAYING = 0.01
"""Chances that differ by less are not spoken of."""


def explain(decision: Decision, game: Game) -> str:
    """The reasons why the best option is better than the chosen one, in a sentence or two; empty for no loss."""
    if decision.loss <= NOTHING:
        return ""
    if decision.kind in (Kind.DOUBLE, Kind.TAKE):
        return _cube_words(decision)
    best, played = decision.best, decision.played
    said = []
    if best.moves is not None and played.moves is not None:
        said = _board_words(
            game.position,
            _after(game.position, best.moves),
            _after(game.position, played.moves),
            best,
            played,
            game.settings.variant,
        )
    chances = _chance_words(best, played)
    sentences = [f"{best.text} {_joined(said)}." if said else "", f"It {_joined(chances)}." if chances else ""]
    if not said and chances:
        sentences = [f"{best.text} {_joined(chances)}."]
    return " ".join(each for each in sentences if each)


def _after(position: Position, moves: tuple[CheckerMove, ...]) -> Position:
    mine, theirs = list(position.player), list(position.opponent)
    for move in moves:
        mine[move.source] -= 1
        mine[move.target] += 1
        if move.hit:
            theirs[25 - move.target] -= 1
            theirs[BAR] += 1
    return Position(tuple(mine), tuple(theirs))


def _board_words(
    before: Position, best: Position, played: Position, first: Option, second: Option, variant: Variant
) -> list[str]:
    said = []
    hits = sum(move.hit for move in first.moves or ()) - sum(move.hit for move in second.moves or ())
    if hits:
        said.append("hits" if hits > 0 else "does not hit")
    more, held = _points(best.player) - _points(played.player), _points(before.player)
    for word, points in (("makes", more - held), ("keeps", more & held)):
        if points:
            said.append(f"{word} the {_listed(points)} point{'s' if len(points) > 1 else ''}")
    if longest_prime(best.player) > max(longest_prime(played.player), 3):
        said.append(f"has a prime of {longest_prime(best.player)}")
    shots, other = shooting(best, variant), shooting(played, variant)
    if abs(shots - other) >= 2:
        said.append(f"leaves {shots} rolls of 36 that hit instead of {other}")
    off = best.player[OFF] - played.player[OFF]
    if off > 0:
        said.append(f"takes {off} more off")
    return said


def _points(row: Row) -> set[int]:
    return {point for point in range(1, 25) if row[point] >= 2}


def shooting(position: Position, variant: Variant = BACKGAMMON) -> int:
    """The number of the 36 rolls by which the opponent can hit a checker of the player who has just moved.

    >>> shooting(Position.from_text("7 6:14 / 24:15"))
    17
    """
    if 1 not in position.player[1:25]:
        return 0
    theirs = position.swapped
    return sum(
        roll.weight
        for roll in ALL_ROLLS
        if any(move.hit for play in legal_plays(theirs, roll, variant) for move in play.moves)
    )


def _chance_words(best: Option, played: Option) -> list[str]:
    if best.chances is None or played.chances is None:
        return []
    said = []
    names = ("wins {} more", "wins {} more gammons", "wins {} more backgammons")
    worse = ("wins {} less", "wins {} fewer gammons", "wins {} fewer backgammons")
    losing = ("loses {} fewer gammons", "loses {} fewer backgammons")
    more = ("loses {} more gammons", "loses {} more backgammons")
    gaps = [ours - theirs for ours, theirs in zip(best.chances, played.chances, strict=True)]
    for gap, better, other in zip(gaps[:3], names, worse, strict=True):
        if abs(gap) >= WORTH_SAYING:
            said.append((better if gap > 0 else other).format(f"{100 * abs(gap):.1f} %"))
    for gap, better, other in zip(gaps[3:], losing, more, strict=True):
        if abs(gap) >= WORTH_SAYING:
            said.append((better if gap < 0 else other).format(f"{100 * abs(gap):.1f} %"))
    return said


def _cube_words(decision: Decision) -> str:
    cube = decision.cube
    if cube is None:
        return ""
    win, gammon = 100 * cube.chances[0], 100 * cube.chances[1]
    said = f"The player on roll wins {win:.1f} %, {gammon:.1f} % by a gammon; proper is {cube.proper}"
    take = cube.double_drop - cube.double_take
    return f"{said}; taking is {'right' if take > 0 else 'wrong'} by {abs(take):.3f}."


def _joined(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _listed(points: set[int]) -> str:
    return _joined([str(point) for point in sorted(points, reverse=True)])


__all__ = ["explain", "shooting"]
