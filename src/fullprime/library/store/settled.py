"""Rollouts between two judges, kept beside the match."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NotRequired, cast

from sqlalchemy import delete, insert, select
from typing_extensions import TypedDict

from fullprime.db.errors import LibraryError
from fullprime.db.schema.tables import library_copies, library_matches, library_reviews, library_settled
from fullprime.db.times import utc_now
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.rows import packed


class Cost(TypedDict):
    """What the option taken costs by a rollout, where the judges differ about that."""

    option: str
    cost: float
    interval: list[float]
    right: str


class Settlement(TypedDict):
    """The result of a rollout between two options, or of the one that both judges prefer and the one taken."""

    best: str
    difference: float
    interval: list[float]
    trials: int
    right: str
    words: str
    made: NotRequired[Cost]


@dataclass(frozen=True, slots=True)
class Made:
    """The option taken, and what it costs by our judgement and by theirs."""

    option: str
    ours: float
    theirs: float


@dataclass(frozen=True, slots=True)
class Dispute:
    """A decision (game and event from 0) on which two judges differ, and the rollout; None where none can settle it."""

    match: int
    game: int
    event: int
    ours: str
    theirs: str
    result: Settlement | None = None
    made: Made | None = None
    """The option taken, where the judges differ about its cost; it is neither's best."""


def settled_of(store: LibraryStore, match: int) -> Mapping[tuple[int, int], Dispute]:
    """The rollouts of a match of this library, by game and event."""
    table = library_settled
    query = select(table).join(library_matches, library_matches.c.id == table.c.match_id)
    query = query.where(table.c.match_id == match, library_matches.c.shelf == store.shelf)
    with store.engine.begin() as connection:
        rows = connection.execute(query).mappings().all()
    return {
        (row["game"], row["event"]): Dispute(
            match, row["game"], row["event"], str(row["ours"]), str(row["theirs"]),
            None if row["result"] is None else cast("Settlement", json.loads(zlib.decompress(row["result"]))),
        )
        for row in rows
    }  # fmt: skip


def store_settled(store: LibraryStore, found: Dispute) -> None:
    """Keep a rollout; it takes the place of an earlier one at this decision. Raises LibraryError."""
    table = library_settled
    with store.engine.begin() as connection:
        mine = (library_matches.c.id == found.match, library_matches.c.shelf == store.shelf)
        if connection.execute(select(library_matches.c.id).where(*mine)).scalar() is None:
            raise LibraryError(f"there is no match {found.match} in the library", "missing")
        here = (table.c.match_id == found.match, table.c.game == found.game, table.c.event == found.event)
        connection.execute(delete(table).where(*here))
        row = {
            "match_id": found.match, "game": found.game, "event": found.event, "ours": found.ours,
            "theirs": found.theirs, "result": None if found.result is None else packed(found.result),
            "made": utc_now(),
        }  # fmt: skip
        connection.execute(insert(table).values(row))


def judged_twice(store: LibraryStore) -> list[tuple[int, int, int]]:
    """Shelf, match and newest review of the matches of every library that another program has judged, too."""
    other = select(library_copies.c.match_id).where(library_copies.c.program.is_not(None))
    reviews = library_reviews.c
    query = (
        select(library_matches.c.shelf, reviews.match_id, reviews.id)
        .join(library_matches, library_matches.c.id == reviews.match_id)
        .where(reviews.complete, reviews.match_id.in_(other))
        .order_by(reviews.id)
    )
    with store.engine.begin() as connection:
        return [(int(shelf), int(match), int(review)) for shelf, match, review in connection.execute(query)]
