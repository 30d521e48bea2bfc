"""The tables of what people add to a library: marks, tags, collections, saved searches, rollouts between two judges."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from fullprime.db.schema.base import metadata

library_marks = Table(
    "library_marks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("shelf", Integer, nullable=False),
    Column("place", Text, nullable=False),
    Column("match_id", Integer, ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=True),
    Column("game", Integer, nullable=True),
    Column("event", Integer, nullable=True),
    Column("position", Text, nullable=True),
    Column("note", Text, nullable=False),
    Column("star", Boolean, nullable=False),
    Column("updated", DateTime, nullable=False),
    UniqueConstraint("shelf", "place"),
    Index("ix_library_marks_match", "match_id"),
)
"""A note and a star on a match (``match 12``), a decision of it (``match 12 game 3 event 45``, all from 1) or a
position (``position `` and its setup as JSON, which ``position`` repeats). A new review changes none of these."""

library_tags = Table(
    "library_tags",
    metadata,
    Column("mark_id", Integer, ForeignKey("library_marks.id", ondelete="CASCADE"), nullable=False),
    Column("tag", Text, nullable=False),
    PrimaryKeyConstraint("mark_id", "tag"),
)
"""The tags of a mark."""

library_collections = Table(
    "library_collections",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("shelf", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("link", Text, nullable=True),
    Column("created", DateTime, nullable=False),
    UniqueConstraint("shelf", "name"),
    Index("ix_library_collections_link", "link", unique=True),
)
"""Positions that belong together. ``link`` is the secret by which every visitor may read it as a study; null
where it is not shared."""

library_items = Table(
    "library_items",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("collection_id", Integer, ForeignKey("library_collections.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("match_id", Integer, ForeignKey("library_matches.id", ondelete="SET NULL"), nullable=True),
    Column("game", Integer, nullable=True),
    Column("event", Integer, nullable=True),
    Column("body", Text, nullable=False),
    Column("comment", Text, nullable=False),
    Column("arrows", Text, nullable=False),
    Index("ix_library_items_collection", "collection_id", "number"),
    Index("ix_library_items_match", "match_id"),
)
"""A position of a collection: ``body`` is a card as JSON (setup, options and their costs where they are known),
``arrows`` a JSON list of moves such as ``13/7``. It stays when the match it came from is forgotten."""

library_searches = Table(
    "library_searches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("shelf", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("created", DateTime, nullable=False),
    UniqueConstraint("shelf", "name"),
)
"""A search that was given a name: ``question`` is the JSON of its fields."""

library_settled = Table(
    "library_settled",
    metadata,
    Column("match_id", Integer, ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=False),
    Column("game", Integer, nullable=False),
    Column("event", Integer, nullable=False),
    Column("ours", Text, nullable=False),
    Column("theirs", Text, nullable=False),
    Column("result", LargeBinary, nullable=True),
    Column("made", DateTime, nullable=False),
    PrimaryKeyConstraint("match_id", "game", "event"),
)
"""A rollout between our best option (``ours``) and that of another program (``theirs``) at one decision: ``result`` is
its JSON, compressed; null where no rollout can settle it."""
