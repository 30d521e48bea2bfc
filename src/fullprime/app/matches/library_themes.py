"""Themes of a player's errors over the reviewed matches of the library: how often each was made, and its cost."""

from __future__ import annotations

from dataclasses import replace

from fullprime.analysis.themes import ThemeTotal, theme_totals
from fullprime.app.matches.fields import ThemeJson
from fullprime.app.matches.library_statistics import sides_of
from fullprime.store.library.library import LibraryStore
from fullprime.store.library.search import Search, Wanted


def themes(store: LibraryStore, wanted: Wanted) -> list[ThemeTotal]:
    """The themes of ``wanted.player`` in the matches that are wanted, the costliest first.

    Of each match the newest complete review counts (of ``wanted.level`` where one is named). Raises StoreError.
    """
    if wanted.player is None:
        return []
    person = store.person(wanted.player)
    errors = []
    for row in Search(store).matches(replace(wanted, player=person.name, played=True)):
        found = [each for each in store.reviews(row.number) if each.complete and wanted.level in (None, each.level)]
        if not found:
            continue
        sides = sides_of(row, person.names)
        review = replace(found[0], match=store.document(row.number).match)
        errors += [(each.decision, each.game) for each in review.findings if each.decision.player in sides]
    return theme_totals(errors)


def theme_json(found: ThemeTotal) -> ThemeJson:
    """A theme as JSON values."""
    return {"theme": str(found.theme), "times": found.times, "cost": round(found.cost, 4)}


__all__ = ["ThemeTotal", "theme_json", "themes"]
