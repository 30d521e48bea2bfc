"""Statistics over the matches of the library: results, PR and its interval, by kind, phase, time and opponent."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from fullprime.app.matches.fields import ErrorRateJson, RecordJson, StatisticsJson
from fullprime.rules.score import Player
from fullprime.store.errors import StoreError
from fullprime.store.library.library import LibraryStore, MatchRow
from fullprime.store.library.search import JudgedDecision, Search, Wanted


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
        }  # fmt: skip


PERIODS = {"year": 4, "month": 7, "day": 10, "match": 0}
"""The number of characters of a date that name a period; 0 for each match by itself."""


def statistics(store: LibraryStore, wanted: Wanted, by: str = "month") -> PlayerStatistics:
    """Everything that the library says about ``wanted.player`` in the matches that are wanted.

    Figures of play come from complete reviews alone; a match without a date is in no period. Raises StoreError.
    """
    if wanted.player is None:
        raise StoreError("statistics are about a player: name one")
    if by not in PERIODS:
        raise StoreError(f"there is no period {by[:40]!r}; there are {', '.join(PERIODS)}")
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
    mine = [each for each in search.judged(wanted) if each.player in sides[each.match]]
    counted = [each for each in mine if each.counts]
    luck = search.luck(wanted)
    differences = [
        mine_luck - theirs
        for number, pair in luck.items()
        for side in sides[number]
        if (mine_luck := pair[side]) is not None and (theirs := pair[side.other]) is not None
    ]
    periods = _grouped(mine, lambda each: _period(rows[each.match], by))
    facing = _grouped(mine, lambda each: opponent_of[each.match, each.player])
    return PlayerStatistics(
        name=person.name,
        record=total,
        reviewed=len(luck),
        overall=rate(mine),
        luck=sum(differences) / len(differences) if differences else None,
        kinds={name: rate(some) for name, some in _grouped(counted, lambda each: each.kind).items()},
        stages={name: rate(some) for name, some in _grouped(counted, lambda each: each.stage).items()},
        periods={name: rate(periods[name]) for name in sorted(periods)},
        opponents={
            name: (record, rate(facing.get(name, ())))
            for name, record in sorted(against.items(), key=lambda pair: (-pair[1].matches, pair[0]))
        },
        errors=_errors(mine),
    )


def sides_of(row: MatchRow, names: Sequence[str]) -> tuple[Player, ...]:
    """The seats of a match in which somebody of these names sits."""
    return tuple(player for player in Player if row.names[player] in names)


def _period(row: MatchRow, by: str) -> str | None:
    if by == "match":
        return f"{row.date or '?':<10} #{row.number}"
    return None if row.date is None else row.date[: PERIODS[by]]


def _grouped(
    decisions: Iterable[JudgedDecision], key: Callable[[JudgedDecision], str | None]
) -> dict[str, list[JudgedDecision]]:
    found: dict[str, list[JudgedDecision]] = {}
    for each in decisions:
        name = key(each)
        if name is not None:
            found.setdefault(name, []).append(each)
    return found


def rate(decisions: Iterable[JudgedDecision]) -> ErrorRate:
    """Decisions added up: PR is 500 times the mean loss of those that count."""
    counted = [each for each in decisions if each.counts]
    if not counted:
        return ErrorRate(0, 0.0, 0, 0, None, None)
    from fullprime.analysis.decision import Verdict
    from fullprime.analysis.rating import PR_FACTOR

    losses = [each.loss for each in counted]
    return ErrorRate(
        counted=len(counted),
        loss=sum(losses),
        errors=sum(each.verdict == Verdict.ERROR for each in counted),
        blunders=sum(each.verdict == Verdict.BLUNDER for each in counted),
        pr=PR_FACTOR * sum(losses) / len(losses),
        interval=pr_interval(losses),
    )


FEWEST = 10
"""The fewest decisions for which an interval is given, as in a review."""
MANY = 2000
"""The number of decisions from which on the mean is as good as normal, and resampling would only take time."""


def pr_interval(losses: Sequence[float]) -> tuple[float, float] | None:
    """The interval in which the PR lies with 95 %: the percentile bootstrap of a review (Efron 1979), for many
    decisions the normal approximation to it. None below ten decisions.
    """
    if len(losses) < FEWEST:
        return None
    import numpy as np

    from fullprime.analysis.rating import PR_FACTOR, RESAMPLES

    values = np.asarray(losses, dtype=np.float64)
    if len(values) >= MANY:
        mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values))
        return PR_FACTOR * max(0.0, mean - 1.96 * error), PR_FACTOR * (mean + 1.96 * error)
    picks = np.random.default_rng(1979).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.quantile(values[picks].mean(axis=1), (0.025, 0.975))
    return float(PR_FACTOR * low), float(PR_FACTOR * high)


def _errors(decisions: Iterable[JudgedDecision]) -> tuple[Kindness, ...]:
    """Kinds of error, the most costly first: the error with the cube, or the phase in which a play was."""
    from fullprime.analysis.decision import NOTHING

    made: dict[str, list[float]] = {}
    of: dict[str, int] = {}
    for each in decisions:
        if not each.counts:
            continue
        where = f"{each.kind}, {each.stage}"
        of[where] = of.get(where, 0) + 1
        if each.loss > NOTHING:
            words = f"{each.mistake}, {each.stage}" if each.mistake else where
            made.setdefault(f"{words}\n{where}", []).append(each.loss)
    found = []
    for key, losses in made.items():
        words, where = key.split("\n")
        found.append(Kindness(words, len(losses), sum(losses), of[where]))
    return tuple(sorted(found, key=lambda each: (-each.loss, each.words)))


__all__ = ["ErrorRate", "Kindness", "PlayerStatistics", "Record", "pr_interval", "rate", "statistics"]
