"""The library of matches as the faces use it: files in and out, reviews, statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fullprime.db.errors import LibraryError, LibraryFull
from fullprime.formats.files import count_files
from fullprime.library.files import FileReport, export, import_files, whole_document
from fullprime.library.statistics import (
    ErrorKindTotal,
    ErrorRate,
    PlayerStatistics,
    WinLossRecord,
    pr_interval,
    rate,
    statistics,
)
from fullprime.library.store.library import LibraryStore, MatchRow
from fullprime.library.store.moments import moments_of
from fullprime.library.store.patterns import Pattern
from fullprime.library.store.search import Hit, Search, Wanted, read_date
from fullprime.rules.coercion import variant_of
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Game, Phase
from fullprime.rules.score import Settings
from fullprime.rules.taking import is_number, short_value, to_bool, to_integer, to_kind
from fullprime.rules.variants import variant_named

if TYPE_CHECKING:
    from fullprime.reviews.review import Review

Progress = Callable[[int, int], None]
"""Called with the number of files done and the number of all."""


def open_library(url: str | None = None) -> LibraryStore:
    """The library in a database, the usual one when none is named; raises StoreError."""
    return LibraryStore(url)


# -- questions -------------------------------------------------------------------------------------------------------
MOST_POINTS = 1_000_000
MOST_ROWS = (1 << 31) - 1
"""The greatest number of a match, and of those that are looked for."""


def make_wanted(**conditions: Any) -> Wanted:
    """A question from typed words: dates, scores (``4-2``), dice, patterns. Raises StoreError, or the error of the
    part that cannot be read.
    """
    given = {
        name: value
        for name, value in conditions.items()
        if value is not None and not (isinstance(value, tuple) and not value)
    }
    for name in given.keys() - _READERS.keys():
        raise LibraryError(f"there is no condition {name[:40]!r}; there are {', '.join(_READERS)}")
    return Wanted(**{name: _READERS[name](name, value) for name, value in given.items()})


def _text(name: str, value: Any) -> str:
    to_kind(str, name, value, LibraryError)
    text = str(value)
    if "\0" in text or text != text.encode(errors="replace").decode():  # what no database takes
        raise LibraryError(f"{name}: {short_value(value)} is no text that can be looked for")
    return text


def _truth(name: str, value: object) -> bool:
    return to_bool(name, value, LibraryError)


def _day(name: str, value: object) -> str:
    try:
        return read_date(_text(name, value))
    except ValueError:
        raise LibraryError(f"--{name}: {short_value(value)} is not a day such as 2026-11-21") from None


def _points(name: str, value: object) -> int:
    return to_integer(name, value, 0, MOST_POINTS, LibraryError)


def _loss(name: str, value: Any) -> float:
    if not is_number(value, 0):
        raise LibraryError(f"--{name}: {short_value(value)} is no loss; it is 0 or more points of equity")
    return float(value)


def _numbers(name: str, value: object) -> tuple[int, ...]:
    if not isinstance(value, tuple | list):
        raise LibraryError(f"{name}: {short_value(value)} are no numbers of matches")
    return tuple(to_integer(name, number, 1, MOST_ROWS, LibraryError) for number in value)


def _word(name: str, value: object) -> str:
    if not isinstance(value, str) or value not in _words(name):
        raise LibraryError(f"there is no {name.rstrip('s')} {short_value(value)}; there are {', '.join(_words(name))}")
    return value


def _several_words(name: str, value: object) -> tuple[str, ...]:
    return tuple(_word(name, word) for word in (value if isinstance(value, tuple | list) else (value,)))


def _words(name: str) -> tuple[str, ...]:
    from fullprime.reviews.decision import GameStage, Kind, Verdict

    if name == "level":
        from fullprime.reviews.levels import LEVELS

        return tuple(LEVELS)
    from fullprime.reviews.error_themes import ErrorTheme
    from fullprime.reviews.reasons.plans import Plan

    of = {"kind": Kind, "stage": GameStage, "verdicts": Verdict, "theme": ErrorTheme, "plan": Plan}
    return tuple(map(str, of[name]))


def question_words() -> dict[str, list[str]]:
    """The words that a question knows, by its fields."""
    return {name: list(_words(name)) for name in ("kind", "stage", "verdicts", "theme", "plan", "level")}


def _pair(name: str, value: object) -> tuple[int, int]:
    text = _text(name, value)
    parts = text.replace(":", "-").split("-")
    if len(parts) != 2 or not all(part.strip().isascii() and part.strip().isdigit() for part in parts):
        raise LibraryError(f"--{name}: {text[:40]!r} is not two numbers such as 4-2")
    return int(parts[0][:6]), int(parts[1][:6])


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "numbers": _numbers, "player": _text, "opponent": _text, "event": _text, "since": _day, "until": _day,
    "length": _points, "variant": lambda _, value: variant_named(value).name, "score": _pair,
    "away": _pair, "reviewed": _truth, "played": _truth,
    "pattern": lambda name, value: Pattern.from_text(_text(name, value)), "dice": lambda _, value: Roll.of(value),
    "kind": _word, "stage": _word, "verdicts": _several_words, "mistake": _text, "theme": _word, "plan": _word,
    "loss": _loss, "level": _word,
}  # fmt: skip
"""The conditions, each with what reads it."""


def find_matches(
    store: LibraryStore, wanted: Wanted, limit: int | None = None, offset: int = 0, *, latest: bool = False
) -> list[MatchRow]:
    """The matches that are wanted, by date, or the latest first."""
    return Search(store).list_matches(wanted, limit, offset, latest=latest)


def count_matches(store: LibraryStore, wanted: Wanted) -> int:
    """The number of matches that are wanted."""
    return Search(store).count_matches(wanted)


def find_boards(store: LibraryStore, wanted: Wanted, limit: int | None = None) -> list[Hit]:
    """The boards and decisions that are wanted, the most costly first where losses are known."""
    hits = Search(store).list_boards(wanted, limit)
    with_moves: list[Hit] = []
    for begin in range(0, len(hits), 1000):  # as many places as a database takes at once
        chunk = hits[begin : begin + 1000]
        moments = moments_of(store, [(hit.match, hit.game, hit.event) for hit in chunk])
        with_moves += [replace(hit, move=moments[hit.match, hit.game, hit.event].move) for hit in chunk]
    return with_moves


def board_of(hit: Hit) -> Game:
    """The board that was found as a game, to be drawn: the cube and the score are not part of it."""
    settings = Settings(variant=variant_of(hit.position))
    phase = Phase.PLAY if hit.dice is not None else Phase.ROLL
    game = Game.new(settings)
    return replace(game, position=hit.position, on_roll=hit.player, dice=hit.dice, phase=phase)


def update_figures(store: LibraryStore, stopped: Callable[[], bool] = lambda: False) -> None:
    """Give reviews that an older version stored the figures that statistics add up."""
    for number in Search(store).list_without_figures():
        if stopped():
            return
        store.update_figures(number)


# -- reviews ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class LibraryReview:
    """The result for one match: ``why`` says why there is no review of it."""

    match: int
    decisions: int = 0
    why: str | None = None


def review_library(
    store: LibraryStore, wanted: Wanted, level: str, *, threads: int = 1, most: int | None = None,
    progress: Progress | None = None, stop: Callable[[], bool] | None = None,
) -> Iterator[LibraryReview]:  # fmt: skip
    """Review the matches that have no review of that level by this engine yet.

    Each game is stored as soon as it is judged: a run that is killed goes on with the next game.
    """
    from fullprime.engine import shared
    from fullprime.reviews.levels import review_level
    from fullprime.reviews.review import program_of, review

    level = review_level(level).name
    wanted = replace(wanted, played=True)
    waiting = [row.number for row in Search(store).list_matches(wanted)]
    left = most
    for done, number in enumerate(waiting):
        if progress is not None:
            progress(done, len(waiting))
        if left == 0 or (stop is not None and stop()):
            return
        match = store.get_document(number).match
        try:
            engine = shared.engine_for(match.settings.variant, threads)
        except FullprimeError as error:
            yield LibraryReview(number, why=str(error))
            continue
        earlier = _earlier(store, number, level, program_of(engine))
        if earlier is not None and earlier.complete:
            continue
        try:
            store.check_room()
        except LibraryFull as error:
            yield LibraryReview(number, why=str(error))
            return

        def keep(reviewed: Review, number: int = number) -> None:
            store.add_review(number, reviewed)

        left = None if left is None else left - 1
        try:
            reviewed = review(match, engine, level, so_far=earlier, done=keep, stop=stop)
        except FullprimeError as error:
            yield LibraryReview(number, why=str(error))
            continue
        store.add_review(number, reviewed)
        if not reviewed.complete:
            return
        yield LibraryReview(number, len(reviewed.decisions))


def _earlier(store: LibraryStore, number: int, level: str, program: str) -> Review | None:
    return next(
        (review for review in store.list_reviews(number) if (review.level, review.program) == (level, program)), None
    )


__all__ = [
    "ErrorKindTotal",
    "ErrorRate",
    "FileReport",
    "Hit",
    "LibraryReview",
    "LibraryStore",
    "MatchRow",
    "PlayerStatistics",
    "Wanted",
    "WinLossRecord",
    "board_of",
    "count_files",
    "count_matches",
    "export",
    "find_boards",
    "find_matches",
    "import_files",
    "make_wanted",
    "open_library",
    "pr_interval",
    "question_words",
    "rate",
    "review_library",
    "statistics",
    "update_figures",
    "whole_document",
]  # fmt: skip
