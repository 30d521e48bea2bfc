"""Commands that ask the engine, and that make exact tables."""
