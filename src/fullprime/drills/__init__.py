"""Drills: trainers of single skills, puzzles with their stock, cards and their schedule. No storage, no faces."""
