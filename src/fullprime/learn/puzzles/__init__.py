"""Puzzles: positions with one best and one tempting play, the stock of them, and their making."""
