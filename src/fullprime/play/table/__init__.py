"""A table: one match or session in play, the players in its seats, its commands and events, and its dice."""
