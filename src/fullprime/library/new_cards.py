"""Cards out of the library of matches: the errors in the newest matches that have been reviewed."""

from __future__ import annotations

from fullprime.learn.flashcards.making import KINDS, LEAST, cards_of, check_kinds
from fullprime.learn.flashcards.model import CardBody
from fullprime.library.service import LibraryStore, find_matches, make_wanted
from fullprime.reviews.decision import XG
from fullprime.reviews.matches.reviewing import ReviewedMatch, player_of
from fullprime.rules.score import Player
from fullprime.rules.words import format_players

MOST_MATCHES = 200
"""Matches out of which a page makes cards at once."""


def cards_from_library(
    store: LibraryStore, player: str | None = None, *, last: int = 20, least: float = LEAST, kinds: tuple[str, ...] = ()
) -> tuple[list[CardBody], int]:
    """The cards of the last reviewed matches, and the number of these. ``player``: whose errors; None for both's.

    Raises StoreError or SearchError for a player who is not there, CardError for a kind that is none.
    """
    kinds = check_kinds(kinds or KINDS)
    rows = find_matches(store, make_wanted(player=player, reviewed=True))
    cards: list[CardBody] = []
    matches = 0
    for row in sorted(rows, key=lambda row: row.number, reverse=True):
        if matches >= last:
            break
        reviews = store.list_reviews(row.number)
        if not reviews:
            continue
        matches += 1
        document = store.get_document(row.number)
        reviewed = ReviewedMatch(document, reviews[0], format_players(document.match.names))
        side = _side(store, reviewed, player)
        if player is not None and side is None:
            continue
        cards += cards_of(reviewed, XG, side, least=least, kinds=kinds)
    return cards, matches


def _side(store: LibraryStore, reviewed: ReviewedMatch, player: str | None) -> Player | None:
    """The side of a match on which a player sat, under any name of the player; None for neither or both."""
    side = player_of(reviewed, player)
    if side is not None or player is None:
        return side
    part = player.strip().casefold()
    for person in store.list_people():
        if any(part in name.casefold() for name in (person.name, *person.names)):
            names = {name.casefold() for name in (person.name, *person.names)}
            sides = [side for side in Player if reviewed.document.match.names[side].casefold() in names]
            if len(sides) == 1:
                return sides[0]
    return None
