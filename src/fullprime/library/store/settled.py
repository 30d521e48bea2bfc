"""Rollouts between two judges, kept beside the match."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from sqlalchemy import delete, insert, select

from fullprime.common.json_values import LEFT_OUT, from_json, to_json
from fullprime.db.errors import LibraryError
from fullprime.db.schema.library import library_copies, library_matches, library_reviews
from fullprime.db.schema.shelves import library_settled
from fullprime.db.times import utc_now
from fullprime.library.store.library import LibraryStore
from fullprime.library.store.rows import compress_json

Right = Literal["ours", "theirs", "open"]
"""The judge who is right by a rollout: ours, that of the file, or neither for sure."""


@dataclass(frozen=True, slots=True)
class TakenCost:
    """What the option taken costs by a rollout."""

    __json_digits__: ClassVar[int] = 4

    option: str
    """The option taken."""
    cost: float
    """Its cost in points of equity against the better of the judges' options; below 0 where it is better."""
    interval: tuple[float, float]
    """The interval in which the cost lies with 95 %."""
    right: Right
    """The judge who comes nearer; ``open`` while the interval holds the middle of both."""


@dataclass(frozen=True, slots=True)
class DisputeResult:
    """A rollout between the options of two judges, or of the one that both prefer and the one taken."""

    __json_digits__: ClassVar[int] = 4

    best: str
    """The better of their options."""
    difference: float
    """The difference, in points of equity."""
    interval: tuple[float, float]
    """The interval in which the difference lies with 95 %."""
    trials: int
    """Games that were played."""
    right: Right
    """The judge who is right; ``open`` while the interval holds zero. Where both have the same best: of the cost of the
    option taken.
    """
    words: str
    """The verdict in a sentence or two."""
    made: TakenCost | None = field(default=None, metadata=LEFT_OUT)
    """The cost of the option taken, where the judges differ about it."""


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
    result: DisputeResult | None = None
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
            None if row["result"] is None else from_json(DisputeResult, json.loads(zlib.decompress(row["result"]))),
        )
        for row in rows
    }  # fmt: skip


def store_settled(store: LibraryStore, dispute: Dispute) -> None:
    """Keep a rollout; it takes the place of an earlier one at this decision. Raises LibraryError."""
    table = library_settled
    with store.engine.begin() as connection:
        mine = (library_matches.c.id == dispute.match, library_matches.c.shelf == store.shelf)
        if connection.execute(select(library_matches.c.id).where(*mine)).scalar() is None:
            raise LibraryError(f"there is no match {dispute.match} in the library", "missing")
        conditions = (table.c.match_id == dispute.match, table.c.game == dispute.game, table.c.event == dispute.event)
        connection.execute(delete(table).where(*conditions))
        row = {
            "match_id": dispute.match, "game": dispute.game, "event": dispute.event, "ours": dispute.ours,
            "theirs": dispute.theirs, "made": utc_now(),
            "result": None if dispute.result is None else compress_json(to_json(dispute.result)),
        }  # fmt: skip
        connection.execute(insert(table).values(row))


def find_judged_twice(store: LibraryStore) -> list[tuple[int, int, int]]:
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
