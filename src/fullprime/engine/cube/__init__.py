"""Cube decisions: from five probabilities and the score to cubeful equities and the right action."""
