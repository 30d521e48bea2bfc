"""Analysis: errors, luck and ratings of decisions, matches and players, from the engine's equities."""
