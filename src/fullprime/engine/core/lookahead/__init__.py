"""Kernels that look ahead and play games: one ply, whole turns, self-play."""
