"""The course of a match as a picture: the chances to win it, and under them the errors of both players."""

from __future__ import annotations

from html import escape

from fullprime.analysis.decision import Thresholds, Verdict
from fullprime.analysis.review import Review
from fullprime.rules.record import Match
from fullprime.rules.score import Player

LEFT, RIGHT, WIDE, HIGH, BASE, LOW = 46, 1090, 1100, 190, 262, 330
CLASSES = {
    Verdict.BLUNDER: "blunder",
    Verdict.ERROR: "error",
    Verdict.DOUBTFUL: "doubtful",
    Verdict.UNCLEAR: "unclear",
    Verdict.OK: "ok",
}
MOST = 0.2
"""A bar of this loss has full height."""


def anchor(game: int, event: int) -> str:
    """The name of a decision on the page."""
    return f"d{game + 1}-{event + 1}"


def places(review: Review) -> dict[tuple[int, int], float]:
    """The place of each roll and each decision from left to right."""
    rolls = {(each.game, each.event) for each in review.rolls}
    keys = sorted(rolls | {(each.game, each.event) for each in review.decisions})
    step = (RIGHT - LEFT) / max(len(keys) - 1, 1)
    return {key: round(LEFT + step * number, 1) for number, key in enumerate(keys)}


def course(match: Match, review: Review) -> list[tuple[int, int, float]]:
    """X's chance to win the match before each roll; in money play X's points, won and expected."""
    found = []
    for each in review.rolls:
        if match.settings.is_match:
            value = each.before if each.player is Player.X else 1.0 - each.before
        else:
            points = match.games[each.game].start.score.points
            value = points[0] - points[1] + (each.before if each.player is Player.X else -each.before)
        found.append((each.game, each.event, value))
    return found


def graph(match: Match, review: Review, thresholds: Thresholds) -> str:
    """The picture as SVG for a page that has the style sheet of the report."""
    where, line = places(review), course(match, review)
    if not line:
        return ""
    values = [value for _, _, value in line]
    low, high = (0.0, 1.0) if match.settings.is_match else (min(*values, -1.0), max(*values, 1.0))

    def y(value: float) -> float:
        return round(10 + (HIGH - 20) * (high - value) / (high - low), 1)

    parts = []
    middle = 0.5 if match.settings.is_match else 0.0
    for value in sorted({low, middle, high}):
        label = f"{100 * value:.0f} %" if match.settings.is_match else f"{value:+.0f}"
        parts.append(
            f'<path class="axis" d="M{LEFT} {y(value)}H{RIGHT}"/><text x="4" y="{y(value) + 4}">{label}</text>'
        )
    for number in range(review.games):
        begin = min((x for (game, _), x in where.items() if game == number), default=None)
        if begin is not None:
            points = match.games[number].start.score.points
            parts.append(f'<path class="axis" d="M{begin} 10V{LOW}" stroke-dasharray="3 4"/>')
            parts.append(f'<text x="{begin + 3}" y="{HIGH + 6}">{points[0]}-{points[1]}</text>')
    steps = " ".join(f"{where[game, event]},{y(value)}" for game, event, value in line)
    parts.append(f'<polyline class="curve" points="{steps}"/><path class="axis" d="M{LEFT} {BASE}H{RIGHT}"/>')
    parts.extend(_bars(review, thresholds, where))
    x_name, o_name = (escape(name) for name in match.names)
    parts.append(f'<text x="4" y="{BASE - 30}">{x_name[:7]}</text><text x="4" y="{BASE + 38}">{o_name[:7]}</text>')
    what = "chance to win the match" if match.settings.is_match else "points, won and expected"
    words = (
        f"{x_name}'s {what} before each roll. Below, bars for errors: {x_name}'s upwards, {o_name}'s downwards, "
        "the longer the more they cost. The list of decisions says the same."
    )
    return (
        f'<svg class="graph" viewBox="0 0 {WIDE} {LOW + 6}" role="group" aria-labelledby="g-t g-d">'
        f'<title id="g-t">Course of the match</title><desc id="g-d">{words}</desc>{"".join(parts)}'
        f'<line id="here" class="here" x1="-9" x2="-9" y1="6" y2="{LOW}"/></svg>'
    )


def _bars(review: Review, thresholds: Thresholds, where: dict[tuple[int, int], float]) -> list[str]:
    parts = []
    for each in review.decisions:
        verdict = each.verdict(thresholds)
        if verdict is Verdict.OK:
            continue
        high = round(max(2.0, 64 * min(each.loss, MOST) / MOST), 1)
        x, top = where[each.game, each.event] - 2, BASE - high if each.player is Player.X else BASE
        words = escape(f"{verdict}, {each.words}")
        parts.append(
            f'<a href="#{anchor(each.game, each.event)}" tabindex="-1" aria-hidden="true">'
            f'<rect class="bar-{CLASSES[verdict]}" x="{x}" y="{top}" width="4" height="{high}">'
            f"<title>{words}</title></rect></a>"
        )
    return parts


__all__ = ["CLASSES", "anchor", "course", "graph", "places"]
