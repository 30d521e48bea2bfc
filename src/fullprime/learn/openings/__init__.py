"""The opening explorer: places of the book, reference positions, and the extension of both."""
