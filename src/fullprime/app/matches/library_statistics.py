"""Statistics over the matches of the library: results, PR and its interval, by kind, phase, time and opponent."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fullprime.app.matches.fields import ErrorRateJson, RecordJson, StatisticsJson
from fullprime.rules.score import Player
from fullprime.store.errors import LibraryError
from fullprime.store.library.figures import Figures
from fullprime.store.library.library import LibraryStore, MatchRow
from fullprime.store.library.search import Search, Wanted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Decisions added up by the counting rule of eXtreme Gammon; None for a figure without decisions."""

    counted: int
    loss: float
    errors: int
    blunders: int
    pr: float | None
    interval: tuple[float, float] | None

    def json(self) -> ErrorRateJson:
        """The figures as JSON values."""
        return {
            "counted": self.counted, "loss": round(self.loss, 4), "errors": self.errors, "blunders": self.blunders,
            "pr": None if self.pr is None else round(self.pr, 3),
            "interval": None if self.interval is None else [round(end, 3) for end in self.interval],
        }  # fmt: skip


@dataclass(slots=True)
class Record:
    """Matches and games won and lost."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    games_won: int = 0
    games_lost: int = 0
    gammons_won: int = 0
    gammons_lost: int = 0
    points_won: int = 0
    points_lost: int = 0

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

    def json(self) -> RecordJson:
        """The counts as JSON values."""
        return {
            "matches": self.matches, "won": self.won, "lost": self.lost,
            "games_won": self.games_won, "games_lost": self.games_lost,
            "gammons_won": self.gammons_won, "gammons_lost": self.gammons_lost,
            "points_won": self.points_won, "points_lost": self.points_lost,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kindness:
    """One kind of error: the number of times it was made, and its cost."""

    words: str
    made: int
    loss: float
    of: int
    """The number of decisions of this kind."""


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """The library's statistics of one person."""

    name: str
    record: Record
    reviewed: int
    overall: ErrorRate
    luck: float | None
    """Mean luck a reviewed match, in points of equity, the opponent's luck taken off."""
    kinds: dict[str, ErrorRate] = field(default_factory=dict)
    stages: dict[str, ErrorRate] = field(default_factory=dict)
    periods: dict[str, ErrorRate] = field(default_factory=dict)
    opponents: dict[str, tuple[Record, ErrorRate]] = field(default_factory=dict)
    errors: tuple[Kindness, ...] = ()
    plans: dict[str, ErrorRate] = field(default_factory=dict)
    scores: dict[str, ErrorRate] = field(default_factory=dict)
    """By the points that the player and the opponent need, the most frequent first."""
    openings: dict[str, ErrorRate] = field(default_factory=dict)
    """Decisions in the opening, by the first roll of the game."""
    mistakes: dict[str, ErrorRate] = field(default_factory=dict)
    """By kind of cube error."""
    themes: tuple[tuple[str, int, float], ...] = ()
    """The themes of the errors, how often each was made, and its cost; the costliest first."""

    def json(self) -> StatisticsJson:
        """The statistics as JSON values."""
        return {
            "player": self.name, "record": self.record.json(), "reviewed": self.reviewed,
            "overall": self.overall.json(), "luck": None if self.luck is None else round(self.luck, 4),
            "kinds": {name: rate.json() for name, rate in self.kinds.items()},
            "stages": {name: rate.json() for name, rate in self.stages.items()},
            "periods": {name: rate.json() for name, rate in self.periods.items()},
            "opponents": {
                name: {"record": record.json(), "rate": rate.json()} for name, (record, rate) in self.opponents.items()
            },
            "errors": [
                {"kind": each.words, "made": each.made, "of": each.of, "loss": round(each.loss, 4)}
                for each in self.errors
            ],
            "plans": {name: rate.json() for name, rate in self.plans.items()},
            "scores": {name: rate.json() for name, rate in self.scores.items()},
            "openings": {name: rate.json() for name, rate in self.openings.items()},
            "mistakes": {name: rate.json() for name, rate in self.mistakes.items()},
        }  # fmt: skip


MOST_SCORES = 20
"""The scores of which statistics are told: those at which most was decided."""
PERIODS = {"year": 4, "month": 7, "day": 10, "match": 0}
"""The number of characters of a date that name a period; 0 for each match by itself."""


def statistics(
    store: LibraryStore, wanted: Wanted, by: str = "month", opponents: int | None = None
) -> PlayerStatistics:
    """Everything that the library says about ``wanted.player`` in the matches that are wanted.

    Figures of play come from complete reviews alone; a match without a date is in no period. ``opponents``: so many of
    them, those met most often. Raises StoreError.
    """
    if wanted.player is None:
        raise LibraryError("statistics are about a player: name one")
    if by not in PERIODS:
        raise LibraryError(f"there is no period {by[:40]!r}; there are {', '.join(PERIODS)}")
    search = Search(store)
    person = store.person(wanted.player)
    wanted = replace(wanted, player=person.name, played=True)
    rows = {row.number: row for row in search.matches(wanted)}
    results = search.results(wanted)
    sides = {number: sides_of(row, person.names) for number, row in rows.items()}
    people = {name: each.name for each in store.people() for name in each.names}
    total = Record()
    against: dict[str, Record] = {}
    opponent_of: dict[tuple[int, Player], str] = {}
    for number, row in rows.items():
        for side in sides[number]:
            name = row.names[side.other]
            opponent = people.get(name, name) or "(no name)"
            opponent_of[number, side] = opponent
            for record in (total, against.setdefault(opponent, Record())):
                record.add(row, side, results.get(number, ()))
    mine = of_sides(search.figures(wanted), sides)
    counted = mine.only(mine.counts)
    luck = search.luck(wanted)
    differences = [
        mine_luck - theirs
        for number, pair in luck.items()
        for side in sides[number]
        if (mine_luck := pair[side]) is not None and (theirs := pair[side.other]) is not None
    ]
    periods = _by_match(counted, lambda number, _side: _period(rows[number], by))
    facing = _by_match(counted, lambda number, side: opponent_of[number, side])
    met = sorted(against.items(), key=lambda pair: (-pair[1].matches, pair[0]))[:opponents]
    return PlayerStatistics(
        name=person.name,
        record=total,
        reviewed=len(luck),
        overall=rate(counted),
        luck=sum(differences) / len(differences) if differences else None,
        kinds=_rates(by_word(counted, "kind")),
        stages=_rates(by_word(counted, "stage")),
        periods={name: rate(periods[name]) for name in sorted(periods)},
        opponents={name: (record, rate(facing.get(name, _none(counted)))) for name, record in met},
        errors=_errors(counted),
        plans=_rates(by_word(counted, "plan")),
        scores=_rates(_by_score(counted)),
        openings=_rates(by_word(_opening(counted), "opening")),
        mistakes=_rates(by_word(counted, "mistake")),
        themes=theme_sums(mine),
    )


def sides_of(row: MatchRow, names: Sequence[str]) -> tuple[Player, ...]:
    """The seats of a match in which somebody of these names sits."""
    return tuple(player for player in Player if row.names[player] in names)


def _period(row: MatchRow, by: str) -> str | None:
    if by == "match":
        return f"{row.date or '?':<10} #{row.number}"
    return None if row.date is None else row.date[: PERIODS[by]]


def of_sides(found: Figures, sides: Mapping[int, Sequence[Player]]) -> Figures:
    """The decisions of one person, who sits on one side of a match or on both."""
    import numpy as np

    numbers = np.array(sorted(sides), np.int64)
    if not len(numbers):
        return found.only(np.zeros(len(found.match), bool))
    seats = np.array([[side in sides[int(number)] for side in Player] for number in numbers], bool)
    return found.only(seats[np.searchsorted(numbers, found.match), found.player])


def _split(found: Figures, codes: NDArray[np.int64]) -> Iterator[tuple[int, Figures]]:
    """The rows of each code."""
    import numpy as np

    order = np.argsort(codes, kind="stable")
    ends = np.flatnonzero(np.diff(codes[order])) + 1
    for rows in np.split(order, ends):
        if len(rows):
            yield int(codes[rows[0]]), found.only(rows)


def by_word(found: Figures, name: str) -> dict[str, Figures]:
    """The rows of each word of a column, in the order of the words; those without a word are left out."""
    words = found.words[name]
    pairs = ((words[code], rows) for code, rows in _split(found, found.codes[name].astype("int64")))
    return dict(sorted(((word, rows) for word, rows in pairs if word), key=lambda pair: _place(name, pair[0])))


def theme_sums(mine: Figures) -> tuple[tuple[str, int, float], ...]:
    """The themes of errors, how often each was made, and its cost; the costliest first."""
    found = [(name, len(rows.loss), float(rows.loss.sum())) for name, rows in by_word(mine, "theme").items()]
    return tuple(sorted(found, key=lambda each: (-each[2], each[0])))


def _place(name: str, word: str) -> tuple[int, str]:
    """The place of a word: the order of its kind where it has one, else that of the alphabet."""
    from fullprime.analysis.decision import GameStage, Kind
    from fullprime.analysis.reasons.plans import Plan

    order = {"kind": Kind, "stage": GameStage, "plan": Plan}.get(name)
    known = [] if order is None else [str(each) for each in order]
    return (known.index(word) if word in known else len(known), word)


def _by_match(found: Figures, name_of: Callable[[int, Player], str | None]) -> dict[str, Figures]:
    """The rows of each name that matches and sides have; those without a name are left out."""
    import numpy as np

    keys = found.match * 2 + found.player
    names: dict[str, int] = {}
    codes = np.full(len(keys), -1, np.int64)
    kinds, inverse = np.unique(keys, return_inverse=True)
    of_kind = np.full(len(kinds), -1, np.int64)
    for place, key in enumerate(kinds):
        name = name_of(int(key) // 2, Player(int(key) % 2))
        if name is not None:
            of_kind[place] = names.setdefault(name, len(names))
    if len(kinds):
        codes = of_kind[inverse]
    listed = list(names)
    return {listed[code]: rows for code, rows in _split(found, codes) if code >= 0}


def _by_score(found: Figures) -> dict[str, Figures]:
    """The rows of each score, as points that the player and the opponent need; the most frequent scores first."""
    codes = found.away.astype("int64") << 16 | found.other_away
    pairs = ((code, rows) for code, rows in _split(found, codes))
    named = [("money" if not code else f"{code >> 16}-away {code & 0xFFFF}-away", rows) for code, rows in pairs]
    return dict(sorted(named, key=lambda pair: (-len(pair[1].loss), pair[0]))[:MOST_SCORES])


def _opening(found: Figures) -> Figures:
    """The decisions in the opening."""
    return found.only(found.said("stage", "opening"))


def _none(found: Figures) -> Figures:
    return found.only(found.counts & ~found.counts)


def _rates(groups: Mapping[str, Figures]) -> dict[str, ErrorRate]:
    return {name: rate(rows) for name, rows in groups.items()}


def rate(counted: Figures) -> ErrorRate:
    """Decisions that count, added up: PR is 500 times their mean loss."""
    losses = counted.loss
    if not len(losses):
        return ErrorRate(0, 0.0, 0, 0, None, None)
    from fullprime.analysis.decision import Verdict
    from fullprime.analysis.rating import PR_FACTOR

    return ErrorRate(
        counted=len(losses),
        loss=float(losses.sum()),
        errors=int(counted.said("verdict", str(Verdict.ERROR)).sum()),
        blunders=int(counted.said("verdict", str(Verdict.BLUNDER)).sum()),
        pr=PR_FACTOR * float(losses.mean()),
        interval=pr_interval(losses),
    )


FEWEST = 10
"""The fewest decisions for which an interval is given, as in a review."""
MANY = 200
"""The number of decisions from which on the quantiles are computed, since resampling would only take time."""
_Z = 1.959964
"""The normal quantile of 97.5 %."""


def pr_interval(losses: Sequence[float] | NDArray[np.float64]) -> tuple[float, float] | None:
    """The interval in which the PR lies with 95 %: the percentile bootstrap of a review (Efron 1979).

    For many decisions its quantiles come from the Cornish-Fisher expansion of the resampled mean (Hall 1992, 3.5),
    which knows the skewness of the losses. None below ten decisions.
    """
    if len(losses) < FEWEST:
        return None
    import numpy as np

    from fullprime.analysis.rating import PR_FACTOR, RESAMPLES

    values = np.asarray(losses, dtype=np.float64)
    if len(values) < MANY:
        picks = np.random.default_rng(1979).integers(0, len(values), (RESAMPLES, len(values)))
        low, high = np.quantile(values[picks].mean(axis=1), (0.025, 0.975))
        return float(PR_FACTOR * low), float(PR_FACTOR * high)
    mean, spread = float(values.mean()), float(values.std())
    if not spread:
        return PR_FACTOR * mean, PR_FACTOR * mean
    skewness = float(((values - mean) ** 3).mean()) / spread**3
    error = spread / math.sqrt(len(values))
    bend = skewness * (_Z * _Z - 1) / (6 * math.sqrt(len(values)))
    return PR_FACTOR * max(0.0, mean + error * (bend - _Z)), PR_FACTOR * (mean + error * (bend + _Z))


def _errors(counted: Figures) -> tuple[Kindness, ...]:
    """Kinds of error, the most costly first: the error with the cube, or the phase in which a play was."""
    from fullprime.analysis.decision import NOTHING

    words = counted.words
    codes = {name: counted.codes[name].astype("int64") for name in ("kind", "stage", "mistake")}
    where = codes["kind"] << 8 | codes["stage"]
    of = {code: len(rows.loss) for code, rows in _split(counted, where)}
    lost = counted.loss > NOTHING
    found = []
    for code, rows in _split(counted.only(lost), (codes["mistake"] << 16 | where)[lost]):
        mistake, kind, stage = words["mistake"][code >> 16], words["kind"][code >> 8 & 255], words["stage"][code & 255]
        said = f"{mistake or kind}, {stage}"
        found.append(Kindness(said, len(rows.loss), float(rows.loss.sum()), of[code & 0xFFFF]))
    return tuple(sorted(found, key=lambda each: (-each.loss, each.words)))


__all__ = ["ErrorRate", "Kindness", "PlayerStatistics", "Record", "pr_interval", "rate", "statistics"]
