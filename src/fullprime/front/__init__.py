"""The front door: what ``import fullprime as fp`` gives beside the values; ``fullprime/__init__`` names it."""
