"""The index of losses goes by match: what a library's own matches cost is found without everybody's."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Put it in the place of the index of all losses, which no search used."""
    op.create_index("ix_library_decisions_match_loss", "library_decisions", ["match_id", "loss"])
    op.drop_index("ix_library_decisions_loss", "library_decisions")


def downgrade() -> None:
    """Put the old one back."""
    op.create_index("ix_library_decisions_loss", "library_decisions", ["loss"])
    op.drop_index("ix_library_decisions_match_loss", "library_decisions")
