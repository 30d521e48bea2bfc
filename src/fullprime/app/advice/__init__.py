"""The engine's answers, as values to print and for programs."""
