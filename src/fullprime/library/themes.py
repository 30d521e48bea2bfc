"""Themes of a player's errors over the reviewed matches of the library: how often each was made, and its cost."""

from __future__ import annotations

from dataclasses import replace

from fullprime.library.statistics import of_sides, sides_of, theme_sums
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.search import Search, Wanted
from fullprime.reviews.matches.fields import ThemeJson
from fullprime.reviews.themes import ErrorTheme, ThemeTotal


def themes(store: LibraryStore, wanted: Wanted) -> list[ThemeTotal]:
    """The themes of ``wanted.player`` in the matches that are wanted, the costliest first.

    Of each match the newest complete review counts (of ``wanted.level`` where one is named). Raises StoreError.
    """
    if wanted.player is None:
        return []
    person = store.person(wanted.player)
    search = Search(store)
    wanted = replace(wanted, player=person.name, played=True)
    sides = {row.number: sides_of(row, person.names) for row in search.matches(wanted)}
    mine = of_sides(search.figures(wanted), sides)
    return [ThemeTotal(ErrorTheme(name), times, cost) for name, times, cost in theme_sums(mine)]


def theme_json(found: ThemeTotal) -> ThemeJson:
    """A theme as JSON values."""
    return {"theme": str(found.theme), "times": found.times, "cost": round(found.cost, 4)}
