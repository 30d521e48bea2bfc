"""The address from which a challenge was made, while it stands: one address must not fill the lobby."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of those that stand already nobody knows it."""
    op.add_column("challenges", sa.Column("address", sa.Text, nullable=True))


def downgrade() -> None:
    """Forget the addresses."""
    with op.batch_alter_table("challenges") as table:
        table.drop_column("address")
