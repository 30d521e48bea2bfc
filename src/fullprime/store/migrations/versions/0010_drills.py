"""Drills: learners, their answers to trainers, their cards, and their puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "learners",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=True),
        sa.Column("key", sa.Text, nullable=True),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.UniqueConstraint("account_id", name="uq_learners_account_id"),
        sa.UniqueConstraint("key", name="uq_learners_key"),
    )
    op.create_table(
        "drill_tries",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("learner_id", sa.Integer, sa.ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
        sa.Column("trainer", sa.Text, nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("error", sa.Float, nullable=False),
        sa.UniqueConstraint("learner_id", "trainer", "seed"),
    )
    op.create_table(
        "drill_cards",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("learner_id", sa.Integer, sa.ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("schedule", sa.Text, nullable=False),
        sa.Column("due", sa.DateTime, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.UniqueConstraint("learner_id", "name"),
    )
    op.create_index("ix_drill_cards_due", "drill_cards", ["learner_id", "due"])
    op.create_table(
        "drill_reviews",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("learner_id", sa.Integer, sa.ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
        sa.Column("card_id", sa.Integer, sa.ForeignKey("drill_cards.id", ondelete="CASCADE"), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("grade", sa.Integer, nullable=False),
        sa.Column("loss", sa.Float, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("known", sa.Boolean, nullable=False),
    )
    op.create_index("ix_drill_reviews_at", "drill_reviews", ["learner_id", "at"])
    op.create_index("ix_drill_reviews_card", "drill_reviews", ["card_id"])
    op.create_table(
        "puzzle_strengths",
        sa.Column("learner_id", sa.Integer, sa.ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("updated", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("learner_id", "variant"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.Text, primary_key=True),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("updated", sa.DateTime, nullable=False),
    )
    op.create_table(
        "puzzle_tries",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("learner_id", sa.Integer, sa.ForeignKey("learners.id", ondelete="CASCADE"), nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("run", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("loss", sa.Float, nullable=False),
        sa.Column("rating", sa.Float, nullable=True),
        sa.UniqueConstraint("learner_id", "puzzle", "run"),
    )
    op.create_index("ix_puzzle_tries_at", "puzzle_tries", ["learner_id", "variant", "at"])


def downgrade() -> None:
    """Take them away again."""
    for name in (
        "puzzle_tries",
        "puzzle_ratings",
        "puzzle_strengths",
        "drill_reviews",
        "drill_cards",
        "drill_tries",
        "learners",
    ):
        op.drop_table(name)
