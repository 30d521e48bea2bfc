"""People on the server: accounts, sessions, tokens, games, ratings, challenges."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("folded", sa.Text, nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("bot", sa.Boolean, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.UniqueConstraint("folded", name="uq_accounts"),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
    )
    op.create_table(
        "sessions",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("expires", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sessions_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name="pk_sessions"),
    )
    op.create_index("ix_sessions_account", "sessions", ["account_id"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("scopes", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("used", sa.DateTime, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_tokens_account_id", ondelete="CASCADE"),
        sa.UniqueConstraint("hash", name="uq_tokens"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
    )
    op.create_index("ix_tokens_account", "tokens", ["account_id"])
    op.create_table(
        "played",
        sa.Column("room_id", sa.Text, nullable=False),
        sa.Column("x_account", sa.Integer, nullable=True),
        sa.Column("o_account", sa.Integer, nullable=True),
        sa.Column("x_name", sa.Text, nullable=False),
        sa.Column("o_name", sa.Text, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("begun", sa.DateTime, nullable=False),
        sa.Column("ended", sa.DateTime, nullable=True),
        sa.Column("x_points", sa.Integer, nullable=True),
        sa.Column("o_points", sa.Integer, nullable=True),
        sa.Column("winner", sa.SmallInteger, nullable=True),
        sa.Column("facts", sa.Text, nullable=True),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name="fk_played_room_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["x_account"], ["accounts.id"], name="fk_played_x_account", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["o_account"], ["accounts.id"], name="fk_played_o_account", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("room_id", name="pk_played"),
    )
    op.create_index("ix_played_x", "played", ["x_account"])
    op.create_index("ix_played_o", "played", ["o_account"])
    op.create_index("ix_played_ended", "played", ["ended"])
    op.create_table(
        "ratings",
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("updated", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_ratings_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "kind", name="pk_ratings"),
    )
    op.create_index("ix_ratings_kind", "ratings", ["kind", "rating"])
    op.create_table(
        "rating_changes",
        sa.Column("room_id", sa.Text, nullable=False),
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("before", sa.Float, nullable=False),
        sa.Column("after", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("made", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["played.room_id"], name="fk_rating_changes_room_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_rating_changes_account_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("room_id", "account_id", name="pk_rating_changes"),
    )
    op.create_index("ix_rating_changes_account", "rating_changes", ["account_id", "kind"])
    op.create_table(
        "challenges",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("room_id", sa.Text, nullable=False),
        sa.Column("invitation", sa.Text, nullable=False),
        sa.Column("creator", sa.Integer, nullable=True),
        sa.Column("target", sa.Integer, nullable=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("expires", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name="fk_challenges_room_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["creator"], ["accounts.id"], name="fk_challenges_creator", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["target"], ["accounts.id"], name="fk_challenges_target", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
    )
    op.create_index("ix_challenges_expires", "challenges", ["expires"])
    op.create_index("ix_challenges_target", "challenges", ["target"])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("challenges", "rating_changes", "ratings", "played", "tokens", "sessions", "accounts"):
        op.drop_table(table)
