"""Games that were played on the server, kept in the library with their reviews."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from fullprime.accounts.profiles import Profiles
from fullprime.db.errors import LibraryFull
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.room import GrowthCheck
from fullprime.reviews.matches.reviewing import ReviewedMatch

log = logging.getLogger(__name__)


def keep_played_game(
    profiles: Profiles, check: GrowthCheck | None, session_id: str, record: bytes, name: str, reviewed: ReviewedMatch
) -> None:
    """Put a game of an account with its review into the library, from which the PR of a profile is made.

    ``record`` is the file that was reviewed. Games of guests, and games that are not over, are left out. A library
    without room goes without the game, whose review is shown all the same.
    """
    profiles.lobby.settle(session_id)
    played, engine = profiles.rating_service.played, profiles.rating_service.engine
    game = played.find(session_id)
    if game is None or game.ended is None or not reviewed.review.complete:
        return
    library = LibraryStore(engine, check=check)
    with _log_full(session_id):
        library.add(record, name, [reviewed.document])
        number = played.find_library_match(session_id)
        if number is not None:
            library.add_review(number, reviewed.review)
    for account in dict.fromkeys(account for account in game.accounts if account is not None):
        shelf = LibraryStore(engine, account, check)
        with _log_full(session_id):
            added = shelf.add(record, name, [reviewed.document])
            for match in added.new or added.known:
                shelf.add_review(match, reviewed.review)


@contextmanager
def _log_full(session_id: str) -> Iterator[None]:
    try:
        yield
    except LibraryFull as error:
        log.info("game %s is not kept in a library: %s", session_id, error)
