"""Libraries of accounts beside that of this machine; marks, collections, saved searches, figures of reviews."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_SHELVED = ("library_players", "library_sources", "library_matches")
_ADDED = (
    "library_settled",
    "library_searches",
    "library_items",
    "library_collections",
    "library_tags",
    "library_marks",
)


def upgrade() -> None:
    """Add the columns and the tables.

    No table is made anew that others refer to: in SQLite, taking the old one away would take their rows with it.
    """
    for name in _SHELVED:
        op.add_column(name, sa.Column("shelf", sa.Integer, nullable=False, server_default="0"))
        op.create_index(f"ix_{name}_shelf", name, ["shelf"])
    _names(sa.Column("shelf", sa.Integer, nullable=False, server_default="0"), keys=("shelf", "name"))
    op.add_column("library_reviews", sa.Column("figures", sa.LargeBinary, nullable=True))
    op.add_column("library_decisions", sa.Column("plan", sa.Text, nullable=True))
    op.add_column("library_decisions", sa.Column("theme", sa.Text, nullable=True))
    _marks()
    _collections()


def _names(*more: sa.Column[int], keys: tuple[str, ...]) -> None:
    """The table of names with another key. Nothing refers to it."""
    old = sa.table("library_names", sa.column("name", sa.Text), sa.column("player_id", sa.Integer))
    rows = [dict(row) for row in op.get_bind().execute(sa.select(old)).mappings()]
    op.drop_index("ix_library_names_player", "library_names")
    op.drop_table("library_names")
    op.create_table(
        "library_names",
        *more,
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("player_id", sa.Integer, sa.ForeignKey("library_players.id"), nullable=False),
        sa.PrimaryKeyConstraint(*keys),
    )
    op.create_index("ix_library_names_player", "library_names", ["player_id"])
    if rows:
        op.bulk_insert(old, rows)


def _marks() -> None:
    op.create_table(
        "library_marks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("shelf", sa.Integer, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=True),
        sa.Column("game", sa.Integer, nullable=True),
        sa.Column("event", sa.Integer, nullable=True),
        sa.Column("position", sa.Text, nullable=True),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("star", sa.Boolean, nullable=False),
        sa.Column("updated", sa.DateTime, nullable=False),
        sa.UniqueConstraint("shelf", "place"),
    )
    op.create_index("ix_library_marks_match", "library_marks", ["match_id"])
    op.create_table(
        "library_tags",
        sa.Column("mark_id", sa.Integer, sa.ForeignKey("library_marks.id", ondelete="CASCADE"), nullable=False),
        sa.Column("tag", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("mark_id", "tag"),
    )


def _collections() -> None:
    op.create_table(
        "library_collections",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("shelf", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("link", sa.Text, nullable=True),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.UniqueConstraint("shelf", "name"),
    )
    op.create_index("ix_library_collections_link", "library_collections", ["link"], unique=True)
    op.create_table(
        "library_items",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "collection_id", sa.Integer, sa.ForeignKey("library_collections.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("library_matches.id", ondelete="SET NULL"), nullable=True),
        sa.Column("game", sa.Integer, nullable=True),
        sa.Column("event", sa.Integer, nullable=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("arrows", sa.Text, nullable=False),
    )
    op.create_index("ix_library_items_collection", "library_items", ["collection_id", "number"])
    op.create_index("ix_library_items_match", "library_items", ["match_id"])
    op.create_table(
        "library_searches",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("shelf", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.UniqueConstraint("shelf", "name"),
    )
    op.create_table(
        "library_settled",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("event", sa.Integer, nullable=False),
        sa.Column("ours", sa.Text, nullable=False),
        sa.Column("theirs", sa.Text, nullable=False),
        sa.Column("result", sa.LargeBinary, nullable=True),
        sa.Column("made", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("match_id", "game", "event"),
    )


def downgrade() -> None:
    """Take them away again, with the libraries of accounts, which an older version would show to everybody."""
    for name in _ADDED:
        op.drop_table(name)
    for column in ("theme", "plan"):
        op.drop_column("library_decisions", column)
    op.drop_column("library_reviews", "figures")
    others = "(SELECT id FROM library_matches WHERE shelf <> 0)"
    for name in ("decisions", "reviews", "positions", "games", "copies"):
        op.execute(sa.text(f"DELETE FROM library_{name} WHERE match_id IN {others}"))  # noqa: S608 - our own words
    for name in ("library_matches", "library_sources", "library_names", "library_players"):
        op.execute(sa.text(f"DELETE FROM {name} WHERE shelf <> 0"))  # noqa: S608
    _names(keys=("name",))
    for name in _SHELVED:
        op.drop_index(f"ix_{name}_shelf", name)
        op.drop_column(name, "shelf")
