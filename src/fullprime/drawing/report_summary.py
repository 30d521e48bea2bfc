"""The summary of a review as tables of a page: ratings, luck, and the parts of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fullprime.analysis.rating import DecisionTally, PlayerRating, adjusted_result
from fullprime.analysis.review import Review
from fullprime.rules.record import Match

DASH = "\u2013"
"""For an unknown figure: never a zero."""


def _number(value: float | None, form: str = ".2f") -> str:
    return DASH if value is None else format(value, form)


def summary(match: Match, review: Review, ratings: Sequence[PlayerRating], names: tuple[str, str]) -> str:
    """The tables above the graph: both players, and where they lost what."""

    def row(name: str, cells: Sequence[str]) -> str:
        return f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'

    def intervals(each: PlayerRating) -> str:
        span = each.overall.interval
        return DASH if span is None else f"{span[0]:.2f} to {span[1]:.2f}"

    match_play = match.settings.is_match
    rows = [
        row("PR", [_number(each.pr) for each in ratings]),
        row("between (95 %)", [intervals(each) for each in ratings]),
        row("plays like", [each.band or DASH for each in ratings]),
        row("decisions that count", [str(each.overall.counted) for each in ratings]),
        row("errors / blunders", [f"{each.overall.errors} / {each.overall.blunders}" for each in ratings]),
        row("too close to call", [str(each.overall.unclear) for each in ratings]),
        row("equity lost", [_number(each.overall.loss, ".3f") for each in ratings]),
        row(
            "match chances lost" if match_play else "points lost",
            [_value(each.overall.value_loss, match_play=match_play) for each in ratings],
        ),
        row(
            "GNU Backgammon's error rate",
            [f"{_number(each.gnu_rate, '.1f')} {each.gnu_word or ''}" for each in ratings],
        ),
        row("luck (equity)", [_number(each.luck, "+.3f") for each in ratings]),
        row(
            "luck (match chances)" if match_play else "luck (points)",
            [_value(each.luck_value, match_play=match_play, sign="+") for each in ratings],
        ),
    ]
    split = [row(part, [_tally(each.parts[part]) for each in ratings]) for part in ratings[0].parts]
    for stage in dict.fromkeys([*ratings[0].stages, *ratings[1].stages]):
        split += [row(stage, [_tally(each.stages.get(stage)) for each in ratings])]
    for number in range(review.games):
        points = match.games[number].start.score.points
        name = f"game {number + 1} ({points[0]}-{points[1]})"
        split += [row(name, [_tally(each.games[number]) for each in ratings])]
    for mistake in dict.fromkeys([*ratings[0].mistakes, *ratings[1].mistakes]):
        split += [row(f"{mistake}: equity lost", [_mistakes(each.mistakes, mistake) for each in ratings])]
    result = adjusted_result(match, review)
    said = ""
    if result is not None:
        actual, adjusted = (
            _value(each, match_play=match_play, sign="" if match_play else "+")
            for each in (result.actual, result.adjusted)
        )
        said = f"<p>Result for {names[0]}: {actual}; without the luck in it: <strong>{adjusted}</strong>.</p>"
    tables = [
        f'<div class="wide" tabindex="0"><table><caption>{words}</caption><thead><tr><td class="words"></td>'
        f'<th scope="col">{names[0]}</th><th scope="col">{names[1]}</th></tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
        for words, lines in (("Both players", rows), ("PR (and decisions) by part", split))
    ]
    return f'<h2>Summary</h2><div class="tables">{"".join(tables)}</div>{said}'


def _value(value: float | None, *, match_play: bool, sign: str = "") -> str:
    if value is None:
        return DASH
    return f"{100 * value:{sign}.1f} %" if match_play else f"{value:{sign}.3f}"


def _tally(found: DecisionTally | None) -> str:
    if found is None or found.pr is None:
        return DASH
    return f'{found.pr:.2f} <span class="soft">({found.counted})</span>'


def _mistakes(found: Mapping[str, DecisionTally], name: str) -> str:
    each = found.get(name)
    return DASH if each is None else f'{each.loss:.3f} <span class="soft">({each.counted})</span>'


__all__ = ["summary"]
