"""Skeletons of the names of accounts: nobody takes a name that looks like another one's; and nobody is called "You"."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from fullprime.store.people.skeletons import skeleton

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The oldest account of those that look alike has the skeleton; all of them stay."""
    op.add_column("accounts", sa.Column("skeleton", sa.Text, nullable=True))
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("skeleton"))
    connection = op.get_bind()
    known: set[str] = set()
    for number, name in connection.execute(sa.select(accounts.c.id, accounts.c.name).order_by(accounts.c.id)).all():
        if (found := skeleton(name)) not in known:
            known.add(found)
            connection.execute(sa.update(accounts).where(accounts.c.id == number).values(skeleton=found))
    op.create_index("ix_accounts_skeleton", "accounts", ["skeleton"], unique=True)
    _name_the_unnamed(connection)


def _name_the_unnamed(connection: sa.Connection) -> None:
    """Players who had given no name were stored as "You", which others read."""
    for name in ("matches", "rooms"):
        table = sa.table(name, sa.column("id"), sa.column("names"))
        found = connection.execute(sa.select(table.c.id, table.c.names).where(table.c.names.contains('"You"'))).all()
        for number, names in found:
            renamed = json.dumps(["Guest" if called == "You" else called for called in json.loads(names)])
            connection.execute(sa.update(table).where(table.c.id == number).values(names=renamed))
    for name, columns in (("played", ("x_name", "o_name")), ("challenges", ("name",))):
        table = sa.table(name, *map(sa.column, columns))
        for column in table.c:
            connection.execute(sa.update(table).where(column == "You").values({column.name: "Guest"}))


def downgrade() -> None:
    """Forget them. The table is not made anew, because its rows would be gone from the games for a moment, for good."""
    op.drop_index("ix_accounts_skeleton", "accounts")
    op.drop_column("accounts", "skeleton")
