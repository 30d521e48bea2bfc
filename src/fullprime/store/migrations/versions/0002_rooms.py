"""Rooms: the seats of a match that is played through the server, and the seeds of its dice."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "rooms",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("match_id", sa.Integer, nullable=True),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("names", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("keys", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("seeds", sa.Text, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_rooms_match_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_rooms"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("rooms")
