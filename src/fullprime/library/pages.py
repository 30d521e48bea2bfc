"""The pages of a library: its matches, people, boards, one match, and where a player loses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fullprime.common.json_values import MERGED
from fullprime.library.judges import TwoJudges, two_judges
from fullprime.library.match_details import MatchDetails, describe_match
from fullprime.library.notes import MarkedPlace, mark_rows
from fullprime.library.places import LibraryError, opening_address, read_question, rows_of
from fullprime.library.service import (
    LibraryStore,
    PlayerStatistics,
    Wanted,
    count_matches,
    find_boards,
    find_matches,
    question_words,
    statistics,
)
from fullprime.library.store.library import MatchRow, Person
from fullprime.library.store.marks import LibraryMarks
from fullprime.library.store.room import OWN_SHELF
from fullprime.library.store.search import Hit, Search
from fullprime.rules.score import Player
from fullprime.rules.words import format_players

PAGE, BOARDS, MOST_BOARDS = 50, 24, 1_000
"""Matches and boards of one answer, and the boards of one search in all."""
MOST_ERRORS, MOST_OPPONENTS = 100, 20
_THROWN = 0.0001


@dataclass(frozen=True, slots=True, kw_only=True)
class LibrarySummary:
    """A library in a few values."""

    whose: Literal["machine", "account"]
    """``machine``: that of this machine, which its terminal uses, too; ``account``: that of the account."""
    matches: int
    """The number of matches."""
    reviewed: int
    """Matches with a complete review."""
    files: int
    """The number of files that were added."""
    old: int
    """Reviews of an older version that statistics do not know yet; the next review job brings them up to date."""
    words: dict[str, list[str]]
    """The words that a search knows, by its fields."""


def summary(store: LibraryStore) -> LibrarySummary:
    """The library in a few values."""
    return LibrarySummary(
        whose="machine" if store.shelf == OWN_SHELF else "account",
        matches=store.count(),
        reviewed=count_matches(store, Wanted(reviewed=True)),
        files=store.count_files(),
        old=len(Search(store).list_without_figures()),
        words=question_words(),
    )


@dataclass(frozen=True, slots=True)
class MatchList:
    """A part of a list of matches."""

    found: int
    """The number of matches for which the conditions hold."""
    offset: int
    """The number of matches before this part."""
    matches: list[MatchRow]
    """The matches, the latest first."""
    marks: dict[str, MarkedPlace]
    """The marks of these matches, by the number of the match."""


def matches(store: LibraryStore, question: Mapping[str, str], offset: int = 0) -> MatchList:
    """A part of the matches for which the conditions hold, the latest first."""
    wanted = read_question(question)
    rows = find_matches(store, wanted, PAGE, offset, latest=True)
    marks = mark_rows(store, LibraryMarks(store).list_for_matches([row.number for row in rows]))
    return MatchList(count_matches(store, wanted), offset, rows, {str(mark.match): mark for mark in marks})


@dataclass(frozen=True, slots=True)
class PersonList:
    """The players of a library."""

    players: list[Person]
    """Those with most matches first."""


def people(store: LibraryStore) -> PersonList:
    """The players of a library, those with most matches first."""
    return PersonList(store.list_people())


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board that was found."""

    hit: Hit = field(metadata=MERGED)
    """The board, and what a review says of the decision there."""
    names: tuple[str, str]
    """The names of X and O."""
    date: str | None
    """The date of the match; None where no file says so."""
    points: dict[str, tuple[int, ...]]
    """The checkers of ``X`` and ``O``: 0 off, 1-24, 25 bar, 26 hand, each side's in its own numbers."""
    on_roll: Player
    """The player on roll."""
    address: str
    """The page that opens it on the analysis board."""


@dataclass(frozen=True, slots=True)
class BoardList:
    """Boards that were found."""

    boards: list[FoundBoard]
    """The costliest first where losses are known, else match by match."""
    more: bool
    """True if there are others."""


def boards(store: LibraryStore, question: Mapping[str, str], offset: int = 0) -> BoardList:
    """A part of the boards and decisions for which the conditions hold."""
    wanted = read_question(question)
    if not wanted.of_boards:
        raise LibraryError("say what the board is like: a pattern, a roll, a kind, a loss, a theme …")
    if offset >= MOST_BOARDS:
        raise LibraryError(f"only the first {MOST_BOARDS:,} boards are shown: ask for fewer")
    hits = find_boards(store, wanted, offset + BOARDS + 1)[offset:]
    return BoardList(_boards(store, hits[:BOARDS]), len(hits) > BOARDS)


def _boards(store: LibraryStore, hits: list[Hit]) -> list[FoundBoard]:
    numbers = tuple(dict.fromkeys(hit.match for hit in hits))
    rows = {row.number: row for row in find_matches(store, Wanted(numbers=numbers))} if numbers else {}
    return [_board(hit, rows[hit.match]) for hit in hits]


def _board(hit: Hit, row: MatchRow) -> FoundBoard:
    address = opening_address(hit.match, hit.game_number, hit.event_number)
    return FoundBoard(hit, row.names, row.date, *rows_of(hit), address)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgesPage:
    """The verdicts of two judges on a match."""

    judges: list[TwoJudges]
    """Decisions that both have judged, those first on which they differ most. On the page of a match those alone on
    which they are more than 0.05 apart.
    """
    judged: int
    """The number of decisions that both have judged."""
    program: str | None
    """The other program; None where the file has no analysis."""


def judges_page(store: LibraryStore, number: int, *, every: bool = True) -> JudgesPage:
    """Every decision of a match that another program and we have judged, or those on which both differ."""
    decisions, judged, program = two_judges(store, number, every=every)
    return JudgesPage(judges=decisions, judged=judged, program=program)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage:
    """A match of a library with all that is known of it."""

    details: MatchDetails = field(metadata=MERGED)
    """Its facts, files and reviews."""
    title: str
    """The players."""
    report: str | None
    """The page of its report; None without a review."""
    errors: list[FoundBoard]
    """The decisions that cost something, the costliest first."""
    marks: list[MarkedPlace]
    """The marks of the match and of its decisions."""
    judges: JudgesPage = field(metadata=MERGED)
    """The verdicts of another program beside ours."""


def match_page(store: LibraryStore, number: int) -> MatchPage:
    """A match with all that is known of it."""
    details = describe_match(store, number)
    reviewed = any(review.complete for review in details.reviews)
    costly = find_boards(store, Wanted(numbers=(number,), loss=_THROWN), MOST_ERRORS) if reviewed else []
    return MatchPage(
        details=details,
        title=format_players(details.facts.names),
        report=f"/library/match/{number}/report" if reviewed else None,
        errors=_boards(store, [hit for hit in costly if hit.verdict != "ok"]),
        marks=mark_rows(store, LibraryMarks(store).list_marks(match=number)),
        judges=judges_page(store, number, every=False),
    )


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """Where a player loses."""

    statistics: PlayerStatistics = field(metadata=MERGED)
    """The figures."""
    old: int
    """Reviews of an older version that are not in these figures."""


def player_page(store: LibraryStore, question: Mapping[str, str], by: str) -> PlayerPage:
    """Where a player loses."""
    player_statistics = statistics(store, read_question(question), by, opponents=MOST_OPPONENTS)
    return PlayerPage(player_statistics, len(Search(store).list_without_figures()))
