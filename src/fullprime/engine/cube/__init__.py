"""From five probabilities to cubeful equities: the cube, the score, and what to do."""
