"""Errors of one theme as cards: the drill that a theme opens."""

from __future__ import annotations

from fullprime.analysis.setups import DeskSetup
from fullprime.learn.flashcards.fields import CardBody
from fullprime.learn.flashcards.making import card_of
from fullprime.learn.match_lessons import lesson_of
from fullprime.library.places import LibraryError, game_at
from fullprime.library.service import LibraryStore, find_boards, make_wanted
from fullprime.reviews.matches.reviewing import thresholds_named
from fullprime.rules.errors import IllegalAction
from fullprime.rules.words import versus

_KINDS = ("play", "double", "take")


def theme_cards(store: LibraryStore, player: str, theme: str, most: int = 30) -> list[CardBody]:
    """The costliest errors of a player that have a theme, as cards. Raises LibraryError."""
    hits = find_boards(store, make_wanted(player=player, theme=theme), most)
    if not hits:
        raise LibraryError(f"no reviewed error of {player[:60]!r} has the theme {theme[:60]!r}", "missing")
    found: list[CardBody] = []
    # Of a match and its review, which are long, this reads the one game and the one decision.
    for match, decision in store.decided((hit.match, hit.game, hit.event) for hit in hits):
        try:
            lesson = lesson_of(decision, match, thresholds_named("xg"), game_at(match, 0, decision.event))
        except IllegalAction:
            continue
        setup = lesson["board"].get("setup")
        if lesson["kind"] in _KINDS and isinstance(setup, DeskSetup):
            found.append(card_of(lesson, setup, versus(match.names)))
    return found
