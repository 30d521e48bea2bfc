"""Games that were begun without an account and kept by one later: perhaps chosen, they do not count in its results."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Mark those that were kept after their end; of others nobody knows when an account sat down."""
    op.add_column("played", sa.Column("kept", sa.SmallInteger, nullable=False, server_default="0"))
    op.execute("UPDATE played SET kept = 3 WHERE ended < begun")


def downgrade() -> None:
    """Forget which."""
    with op.batch_alter_table("played") as table:
        table.drop_column("kept")
