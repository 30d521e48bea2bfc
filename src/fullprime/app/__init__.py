"""The application service that every face uses: a table at which a game is played, and questions about it."""
