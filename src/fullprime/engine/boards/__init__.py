"""Boards in and out of the kernels: single positions, whole turns, perft."""
