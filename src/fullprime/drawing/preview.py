"""Previews: the picture that another site shows where an address of ours is pasted, a board beside a few words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from textwrap import wrap

from fullprime.drawing.arrows import Arrow
from fullprime.drawing.svg import svg
from fullprime.rules.game import Game
from fullprime.rules.score import Player

WIDE, HIGH = 1200, 630
"""Of the picture, in pixels: the proportions that sites cut nothing from."""

_PAPER, _INK, _SOFT, _ACCENT = "#f7f3ec", "#221c16", "#665a4e", "#a83a1b"
_BOARD = (28, 18, 728, 594)
_LEFT = 796
_SERIF = "Liberation Serif, DejaVu Serif, serif"
_SANS = "Liberation Sans, Arial, DejaVu Sans, sans-serif"


def preview(
    game: Game,
    title: str,
    facts: Sequence[str],
    *,
    names: tuple[str, str] = ("X", "O"),
    bottom: Player | None = None,
    arrows: Sequence[Arrow] = (),
) -> str:
    """The picture as SVG: the board, beside it a title of a few words and facts of a line each."""
    x, y, wide, high = _BOARD
    board = svg(game, names=names, bottom=bottom, arrows=arrows, size=None)
    placed = board.replace("<svg ", f'<svg x="{x}" y="{y}" width="{wide}" height="{high}" ', 1)
    parts = [_mark(_LEFT, 60)]
    line = 170.0
    for text_line in wrap(title, 16)[:4]:
        parts.append(_text(line, text_line, 40, _INK, _SERIF, bold=True))
        line += 48
    line += 14
    for fact in facts:
        for text_line in wrap(fact, 28)[:2]:
            parts.append(_text(line, text_line, 27, _SOFT, _SANS))
            line += 37
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}">'
        f'<rect width="{WIDE}" height="{HIGH}" fill="{_PAPER}"/>{placed}{"".join(parts)}</svg>'
    )


def _mark(x: float, y: float) -> str:
    """Six points in a row with a checker on each, a full prime; and the name."""
    points = "".join(
        f'<path d="M{x + 14 * n} {y}h12l-6 -34z" fill="{_ACCENT if n % 2 else "#1e4a4a"}"/>'
        f'<circle cx="{x + 14 * n + 6}" cy="{y - 5}" r="5" fill="{_INK}"/>'
        for n in range(6)
    )
    return points + _text(y, "Fullprime", 34, _INK, _SERIF, bold=True, x=x + 98)


def _text(y: float, words: str, size: int, colour: str, family: str, *, bold: bool = False, x: float = _LEFT) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-family="{family}" fill="{colour}"{weight}>'
        f"{escape(words)}</text>"
    )
