"""Measuring: speed, strength for time, duels."""
