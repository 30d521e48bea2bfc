"""People with accounts: who they are, how strong, and how they find each other."""
