"""The Numba kernels: arrays in, arrays out. Only ``fullprime.engine`` comes here."""
