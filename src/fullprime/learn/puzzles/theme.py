"""Themes of puzzles, judged from the board alone: one word for the kind of plan that a position asks for."""

from __future__ import annotations

from fullprime.rules.position import BAR, HAND, Position, Row, longest_prime, mirror, rearmost

THEMES = (
    "opening", "entering", "attack", "back game", "prime", "bearing in", "bear-off", "race", "holding", "middle game",
)  # fmt: skip
"""All themes."""
_EARLY = 4
"""Turns of both sides together that count as the opening."""


def theme_of(position: Position, turns: int) -> str:
    """The theme of a board; ``turns`` have been played in the game before it."""
    mine, theirs = position.player, position.opponent
    if position.is_race:
        return "bear-off" if rearmost(mine) <= 6 else "race"
    if turns < _EARLY:
        return "opening"
    if mine[HAND] or mine[BAR]:
        return "entering"
    if rearmost(mine) <= 6:
        return "bear-off"
    if _anchors(mine) >= 2 or _anchors(theirs) >= 2:
        return "back game"
    if max(longest_prime(mine), longest_prime(theirs)) >= 5:
        return "prime"
    if theirs[BAR] or (_blots_at_home(theirs) and not _anchors(theirs)):
        return "attack"
    if rearmost(mine) <= 12 and sum(mine[:7]) >= sum(mine) * 2 // 3:
        return "bearing in"
    return "holding" if _anchors(mine) or _anchors(theirs) else "middle game"


def _anchors(row: Row) -> int:
    """Points held in the other side's home."""
    return sum(row[point] >= 2 for point in range(mirror(6), BAR))


def _blots_at_home(row: Row) -> int:
    """Blots in the other side's home."""
    return sum(row[point] == 1 for point in range(mirror(6), BAR))
