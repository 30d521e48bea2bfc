"""The figures of reviews in a table of their own, so that statistics read them without the reviews around them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Move the column."""
    op.create_table(
        "library_figures",
        sa.Column("review_id", sa.Integer, sa.ForeignKey("library_reviews.id", ondelete="CASCADE"), nullable=False),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("library_matches.id", ondelete="CASCADE"), nullable=False),
        sa.Column("figures", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("review_id"),
    )
    op.create_index("ix_library_figures_match", "library_figures", ["match_id"])
    op.create_index("ix_library_reviews_complete", "library_reviews", ["match_id", "complete"])
    op.execute(
        sa.text(
            "INSERT INTO library_figures (review_id, match_id, figures) "
            "SELECT id, match_id, figures FROM library_reviews WHERE figures IS NOT NULL"
        )
    )
    op.drop_column("library_reviews", "figures")


def downgrade() -> None:
    """Move it back."""
    op.add_column("library_reviews", sa.Column("figures", sa.LargeBinary, nullable=True))
    op.execute(
        sa.text(
            "UPDATE library_reviews SET figures = "
            "(SELECT figures FROM library_figures WHERE review_id = library_reviews.id)"
        )
    )
    op.drop_index("ix_library_reviews_complete", "library_reviews")
    op.drop_table("library_figures")
