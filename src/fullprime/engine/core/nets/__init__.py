"""Kernels of the nets: what they see, how they run, how they learn."""
