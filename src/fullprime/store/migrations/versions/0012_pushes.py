"""Browsers that want to be told when it is their turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=True),
        sa.Column("session", sa.Text, sa.ForeignKey("sessions.hash", ondelete="CASCADE"), nullable=True),
        sa.Column("room_id", sa.Text, sa.ForeignKey("rooms.id", ondelete="CASCADE"), nullable=True),
        sa.Column("side", sa.Text, nullable=True),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("failures", sa.SmallInteger, nullable=False),
        sa.UniqueConstraint("name"),
    )
    op.create_index("ix_push_subscriptions_session", "push_subscriptions", ["session"])
    op.create_index("ix_push_subscriptions_room", "push_subscriptions", ["room_id", "side"])
    op.create_index("ix_push_subscriptions_endpoint", "push_subscriptions", ["endpoint"])


def downgrade() -> None:
    """Take it away."""
    op.drop_table("push_subscriptions")
