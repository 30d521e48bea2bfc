"""Trainers of single skills: each asks questions by number and marks answers, by rules, tables and the engine."""
