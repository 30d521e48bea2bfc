"""The tables of game sessions: the log of each, its head row, and who is at its table."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from fullprime.db.schema.base import metadata

game_sessions = Table(
    "game_sessions",
    metadata,
    Column("session_id", Text, primary_key=True),
    Column("sequence", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("deadline_at", DateTime, nullable=True),
    Column("secret", Text, nullable=False),
    Column("x_key", Text, nullable=True),
    Column("o_key", Text, nullable=True),
    Column("invitation", Text, nullable=True),
    Column("created_at", DateTime, nullable=False),
    Column("changed_at", DateTime, nullable=False),
    Column("pool", Text, nullable=True),
    Column("number", Integer, nullable=True),
    UniqueConstraint("number"),
    Index(
        "ix_game_sessions_deadline",
        "deadline_at",
        postgresql_where=text("deadline_at IS NOT NULL"),
        sqlite_where=text("deadline_at IS NOT NULL"),
    ),
    Index("ix_game_sessions_status", "status", "created_at"),
    Index(
        "ix_game_sessions_pool",
        "pool",
        postgresql_where=text("pool IS NOT NULL"),
        sqlite_where=text("pool IS NOT NULL"),
    ),
)
"""The head row of each session, written by the transaction that stores its events: ``sequence`` is the number of the
last one. ``status`` is ``waiting``, ``playing``, ``over`` or ``called_off``; ``deadline_at`` is the time at which the
server has something to do by itself. ``secret`` is the server's secret of the dice, or their seed; ``x_key``, ``o_key``
and ``invitation`` are hashes of what opens the seats, never the keys. ``pool`` is the pool in which the players were
paired, null for a session that began otherwise. ``number`` is that of a game of the terminal, from 1, null for the
sessions of a server."""

session_events = Table(
    "session_events",
    metadata,
    Column("session_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=False),
    Column("sequence", Integer, nullable=False),
    Column("at", DateTime, nullable=False),
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    PrimaryKeyConstraint("session_id", "sequence"),
    sqlite_with_rowid=False,
)
"""The log of each session: ``sequence`` runs from 1, ``at`` is UTC, ``kind`` and ``data`` (JSON) are those of the
codec of ``play``."""

session_presences = Table(
    "session_presences",
    metadata,
    Column("session_id", Text, ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=False),
    Column("side", Text, nullable=False),
    Column("process_id", Text, nullable=False),
    Column("left_at", DateTime, nullable=True),
    PrimaryKeyConstraint("session_id", "side", "process_id"),
)
"""The processes in which a side of a session has a page open, or had: ``left_at`` is null while it has one."""

server_processes = Table(
    "server_processes",
    metadata,
    Column("process_id", Text, primary_key=True),
    Column("heartbeat_at", DateTime, nullable=False),
)
"""The processes that have sides with open pages, each with the time of its last heartbeat. Pages of a process that has
ended without a word were left then."""
