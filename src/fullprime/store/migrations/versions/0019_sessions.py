"""Game sessions: the log of each, and its head row."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; there are no sessions yet."""
    op.create_table(
        "game_sessions",
        sa.Column("session_id", sa.Text, primary_key=True),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("turn", sa.Text, nullable=True),
        sa.Column("deadline_at", sa.DateTime, nullable=True),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("x_name", sa.Text, nullable=False),
        sa.Column("o_name", sa.Text, nullable=False),
        sa.Column("x_points", sa.Integer, nullable=False),
        sa.Column("o_points", sa.Integer, nullable=False),
        sa.Column("winner", sa.Text, nullable=True),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("x_key", sa.Text, nullable=True),
        sa.Column("o_key", sa.Text, nullable=True),
        sa.Column("invitation", sa.Text, nullable=True),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("changed_at", sa.DateTime, nullable=False),
    )
    is_due = sa.text("deadline_at IS NOT NULL")
    op.create_index(
        "ix_game_sessions_deadline", "game_sessions", ["deadline_at"], postgresql_where=is_due, sqlite_where=is_due
    )
    op.create_index("ix_game_sessions_status", "game_sessions", ["status", "created_at"])
    op.create_table(
        "session_events",
        sa.Column("session_id", sa.Text, sa.ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("session_id", "sequence"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "session_presences",
        sa.Column("session_id", sa.Text, sa.ForeignKey("game_sessions.session_id", ondelete="CASCADE"), nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("process_id", sa.Text, nullable=False),
        sa.Column("left_at", sa.DateTime, nullable=True),
        sa.PrimaryKeyConstraint("session_id", "side", "process_id"),
    )
    op.create_table(
        "server_processes",
        sa.Column("process_id", sa.Text, primary_key=True),
        sa.Column("beat_at", sa.DateTime, nullable=False),
    )


def downgrade() -> None:
    """Forget all sessions."""
    op.drop_table("server_processes")
    op.drop_table("session_presences")
    op.drop_table("session_events")
    op.drop_table("game_sessions")
