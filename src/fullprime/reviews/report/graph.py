"""The course of a match as a picture: the chances to win it, and under them the errors of both players.

Places from left to right, and heights, are shares of the picture; letters keep their size on a phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from fullprime.reviews.decision import Thresholds, Verdict
from fullprime.reviews.report.places import CLASSES, ReportPlace
from fullprime.reviews.review import Review
from fullprime.rules.record import Match
from fullprime.rules.score import Player
from fullprime.rules.words import format_score, format_signed

LEFT, RIGHT = 1.0, 99.0
HIGH, BASE, REACH = 62.0, 82.0, 16.0
"""The share of the height that the course has; the line under it from which errors go up and down, and how far."""
MOST = 0.2
"""A bar of this loss has full height."""


def place_decisions(review: Review) -> dict[tuple[int, int], str]:
    """The place of each roll and each decision from left to right, as a share of the width."""
    return {key: f"{x:g}%" for key, x in _across(review).items()}


def _across(review: Review) -> dict[tuple[int, int], float]:
    rolls = {(roll.game, roll.event) for roll in review.rolls}
    keys = sorted(rolls | {(decision.game, decision.event) for decision in review.decisions})
    step = (RIGHT - LEFT) / max(len(keys) - 1, 1)
    return {key: round(LEFT + step * number, 2) for number, key in enumerate(keys)}


def chance_curve(match: Match, review: Review) -> list[tuple[int, int, float]]:
    """X's chance to win the match before each roll; in money play X's points, won and expected."""
    line = []
    for roll in review.rolls:
        if match.settings.is_match:
            value = roll.before if roll.player is Player.X else 1.0 - roll.before
        else:
            points = match.games[roll.game].start.score.points
            value = points[0] - points[1] + (roll.before if roll.player is Player.X else -roll.before)
        line.append((roll.game, roll.event, value))
    return line


def graph(match: Match, review: Review, thresholds: Thresholds, places: Mapping[tuple[int, int], ReportPlace]) -> str:
    """The picture as SVG for a page that has the style sheet of the report."""
    where, line = _across(review), chance_curve(match, review)
    if not line:
        return ""
    values = [value for _, _, value in line]
    low, high = (0.0, 1.0) if match.settings.is_match else (min(*values, -1.0), max(*values, 1.0))

    def y(value: float) -> float:
        return round(3 + (HIGH - 6) * (high - value) / (high - low), 2)

    names = (escape(match.names[0]), escape(match.names[1]))
    measure = "chance to win the match" if match.settings.is_match else "points, won and expected"
    words = (
        f"{names[0]}'s {measure} before each roll. Below, bars for errors: {names[0]}'s upwards, {names[1]}'s "
        "downwards, the longer the more they cost. The list of decisions says the same."
    )
    curve = " ".join(f"{where[game, event]},{y(value)}" for game, event, value in line)
    middle = y(0.5 if match.settings.is_match else 0.0)
    parts = [
        *(_across_line(height) for height in sorted({y(low), middle, y(high), BASE})),
        *_scores(match, review, where),
        _course_line(curve),
        *_bars(review, thresholds, where, places),
        *_words(match, names, y(high), y(low), low, high),
    ]
    return (
        f'<svg class="graph" role="group" aria-labelledby="g-t g-d">'
        f'<title id="g-t">Course of the match</title><desc id="g-d">{words}</desc>{"".join(parts)}'
        '<line id="here" class="here" x1="-9" x2="-9" y1="0" y2="100%"/></svg>'
    )


def _course_line(points: str) -> str:
    """The course itself, stretched to the picture."""
    shape = 'viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%"'
    return f'<svg {shape}><polyline class="curve" points="{points}"/></svg>'


def _across_line(y: float) -> str:
    return f'<line class="axis" x1="0" x2="100%" y1="{y:g}%" y2="{y:g}%"/>'


def _words(match: Match, names: tuple[str, str], top: float, bottom: float, low: float, high: float) -> list[str]:
    """Whose chances they are, at both ends of the scale; and whose errors."""
    if match.settings.is_match:
        ends = (f"100 %: {names[0]} wins", f"100 %: {names[1]} wins")
    else:
        ends = (f"{format_signed(high, 0)} points for {names[0]}", f"{format_signed(-low, 0)} points for {names[1]}")
    return [
        f'<text x="6" y="{top:g}%" dy="14">{ends[0]}</text>',
        f'<text x="6" y="{bottom:g}%" dy="-5">{ends[1]}</text>',
        f'<text x="6" y="{BASE - REACH:g}%" dy="12">errors of {names[0]}</text>',
        f'<text x="6" y="99%" dy="-2">errors of {names[1]}</text>',
    ]


def _scores(match: Match, review: Review, where: Mapping[tuple[int, int], float]) -> list[str]:
    """The beginning of each game, with the score where there is room for it."""
    parts, last = [], -100.0
    for number in range(review.games):
        begin = min((x for (game, _), x in where.items() if game == number), default=None)
        if begin is None:
            continue
        parts.append(f'<line class="axis dashed" x1="{begin:g}%" x2="{begin:g}%" y1="0" y2="100%"/>')
        if begin - last >= 10:
            points = match.games[number].start.score.points
            parts.append(f'<text x="{begin:g}%" dx="3" y="{HIGH + 3:g}%">{format_score(points)}</text>')
            last = begin
    return parts


def _bars(
    review: Review,
    thresholds: Thresholds,
    where: Mapping[tuple[int, int], float],
    places: Mapping[tuple[int, int], ReportPlace],
) -> list[str]:
    parts = []
    for decision in review.decisions:
        verdict, key = decision.verdict(thresholds), (decision.game, decision.event)
        if verdict is Verdict.OK:
            continue
        high = round(max(1.0, REACH * min(decision.loss, MOST) / MOST), 1)
        top = BASE - high if decision.player is Player.X else BASE
        parts.append(
            f'<a href="#{places[key].anchor}" tabindex="-1" aria-hidden="true">'
            f'<rect class="bar-{CLASSES[verdict]}" x="{where[key]:g}%" y="{top:g}%" width="4" height="{high:g}%">'
            f"<title>{escape(f'{places[key].number} {verdict}, {decision.words}')}</title></rect></a>"
        )
    return parts
