"""The tables of ``review``: one match, several matches, and the players of them all. None is wider than 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fullprime.rules.words import MINUS, format_score

if TYPE_CHECKING:
    from fullprime.reviews.matches.reviewing import ReviewedMatch


def summary_lines(reviewed: ReviewedMatch, thresholds: Any) -> list[str]:
    """The table of both players; fits 80 columns."""
    match = reviewed.document.match
    ratings = reviewed.ratings(thresholds)

    def number(value: float | None, form: str = ".2f", unit: str = "") -> str:
        return "-" if value is None else format(value, form).replace("-", MINUS) + unit

    def chances(value: float | None, form: str = ".1f") -> str:
        if value is None:
            return "-"
        text = f"{100 * value:{form}} %" if match.settings.is_match else f"{value:{form}}"
        return text.replace("-", MINUS)

    rows: list[tuple[str, Sequence[str]]] = [
        ("", [name[:22] for name in match.names]),
        ("PR", [number(rating.pr) for rating in ratings]),
        ("  between (95 %)", [_span(rating.overall.interval) for rating in ratings]),
        ("  plays like", [rating.band or "-" for rating in ratings]),
        ("decisions that count", [str(rating.overall.counted) for rating in ratings]),
        ("errors, blunders", [f"{rating.overall.errors}, {rating.overall.blunders}" for rating in ratings]),
        ("too close to call", [str(rating.overall.unclear) for rating in ratings]),
        *[
            (f"PR {part}", [f"{number(rating.parts[part].pr)} ({rating.parts[part].counted})" for rating in ratings])
            for part in ratings[0].parts
        ],
        ("equity lost", [number(rating.overall.loss, ".3f") for rating in ratings]),
        ("gnubg error rate", [f"{number(rating.gnu_rate, '.1f')} {rating.gnu_word or ''}" for rating in ratings]),
        ("luck (equity)", [number(rating.luck, "+.3f") for rating in ratings]),
        (
            "luck (match)" if match.settings.is_match else "luck (points)",
            [chances(rating.luck_value, "+.1f") for rating in ratings],
        ),
    ]
    lines = [f"{name:<22}{''.join(f'{cell.strip():>24}' for cell in cells)}" for name, cells in rows]
    result = reviewed.result
    if result is not None:
        lines.append(
            f"Result for {match.names[0][:30]}: {chances(result.actual)}, without luck"
            f" {chances(result.chance if match.settings.is_match else result.adjusted)}"
        )
    if reviewed.review.left_out:
        lines.append(f"left out (illegal plays, set-ups, unknowns): {len(reviewed.review.left_out)}")
    return lines


def match_lines(matches: Sequence[ReviewedMatch], thresholds: Any) -> list[str]:
    """A line for each match: its file, both players with their PR, and the score."""
    lines = [f"{'':>4} {'file':<21} {'X':<13}{'PR':>6}  {'O':<13}{'PR':>6}  {'score':>7}"]
    for number, reviewed in enumerate(matches, 1):
        match = reviewed.document.match
        x, o = reviewed.ratings(thresholds)
        points = match.score.points
        lines.append(
            f"{number:>4} {_cut(reviewed.name, 21, end=True):<21} {_cut(match.names[0], 12):<13}{_number(x.pr):>6}  "
            f"{_cut(match.names[1], 12):<13}{_number(o.pr):>6}  {format_score(points):>7}"
        )
    return lines


def total_lines(totals: Sequence[Any]) -> list[str]:
    """A line for each player of several matches; luck is a mean a match."""
    games = {total.variant for total in totals}
    lines = [f"{'player':<22}{'matches':>7}{'won':>5}{'PR':>7}{'between (95 %)':>17}{'errors':>10}{'luck':>9}"]
    for total in totals:
        overall = total.overall
        name = total.name if len(games) == 1 else f"{total.name} ({total.variant})"
        lines.append(
            f"{_cut(name, 21):<22}{total.matches:>7}{total.won:>5}{_number(overall.pr):>7}{_span(overall.interval):>17}"
            f"{f'{overall.errors}, {overall.blunders}':>10}{_number(total.luck, '+.3f'):>9}"
        )
    return lines


def _number(value: float | None, form: str = ".2f") -> str:
    return "-" if value is None else format(value, form)


def _cut(words: str, most: int, *, end: bool = False) -> str:
    """At most ``most`` letters; the end of a path says more than its beginning."""
    if len(words) <= most:
        return words
    return f"…{words[1 - most :]}" if end else f"{words[: most - 1]}…"


def _span(interval: tuple[float, float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
