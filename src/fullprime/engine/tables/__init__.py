"""Exact tables: bear-offs, and endgames of a few checkers."""
