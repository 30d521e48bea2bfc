"""Matches from files: read, reviewed, kept in a library, and the lessons in them."""
