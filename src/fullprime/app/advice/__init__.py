"""What the engine says, as values to print and for programs."""
