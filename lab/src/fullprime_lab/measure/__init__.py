"""The speed and the strength of the engine, beside other programs."""
