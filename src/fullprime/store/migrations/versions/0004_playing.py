"""Times of events; talk, reports and absences of games between people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and make the tables."""
    op.add_column("events", sa.Column("at", sa.DateTime, nullable=True))
    for table, *columns in (
        ("room_talk", sa.Column("side", sa.Text, nullable=False), sa.Column("text", sa.Text, nullable=False)),
        (
            "room_reports",
            sa.Column("side", sa.Text, nullable=False),
            sa.Column("reason", sa.Text, nullable=False),
            sa.Column("said", sa.Text, nullable=False),
        ),
    ):
        op.create_table(
            table,
            sa.Column("id", sa.Integer, nullable=False),
            sa.Column("room_id", sa.Text, nullable=False),
            *columns,
            sa.Column("at", sa.DateTime, nullable=False),
            sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=f"fk_{table}_room_id", ondelete="CASCADE"),
            sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
        )
        op.create_index(f"ix_{table}_room", table, ["room_id"])
    op.create_table(
        "room_absences",
        sa.Column("room_id", sa.Text, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("since", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name="fk_room_absences_room_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room_id", "side", name="pk_room_absences"),
    )


def downgrade() -> None:
    """Take them away again."""
    for table in ("room_absences", "room_reports", "room_talk"):
        op.drop_table(table)
    with op.batch_alter_table("events") as events:
        events.drop_column("at")
