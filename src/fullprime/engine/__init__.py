"""The engine: the quality of positions, plays and cube decisions. Importing it loads neither NumPy nor Numba."""
