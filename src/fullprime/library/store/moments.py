"""Moments of a match in a player's words: the number of the move in its game, the roll, and what was done."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select, tuple_

from fullprime.db.schema.library import library_decisions, library_matches, library_positions, library_reviews
from fullprime.library.store.library import LibraryStore

At = tuple[int, int, int]
"""Match, game and event; games and events from 0."""


@dataclass(frozen=True, slots=True)
class Moment:
    """``move``: the number of the play in its game, from 1; a double and its answer belong to the play after them.

    ``dice`` and ``deed`` (the play, or the action with the cube, where a review knows it) may be empty.
    """

    move: int
    dice: tuple[int, int] | None = None
    deed: str = ""


def moments_of(store: LibraryStore, places: Iterable[At]) -> dict[At, Moment]:
    """The moments of this library at these places."""
    chosen = set(places)
    if not chosen:
        return {}
    games = sorted({(match, game) for match, game, _ in chosen})
    table, decisions = library_positions.c, library_decisions.c
    plays: dict[tuple[int, int], list[tuple[int, int]]] = {}
    deeds: dict[At, str] = {}
    # The matches first, by their numbers: a database that joins them goes through every match of the shelf.
    of = sorted({match for match, _, _ in chosen})
    mine = select(library_matches.c.id).where(library_matches.c.shelf == store.shelf, library_matches.c.id.in_(of))
    query = (
        select(table.match_id, table.game, table.event, table.dice)
        .where(table.match_id.in_(mine), table.dice.is_not(None), tuple_(table.match_id, table.game).in_(games))
        .order_by(table.match_id, table.game, table.event)
    )
    complete = library_reviews.c.complete & library_reviews.c.match_id.in_(mine)
    decision_query = (
        select(decisions.match_id, decisions.game, decisions.event, decisions.played)
        .where(decisions.match_id.in_(mine), decisions.review_id.in_(select(library_reviews.c.id).where(complete)))
        .where(tuple_(decisions.match_id, decisions.game, decisions.event).in_(sorted(chosen)))
        .order_by(decisions.review_id)
    )
    with store.engine.begin() as connection:
        for match, game, event, dice in connection.execute(query):
            plays.setdefault((match, game), []).append((event, dice))
        for match, game, event, played in connection.execute(decision_query):
            deeds[match, game, event] = str(played)
    moments = {}
    for match, game, event in chosen:
        throws = plays.get((match, game), [])
        dice = dict(throws).get(event)
        before = bisect_right([at for at, _ in throws], event)
        thrown = None if dice is None else (dice // 10, dice % 10)
        number = before + (dice is None)
        moments[match, game, event] = Moment(number, thrown, deeds.get((match, game, event), ""))
    return moments
