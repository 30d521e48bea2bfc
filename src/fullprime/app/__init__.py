"""The application service that every face uses: a table at which a game is played, and what can be asked about it."""
