"""The library of matches as the faces use it: files in and out, reviews, statistics."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullprime import formats
from fullprime.app.files import FileError, Written, format_for, joined, save
from fullprime.formats import Document, FormatError, files
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game, Phase
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import BACKGAMMON, VARIANTS, Variant
from fullprime.store.errors import StoreError
from fullprime.store.library import LibraryStore, MatchRow
from fullprime.store.patterns import Pattern
from fullprime.store.search import Hit, Judged, Search, Wanted, read_date

if TYPE_CHECKING:
    from fullprime.analysis.review import Review

Said = Callable[[str], None]
Progress = Callable[[int, int], None]
"""Called with what is done and what there is."""


def open_library(url: str | None = None) -> LibraryStore:
    """The library in a database, the usual one when none is named; raises StoreError."""
    return LibraryStore(url)


# -- files in --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class FileReport:
    """What came of one file. ``status`` is ``new``, ``known`` (its matches were there), ``seen`` (the very bytes were
    imported before) or ``failed``.
    """

    file: str
    status: str
    new: tuple[int, ...] = ()
    known: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "file": self.file, "status": self.status, "new": list(self.new), "known": list(self.known),
            "problems": list(self.problems),
        }  # fmt: skip


def count_files(paths: Iterable[Path]) -> int:
    """How many files an import will go through, those inside archives included."""
    return sum(_members(file) for path in paths for file in _files(path))


def import_files(store: LibraryStore, paths: Iterable[Path], known: str | None = None) -> Iterator[FileReport]:
    """Import files, folders and archives, each file in one transaction; a report for each as soon as it is stored.

    What is in the library already is passed over by its bytes, so that an import that was killed goes on when it is
    started again. A file that cannot be read is reported and stops nothing.
    """
    for path in paths:
        if not path.exists():
            yield FileReport(str(path), "failed", problems=(f"there is no file {path}",))
            continue
        for file in _files(path):
            inside = str(file.relative_to(path.parent)) if path.is_dir() else file.name
            for name, data in files.members(file):
                yield _import(store, _text(inside + name[len(file.name) :]), data, known)


def _import(store: LibraryStore, name: str, data: bytes | FormatError, known: str | None) -> FileReport:
    if isinstance(data, FormatError):
        return FileReport(name, "failed", problems=(_of(name, data),))
    try:
        if store.knows(data):
            return FileReport(name, "seen")
        reading = formats.read(data, name=name, format=known)
        if not reading.documents:
            return FileReport(name, "failed", problems=("it holds no match",))
        added = store.add(data, name, reading.documents)
    except FullprimeError as error:
        return FileReport(name, "failed", problems=(_of(name, error),))
    if added.file_known:
        return FileReport(name, "seen")
    return FileReport(name, "new" if added.new else "known", added.new, added.known, added.problems)


def _of(name: str, error: Exception) -> str:
    """What is wrong, without the name of the file, which stands before it."""
    return str(error).removeprefix(name).lstrip(": ")


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(child for child in path.rglob("*") if child.is_file())
    return [path]


def _members(path: Path) -> int:
    if not formats.zipfile_like(path):
        return 1
    try:
        with zipfile.ZipFile(path) as archive:
            return sum(not info.is_dir() for info in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return 1


def _text(name: str) -> str:
    """A file name as text: names that are no Unicode get question marks."""
    return name.encode("utf-8", "replace").decode()


# -- files out -------------------------------------------------------------------------------------------------------
def whole_document(store: LibraryStore, number: int) -> Document:
    """A match with our newest review where there is one, else with the analysis of its file."""
    document = store.document(number)
    reviews = [review for review in store.reviews(number) if review.complete]
    if not reviews:
        return document
    from fullprime.formats.ours import file_analysis

    return replace(document, review=file_analysis(reviews[0]))


def export(
    store: LibraryStore, numbers: Sequence[int], out: Path, to: str | None, *, original: bool = False,
    force: bool = False,
) -> list[Written]:  # fmt: skip
    """Write matches to a folder, one file each, or all to one file of our JSON; ``original`` gives the files as they
    were imported. Raises FileError, and FormatError for a match that the format cannot carry.
    """
    if original:
        return _export_originals(store, numbers, out, force=force)
    if to is None and out.suffix.lower() == ".json" and not out.is_dir():
        _free(out, force=force)
        save(out, joined([whole_document(store, number) for number in numbers]))
        return [Written(out, "json", ())]
    target = format_for(to or "json", None)
    written = []
    for number in numbers:
        document = whole_document(store, number)
        path = out / f"{number:05}-{_slug(' '.join(document.match.names))}{target.extensions[0]}"
        _free(path, force=force)
        data, losses = formats.write(document, target.name)
        save(path, data)
        written.append(Written(path, target.name, losses.losses))
    return written


def _export_originals(store: LibraryStore, numbers: Sequence[int], out: Path, *, force: bool) -> list[Written]:
    written = []
    done: set[int] = set()
    for number in numbers:
        for copy in store.copies(number):
            if copy.source in done:
                continue
            done.add(copy.source)
            name, data = store.original(copy.source)
            path = out / f"{copy.source:05}-{Path(name).name}"
            _free(path, force=force)
            save(path, data)
            written.append(Written(path, copy.format, ()))
    return written


def _free(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        raise FileError(f"{path} is there already; --force writes over it")


def _slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text).split())[:60] or "match"


# -- what is looked for ----------------------------------------------------------------------------------------------
def make_wanted(**said: Any) -> Wanted:
    """What was typed as a question: dates, scores (``4-2``), dice, patterns. Raises StoreError, or the error of the
    part that cannot be read.
    """
    values = {name: value for name, value in said.items() if value not in (None, ())}
    for name in ("since", "until"):
        if name in values:
            try:
                values[name] = read_date(values[name])
            except ValueError:
                raise StoreError(f"--{name}: {values[name][:40]!r} is not a day such as 2026-11-21") from None
    for name in ("score", "away"):
        if name in values:
            values[name] = _pair(name, values[name])
    if "pattern" in values:
        values["pattern"] = Pattern.from_text(values["pattern"])
    if "dice" in values:
        values["dice"] = Roll.from_text(values["dice"])
    if "loss" in values and not (math.isfinite(values["loss"]) and values["loss"] >= 0):
        raise StoreError(f"--loss: {values['loss']} is no loss; it is 0 or more points of equity")
    for name in ("kind", "stage", "verdicts", "level"):
        given = values.get(name, ())
        for word in (given,) if isinstance(given, str) else given:
            if word not in (words := _words(name)):
                raise StoreError(f"there is no {name.rstrip('s')} {word[:40]!r}; there are {', '.join(words)}")
    return Wanted(**values)


def _words(name: str) -> tuple[str, ...]:
    from fullprime.analysis.decision import Kind, Stage, Verdict

    if name == "level":
        from fullprime.analysis.levels import LEVELS

        return tuple(LEVELS)
    return tuple(map(str, {"kind": Kind, "stage": Stage, "verdicts": Verdict}[name]))


def _pair(name: str, text: str) -> tuple[int, int]:
    parts = text.replace(":", "-").split("-")
    if len(parts) != 2 or not all(part.strip().isascii() and part.strip().isdigit() for part in parts):
        raise StoreError(f"--{name}: {text[:40]!r} is not two numbers such as 4-2")
    return int(parts[0][:6]), int(parts[1][:6])


def find_matches(store: LibraryStore, wanted: Wanted, limit: int | None = None, offset: int = 0) -> list[MatchRow]:
    """The matches that are wanted, by date."""
    return Search(store).matches(wanted, limit, offset)


def count_matches(store: LibraryStore, wanted: Wanted) -> int:
    """How many they are."""
    return Search(store).count(wanted)


def find_boards(store: LibraryStore, wanted: Wanted, limit: int | None = None) -> list[Hit]:
    """The boards and decisions that are wanted, the most costly first where losses are known."""
    return Search(store).boards(wanted, limit)


def board_of(hit: Hit) -> Game:
    """The board that was found as a game, to be drawn: the cube and the score are not part of it."""
    settings = Settings(variant=_variant_of(hit.position))
    phase = Phase.PLAY if hit.dice is not None else Phase.ROLL
    game = Game.new(settings)
    return replace(game, position=hit.position, on_roll=hit.player, dice=hit.dice, phase=phase)


def _variant_of(position: Position) -> Variant:
    """Some variant with as many checkers."""
    return next((each for each in VARIANTS.values() if each.checkers == position.checkers), BACKGAMMON)


def describe_match(store: LibraryStore, number: int) -> dict[str, Any]:
    """Everything about one match as JSON values: its facts, the files it came from, its reviews."""
    from fullprime.app.files import describe_document

    document = store.document(number)
    reviews = [
        {
            "level": review.level, "program": review.program, "complete": review.complete,
            "games": review.games, "decisions": len(review.decisions),
            "pr": _prs(review),
        }
        for review in store.reviews(number)
    ]  # fmt: skip
    files_of = [
        {
            "file": copy.name, "source": copy.source, "format": copy.format, "place": copy.place + 1,
            "swapped": copy.swapped, "problems": list(copy.problems), "program": copy.program,
        }
        for copy in store.copies(number)
    ]  # fmt: skip
    told = describe_document(document)
    del told["problems"]
    return {"match": number, **told, "files": files_of, "reviews": reviews}


def _prs(review: Review) -> list[float | None]:
    from fullprime.analysis.rating import rating as rating_of

    return [rating_of(review, player).pr for player in Player]


def match_json(row: MatchRow) -> dict[str, Any]:
    """A match of a list as JSON values."""
    return {
        "match": row.number, "names": list(row.names), "variant": row.variant, "length": row.length,
        "event": row.event, "date": row.date, "score": list(row.points),
        "winner": None if row.winner is None else row.winner.name, "games": row.games, "rolls": row.rolls,
        "reviewed": row.reviewed,
    }  # fmt: skip


def hit_json(hit: Hit) -> dict[str, Any]:
    """A found board as JSON values; games and events count from 1."""
    return {
        "match": hit.match, "game": hit.game + 1, "event": hit.event + 1, "player": hit.player.name,
        "position": hit.position.text, "dice": None if hit.dice is None else [hit.dice.high, hit.dice.low],
        "kind": hit.kind, "stage": hit.stage, "verdict": hit.verdict, "mistake": hit.mistake or None,
        "loss": hit.loss, "played": hit.played, "best": hit.best,
    }  # fmt: skip


# -- reviews ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Reviewed:
    """What came of one match: ``why`` says why there is no review of it."""

    match: int
    decisions: int = 0
    why: str | None = None


def review_library(
    store: LibraryStore, wanted: Wanted, level: str, *, threads: int = 1, most: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Reviewed]:  # fmt: skip
    """Review the matches that have no review of that level by this engine yet.

    Each game is stored as soon as it is judged: a run that is killed goes on with the next game.
    """
    from fullprime.analysis.levels import review_level
    from fullprime.analysis.review import program_of, review
    from fullprime.app.study import engine_for

    level = review_level(level).name
    wanted = replace(wanted, played=True)
    waiting = [row.number for row in Search(store).matches(wanted)]
    left = most
    for done, number in enumerate(waiting):
        if progress is not None:
            progress(done, len(waiting))
        if left == 0:
            return
        match = store.document(number).match
        try:
            engine = engine_for(match.settings.variant, threads)
        except FullprimeError as error:
            yield Reviewed(number, why=str(error))
            continue
        earlier = _earlier(store, number, level, program_of(engine))
        if earlier is not None and earlier.complete:
            continue

        def keep(found: Review, number: int = number) -> None:
            store.add_review(number, found)

        left = None if left is None else left - 1
        try:
            found = review(match, engine, level, so_far=earlier, done=keep)
        except FullprimeError as error:
            yield Reviewed(number, why=str(error))
            continue
        store.add_review(number, found)
        yield Reviewed(number, len(found.decisions))


def _earlier(store: LibraryStore, number: int, level: str, program: str) -> Review | None:
    return next((each for each in store.reviews(number) if (each.level, each.program) == (level, program)), None)


# -- statistics ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Rate:
    """Decisions added up by the counting rule of eXtreme Gammon; None for what no decision says."""

    counted: int
    loss: float
    errors: int
    blunders: int
    pr: float | None
    interval: tuple[float, float] | None

    def json(self) -> dict[str, Any]:
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

    def json(self) -> dict[str, int]:
        """The counts as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Kindness:
    """One kind of error: how often it was made, and what it cost."""

    words: str
    made: int
    loss: float
    of: int
    """How many decisions of this kind there were."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the library says about one person."""

    name: str
    record: Record
    reviewed: int
    overall: Rate
    luck: float | None
    """Mean luck a reviewed match, in points of equity, the opponent's luck taken off."""
    kinds: dict[str, Rate] = field(default_factory=dict)
    stages: dict[str, Rate] = field(default_factory=dict)
    periods: dict[str, Rate] = field(default_factory=dict)
    opponents: dict[str, tuple[Record, Rate]] = field(default_factory=dict)
    errors: tuple[Kindness, ...] = ()

    def json(self) -> dict[str, Any]:
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
"""How much of a date names a period; 0 for each match by itself."""


def statistics(store: LibraryStore, wanted: Wanted, by: str = "month") -> Statistics:
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
    sides = {number: _sides(row, person.names) for number, row in rows.items()}
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
    luck = search.luck(wanted)
    differences = [
        mine_luck - theirs
        for number, pair in luck.items()
        for side in sides[number]
        if (mine_luck := pair[side]) is not None and (theirs := pair[side.other]) is not None
    ]
    periods = _grouped(mine, lambda each: _period(rows[each.match], by))
    facing = _grouped(mine, lambda each: opponent_of[each.match, each.player])
    return Statistics(
        name=person.name,
        record=total,
        reviewed=len(luck),
        overall=rate(mine),
        luck=sum(differences) / len(differences) if differences else None,
        kinds={name: rate(some) for name, some in _grouped(mine, lambda each: each.kind).items()},
        stages={name: rate(some) for name, some in _grouped(mine, lambda each: each.stage).items()},
        periods={name: rate(periods[name]) for name in sorted(periods)},
        opponents={
            name: (record, rate(facing.get(name, ())))
            for name, record in sorted(against.items(), key=lambda pair: (-pair[1].matches, pair[0]))
        },
        errors=_errors(mine),
    )


def _sides(row: MatchRow, names: Sequence[str]) -> tuple[Player, ...]:
    return tuple(player for player in Player if row.names[player] in names)


def _period(row: MatchRow, by: str) -> str | None:
    if by == "match":
        return f"{row.date or '?':<10} #{row.number}"
    return None if row.date is None else row.date[: PERIODS[by]]


def _grouped(decisions: Iterable[Judged], key: Callable[[Judged], str | None]) -> dict[str, list[Judged]]:
    found: dict[str, list[Judged]] = {}
    for each in decisions:
        name = key(each)
        if name is not None:
            found.setdefault(name, []).append(each)
    return found


def rate(decisions: Iterable[Judged]) -> Rate:
    """Decisions added up: PR is 500 times the mean loss of those that count."""
    counted = [each for each in decisions if each.counts]
    if not counted:
        return Rate(0, 0.0, 0, 0, None, None)
    from fullprime.analysis.decision import Verdict
    from fullprime.analysis.rating import PR_FACTOR

    losses = [each.loss for each in counted]
    return Rate(
        counted=len(counted),
        loss=sum(losses),
        errors=sum(each.verdict == Verdict.ERROR for each in counted),
        blunders=sum(each.verdict == Verdict.BLUNDER for each in counted),
        pr=PR_FACTOR * sum(losses) / len(losses),
        interval=pr_interval(losses),
    )


FEWEST = 10
"""Of fewer decisions no interval is given, as in a review."""
MANY = 2000
"""From so many on the mean is as good as normally distributed, and resampling would only take time."""


def pr_interval(losses: Sequence[float]) -> tuple[float, float] | None:
    """Between these the PR lies with 95 %: the percentile bootstrap of a review (Efron 1979), for many decisions the
    normal approximation to it. None below ten decisions.
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


def _errors(decisions: Iterable[Judged]) -> tuple[Kindness, ...]:
    """Kinds of error, the most costly first: what was wrong with the cube, or the phase in which a play was."""
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


__all__ = [
    "FileReport",
    "Hit",
    "Kindness",
    "LibraryStore",
    "MatchRow",
    "Rate",
    "Record",
    "Reviewed",
    "Statistics",
    "board_of",
    "count_files",
    "count_matches",
    "describe_match",
    "export",
    "find_boards",
    "find_matches",
    "hit_json",
    "import_files",
    "make_wanted",
    "match_json",
    "open_library",
    "pr_interval",
    "rate",
    "review_library",
    "statistics",
    "whole_document",
]  # fmt: skip
