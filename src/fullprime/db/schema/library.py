"""The tables of the library of matches."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
)

from fullprime.db.schema.base import metadata

library_players = Table(
    "library_players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("shelf", Integer, nullable=False, server_default="0"),
    Index("ix_library_players_shelf", "shelf"),
)
"""People of a shelf, under the name by which they are listed."""

library_names = Table(
    "library_names",
    metadata,
    Column("shelf", Integer, nullable=False, server_default="0"),
    Column("name", Text, nullable=False),
    Column("player_id", Integer, ForeignKey("library_players.id"), nullable=False),
    PrimaryKeyConstraint("shelf", "name"),
    Index("ix_library_names_player", "player_id"),
)
"""Every name as files write it, and its owner: two people are made one, and two again, by changing this table."""

library_sources = Table(
    "library_sources",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("sha256", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("size", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("added", DateTime, nullable=False),
    Column("shelf", Integer, nullable=False, server_default="0"),
    UniqueConstraint("sha256"),
    Index("ix_library_sources_shelf", "shelf"),
)
"""A file that was imported: its bytes as they were (``content``, compressed), known again by ``sha256`` (with the
number of the shelf before it, if that is an account's)."""

library_shelves = Table(
    "library_shelves",
    metadata,
    Column("shelf", Integer, primary_key=True, autoincrement=False),
    Column("size", BigInteger, nullable=False),
)
"""The bytes that the library of an account takes: its files, reviews, notes, tags, collections and searches."""

library_matches = Table(
    "library_matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("facts", Text, nullable=False),
    Column("variant", Text, nullable=False),
    Column("length", Integer, nullable=False),
    Column("x_name", Text, nullable=False),
    Column("o_name", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("site", Text, nullable=False),
    Column("occasion", Text, nullable=False),
    Column("date", Text, nullable=True),
    Column("x_points", Integer, nullable=False),
    Column("o_points", Integer, nullable=False),
    Column("winner", SmallInteger, nullable=True),
    Column("games", Integer, nullable=False),
    Column("rolls", Integer, nullable=False),
    Column("document", LargeBinary, nullable=False),
    Column("added", DateTime, nullable=False),
    Column("shelf", Integer, nullable=False, server_default="0"),
    UniqueConstraint("facts"),
    Index("ix_library_matches_x", "x_name"),
    Index("ix_library_matches_o", "o_name"),
    Index("ix_library_matches_date", "date"),
    Index("ix_library_matches_shelf", "shelf"),
)
"""One match of a shelf, once: ``shelf`` is 0 for this machine, else the number of an account; ``facts`` is the hash of
the events, with the number of an account's shelf before it. ``occasion`` is event, round and site as they are searched;
``date`` is ``2026-11-21`` or null when no file says it clearly; ``winner`` is 0 for X, 1 for O, null while neither has
won (and in money play); ``document`` is our JSON, compressed."""

library_copies = Table(
    "library_copies",
    metadata,
    Column("source_id", Integer, ForeignKey("library_sources.id", ondelete="CASCADE"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("match_id", Integer, ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=False),
    Column("swapped", Boolean, nullable=False),
    Column("problems", Text, nullable=False),
    Column("program", Text, nullable=True),
    PrimaryKeyConstraint("source_id", "place"),
    Index("ix_library_copies_match", "match_id"),
)
"""A place of a match: the ``place`` (from 0) in a file. ``swapped``: that file has the players the other way
round. ``problems`` is a JSON list of the faults; ``program`` made the analysis that the file carries, if any."""

library_games = Table(
    "library_games",
    metadata,
    Column("match_id", Integer, ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=False),
    Column("game", Integer, nullable=False),
    Column("x_points", Integer, nullable=False),
    Column("o_points", Integer, nullable=False),
    Column("crawford", Boolean, nullable=False),
    Column("winner", SmallInteger, nullable=True),
    Column("points", Integer, nullable=True),
    Column("level", SmallInteger, nullable=True),
    Column("how", Text, nullable=True),
    PrimaryKeyConstraint("match_id", "game"),
)
"""The games of a match from 0: the score before it and, once it is over, the result."""

library_boards = Table(
    "library_boards",
    metadata,
    # In SQLite this is the row's own number, which every index has.
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("cells", LargeBinary, nullable=False),
    Column("own", Integer, nullable=False),
    Column("own_made", Integer, nullable=False),
    Column("other", Integer, nullable=False),
    Column("other_made", Integer, nullable=False),
    Column("own_pips", SmallInteger, nullable=False),
    Column("other_pips", SmallInteger, nullable=False),
    Index("ix_library_boards_places", "own", "other", "own_made", "other_made", "own_pips", "other_pips"),
    Index("ix_library_boards_pips", "own_pips", "other_pips"),
)
"""Every board once, seen by the player on roll. ``id`` is a hash of ``cells`` (27 counts of each side and a byte of
licences); ``own`` and ``other`` have a bit for each place with a checker, ``_made`` for each with two or more."""

library_positions = Table(
    "library_positions",
    metadata,
    Column("match_id", Integer, ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=False),
    Column("game", Integer, nullable=False),
    Column("event", Integer, nullable=False),
    Column("player", SmallInteger, nullable=False),
    Column("board_id", BigInteger, ForeignKey("library_boards.id"), nullable=False),
    Column("dice", SmallInteger, nullable=True),
    PrimaryKeyConstraint("match_id", "game", "event"),
    Index("ix_library_positions_board", "board_id"),
)
"""The board before a play (``dice`` such as 61), before a double, and where a game breaks off."""

library_reviews = Table(
    "library_reviews",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", Integer, ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=False),
    Column("engine", Text, nullable=False),
    Column("level", Text, nullable=False),
    Column("complete", Boolean, nullable=False),
    Column("x_luck", Float, nullable=True),
    Column("o_luck", Float, nullable=True),
    Column("made", DateTime, nullable=False),
    Column("review", LargeBinary, nullable=False),
    UniqueConstraint("match_id", "engine", "level"),
    Index("ix_library_reviews_complete", "match_id", "complete"),
)
"""An engine's review of a match, or of its first games (``complete`` off); luck is in points of equity; ``review`` is
its JSON, compressed."""

library_figures = Table(
    "library_figures",
    metadata,
    Column("review_id", Integer, ForeignKey("library_reviews.id", ondelete="CASCADE"), nullable=False),
    Column("match_id", Integer, ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=False),
    Column("figures", LargeBinary, nullable=False),
    PrimaryKeyConstraint("review_id"),
    Index("ix_library_figures_match", "match_id"),
)
"""The decisions of a complete review as the columns that statistics add up (``library.store.figures``), apart from the
reviews, which are much larger; a review that an older version stored has none until it is brought up to date."""

library_decisions = Table(
    "library_decisions",
    metadata,
    Column("review_id", Integer, ForeignKey("library_reviews.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("match_id", Integer, ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=False),
    Column("game", Integer, nullable=False),
    Column("event", Integer, nullable=False),
    Column("player", SmallInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("mistake", Text, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("loss", Float, nullable=False),
    Column("played", Text, nullable=False),
    Column("best", Text, nullable=False),
    Column("dice", SmallInteger, nullable=True),
    Column("board_id", BigInteger, ForeignKey("library_boards.id"), nullable=False),
    Column("plan", Text, nullable=True),
    Column("theme", Text, nullable=True),
    PrimaryKeyConstraint("review_id", "number"),
    Index("ix_library_decisions_match", "match_id", "player"),
    Index("ix_library_decisions_match_loss", "match_id", "loss"),
    Index("ix_library_decisions_board", "board_id"),
)
"""The decisions of a review as far as they are searched and counted; ``loss`` is in points of equity;
``plan`` is the kind of game of the player who decided, ``theme`` the sort of error, each null where there is none."""
