"""Cards out of the library of matches: the errors in the newest matches that have been reviewed."""

from __future__ import annotations

from sqlalchemy import Engine

from fullprime.analysis.decision import XG
from fullprime.app.drills.card_fields import CardBody
from fullprime.app.drills.card_making import KINDS, LEAST, cards_of
from fullprime.app.matches.library import LibraryStore, find_matches, make_wanted
from fullprime.app.matches.reviewing import ReviewedMatch, player_of


def cards_from_library(
    engine: Engine, player: str | None = None, *, last: int = 20, least: float = LEAST, kinds: tuple[str, ...] = ()
) -> tuple[list[CardBody], int]:
    """The cards of the last reviewed matches, and the number of these. ``player``: whose errors; None for both's.

    Raises StoreError or SearchError for a player who is not there, CardError for a kind that is none.
    """
    store = LibraryStore(engine)
    rows = find_matches(store, make_wanted(player=player, reviewed=True))
    found: list[CardBody] = []
    matches = 0
    for row in sorted(rows, key=lambda each: each.number, reverse=True):
        if matches >= last:
            break
        reviews = store.reviews(row.number)
        if not reviews:
            continue
        matches += 1
        document = store.document(row.number)
        reviewed = ReviewedMatch(document, reviews[0], " - ".join(document.match.names))
        side = player_of(reviewed, player)
        if player is not None and side is None:
            continue
        found += cards_of(reviewed, XG, side, least=least, kinds=kinds or KINDS)
    return found, matches
