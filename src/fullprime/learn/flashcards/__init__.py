"""Flashcards: positions that come up again when they are about to be forgotten."""
