"""The library of matches: rows, facts for searching, patterns."""
