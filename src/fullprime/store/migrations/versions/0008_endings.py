"""The way in which games between people ended, help that was used, and traces by which two accounts of one are seen."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and make the tables; say in each room that waits or is played whether it is rated."""
    op.add_column("played", sa.Column("ending", sa.Text, nullable=True))
    op.add_column("played", sa.Column("ended_by", sa.SmallInteger, nullable=True))
    op.add_column("played", sa.Column("helped", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "account_traces",
        sa.Column("account_id", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("seen", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_account_traces_account_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", "kind", "value", name="pk_account_traces"),
    )
    op.create_index("ix_account_traces_seen", "account_traces", ["seen"])
    op.create_table(
        "rated_pairs",
        sa.Column("room_id", sa.Text, nullable=False),
        sa.Column("x_name", sa.Text, nullable=False),
        sa.Column("o_name", sa.Text, nullable=False),
        sa.Column("shared", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name="fk_rated_pairs_room_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room_id", name="pk_rated_pairs"),
    )
    _note_rated()
    _note_takebacks()


def _note_rated() -> None:
    connection = op.get_bind()
    rooms = sa.table("rooms", sa.column("id", sa.Text), sa.column("options", sa.Text))
    played = sa.table("played", sa.column("room_id", sa.Text), sa.column("rated", sa.Boolean))
    wanted = sa.select(rooms.c.id, rooms.c.options).join(played, played.c.room_id == rooms.c.id).where(played.c.rated)
    for room_id, options in connection.execute(wanted).all():
        told = json.dumps({**json.loads(options), "rated": True}, separators=(",", ":"), ensure_ascii=False)
        connection.execute(sa.update(rooms).where(rooms.c.id == room_id).values(options=told))


def _note_takebacks() -> None:
    """Games with takebacks in their record make no PR; whether hints were asked for is not known of older games."""
    op.execute(
        sa.text(
            "UPDATE played SET helped = true WHERE room_id IN (SELECT rooms.id FROM rooms"
            ' JOIN events ON events.match_id = rooms.match_id WHERE events.event LIKE \'%"note":"takeback: %\')'
        )
    )


def downgrade() -> None:
    """Take them away again."""
    for table in ("rated_pairs", "account_traces"):
        op.drop_table(table)
    with op.batch_alter_table("played") as played:
        for column in ("ending", "ended_by", "helped"):
            played.drop_column(column)
