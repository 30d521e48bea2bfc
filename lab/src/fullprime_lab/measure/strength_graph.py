"""Strength for time as a picture: PR upwards, milliseconds a decision to the right, one line for each program."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from fullprime_lab.measure.curve import StrengthPoint

_WIDTH, _HEIGHT = 760, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 24, 62, 54
_COLOURS = ("#0b6e4f", "#b5482a", "#3b5b92", "#7a5195", "#8a6d00")
_FONT = "font-family='DejaVu Sans, Verdana, sans-serif'"


def draw_strength_graph(points: Sequence[StrengthPoint], title: str = "Strength for time, one core") -> str:
    """An SVG picture; bars are standard errors. Raises ValueError without points."""
    if not points:
        raise ValueError("a graph needs points")
    low = math.floor(math.log10(min(max(point.milliseconds, 1e-3) for point in points)))
    high = max(low + 1, math.ceil(math.log10(max(point.milliseconds for point in points))))
    top = max(1.0, math.ceil(max(point.pr + point.error for point in points)))
    across, down = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(milliseconds: float) -> float:
        return _LEFT + across * (math.log10(max(milliseconds, 1e-3)) - low) / (high - low)

    def y(pr: float) -> float:
        return _TOP + down * (1 - max(pr, 0.0) / top)

    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img'>",
        f"<title>{escape(title)}</title>",
        f"<rect width='{_WIDTH}' height='{_HEIGHT}' fill='#ffffff'/>",
        _text(_LEFT, 24, title, size=16),
        _text(_LEFT + across / 2, _HEIGHT - 12, "milliseconds a decision (median)", anchor="middle"),
        _text(_LEFT - 48, _TOP - 14, "PR (less is better)"),
    ]
    for power in range(low, high + 1):
        at = x(10.0**power)
        parts.append(f"<path d='M{at:.1f} {_TOP}V{_TOP + down}' stroke='#dddddd'/>")
        parts.append(_text(at, _TOP + down + 18, f"{10.0**power:g}", anchor="middle"))
    for pr in range(int(top) + 1):
        parts.append(f"<path d='M{_LEFT} {y(pr):.1f}h{across}' stroke='#dddddd'/>")
        parts.append(_text(_LEFT - 8, y(pr) + 4, str(pr), anchor="end"))
    programs = list(dict.fromkeys(point.program for point in points))
    for number, program in enumerate(programs):
        colour = _COLOURS[number % len(_COLOURS)]
        mine = sorted((point for point in points if point.program == program), key=lambda point: point.milliseconds)
        line = " ".join(f"{x(point.milliseconds):.1f},{y(point.pr):.1f}" for point in mine)
        parts.append(f"<polyline points='{line}' fill='none' stroke='{colour}' stroke-width='2'/>")
        for point in mine:
            at = x(point.milliseconds)
            if math.isfinite(point.error):
                bar = f"M{at:.1f} {y(point.pr - point.error):.1f}V{y(point.pr + point.error):.1f}"
                parts.append(f"<path d='{bar}' stroke='{colour}'/>")
            parts.append(f"<circle cx='{at:.1f}' cy='{y(point.pr):.1f}' r='4' fill='{colour}'/>")
            parts.append(_text(at + 7, y(point.pr) - 7, point.level, size=11, colour=colour))
        parts.append(_text(_WIDTH - _RIGHT, _TOP + 16 + 18 * number, program, anchor="end", colour=colour))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _text(x: float, y: float, words: str, *, size: int = 12, anchor: str = "start", colour: str = "#222222") -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' fill='{colour}' {_FONT}>"
        f"{escape(words)}</text>"
    )
