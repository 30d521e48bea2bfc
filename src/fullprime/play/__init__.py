"""A game session: one match or money session in play, as a value that events change."""
