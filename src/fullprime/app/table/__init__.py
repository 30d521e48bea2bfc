"""A table: one match or session in play, who sits there, what is typed and told there, and its dice."""
