"""Players: rule bots, bots that ask the engine, and other programs."""
