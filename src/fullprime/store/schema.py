"""The tables. A change here needs a migration in ``migrations/versions``; a test holds the two equal."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Integer, MetaData, Table, Text, UniqueConstraint

REVISION = "0002"
"""The migration that these tables are the result of."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s",
    }
)

matches = Table(
    "matches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("settings", Text, nullable=False),
    Column("names", Text, nullable=False),
    Column("seats", Text, nullable=False),
    Column("dice", Text, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("first_game", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("updated", DateTime, nullable=False),
)
"""One match or money session. ``settings``, ``names``, ``seats``, ``dice`` and ``first_game`` (the game it began with)
are JSON; ``drawn`` counts the dice that have been thrown; ``status`` is ``playing`` or ``over``."""

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("game_no", Integer, nullable=False),
    Column("event", Text, nullable=False),
    UniqueConstraint("match_id", "seq"),
)
"""What happened, in order: ``seq`` runs from 1 through the whole match, ``game_no`` from 1; ``event`` is JSON."""

rooms = Table(
    "rooms",
    metadata,
    Column("id", Text, primary_key=True),
    Column("match_id", Integer, ForeignKey("matches.id", ondelete="CASCADE"), nullable=True),
    Column("settings", Text, nullable=False),
    Column("names", Text, nullable=False),
    Column("seats", Text, nullable=False),
    Column("keys", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("seeds", Text, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("created", DateTime, nullable=False),
)
"""A match played through the server. ``match_id`` is null until everybody has sat down. ``keys`` holds hashes of what
opens the seats, never the keys; ``secret`` is the seed that the server has committed to, ``seeds`` what the players
added; ``closed`` says that nothing more is played and the secret may be told. The others are JSON."""
