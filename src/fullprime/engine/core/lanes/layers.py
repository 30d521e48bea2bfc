"""Widths that the layers of nets are made of: lanes of a vector, positions of a block, columns of a span."""

LANES = 16
BLOCK = 8
"""Positions that go through a dense layer together."""
SPAN = 128
"""First layers, and the part of them that sees hand features, are multiples of this many columns wide."""
WORD = 64
"""Columns that `make_bit_lister` compares with 0 at once: the bits of a word, set where any position is above it."""
PAIR = 2
PAIR_SPAN = 8 * LANES
"""Second layers of a multiple of this many columns take positions in pairs: few units are active in either of two, and
that width is enough to keep the processor busy with two positions."""
