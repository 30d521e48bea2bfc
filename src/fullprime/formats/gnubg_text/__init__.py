"""Positions and games with their analysis, as programs export them to text."""
