"""Random numbers inside of kernels: Marsaglia's KISS generator of 1999, the sum of three simple ones, in 64 bits.

The state is an array of four int64 that the caller owns, so that a kernel's result depends on its seed alone, in
every thread, in machine code made ahead of time and in plain Python alike. Source: G. Marsaglia, "Random numbers for
C: The END?", sci.stat.math and sci.math, 20 January 1999.
"""

from fullprime.engine.core.jit import bare_kernel

STATE = 4
"""The length of a state."""
_LOW = 0xFFFFFFFF
_WARMING = 16
"""Numbers thrown away at first: after a small seed the parts have few bits set."""


@bare_kernel
def seed_chance(seed, state):
    """Begin the sequence of a seed, which may be any int64."""
    state[0] = (seed ^ 123456789) & _LOW
    state[1] = ((seed >> 16) ^ 362436069) & _LOW
    state[2] = ((seed >> 32) ^ 521288629) & _LOW
    state[3] = 7654321
    if state[1] == 0:
        state[1] = 362436069  # the shifts alone would stay at nought
    for _ in range(_WARMING):
        random_bits(state)


@bare_kernel
def random_bits(state):
    """The next 32 random bits, as an int64 of at least nought."""
    state[0] = (69069 * state[0] + 1234567) & _LOW
    word = state[1]
    word ^= (word << 13) & _LOW
    word ^= word >> 17
    word ^= (word << 5) & _LOW
    state[1] = word
    product = 698769069 * state[2] + state[3]
    state[3] = product >> 32
    state[2] = product & _LOW
    return (state[0] + state[1] + state[2]) & _LOW


@bare_kernel
def random_uniform(state):
    """A number of [0, 1), a multiple of 2 to the power of -32."""
    return random_bits(state) / 4294967296.0


@bare_kernel
def random_below(stop, state):
    """A whole number of [0, ``stop``), for ``stop`` below 2 to the power of 31."""
    return (random_bits(state) * stop) >> 32
