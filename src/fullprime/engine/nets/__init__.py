"""Nets: their view of positions, their files, and their evaluation."""
