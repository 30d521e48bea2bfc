"""The figures of a review on its page: PR and luck first, then all of them, each kind in a table of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fullprime.reviews.rating import DecisionTally, PlayerRating, adjusted_result
from fullprime.reviews.review import Review
from fullprime.rules.record import Match
from fullprime.rules.words import MINUS, format_score

DASH = "\u2013"
"""For an unknown figure: never a zero."""


def headline(match: Match, review: Review, ratings: Sequence[PlayerRating], names: tuple[str, str]) -> str:
    """What a player looks for first: PR with its interval, the word for it, luck, and the errors."""
    rows = [
        _row(
            "PR",
            [f'<span class="pr">{_number(rating.pr)}</span><small>{_interval(rating)}</small>' for rating in ratings],
        ),
        _row("plays like", [rating.band or DASH for rating in ratings]),
        _row("luck", [_number(rating.luck, "+.3f") for rating in ratings]),
        _row("errors, blunders", [f"{rating.overall.errors}, {rating.overall.blunders}" for rating in ratings]),
    ]
    result = adjusted_result(match, review)
    words = ""
    if result is not None:
        match_play = match.settings.is_match
        actual, adjusted = (
            _value(value, match_play=match_play, sign="" if match_play else "+")
            for value in (result.actual, result.chance if match_play else result.adjusted)
        )
        words = f"<p>Result for {names[0]}: {actual}; without the luck in it: <strong>{adjusted}</strong>.</p>"
    return f'<section class="headline"><h2>Summary</h2>{_table("Both players", rows, names)}{words}</section>'


def figures(match: Match, review: Review, ratings: Sequence[PlayerRating], names: tuple[str, str]) -> str:
    """All figures of both players; the parts of their PR by what they divide: kind, phase, game, and cube error."""
    kinds = [_row(part, [_tally(rating.parts[part]) for rating in ratings]) for part in ratings[0].parts]
    stages = [
        _row(stage, [_tally(rating.stages.get(stage)) for rating in ratings])
        for stage in dict.fromkeys([*ratings[0].stages, *ratings[1].stages])
    ]
    games = []
    for number in range(review.games):
        points = match.games[number].start.score.points
        games.append(
            _row(
                f'game {number + 1} <span class="nb">({format_score(points)})</span>',
                [_tally(rating.games[number]) for rating in ratings],
            )
        )
    mistakes = [
        _row(mistake, [_mistakes(rating.mistakes, mistake) for rating in ratings])
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
        _row("PR", [_number(rating.pr) for rating in ratings]),
        _row("between (95 %)", [_interval(rating) for rating in ratings]),
        _row("decisions that count", [str(rating.overall.counted) for rating in ratings]),
        _row("errors / blunders", [f"{rating.overall.errors} / {rating.overall.blunders}" for rating in ratings]),
        _row("too close to call", [str(rating.overall.unclear) for rating in ratings]),
        _row("equity lost", [_number(rating.overall.loss, ".3f") for rating in ratings]),
        _row(
            "match chances lost" if match_play else "points lost",
            [_value(rating.overall.value_loss, match_play=match_play) for rating in ratings],
        ),
        _row(
            "GNU Backgammon's error rate",
            [f"{_number(rating.gnu_rate, '.1f')} {rating.gnu_word or ''}" for rating in ratings],
        ),
        _row("luck (equity)", [_number(rating.luck, "+.3f") for rating in ratings]),
        _row(
            "luck (match chances)" if match_play else "luck (points)",
            [_value(rating.luck_value, match_play=match_play, sign="+") for rating in ratings],
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


def _interval(rating: PlayerRating) -> str:
    span = rating.overall.interval
    return DASH if span is None else f"{span[0]:.2f} to {span[1]:.2f}"


def _value(value: float | None, *, match_play: bool, sign: str = "") -> str:
    if value is None:
        return DASH
    text = f"{100 * value:{sign}.1f} %" if match_play else f"{value:{sign}.3f}"
    return text.replace("-", MINUS)


def _tally(tally: DecisionTally | None) -> str:
    if tally is None or tally.pr is None:
        return DASH
    return f'{tally.pr:.2f} <span class="soft">({tally.counted})</span>'


def _mistakes(tallies: Mapping[str, DecisionTally], name: str) -> str:
    tally = tallies.get(name)
    return DASH if tally is None else f'{tally.loss:.3f} <span class="soft">({tally.counted})</span>'
