"""How good a position is. Importing this package loads neither NumPy nor Numba."""
