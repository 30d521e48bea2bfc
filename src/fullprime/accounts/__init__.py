"""People with accounts: their names, their strength, and the lobby in which they find each other."""
