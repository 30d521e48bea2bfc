"""Games that were played on the server, kept in the library with their reviews."""

from __future__ import annotations

from fullprime.accounts.profiles import Profiles
from fullprime.library.store.library import LibraryStore
from fullprime.reviews.matches.reviewing import ReviewedMatch


def keep_played_game(profiles: Profiles, session_id: str, record: bytes, name: str, reviewed: ReviewedMatch) -> None:
    """Put a game of an account with its review into the library, from which the PR of a profile is made.

    ``record`` is the file that was reviewed. Games of guests, and games that are not over, are left out.
    """
    profiles.lobby.settle(session_id)
    played, engine = profiles.rating_service.played, profiles.rating_service.engine
    game = played.find(session_id)
    if game is None or game.ended is None or not reviewed.review.complete:
        return
    library = LibraryStore(engine)
    library.add(record, name, [reviewed.document])
    number = played.find_library_match(session_id)
    if number is not None:
        library.add_review(number, reviewed.review)
    for account in dict.fromkeys(account for account in game.accounts if account is not None):
        shelf = LibraryStore(engine, shelf=account)
        added = shelf.add(record, name, [reviewed.document])
        for match in added.new or added.known:
            shelf.add_review(match, reviewed.review)
