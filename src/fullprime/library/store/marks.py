"""Marks in a library: a note, a star and tags on a match, on a decision or on a position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, delete, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from fullprime.db.errors import LibraryError
from fullprime.db.schema.library import library_matches
from fullprime.db.schema.shelves import library_marks, library_tags
from fullprime.db.times import utc_now
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.room import size_of_marks

MOST_MARKS = 20_000
"""Marks of one library."""
MOST_TAGS = 20
"""Tags of one mark."""
LONGEST_NOTE, LONGEST_TAG = 10_000, 40
_PLACE = re.compile(r"match (?P<match>\d{1,9})(?: game (?P<game>\d{1,5}) event (?P<event>\d{1,6}))?\Z")


@dataclass(frozen=True, slots=True)
class MarkPlace:
    """A match, a decision of it (``game`` and ``event`` from 0), or a position by its setup as JSON."""

    match: int | None = None
    game: int | None = None
    event: int | None = None
    position: str | None = None

    @property
    def text(self) -> str:
        """``match 12``, ``match 12 game 3 event 45`` (from 1), or ``position`` and its setup."""
        if self.match is None:
            return f"position {self.position}"
        if self.game is None or self.event is None:
            return f"match {self.match}"
        return f"match {self.match} game {self.game + 1} event {self.event + 1}"

    @classmethod
    def from_text(cls, text: str) -> MarkPlace:
        """The inverse of ``text`` for matches and decisions; raises LibraryError."""
        match = _PLACE.match(" ".join(text.split()))
        if match is None:
            raise LibraryError(f"{text[:60]!r} is no place such as `match 12` or `match 12 game 3 event 45`")
        if match["game"] is None:
            return cls(int(match["match"]))
        if int(match["game"]) < 1 or int(match["event"]) < 1:
            raise LibraryError(f"{text[:60]!r}: games and events count from 1")
        return cls(int(match["match"]), int(match["game"]) - 1, int(match["event"]) - 1)


@dataclass(frozen=True, slots=True)
class LibraryMark:
    """A note (empty for none), a star and tags at a place."""

    place: MarkPlace
    note: str = ""
    star: bool = False
    tags: tuple[str, ...] = ()
    updated: datetime | None = None


class LibraryMarks:
    """The marks of one library."""

    def __init__(self, library: LibraryStore) -> None:
        self._library = library

    def get(self, place: MarkPlace) -> LibraryMark:
        """The mark at a place, an empty one where there is none."""
        marks = self.list_marks(place=place)
        return marks[0] if marks else LibraryMark(place)

    def change(self, place: MarkPlace, *, note: str | None = None, star: bool | None = None,
            tags: Sequence[str] | None = None) -> LibraryMark:  # fmt: skip
        """Change the mark at a place; None leaves a part as it is. An empty mark is taken away.

        It is stored when this returns. Raises LibraryError for a match that is not there, and beyond the limits.
        """
        text = None if note is None else short_text(note, LONGEST_NOTE, "a note")
        words = None if tags is None else _tags(tags)
        for last in (False, True):
            try:
                self._count_and_write(place, text, star, words)
                break
            except IntegrityError as error:  # Another request has marked the place in the meantime.
                if last:
                    raise LibraryError(f"{place.text[:60]} cannot be marked now") from error
        return self.get(place)

    def _count_and_write(self, place: MarkPlace, note: str | None, star: bool | None, tags: list[str] | None) -> None:
        mine = (library_marks.c.shelf == self._library.shelf, library_marks.c.place == place.text)
        with (
            self._library.begin_change() as change,
            change.count_change(lambda: size_of_marks(change.connection, *mine)),
        ):
            self._write_marks(change.connection, place, note, star, tags)

    def _write_marks(
        self, connection: Connection, place: MarkPlace, note: str | None, star: bool | None, tags: list[str] | None
    ) -> None:
        marks, shelf = library_marks, self._library.shelf
        if place.match is not None:
            in_library = exists().where(library_matches.c.id == place.match, library_matches.c.shelf == shelf)
            if not connection.execute(select(in_library)).scalar():
                raise LibraryError(f"there is no match {place.match} in the library", "missing")
        conditions = (marks.c.shelf == shelf, marks.c.place == place.text)
        number = connection.execute(select(marks.c.id).where(*conditions)).scalar()
        if number is None:
            count = connection.execute(
                select(func.count()).select_from(marks).where(marks.c.shelf == shelf)
            ).scalar_one()
            if count >= MOST_MARKS:
                raise LibraryError(f"the library has {count:,} marks: take some away first")
            row = {
                "shelf": shelf, "place": place.text, "match_id": place.match, "game": place.game, "event": place.event,
                "position": place.position, "note": "", "star": False, "updated": utc_now(),
            }  # fmt: skip
            key = connection.execute(insert(marks).values(row)).inserted_primary_key
            assert key is not None
            number = key[0]
        changed = {"note": note, "star": star}
        values = {name: value for name, value in changed.items() if value is not None}
        connection.execute(update(marks).where(marks.c.id == number).values(**values, updated=utc_now()))
        if tags is not None:
            connection.execute(delete(library_tags).where(library_tags.c.mark_id == number))
            if tags:
                connection.execute(insert(library_tags), [{"mark_id": number, "tag": tag} for tag in tags])
        tagged = exists().where(library_tags.c.mark_id == marks.c.id)
        connection.execute(delete(marks).where(marks.c.id == number, marks.c.note == "", ~marks.c.star, ~tagged))

    def list_for_matches(self, numbers: Sequence[int]) -> list[LibraryMark]:
        """The marks of matches as wholes."""
        return self._marks_of(
            select(library_marks).where(
                library_marks.c.shelf == self._library.shelf,
                library_marks.c.match_id.in_(numbers),
                library_marks.c.game.is_(None),
            )
        )

    def list_marks(
        self, *, place: MarkPlace | None = None, match: int | None = None, tag: str | None = None,
        star: bool | None = None, text: str | None = None, limit: int | None = None, offset: int = 0,
    ) -> list[LibraryMark]:  # fmt: skip
        """The marks for which all holds, the newest first; ``text`` is a part of a note."""
        marks = library_marks.c
        query = select(library_marks).where(marks.shelf == self._library.shelf)
        if place is not None:
            query = query.where(marks.place == place.text)
        if match is not None:
            query = query.where(marks.match_id == match)
        if tag is not None:
            query = query.where(exists().where(library_tags.c.mark_id == marks.id, library_tags.c.tag == _tag(tag)))
        if star is not None:
            query = query.where(marks.star == star)
        if text:
            query = query.where(func.lower(marks.note).contains(text.lower(), autoescape=True))
        return self._marks_of(query.order_by(marks.updated.desc(), marks.id.desc()).limit(limit).offset(offset))

    def _marks_of(self, query: Select[Any]) -> list[LibraryMark]:
        with self._library.engine.begin() as connection:
            rows = connection.execute(query).mappings().all()
            tag_query = select(library_tags).where(library_tags.c.mark_id.in_([row["id"] for row in rows]))
            tags: dict[int, list[str]] = {}
            for number, word in connection.execute(tag_query):
                tags.setdefault(int(number), []).append(str(word))
        return [
            LibraryMark(
                MarkPlace(row["match_id"], row["game"], row["event"], row["position"]), str(row["note"]),
                bool(row["star"]), tuple(sorted(tags.get(row["id"], ()))), row["updated"],
            )
            for row in rows
        ]  # fmt: skip

    def count_tags(self) -> dict[str, int]:
        """Every tag, and the number of marks that have it; the most frequent first."""
        query = (
            select(library_tags.c.tag, func.count())
            .join(library_marks, library_marks.c.id == library_tags.c.mark_id)
            .where(library_marks.c.shelf == self._library.shelf)
            .group_by(library_tags.c.tag)
        )
        with self._library.engine.begin() as connection:
            counts = [(str(tag), int(count)) for tag, count in connection.execute(query)]
        return dict(sorted(counts, key=lambda pair: (-pair[1], pair[0])))


def _tags(words: Sequence[str]) -> list[str]:
    tags = list(dict.fromkeys(tag for tag in map(_tag, words) if tag))
    if len(tags) > MOST_TAGS:
        raise LibraryError(f"{len(tags)} tags: at most {MOST_TAGS} stand at one place")
    return tags


def _tag(word: str) -> str:
    """A tag as it is compared: without case and doubled blanks."""
    return " ".join(short_text(word, LONGEST_TAG, "a tag").casefold().split())


def short_text(text: str, most: int, title: str) -> str:
    """A text as databases take it; raises LibraryError where it is longer than ``most``."""
    clean = text.replace("\x00", "").strip()
    if len(clean) > most:
        raise LibraryError(f"{title} has {len(clean):,} characters; at most {most:,} are kept")
    return clean
