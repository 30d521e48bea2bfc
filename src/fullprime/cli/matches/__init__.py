"""Commands for files, reviews and the library."""
