"""Measuring, training and exact tables, as services of the commands."""
