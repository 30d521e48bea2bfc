"""The version of the tables, which every database stores. A change of any table needs a new one."""

from __future__ import annotations

from sqlalchemy import Column, Table, Text

from fullprime.db.schema.base import metadata

SCHEMA_VERSION = "1-a6a82315153d"
"""The version of all tables: the number of the tables of a release, and a fingerprint of the tables.

A changed table has another fingerprint: ``tests/db/test_schema.py`` fails then and gives the text that belongs here.
Once a version with these tables has been released, the number goes up as well, and the first migration is written
(docs/architecture.md, "To change a table").
"""

schema_version = Table("schema_version", metadata, Column("version", Text, nullable=False))
"""One row: the version of the tables that are in the database."""
