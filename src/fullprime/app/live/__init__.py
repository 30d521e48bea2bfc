"""A match through a server: rooms, seats, clocks, talk, and news for those who watch."""
