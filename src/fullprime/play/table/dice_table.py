"""The counts of the dice as a table for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from fullprime.play.dice_counts import ChanceCount, DiceCounts, SideDice

_ROWS = ("rolls", "doubles", "pips", "rolls that hit", "hits made")
_LABEL = max(map(len, _ROWS))
_COLUMN = 32


def dice_text(counts: DiceCounts, names: Sequence[str]) -> str:
    """The counts of both sides, each beside what chance gives: no line is longer than 80 columns."""
    sides = (counts.x, counts.o)
    heads = [(name or side)[: _COLUMN - 2] for name, side in zip(names, "XO", strict=True)]
    columns = zip(_ROWS, *map(_cells, sides), strict=True)
    lines = ["The dice; in brackets what chance gives, with its standard deviation:", ""]
    lines += [" " * _LABEL + "".join(f"  {head:<{_COLUMN - 2}}" for head in heads)]
    lines += [f"{label:<{_LABEL}}" + "".join(f"  {cell:<{_COLUMN - 2}}" for cell in cells) for label, *cells in columns]
    return "\n".join([*(line.rstrip() for line in lines), "", _verdict(sides)])


def _cells(side: SideDice) -> tuple[str, ...]:
    figures = (side.doubles_by_chance, side.pips_by_chance, side.hitting_by_chance)
    return (str(side.rolls), *map(_cell, figures), str(side.hits))


def _cell(figure: ChanceCount) -> str:
    beside = f"{figure.count} ({figure.expected:.1f} ± {figure.deviation:.1f})"
    return beside if figure.standing == "ordinary" else f"{beside}, {figure.standing}"


def _verdict(sides: Sequence[SideDice]) -> str:
    figures = [
        figure for side in sides for figure in (side.doubles_by_chance, side.pips_by_chance, side.hitting_by_chance)
    ]
    out = sum(figure.standing != "ordinary" for figure in figures)
    return f"{out} of {len(figures)} numbers out of the ordinary." if out else "All within the ordinary."
