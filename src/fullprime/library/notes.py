"""Marks of a library as JSON values: notes, stars and tags on matches, decisions and positions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from fullprime.analysis.setups import DeskSetup, game_of, read_setup, setup_of
from fullprime.library.fields import MarkJson, MarksJson
from fullprime.library.moves import place_in
from fullprime.library.places import LibraryError, address_of, game_at, opening_address
from fullprime.library.service import LibraryStore
from fullprime.library.store.marks import Mark, Marks, Place
from fullprime.library.store.moments import At, Moment, moments_of

PAGE = 200
"""The most marks of one answer."""


def place_of(text: str | None, setup: DeskSetup | None) -> Place:
    """The place that is named, or the position that is set up; raises LibraryError, or an error of the rules."""
    if (text is None) is (setup is None):
        raise LibraryError("name a place, or set a position up: one of the two")
    if text is not None:
        return Place.from_text(text)
    assert setup is not None
    return Place(position=setup_text(setup_of(game_of(setup))))


def named_place(store: LibraryStore, text: str) -> Place:
    """A place from typed words: a match, a decision, or a position by any ID. Raises an error of the part."""
    place, setup = named_position(store, text)
    return place_of(None, setup) if place is None else place


def named_position(store: LibraryStore, text: str) -> tuple[Place | None, DeskSetup | None]:
    """A match or a decision by its words, or a position by any ID; raises an error of the part."""
    if text.split()[:1] == ["match"]:
        return place_in(store, text), None
    return None, read_setup(text)["setup"]


def setup_text(setup: DeskSetup) -> str:
    """A setup as its one text: the same position has it however it was written."""
    return json.dumps(asdict(setup), sort_keys=True, separators=(",", ":"))


def read_setup_text(text: str) -> DeskSetup:
    """The inverse of :func:`setup_text`; raises LibraryError."""
    try:
        told = json.loads(text)
        told["score"] = tuple(told["score"])
        told["dice"] = None if told["dice"] is None else tuple(told["dice"])
        told["follow_ups"] = None if told["follow_ups"] is None else tuple(told["follow_ups"])
        return DeskSetup(**told)
    except (ValueError, TypeError, KeyError) as error:
        raise LibraryError("the position cannot be read: another version has stored it") from error


def find_marks(
    store: LibraryStore, *, match: int | None = None, tag: str | None = None, star: bool | None = None,
    text: str | None = None, offset: int = 0,
) -> MarksJson:  # fmt: skip
    """Marks for which all holds, the latest first, and every tag of the library."""
    marks = Marks(store)
    found = marks.find(match=match, tag=tag, star=star, text=text, limit=PAGE, offset=offset)
    return {"marks": mark_rows(store, found), "tags": marks.tags()}


def mark_at(store: LibraryStore, place: Place) -> MarkJson:
    """The mark at a place, an empty one where there is none."""
    return mark_rows(store, [Marks(store).at(place)])[0]


def put_mark(
    store: LibraryStore, place: Place, *, note: str | None = None, star: bool | None = None,
    tags: Sequence[str] | None = None,
) -> MarkJson:  # fmt: skip
    """Change the mark at a place; None leaves a part as it is. Stored when this returns. Raises LibraryError."""
    if place.match is not None and place.game is not None and place.event is not None:
        game_at(store.document(place.match).match, place.game, place.event)
    return mark_rows(store, [Marks(store).put(place, note=note, star=star, tags=tags)])[0]


def mark_rows(store: LibraryStore, marks: Sequence[Mark]) -> list[MarkJson]:
    """Marks as JSON values, those of decisions with the move."""
    moments = moments_of(store, filter(None, map(_at, marks)))
    return [_mark_json(each, moments) for each in marks]


def _at(mark: Mark) -> At | None:
    place = mark.place
    if place.match is None or place.game is None or place.event is None:
        return None
    return place.match, place.game, place.event


def _mark_json(mark: Mark, moments: Mapping[At, Moment]) -> MarkJson:
    place, at = mark.place, _at(mark)
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
    return {
        "place": place.text, "match": place.match, "game": game, "event": event,
        "move": None if moment is None else moment.move,
        "dice": None if moment is None or moment.dice is None else list(moment.dice),
        "deed": "" if moment is None else moment.deed, "setup": setup, "note": mark.note,
        "star": mark.star, "tags": list(mark.tags), "address": address,
    }  # fmt: skip
