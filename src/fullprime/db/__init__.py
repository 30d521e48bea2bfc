"""Storage: games, matches, people and the library of files, kept in a database."""
