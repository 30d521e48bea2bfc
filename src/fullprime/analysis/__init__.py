"""What the numbers say about a decision, a match, a player."""
