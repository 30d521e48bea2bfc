"""What is known exactly: bear-offs, and endgames of a few checkers."""
