"""Statistics over the matches of the library: results, PR and its interval, by kind, phase, time and opponent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from fullprime.common.json_values import JsonFields, json_names
from fullprime.db.errors import LibraryError
from fullprime.library.rates import NOTHING, ErrorRate, pr_interval, rate, rates
from fullprime.library.store.figures import DecisionFigures
from fullprime.library.store.library import LibraryStore, MatchRow
from fullprime.library.store.search import Search, Wanted
from fullprime.reviews.error_themes import ErrorTheme, ThemeTotal
from fullprime.rules.score import Player

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(slots=True)
class WinLossRecord:
    """Matches and games won and lost."""

    matches: int = 0
    """The number of matches played."""
    won: int = 0
    """Matches won."""
    lost: int = 0
    """Matches lost."""
    games_won: int = 0
    """Games won."""
    games_lost: int = 0
    """Games lost."""
    gammons_won: int = 0
    """Games won that are worth a gammon or more."""
    gammons_lost: int = 0
    """Games lost that are worth a gammon or more."""
    points_won: int = 0
    """Points won in all games."""
    points_lost: int = 0
    """Points lost in all games."""

    def add(self, row: MatchRow, side: Player, games: Iterable[tuple[Player, int, int | None]]) -> None:
        """Count one more match, seen from one side."""
        self.matches += 1
        self.won += row.winner is side
        self.lost += row.winner is side.other
        for winner, points, level in games:
            mine = winner is side
            self.games_won += mine
            self.games_lost += not mine
            self.gammons_won += mine and (level or 1) > 1
            self.gammons_lost += not mine and (level or 1) > 1
            self.points_won += points * mine
            self.points_lost += points * (not mine)


@dataclass(frozen=True, slots=True)
class OpponentRecord:
    """The record of one player against one opponent."""

    record: WinLossRecord
    """Matches and games won and lost."""
    rate: ErrorRate
    """The quality of the play."""


@dataclass(frozen=True, slots=True)
class ErrorKindTotal:
    """One kind of error."""

    __json_digits__: ClassVar[int] = 4

    kind: str
    """The kind in words."""
    made: int
    """The number of times it was made."""
    loss: float
    """Its cost in points of equity."""
    of: int
    """The number of decisions of this kind."""


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """The library's statistics of one person."""

    __json__: ClassVar[JsonFields] = json_names(
        "player", "names", "record", "reviewed", "overall", "luck", "kinds", "stages", "periods", "opponents", "errors",
        "themes", "plans", "scores", "openings", "mistakes", player="name",
    )  # fmt: skip
    __json_digits__: ClassVar[int] = 4

    name: str
    """The person's name."""
    record: WinLossRecord
    """Matches and games won and lost."""
    reviewed: int
    """Matches with a complete review."""
    overall: ErrorRate
    """The error rate over all decisions."""
    luck: float | None
    """Mean luck a reviewed match, in points of equity, the opponent's luck taken off."""
    kinds: dict[str, ErrorRate] = field(default_factory=dict)
    """The error rates by kind of decision."""
    stages: dict[str, ErrorRate] = field(default_factory=dict)
    """The error rates by phase of the game."""
    periods: dict[str, ErrorRate] = field(default_factory=dict)
    """The error rates by period, in order."""
    opponents: dict[str, OpponentRecord] = field(default_factory=dict)
    """The opponents by name, the one met most often first."""
    errors: tuple[ErrorKindTotal, ...] = ()
    """The kinds of error, the most costly first."""
    plans: dict[str, ErrorRate] = field(default_factory=dict)
    """The error rates by the player's plan, judged from the position."""
    scores: dict[str, ErrorRate] = field(default_factory=dict)
    """The error rates by score, as points that the player and the opponent need; the most frequent first."""
    openings: dict[str, ErrorRate] = field(default_factory=dict)
    """The error rates of decisions in the opening, by the first roll of the game: ``31``, or ``against 31``."""
    mistakes: dict[str, ErrorRate] = field(default_factory=dict)
    """What the kinds of cube error cost; here the PR is that of the errors alone."""
    themes: tuple[ThemeTotal, ...] = ()
    """The themes of the errors, the costliest first."""
    names: tuple[str, ...] = ()
    """Every name of the person."""


MOST_SCORES = 20
"""The most scores in statistics: those at which most was decided."""
PERIODS = {"year": 4, "month": 7, "day": 10, "match": 0}
"""The number of characters of a date that name a period; 0 for each match by itself."""


def statistics(
    store: LibraryStore, wanted: Wanted, by: str = "month", opponents: int | None = None
) -> PlayerStatistics:
    """Everything that the library says about ``wanted.player`` in the matches that are wanted.

    Figures of play come from complete reviews alone; a match without a date is in no period. ``opponents``: their
    greatest number; those met most often are listed. Raises StoreError.
    """
    if wanted.player is None:
        raise LibraryError("statistics are about a player: name one")
    if by not in PERIODS:
        raise LibraryError(f"there is no period {by[:40]!r}; there are {', '.join(PERIODS)}")
    search = Search(store)
    person = search.get_person(wanted.player)
    wanted = replace(wanted, player=person.name, played=True)
    rows = {row.number: row for row in search.list_matches(wanted)}
    results = search.get_results(wanted)
    sides = {number: sides_of(row, person.names) for number, row in rows.items()}
    people = {name: person.name for person in search.people for name in person.names}
    total = WinLossRecord()
    against: dict[str, WinLossRecord] = {}
    opponent_of: dict[tuple[int, Player], str] = {}
    for number, row in rows.items():
        for side in sides[number]:
            name = row.names[side.other]
            opponent = people.get(name, name) or "(no name)"
            opponent_of[number, side] = opponent
            for record in (total, against.setdefault(opponent, WinLossRecord())):
                record.add(row, side, results.get(number, ()))
    counted = filter_sides(search.load_figures(wanted), sides)
    luck = search.get_luck(wanted)
    differences = [
        mine_luck - theirs
        for number, pair in luck.items()
        for side in sides[number]
        if (mine_luck := pair[side]) is not None and (theirs := pair[side.other]) is not None
    ]
    periods = _rate_by_match(counted, lambda number, _side: _period(rows[number], by))
    met = sorted(against.items(), key=lambda pair: (-pair[1].matches, pair[0]))[:opponents]
    facing = _rate_by_match(counted, lambda number, side: opponent_of.get((number, side)), [name for name, _ in met])
    return PlayerStatistics(
        name=person.name,
        names=person.names,
        record=total,
        reviewed=len(luck),
        overall=rate(counted),
        luck=sum(differences) / len(differences) if differences else None,
        kinds=rate_by_word(counted, "kind"),
        stages=rate_by_word(counted, "stage"),
        periods={name: periods[name] for name in sorted(periods)},
        opponents={name: OpponentRecord(record, facing.get(name, NOTHING)) for name, record in met},
        errors=_errors(counted),
        plans=rate_by_word(counted, "plan"),
        scores=_rate_by_score(counted),
        openings=rate_by_word(counted, "opening", counted.rows_with("stage", "opening")),
        mistakes=rate_by_word(counted, "mistake"),
        themes=theme_sums(counted),
    )


def sides_of(row: MatchRow, names: Sequence[str]) -> tuple[Player, ...]:
    """The seats of a match in which a player with one of these names sits."""
    return tuple(player for player in Player if row.names[player] in names)


def _period(row: MatchRow, by: str) -> str | None:
    if by == "match":
        return f"{row.date or '?':<10} #{row.number}"
    return None if row.date is None else row.date[: PERIODS[by]]


def filter_sides(figures: DecisionFigures, sides: Mapping[int, Sequence[Player]]) -> DecisionFigures:
    """The decisions that count of one person, who sits on one side of a match or on both."""
    import numpy as np

    numbers, place = _matches(figures)
    seats = np.array([[side in sides.get(number, ()) for side in Player] for number in numbers.tolist()], bool)
    return figures.only(seats.reshape(-1, 2)[place, figures.player] & figures.counts)


def _matches(figures: DecisionFigures) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The matches of the rows, each once, and the place of each row's match among them; rows stand match by match."""
    import numpy as np

    if not len(figures.match):
        return figures.match, figures.match
    fresh = np.diff(figures.match, prepend=figures.match[0] - 1) != 0
    return figures.match[fresh], np.cumsum(fresh) - 1


def rate_by_word(figures: DecisionFigures, name: str, rows: NDArray[np.bool_] | None = None) -> dict[str, ErrorRate]:
    """The rate of each word of a column, in their order, of some rows or of all; the empty word is left out."""
    import numpy as np

    words, codes = figures.words[name], figures.codes[name]
    if rows is not None:
        codes = np.where(rows, codes, len(words))
    pairs = ((words[code], error_rate) for code, error_rate in rates(figures, codes, len(words)).items())
    return dict(
        sorted(((word, error_rate) for word, error_rate in pairs if word), key=lambda pair: _place(name, pair[0]))
    )


def theme_sums(counted: DecisionFigures) -> tuple[ThemeTotal, ...]:
    """The themes of errors, the costliest first."""
    import numpy as np

    codes, words = counted.codes["theme"], counted.words["theme"]
    times = np.bincount(codes, minlength=len(words)).tolist()
    costs = np.bincount(codes, counted.loss, len(words)).tolist()
    sums = zip(words, times, costs, strict=True)
    totals = [ThemeTotal(ErrorTheme(word), count, cost) for word, count, cost in sums if word and count]
    return tuple(sorted(totals, key=lambda total: (-total.cost, total.theme)))


def _place(name: str, word: str) -> tuple[int, str]:
    """The place of a word: the order of its kind where it has one, else that of the alphabet."""
    from fullprime.reviews.decision import GameStage, Kind
    from fullprime.reviews.reasons.plans import Plan

    order = {"kind": Kind, "stage": GameStage, "plan": Plan}.get(name)
    words = [] if order is None else [str(member) for member in order]
    return (words.index(word) if word in words else len(words), word)


def _rate_by_match(
    figures: DecisionFigures, name_of: Callable[[int, Player], str | None], wanted: Sequence[str] | None = None
) -> dict[str, ErrorRate]:
    """The rate of each name that matches and sides have, or of those that are wanted; other rows are left out."""
    import numpy as np

    numbers, place = _matches(figures)
    names: dict[str, int] = {name: code for code, name in enumerate(wanted or ())}
    listed = []
    for number in numbers.tolist():
        for side in Player:
            name = name_of(number, side)
            is_listed = name is not None and (wanted is None or name in names)
            listed.append(names.setdefault(name, len(names)) if is_listed and name is not None else -1)
    codes = np.array(listed, np.int64)
    codes[codes < 0] = len(names)
    rates_by_code = rates(figures, codes[2 * place + figures.player], len(names)) if len(numbers) else {}
    return {name: rates_by_code[code] for name, code in names.items() if code in rates_by_code}


def _rate_by_score(figures: DecisionFigures) -> dict[str, ErrorRate]:
    """The rate at each score, as points that the player and the opponent need; the most frequent scores first."""
    import numpy as np

    scores, codes = np.unique(figures.away.astype(np.int64) << 16 | figures.other_away, return_inverse=True)
    times = np.bincount(codes, minlength=len(scores)).tolist()
    score_codes = [
        ("money" if not score else f"{score >> 16}-away {score & 0xFFFF}-away", code)
        for code, score in enumerate(scores.tolist())
    ]
    score_codes.sort(key=lambda pair: (-times[pair[1]], pair[0]))
    rates_by_code = rates(figures, codes, len(scores), [code for _, code in score_codes[:MOST_SCORES]])
    return {name: rates_by_code[code] for name, code in score_codes if code in rates_by_code}


def _errors(counted: DecisionFigures) -> tuple[ErrorKindTotal, ...]:
    """Kinds of error, the most costly first: the error with the cube, or the phase in which a play was."""
    import numpy as np

    from fullprime.reviews.decision import NOTHING as NO_LOSS

    words = counted.words
    kinds, stages = len(words["kind"]), len(words["stage"])
    where = counted.codes["kind"].astype(np.int64) * stages + counted.codes["stage"]
    of = np.bincount(where, minlength=kinds * stages).tolist()
    lost = counted.loss > NO_LOSS
    codes = (counted.codes["mistake"].astype(np.int64) * (kinds * stages) + where)[lost]
    times, costs = np.bincount(codes), np.bincount(codes, counted.loss[lost])
    totals = []
    for code in np.flatnonzero(times).tolist():
        mistake, place = divmod(code, kinds * stages)
        kind, stage = words["kind"][place // stages], words["stage"][place % stages]
        label = f"{words['mistake'][mistake] or kind}, {stage}"
        totals.append(ErrorKindTotal(label, int(times[code]), float(costs[code]), of[place]))
    return tuple(sorted(totals, key=lambda total: (-total.loss, total.kind)))


__all__ = ["ErrorKindTotal", "ErrorRate", "PlayerStatistics", "WinLossRecord", "pr_interval", "rate", "statistics"]
