"""Errors of one theme as cards: the drill that a theme opens."""

from __future__ import annotations

from contextlib import suppress

from fullprime.analysis.setups import setup_of
from fullprime.learn.flashcards.making import KINDS, card_of
from fullprime.learn.flashcards.model import CardBody
from fullprime.learn.match_lessons import lesson_of
from fullprime.library.places import LibraryError, game_at
from fullprime.library.service import LibraryStore, find_boards, make_wanted
from fullprime.reviews.matches.reviewing import thresholds_named
from fullprime.rules.errors import IllegalAction
from fullprime.rules.words import format_players


def theme_cards(store: LibraryStore, player: str, theme: str, most: int = 30) -> list[CardBody]:
    """The costliest errors of a player that have a theme, as cards. Raises LibraryError."""
    hits = find_boards(store, make_wanted(player=player, theme=theme), most)
    if not hits:
        raise LibraryError(f"no reviewed error of {player[:60]!r} has the theme {theme[:60]!r}", "missing")
    cards: list[CardBody] = []
    # Of a match and its review, which are long, this reads the one game and the one decision.
    for match, decision in store.find_decisions((hit.match, hit.game, hit.event) for hit in hits):
        before = game_at(match, 0, decision.event)
        lesson = lesson_of(decision, match, thresholds_named("xg"), before)
        if lesson.kind in KINDS:
            with suppress(IllegalAction):  # The analysis board has no place for it.
                cards.append(card_of(lesson, setup_of(before), format_players(match.names)))
    return cards
