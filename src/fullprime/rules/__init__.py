"""The rules: legal actions and scores of every variant. Standard library only."""
