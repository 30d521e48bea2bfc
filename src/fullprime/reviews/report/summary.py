"""The figures of a review on its page: PR and luck first, then all of them, each kind in a table of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fullprime.reviews.rating import DecisionTally, PlayerRating, adjusted_result
from fullprime.reviews.review import Review
from fullprime.rules.record import Match
from fullprime.rules.words import MINUS, standing

DASH = "\u2013"
"""For an unknown figure: never a zero."""


def headline(match: Match, review: Review, ratings: Sequence[PlayerRating], names: tuple[str, str]) -> str:
    """What a player looks for first: PR with its interval, the word for it, luck, and the errors."""
    rows = [
        _row("PR", [f'<span class="pr">{_number(each.pr)}</span><small>{_interval(each)}</small>' for each in ratings]),
        _row("plays like", [each.band or DASH for each in ratings]),
        _row("luck", [_number(each.luck, "+.3f") for each in ratings]),
        _row("errors, blunders", [f"{each.overall.errors}, {each.overall.blunders}" for each in ratings]),
    ]
    result = adjusted_result(match, review)
    words = ""
    if result is not None:
        match_play = match.settings.is_match
        actual, adjusted = (
            _value(each, match_play=match_play, sign="" if match_play else "+")
            for each in (result.actual, result.chance if match_play else result.adjusted)
        )
        words = f"<p>Result for {names[0]}: {actual}; without the luck in it: <strong>{adjusted}</strong>.</p>"
    return f'<section class="headline"><h2>Summary</h2>{_table("Both players", rows, names)}{words}</section>'


def figures(match: Match, review: Review, ratings: Sequence[PlayerRating], names: tuple[str, str]) -> str:
    """All figures of both players; the parts of their PR by what they divide: kind, phase, game, and cube error."""
    kinds = [_row(part, [_tally(each.parts[part]) for each in ratings]) for part in ratings[0].parts]
    stages = [
        _row(stage, [_tally(each.stages.get(stage)) for each in ratings])
        for stage in dict.fromkeys([*ratings[0].stages, *ratings[1].stages])
    ]
    games = []
    for number in range(review.games):
        points = match.games[number].start.score.points
        games.append(
            _row(
                f'game {number + 1} <span class="nb">({standing(points)})</span>',
                [_tally(each.games[number]) for each in ratings],
            )
        )
    mistakes = [
        _row(mistake, [_mistakes(each.mistakes, mistake) for each in ratings])
        for mistake in dict.fromkeys([*ratings[0].mistakes, *ratings[1].mistakes])
    ]
    tables = [
        _table(words, rows, names)
        for words, rows in (
            ("Overall", _overall(match, ratings)),
            ("PR by kind (and decisions)", kinds),
            ("PR by phase (and decisions)", stages),
            ("PR by game (and decisions)", games),
            ("Equity lost by cube errors (and how many)", mistakes),
        )
        if rows
    ]
    return f'<div class="tables">{"".join(tables)}</div>'


def _overall(match: Match, ratings: Sequence[PlayerRating]) -> list[str]:
    match_play = match.settings.is_match
    return [
        _row("PR", [_number(each.pr) for each in ratings]),
        _row("between (95 %)", [_interval(each) for each in ratings]),
        _row("decisions that count", [str(each.overall.counted) for each in ratings]),
        _row("errors / blunders", [f"{each.overall.errors} / {each.overall.blunders}" for each in ratings]),
        _row("too close to call", [str(each.overall.unclear) for each in ratings]),
        _row("equity lost", [_number(each.overall.loss, ".3f") for each in ratings]),
        _row(
            "match chances lost" if match_play else "points lost",
            [_value(each.overall.value_loss, match_play=match_play) for each in ratings],
        ),
        _row(
            "GNU Backgammon's error rate",
            [f"{_number(each.gnu_rate, '.1f')} {each.gnu_word or ''}" for each in ratings],
        ),
        _row("luck (equity)", [_number(each.luck, "+.3f") for each in ratings]),
        _row(
            "luck (match chances)" if match_play else "luck (points)",
            [_value(each.luck_value, match_play=match_play, sign="+") for each in ratings],
        ),
    ]


def _table(caption: str, rows: Sequence[str], names: tuple[str, str]) -> str:
    return (
        f'<div class="wide" tabindex="0"><table><caption>{caption}</caption><thead><tr><td class="words"></td>'
        f'<th scope="col">{names[0]}</th><th scope="col">{names[1]}</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(name: str, cells: Sequence[str]) -> str:
    return f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _number(value: float | None, form: str = ".2f") -> str:
    return DASH if value is None else format(value, form).replace("-", MINUS)


def _interval(each: PlayerRating) -> str:
    span = each.overall.interval
    return DASH if span is None else f"{span[0]:.2f} to {span[1]:.2f}"


def _value(value: float | None, *, match_play: bool, sign: str = "") -> str:
    if value is None:
        return DASH
    text = f"{100 * value:{sign}.1f} %" if match_play else f"{value:{sign}.3f}"
    return text.replace("-", MINUS)


def _tally(found: DecisionTally | None) -> str:
    if found is None or found.pr is None:
        return DASH
    return f'{found.pr:.2f} <span class="soft">({found.counted})</span>'


def _mistakes(found: Mapping[str, DecisionTally], name: str) -> str:
    each = found.get(name)
    return DASH if each is None else f'{each.loss:.3f} <span class="soft">({each.counted})</span>'
