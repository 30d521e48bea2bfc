"""Kernels of the exact tables: bear-offs and endgames."""
