"""A rollout as a picture: every candidate's equity with its 95 % interval, on one scale."""

from __future__ import annotations

from html import escape

from fullprime.engine.rollouts.result import Rollout
from fullprime.rules.words import format_signed

_ROW, _TOP, _BOTTOM = 34, 30, 28
_TICKS = 5


def rollout_graph(rollout: Rollout, width: int = 560) -> str:
    """SVG, ``width`` pixels wide: a bar from end to end of each interval, a dot at the mean, the best first."""
    names = max(90, 8 * max(len(option.name) for option in rollout.rolled) + 14)
    intervals = [option.interval() for option in rollout.rolled]
    low, high = min(interval[0] for interval in intervals), max(interval[1] for interval in intervals)
    room = max(high - low, 1e-4)
    low, high = low - 0.08 * room, high + 0.08 * room
    height = _TOP + _ROW * len(intervals) + _BOTTOM
    scale = (width - names - 20) / (high - low)

    def across(equity: float) -> float:
        return round(names + (equity - low) * scale, 1)

    title = f"{rollout.trials:,} trials: " + "; ".join(
        f"{option.name} {format_signed(option.equity, 4)} ± {option.error:.4f}" for option in rollout.rolled
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"',
        f' role="img" font-family="sans-serif" font-size="13"><title>{escape(title)}</title>',
        f'<rect width="{width}" height="{height}" fill="#fdfbf6"/>',
        f'<text x="10" y="19" font-weight="bold" fill="#222">Equity, 95 % intervals, {rollout.trials:,} trials</text>',
    ]
    for tick in range(_TICKS):
        equity = low + (high - low) * (tick + 0.5) / _TICKS
        x = across(equity)
        parts.append(f'<path d="M{x} {_TOP}V{height - _BOTTOM}" stroke="#d9d2c3"/>')
        parts.append(f'<text x="{x}" y="{height - 9}" text-anchor="middle" fill="#555">{format_signed(equity)}</text>')
    for number, (option, (first, last)) in enumerate(zip(rollout.rolled, intervals, strict=True)):
        y = _TOP + _ROW * number + _ROW // 2
        colour = "#1f6f4a" if number == 0 else "#8a5a1c"
        parts.append(f'<text x="10" y="{y + 4}" fill="#222">{escape(option.name)}</text>')
        parts.append(
            f'<path d="M{across(first)} {y}H{across(last)}" stroke="{colour}" stroke-width="5" opacity=".45"/>'
        )
        parts.append(f'<circle cx="{across(option.equity)}" cy="{y}" r="5" fill="{colour}"/>')
    return "".join([*parts, "</svg>"])
