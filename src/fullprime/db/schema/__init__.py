"""The tables of the database. Importing one module imports all, because foreign keys name tables of others."""

from fullprime.db.schema import drills, library, sessions, shelves, tables, version

__all__ = ["drills", "library", "sessions", "shelves", "tables", "version"]
