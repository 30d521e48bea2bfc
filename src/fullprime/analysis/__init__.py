"""The analysis board, and advice at a board in play."""
