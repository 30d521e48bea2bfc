"""Accounts, their games, their friends and their challenges."""
