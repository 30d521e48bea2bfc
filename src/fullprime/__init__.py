"""Fullprime: backgammon, complete."""

__version__ = "0.1.0"
