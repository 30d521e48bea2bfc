"""Alembic runs this; the connection comes from ``fullprime.store.database.migrate``."""

from alembic import context

from fullprime.store.schema.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
