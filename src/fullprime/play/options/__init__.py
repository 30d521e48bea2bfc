"""Choices before a game: rules, options, opponents, a position to begin with."""
