"""Rooms count their changes, so that a process sees what another one has changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("rooms", sa.Column("revision", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Take it away again."""
    with op.batch_alter_table("rooms") as rooms:
        rooms.drop_column("revision")
