"""Measuring and training, as services of the commands."""
