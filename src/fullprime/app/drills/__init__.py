"""Drills as services: trainers, cards and puzzles for learners, who have an account, a browser or this machine."""
