"""Kernels of the rules: legal plays and whole turns over packed positions."""
