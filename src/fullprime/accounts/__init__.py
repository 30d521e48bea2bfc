"""Accounts: their names, ratings and games, and the lobby in which people find opponents."""
