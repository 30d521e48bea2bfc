"""How far plays were looked at, in words; and lists of plays that do not compare two depths without saying so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from fullprime.rules.words import format_signed


@dataclass(frozen=True, slots=True)
class Listed:
    """A play, or an action with the cube, in a list that has the best first."""

    text: str
    equity: float | None
    """None where the list tells losses alone."""
    loss: float
    depth: int | None
    """Plies of look-ahead; None where it was not kept."""
    deviation: float | None = None
    """The standard error of a rollout; None where there was none."""

    @property
    def looked(self) -> tuple[bool, int | None]:
        """How far it was looked at: two that differ in this are not compared without a word."""
        return comparable_depth(self.depth, self.deviation)

    def line(self, best: Listed) -> str:
        """The figures and the depth behind its name; the mark stands where the loss compares two depths."""
        rough = "≈ " if self.looked != best.looked else ""
        cost = f"{rough}{format_signed(-self.loss)}" if self.loss > 0 else f"{rough}0" if rough else ""
        equity = "" if self.equity is None else format_signed(self.equity)
        figure = f"{equity} ({cost})" if equity and cost else equity or cost
        depth = "" if self.depth is None else depth_words(self.depth, self.deviation, digits=3)
        details = ", ".join(part for part in (figure, depth) if part)
        return f"{self.text}: {details}" if details else self.text


def comparable_depth(depth: int | None, deviation: float | None) -> tuple[bool, int | None]:
    """How far something was looked at; all that was rolled out is alike."""
    return (True, None) if deviation is not None else (False, depth)


def depth_words(depth: int, deviation: float | None = None, *, digits: int = 4) -> str:
    """The depth beside a play: ``static``, ``2-ply``, or a rollout with its error."""
    if deviation is not None:
        return f"rollout ± {deviation:.{digits}f}"
    return "static" if depth == 0 else f"{depth}-ply"


def group_words(depth: int, deviation: float | None = None) -> str:
    """The head of the plays that were looked at equally far."""
    if deviation is not None:
        return "Rolled out"
    if depth == 0:
        return "Judged statically, without look-ahead"
    return f"Looked at {depth} {'ply' if depth == 1 else 'plies'} ahead"


def list_lines(plays: Iterable[Listed]) -> tuple[str, ...]:
    """A list as lines: those looked at equally far stand together, under a head where there are several depths."""
    candidates = tuple(plays)
    groups = [list(group) for _, group in groupby(candidates, key=lambda play: play.looked)]
    if len(groups) < 2:
        return tuple(play.line(candidates[0]) for play in candidates)
    lines: list[str] = []
    for group in groups:
        first = group[0]
        if first.depth is not None:
            lines.append(group_words(first.depth, first.deviation))
        lines += [play.line(candidates[0]) for play in group]
    return (*lines, "≈ compares two depths: the best play was looked at further than this one.")
