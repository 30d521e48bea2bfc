"""Commands that ask, measure and train the engine."""
