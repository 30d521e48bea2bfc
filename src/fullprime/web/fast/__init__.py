"""The fast way of the server: usual actions done on the event loop and stored many together (docs/fast-way.md)."""
