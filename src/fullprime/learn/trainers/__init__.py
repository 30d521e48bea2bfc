"""Trainers of single skills. Each asks numbered questions and marks the answers by rules, tables and the engine."""
