"""Playing in the terminal: the board, the conversation, scripts; and the server."""
