"""Vector operations for the kernels, and their twins in plain NumPy."""
