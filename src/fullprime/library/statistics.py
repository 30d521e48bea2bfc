"""Statistics over the matches of the library: results, PR and its interval, by kind, phase, time and opponent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fullprime.db.errors import LibraryError
from fullprime.library.rates import NOTHING, ErrorRate, pr_interval, rate, rates
from fullprime.library.store.figures import Figures
from fullprime.library.store.library import LibraryStore, MatchRow
from fullprime.library.store.search import Search, Wanted
from fullprime.reviews.matches.fields import RecordJson, StatisticsJson
from fullprime.rules.score import Player

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
    names: tuple[str, ...] = ()
    """Every name of the person."""

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
    person = search.person(wanted.player)
    wanted = replace(wanted, player=person.name, played=True)
    rows = {row.number: row for row in search.matches(wanted)}
    results = search.results(wanted)
    sides = {number: sides_of(row, person.names) for number, row in rows.items()}
    people = {name: each.name for each in search.people for name in each.names}
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
    counted = of_sides(search.figures(wanted), sides)
    luck = search.luck(wanted)
    differences = [
        mine_luck - theirs
        for number, pair in luck.items()
        for side in sides[number]
        if (mine_luck := pair[side]) is not None and (theirs := pair[side.other]) is not None
    ]
    periods = _by_match(counted, lambda number, _side: _period(rows[number], by))
    met = sorted(against.items(), key=lambda pair: (-pair[1].matches, pair[0]))[:opponents]
    facing = _by_match(counted, lambda number, side: opponent_of.get((number, side)), [name for name, _ in met])
    return PlayerStatistics(
        name=person.name,
        names=person.names,
        record=total,
        reviewed=len(luck),
        overall=rate(counted),
        luck=sum(differences) / len(differences) if differences else None,
        kinds=by_word(counted, "kind"),
        stages=by_word(counted, "stage"),
        periods={name: periods[name] for name in sorted(periods)},
        opponents={name: (record, facing.get(name, NOTHING)) for name, record in met},
        errors=_errors(counted),
        plans=by_word(counted, "plan"),
        scores=_by_score(counted),
        openings=by_word(counted, "opening", counted.said("stage", "opening")),
        mistakes=by_word(counted, "mistake"),
        themes=theme_sums(counted),
    )


def sides_of(row: MatchRow, names: Sequence[str]) -> tuple[Player, ...]:
    """The seats of a match in which somebody of these names sits."""
    return tuple(player for player in Player if row.names[player] in names)


def _period(row: MatchRow, by: str) -> str | None:
    if by == "match":
        return f"{row.date or '?':<10} #{row.number}"
    return None if row.date is None else row.date[: PERIODS[by]]


def of_sides(found: Figures, sides: Mapping[int, Sequence[Player]]) -> Figures:
    """The decisions that count of one person, who sits on one side of a match or on both."""
    import numpy as np

    numbers, place = _matches(found)
    seats = np.array([[side in sides.get(number, ()) for side in Player] for number in numbers.tolist()], bool)
    return found.only(seats.reshape(-1, 2)[place, found.player] & found.counts)


def _matches(found: Figures) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The matches of the rows, each once, and the place of each row's match among them; rows stand match by match."""
    import numpy as np

    if not len(found.match):
        return found.match, found.match
    fresh = np.diff(found.match, prepend=found.match[0] - 1) != 0
    return found.match[fresh], np.cumsum(fresh) - 1


def by_word(found: Figures, name: str, rows: NDArray[np.bool_] | None = None) -> dict[str, ErrorRate]:
    """The rate of each word of a column, in their order, of some rows or of all; the empty word is left out."""
    import numpy as np

    words, codes = found.words[name], found.codes[name]
    if rows is not None:
        codes = np.where(rows, codes, len(words))
    pairs = ((words[code], each) for code, each in rates(found, codes, len(words)).items())
    return dict(sorted(((word, each) for word, each in pairs if word), key=lambda pair: _place(name, pair[0])))


def theme_sums(counted: Figures) -> tuple[tuple[str, int, float], ...]:
    """The themes of errors, how often each was made, and its cost; the costliest first."""
    import numpy as np

    codes, words = counted.codes["theme"], counted.words["theme"]
    times = np.bincount(codes, minlength=len(words)).tolist()
    costs = np.bincount(codes, counted.loss, len(words)).tolist()
    found = [each for each in zip(words, times, costs, strict=True) if each[0] and each[1]]
    return tuple(sorted(found, key=lambda each: (-each[2], each[0])))


def _place(name: str, word: str) -> tuple[int, str]:
    """The place of a word: the order of its kind where it has one, else that of the alphabet."""
    from fullprime.reviews.decision import GameStage, Kind
    from fullprime.reviews.reasons.plans import Plan

    order = {"kind": Kind, "stage": GameStage, "plan": Plan}.get(name)
    known = [] if order is None else [str(each) for each in order]
    return (known.index(word) if word in known else len(known), word)


def _by_match(
    found: Figures, name_of: Callable[[int, Player], str | None], wanted: Sequence[str] | None = None
) -> dict[str, ErrorRate]:
    """The rate of each name that matches and sides have, or of those that are wanted; other rows are left out."""
    import numpy as np

    numbers, place = _matches(found)
    names: dict[str, int] = {name: code for code, name in enumerate(wanted or ())}
    listed = []
    for number in numbers.tolist():
        for side in Player:
            name = name_of(number, side)
            known = name is not None and (wanted is None or name in names)
            listed.append(names.setdefault(name, len(names)) if known and name is not None else -1)
    codes = np.array(listed, np.int64)
    codes[codes < 0] = len(names)
    told = rates(found, codes[2 * place + found.player], len(names)) if len(numbers) else {}
    return {name: told[code] for name, code in names.items() if code in told}


def _by_score(found: Figures) -> dict[str, ErrorRate]:
    """The rate at each score, as points that the player and the opponent need; the most frequent scores first."""
    import numpy as np

    scores, codes = np.unique(found.away.astype(np.int64) << 16 | found.other_away, return_inverse=True)
    times = np.bincount(codes, minlength=len(scores)).tolist()
    named = [
        ("money" if not score else f"{score >> 16}-away {score & 0xFFFF}-away", code)
        for code, score in enumerate(scores.tolist())
    ]
    named.sort(key=lambda pair: (-times[pair[1]], pair[0]))
    told = rates(found, codes, len(scores), [code for _, code in named[:MOST_SCORES]])
    return {name: told[code] for name, code in named if code in told}


def _errors(counted: Figures) -> tuple[Kindness, ...]:
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
    found = []
    for code in np.flatnonzero(times).tolist():
        mistake, place = divmod(code, kinds * stages)
        kind, stage = words["kind"][place // stages], words["stage"][place % stages]
        said = f"{words['mistake'][mistake] or kind}, {stage}"
        found.append(Kindness(said, int(times[code]), float(costs[code]), of[place]))
    return tuple(sorted(found, key=lambda each: (-each.loss, each.words)))


__all__ = ["ErrorRate", "Kindness", "PlayerStatistics", "Record", "pr_interval", "rate", "statistics"]
