"""Marks of a library: notes, stars and tags on matches, decisions and positions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fullprime.analysis.setups import AnalysisSetup, game_of, read_setup, setup_of
from fullprime.common.json_values import JsonError, from_json, to_json
from fullprime.library.moves import place_in
from fullprime.library.places import LibraryError, address_of, game_at, opening_address
from fullprime.library.service import LibraryStore, Wanted, find_matches
from fullprime.library.store.marks import LibraryMark, LibraryMarks, MarkPlace
from fullprime.library.store.moments import At, Moment, moments_of

PAGE = 200
"""The most marks of one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPlace:
    """A note, a star and tags at a place."""

    place: str
    """``match 12``, ``match 12 game 3 event 45`` (from 1), or ``position`` and its setup."""
    match: int | None
    """The match; None for a position by itself."""
    names: tuple[str, str] | None
    """The players of the match, X and O; None for a position by itself."""
    game: int | None
    """The game, from 1; None for a match as a whole."""
    event: int | None
    """The event, from 1."""
    move: int | None
    """The number of the move in its game, from 1."""
    dice: tuple[int, int] | None
    """The roll, the higher die first; None where none was thrown yet."""
    deed: str
    """The play or the action, where a review knows it; else empty."""
    setup: AnalysisSetup | None
    """The position; None for a match or a decision."""
    note: str
    """The note; empty for none."""
    star: bool
    """True if it has a star."""
    tags: tuple[str, ...]
    """The tags."""
    address: str
    """The page that opens the place."""


@dataclass(frozen=True, slots=True)
class MarkList:
    """Marks of a library."""

    marks: list[MarkedPlace]
    """The latest first."""
    tags: dict[str, int]
    """Every tag of the library, and the number of its marks."""


def place_of(text: str | None, setup: AnalysisSetup | None) -> MarkPlace:
    """The place that is named, or the position that is set up; raises LibraryError, or an error of the rules."""
    if (text is None) is (setup is None):
        raise LibraryError("name a place, or set a position up: one of the two")
    if text is not None:
        return MarkPlace.from_text(text)
    assert setup is not None
    return MarkPlace(position=setup_text(setup_of(game_of(setup))))


def parse_place(store: LibraryStore, text: str) -> MarkPlace:
    """A place from typed words: a match, a decision, or a position by any ID. Raises an error of the part."""
    place, setup = named_position(store, text)
    return place_of(None, setup) if place is None else place


def named_position(store: LibraryStore, text: str) -> tuple[MarkPlace | None, AnalysisSetup | None]:
    """A match or a decision by its words, or a position by any ID; raises an error of the part."""
    if text.split()[:1] == ["match"]:
        return place_in(store, text), None
    return None, read_setup(text).setup


def setup_text(setup: AnalysisSetup) -> str:
    """A setup as its one text: the same position has it however it was written."""
    return json.dumps(to_json(setup), sort_keys=True, separators=(",", ":"))


def read_setup_text(text: str) -> AnalysisSetup:
    """The inverse of :func:`setup_text`; raises LibraryError."""
    try:
        return from_json(AnalysisSetup, json.loads(text))
    except (ValueError, JsonError) as error:
        raise LibraryError("the position cannot be read: another version has stored it") from error


def find_marks(
    store: LibraryStore, *, match: int | None = None, tag: str | None = None, star: bool | None = None,
    text: str | None = None, offset: int = 0,
) -> MarkList:  # fmt: skip
    """Marks for which all holds, the latest first, and every tag of the library."""
    marks = LibraryMarks(store)
    matching = marks.list_marks(match=match, tag=tag, star=star, text=text, limit=PAGE, offset=offset)
    return MarkList(mark_rows(store, matching), marks.count_tags())


def mark_at(store: LibraryStore, place: MarkPlace) -> MarkedPlace:
    """The mark at a place, an empty one where there is none."""
    return mark_rows(store, [LibraryMarks(store).get(place)])[0]


def change_mark(
    store: LibraryStore, place: MarkPlace, *, note: str | None = None, star: bool | None = None,
    tags: Sequence[str] | None = None,
) -> MarkedPlace:  # fmt: skip
    """Change the mark at a place; None leaves a part as it is. Stored when this returns. Raises LibraryError."""
    if place.match is not None and place.game is not None and place.event is not None:
        game_at(store.get_document(place.match).match, place.game, place.event)
    return mark_rows(store, [LibraryMarks(store).change(place, note=note, star=star, tags=tags)])[0]


def mark_rows(store: LibraryStore, marks: Sequence[LibraryMark]) -> list[MarkedPlace]:
    """Marks as they are shown: with the players of the match, and those of decisions with the move."""
    moments = moments_of(store, filter(None, map(_place_of, marks)))
    numbers = tuple({mark.place.match for mark in marks if mark.place.match is not None})
    rows = find_matches(store, Wanted(numbers=numbers)) if numbers else []
    names = {row.number: row.names for row in rows}
    return [_marked_place(mark, moments, names) for mark in marks]


def _place_of(mark: LibraryMark) -> At | None:
    place = mark.place
    if place.match is None or place.game is None or place.event is None:
        return None
    return place.match, place.game, place.event


def _marked_place(mark: LibraryMark, moments: Mapping[At, Moment], names: Mapping[int, tuple[str, str]]) -> MarkedPlace:
    place, at = mark.place, _place_of(mark)
    moment = None if at is None else moments[at]
    setup = None if place.position is None else read_setup_text(place.position)
    game = None if place.game is None else place.game + 1
    event = None if place.event is None else place.event + 1
    if setup is not None:
        address = address_of(setup)
    elif place.match is not None and game is not None and event is not None:
        address = opening_address(place.match, game, event)
    else:
        address = f"/library/match/{place.match}"
    return MarkedPlace(
        place=place.text,
        match=place.match,
        names=None if place.match is None else names.get(place.match),
        game=game,
        event=event,
        move=None if moment is None else moment.move,
        dice=None if moment is None else moment.dice,
        deed="" if moment is None else moment.deed,
        setup=setup,
        note=mark.note,
        star=mark.star,
        tags=mark.tags,
        address=address,
    )
