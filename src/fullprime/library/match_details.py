"""One match of a library: its facts, the files that it came from, and its reviews."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullprime.common.json_values import MERGED
from fullprime.library.store.library import Copy, LibraryStore
from fullprime.reviews.matches.files import MatchFacts, match_facts
from fullprime.reviews.rating import rating
from fullprime.reviews.review import Review, is_dated
from fullprime.rules.score import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptReview:
    """A review of a match of the library."""

    level: str
    """The level of the review."""
    program: str
    """The engine and its nets."""
    dated: bool
    """True if these nets have been replaced since."""
    complete: bool
    """True if all games were reviewed."""
    games: int
    """Games that were reviewed."""
    decisions: int
    """The number of decisions judged."""
    pr: tuple[float | None, float | None]
    """The PR of X and of O; None where nothing counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDetails:
    """Everything about one match of the library."""

    match: int
    """Its number."""
    facts: MatchFacts = field(metadata=MERGED)
    """Its people, rules and games."""
    files: tuple[Copy, ...]
    """The files in which it was found."""
    reviews: tuple[KeptReview, ...]
    """The reviews of it."""


def describe_match(store: LibraryStore, number: int) -> MatchDetails:
    """Everything about one match; raises StoreError."""
    return MatchDetails(
        match=number,
        facts=match_facts(store.get_document(number)),
        files=tuple(store.list_copies(number)),
        reviews=tuple(_kept_review(review) for review in store.list_reviews(number)),
    )


def _kept_review(review: Review) -> KeptReview:
    return KeptReview(
        level=review.level,
        program=review.program,
        dated=is_dated(review),
        complete=review.complete,
        games=review.games,
        decisions=len(review.decisions),
        pr=(rating(review, Player.X).pr, rating(review, Player.O).pr),
    )
