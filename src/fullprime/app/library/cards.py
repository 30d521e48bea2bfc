"""Errors of one theme as cards: the drill that a theme opens."""

from __future__ import annotations

from fullprime.app.desk.setups import DeskSetup
from fullprime.app.drills.card_fields import CardBody
from fullprime.app.drills.card_making import card_of
from fullprime.app.library.places import LibraryError
from fullprime.app.matches.lessons import lesson_at
from fullprime.app.matches.library import LibraryStore, find_boards, make_wanted
from fullprime.app.matches.reviewing import ReviewedMatch, thresholds_named
from fullprime.rules.words import versus

_KINDS = ("play", "double", "take")


def theme_cards(store: LibraryStore, player: str, theme: str, most: int = 30) -> list[CardBody]:
    """The costliest errors of a player that have a theme, as cards. Raises LibraryError."""
    hits = find_boards(store, make_wanted(player=player, theme=theme), most)
    if not hits:
        raise LibraryError(f"no reviewed error of {player[:60]!r} has the theme {theme[:60]!r}", "missing")
    reviewed: dict[int, ReviewedMatch] = {}
    found: list[CardBody] = []
    for hit in hits:
        if hit.match not in reviewed:
            document = store.document(hit.match)
            names = versus(document.match.names)
            newest = next(each for each in store.reviews(hit.match) if each.complete)
            reviewed[hit.match] = ReviewedMatch(document, newest, names)
        match = reviewed[hit.match]
        lesson = lesson_at(match, thresholds_named("xg"), hit.game, hit.event)
        setup = None if lesson is None else lesson["board"].get("setup")
        if lesson is not None and lesson["kind"] in _KINDS and isinstance(setup, DeskSetup):
            found.append(card_of(lesson, setup, match.name))
    return found


__all__ = ["theme_cards"]
