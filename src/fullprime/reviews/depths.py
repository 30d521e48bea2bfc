"""How far plays were looked at, in words; and lists of plays that do not compare two depths without saying so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from fullprime.rules.words import signed


@dataclass(frozen=True, slots=True)
class Listed:
    """A play, or an action with the cube, in a list that has the best first."""

    text: str
    equity: float | None
    """None where the list tells losses alone."""
    loss: float
    depth: int | None
    """Plies of look-ahead; None where nobody kept it."""
    deviation: float | None = None
    """The standard error of a rollout; None where there was none."""

    @property
    def looked(self) -> tuple[bool, int | None]:
        """How far it was looked at: two that differ in this are not compared without a word."""
        return looked(self.depth, self.deviation)

    def line(self, best: Listed) -> str:
        """The figures and the depth behind its name; the mark stands where the loss compares two depths."""
        rough = "≈ " if self.looked != best.looked else ""
        cost = f"{rough}{signed(-self.loss)}" if self.loss > 0 else f"{rough}0" if rough else ""
        there = "" if self.equity is None else signed(self.equity)
        figure = f"{there} ({cost})" if there and cost else there or cost
        depth = "" if self.depth is None else depth_words(self.depth, self.deviation, digits=3)
        told = ", ".join(part for part in (figure, depth) if part)
        return f"{self.text}: {told}" if told else self.text


def looked(depth: int | None, deviation: float | None) -> tuple[bool, int | None]:
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
    known = tuple(plays)
    groups = [list(group) for _, group in groupby(known, key=lambda each: each.looked)]
    if len(groups) < 2:
        return tuple(each.line(known[0]) for each in known)
    lines: list[str] = []
    for group in groups:
        first = group[0]
        if first.depth is not None:
            lines.append(group_words(first.depth, first.deviation))
        lines += [each.line(known[0]) for each in group]
    return (*lines, "≈ compares two depths: the best play was looked at further than this one.")
