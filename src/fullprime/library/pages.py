"""The pages of a library as JSON values: its matches, people, boards, one match, and where a player loses."""

from __future__ import annotations

from collections.abc import Mapping

from fullprime.library.fields import (
    BoardFound,
    BoardsJson,
    JudgesJson,
    LibraryJson,
    MarkJson,
    MatchesJson,
    MatchPageJson,
    PeopleJson,
    PersonJson,
    PlayerPageJson,
)
from fullprime.library.judges import two_judges
from fullprime.library.notes import mark_rows
from fullprime.library.places import LibraryError, opening_address, rows_of, wanted_of
from fullprime.library.service import (
    LibraryStore,
    Wanted,
    count_matches,
    describe_match,
    find_boards,
    find_matches,
    hit_json,
    match_json,
    question_words,
    statistics,
)
from fullprime.library.store.library import MatchRow
from fullprime.library.store.marks import Marks
from fullprime.library.store.rows import OWN_SHELF
from fullprime.library.store.search import Hit, Search
from fullprime.rules.words import versus

PAGE, BOARDS, MOST_BOARDS = 50, 24, 1_000
"""Matches and boards of one answer, and the boards of one search in all."""
MOST_ERRORS, MOST_OPPONENTS = 100, 20
_THROWN = 0.0001


def summary(store: LibraryStore) -> LibraryJson:
    """The library in a few values."""
    return {
        "whose": "machine" if store.shelf == OWN_SHELF else "account",
        "matches": store.count(),
        "reviewed": count_matches(store, Wanted(reviewed=True)),
        "files": store.count_files(),
        "old": len(Search(store).without_figures()),
        "words": question_words(),
    }


def matches(store: LibraryStore, question: Mapping[str, str], offset: int = 0) -> MatchesJson:
    """A part of the matches for which the conditions hold, the latest first."""
    wanted = wanted_of(question)
    rows = find_matches(store, wanted, PAGE, offset, latest=True)
    found = mark_rows(store, Marks(store).of_matches([row.number for row in rows]))
    marks: dict[str, MarkJson] = {str(each["match"]): each for each in found}
    return {
        "found": count_matches(store, wanted), "offset": offset, "matches": [match_json(row) for row in rows],
        "marks": marks,
    }  # fmt: skip


def people(store: LibraryStore) -> PeopleJson:
    """Everybody, those with most matches first."""
    return {"players": [person_json(each.name, each.names, each.matches) for each in store.people()]}


def person_json(name: str, names: tuple[str, ...], count: int) -> PersonJson:
    """A person as JSON values."""
    return {"player": name, "names": list(names), "matches": count}


def boards(store: LibraryStore, question: Mapping[str, str], offset: int = 0) -> BoardsJson:
    """A part of the boards and decisions for which the conditions hold."""
    wanted = wanted_of(question)
    if not wanted.of_boards:
        raise LibraryError("say what the board is like: a pattern, a roll, a kind, a loss, a theme …")
    if offset >= MOST_BOARDS:
        raise LibraryError(f"only the first {MOST_BOARDS:,} boards are shown: ask for fewer")
    hits = find_boards(store, wanted, offset + BOARDS + 1)[offset:]
    return {"boards": _boards(store, hits[:BOARDS]), "more": len(hits) > BOARDS}


def _boards(store: LibraryStore, hits: list[Hit]) -> list[BoardFound]:
    numbers = tuple(dict.fromkeys(hit.match for hit in hits))
    rows = {row.number: row for row in find_matches(store, Wanted(numbers=numbers))} if numbers else {}
    return [_board(hit, rows[hit.match]) for hit in hits]


def _board(hit: Hit, row: MatchRow) -> BoardFound:
    points, on_roll = rows_of(hit)
    return {
        **hit_json(hit), "names": list(row.names), "date": row.date, "points": points,
        "on_roll": on_roll.name,
        "address": opening_address(hit.match, hit.game + 1, hit.event + 1),
    }  # fmt: skip


def match_page(store: LibraryStore, number: int) -> MatchPageJson:
    """A match with all that is known of it."""
    told = describe_match(store, number)
    reviewed = any(each["complete"] for each in told["reviews"])
    costly = find_boards(store, Wanted(numbers=(number,), loss=_THROWN), MOST_ERRORS) if reviewed else []
    found, judged, program = two_judges(store, number)
    return {
        **told,
        "title": versus(told["names"]),
        "report": f"/library/match/{number}/report" if reviewed else None,
        "errors": _boards(store, [hit for hit in costly if hit.verdict != "ok"]),
        "marks": mark_rows(store, Marks(store).find(match=number)),
        "judges": found,
        "judged": judged,
        "program": program,
    }


def judges_page(store: LibraryStore, number: int) -> JudgesJson:
    """Every decision of a match that another program and we have judged, those first on which both differ most."""
    found, judged, program = two_judges(store, number, every=True)
    return {"judges": found, "judged": judged, "program": program}


def player_page(store: LibraryStore, question: Mapping[str, str], by: str) -> PlayerPageJson:
    """Where a player loses."""
    wanted = wanted_of(question)
    found = statistics(store, wanted, by, opponents=MOST_OPPONENTS)
    return {
        **found.json(), "names": list(found.names),
        "themes": [
            {"theme": name, "times": times, "cost": round(cost, 4)} for name, times, cost in found.themes
        ], "old": len(Search(store).without_figures()),
    }  # fmt: skip
