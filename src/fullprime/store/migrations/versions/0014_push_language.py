"""The language in which a browser is told of its turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; browsers that are told already are told in English."""
    op.add_column("push_subscriptions", sa.Column("language", sa.Text, nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("push_subscriptions", "language")
