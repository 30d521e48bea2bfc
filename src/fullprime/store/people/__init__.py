"""Accounts, what they have played, and their challenges."""
