"""The time at which a match's flag falls, so that it falls although nobody looks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, and an index of those that have it."""
    op.add_column("matches", sa.Column("falls", sa.DateTime, nullable=True))
    some = sa.text("falls IS NOT NULL")
    op.create_index("ix_matches_falls", "matches", ["falls"], postgresql_where=some, sqlite_where=some)


def downgrade() -> None:
    """Take it away again."""
    op.drop_index("ix_matches_falls", "matches")
    with op.batch_alter_table("matches") as matches:
        matches.drop_column("falls")
