"""The tables of the database. Whichever is imported, the metadata has all: keys of one table name others."""

from fullprime.db.schema import drills, library, sessions, shelves, tables, version

__all__ = ["drills", "library", "sessions", "shelves", "tables", "version"]
