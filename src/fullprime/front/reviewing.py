"""Reviews in one call: of a match, of files, of folders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import overload

from fullprime import name_answers
from fullprime.formats import Document
from fullprime.front.asking import MOST_THREADS, check_functions
from fullprime.reviews.matches.files import FileError, existing
from fullprime.reviews.matches.reviewing import ReviewedMatch, review_document
from fullprime.reviews.matches.reviewing_many import review_files
from fullprime.reviews.review import Review
from fullprime.reviews.reviewed_decision import ReviewedDecision
from fullprime.rules.printing import Record
from fullprime.rules.record import Match
from fullprime.rules.taking import to_bool, to_integer, to_kind

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Reviews(Sequence[Review]):
    """Reviews of several matches, in the order of their files."""

    reviews: tuple[Review, ...]
    unread: tuple[tuple[str, str], ...] = ()
    """Names of files and matches that could not be reviewed, each with the reason."""

    @overload
    def __getitem__(self, index: int) -> Review: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Review, ...]: ...
    def __getitem__(self, index: int | slice) -> Review | tuple[Review, ...]:
        return self.reviews[index]

    def __len__(self) -> int:
        return len(self.reviews)

    def __iter__(self) -> Iterator[Review]:
        return iter(self.reviews)

    @property
    def blunders(self) -> tuple[ReviewedDecision, ...]:
        """The blunders of all matches, the most costly first."""
        blunders = (decision for review in self.reviews for decision in review.blunders)
        return tuple(sorted(blunders, key=lambda decision: -decision.loss))

    def records(self) -> list[Record]:
        """One row for each decision of every match."""
        return [row for review in self.reviews for row in review.records()]

    def _repr_html_(self) -> str:
        """The reviews in a notebook, one after the other."""
        failures = [f"<p>{escape(f'{name}: {why}')}</p>" for name, why in self.unread]
        return "".join([*(review._repr_html_() for review in self.reviews), *failures])

    def __str__(self) -> str:
        failures = [f"{name}: {why}" for name, why in self.unread]
        return "\n\n".join([*map(str, self.reviews), *failures])


def review(
    source: Match | Document | str | Path,
    level: str = "standard",
    *,
    threads: int = 1,
    keep: bool = True,
    progress: Progress | None = None,
) -> Reviews:
    """The engine's verdict on every decision of a match, a file, an archive or a folder.

    ``level``: ``fast``, ``standard`` or ``deep``. With ``keep`` finished games are kept in the user's cache: the same
    match is not judged twice. ``progress`` is called with a name, the games that are done and those there are. Raises
    FileError where there is no file, ReviewLevelError.
    """
    count, keep_finished = to_integer("threads", threads, 1, MOST_THREADS), to_bool("keep", keep)
    check_functions(progress=progress)
    if isinstance(source, Match | Document):
        document = source if isinstance(source, Document) else Document(source)
        name = document.source or "the match"
        reviewed = review_document(document, name, level, threads=count, keep=keep_finished, progress=progress)
        return Reviews((_to_review(reviewed),))
    to_kind((str, Path), "what is reviewed", source, FileError)
    is_pattern = any(letter in str(source) for letter in "*?[") and "\n" not in str(source)
    path = Path(source) if is_pattern else existing(source)
    outcomes = list(review_files([path], level, threads=count, keep=keep_finished, progress=progress))
    return Reviews(
        tuple(_to_review(outcome) for outcome in outcomes if isinstance(outcome, ReviewedMatch)),
        tuple((outcome.name, outcome.why) for outcome in outcomes if not isinstance(outcome, ReviewedMatch)),
    )


def review_match(match: Match, level: str = "standard", *, threads: int = 1, keep: bool = True) -> Review:
    """The review of one match; see :func:`review`."""
    name_answers()
    return review(match, level, threads=threads, keep=keep)[0]


def _to_review(reviewed: ReviewedMatch) -> Review:
    return replace(reviewed.review, match=reviewed.document.match, name=reviewed.name)
