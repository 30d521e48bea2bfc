"""The library of matches as one object."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from fullprime.db.errors import LibraryError, StoreError
from fullprime.front.asking import MOST_THREADS
from fullprime.library import service
from fullprime.library.service import MOST_ROWS, FileReport, Hit, LibraryStore, MatchRow, PlayerStatistics
from fullprime.reviews.matches.files import existing
from fullprime.rules.record import Match
from fullprime.rules.taking import short_value, to_integer, to_kind


class Library:
    """Matches kept in a database, with their reviews: added, searched, judged.

    >>> import tempfile
    >>> from fullprime.front.playing import play_match
    >>> with Library(f"{tempfile.mkdtemp()}/library.db") as library:
    ...     number = library.keep(play_match("heuristic", "random", seed=1), "first.json")
    ...     library.match(number).names
    ('heuristic', 'random')
    """

    def __init__(self, place: str | Path | None = None) -> None:
        """Open the library in a file, or in the database of a URL; the user's own one by default."""
        if place is not None:
            to_kind((str, Path), "the place of a library", place, StoreError)
        url = place if place is None or "://" in str(place) else f"sqlite:///{Path(place).absolute()}"
        self._store = LibraryStore(None if url is None else str(url))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    def __len__(self) -> int:
        return self._store.count()

    def __repr__(self) -> str:
        return f"Library({self._store.url!r})"

    def __str__(self) -> str:
        return f"{len(self)} matches in {self._store.url}"

    def add(self, *places: str | Path) -> list[FileReport]:
        """Add files, archives and folders; a match that is there already is not added twice. Raises FileError."""
        return list(service.import_files(self._store, [existing(place) for place in places]))

    def keep(self, match: Match, name: str) -> int:
        """Add one match under the name of a file; its number, which is the old one where the match is there already."""
        from fullprime.formats import Document, write

        to_kind(Match, "the match", match, LibraryError)
        to_kind(str, "the name of a match", name, LibraryError)
        if not name.isprintable():
            raise LibraryError(f"{short_value(name)} is no name of a match: it cannot be printed")
        document = Document(match)
        content, _ = write(document, "json")
        added = self._store.add(content, name, [document])
        return (*added.new, *added.known)[0]

    def match(self, number: int) -> Match:
        """A match by its number; raises StoreError."""
        return self._store.get_document(to_integer("number", number, 1, MOST_ROWS, LibraryError)).match

    def matches(self, **filters: Any) -> list[MatchRow]:
        """The matches that are wanted, by date: ``player``, ``opponent``, ``since``, ``event``, ``variant`` …"""
        return service.find_matches(self._store, service.make_wanted(**filters))

    def search(self, pattern: str | None = None, *, limit: int | None = 100, **filters: Any) -> list[Hit]:
        """The boards that fit a pattern such as ``6:2+ * / 24:2 *`` and all other wishes, the costliest first.

        Beside the pattern: ``dice="31"``, ``loss=0.08`` (at least), ``kind``, ``stage``, ``verdicts``, ``player`` …;
        ``docs/library.md`` has all of them. Raises StoreError, RulesError for a pattern that cannot be read.
        """
        most = None if limit is None else to_integer("limit", limit, 0, MOST_ROWS, LibraryError)
        return service.find_boards(self._store, service.make_wanted(pattern=pattern, **filters), most)

    def review(self, level: str = "standard", *, threads: int = 1, **filters: Any) -> Iterator[service.LibraryReview]:
        """Judge the matches that have no review of that level yet, one after the other; each game is kept at once."""
        count = to_integer("threads", threads, 1, MOST_THREADS)
        return service.review_library(self._store, service.make_wanted(**filters), level, threads=count)

    def statistics(self, player: str, **filters: Any) -> PlayerStatistics:
        """The library's statistics of one player: results, PR and luck, by kind, stage, time and opponent."""
        return service.statistics(self._store, service.make_wanted(player=player, **filters))
