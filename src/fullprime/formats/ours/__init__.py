"""Our own JSON: everything we know of a match, both ways."""
