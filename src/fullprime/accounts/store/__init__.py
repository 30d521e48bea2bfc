"""Accounts, their games, and their challenges."""
