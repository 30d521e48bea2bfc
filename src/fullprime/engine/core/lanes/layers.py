"""Widths that the layers of nets are made of: lanes of a vector, positions of a block, columns of a span."""

LANES = 16
BLOCK = 8
"""Positions that go through a dense layer together."""
SPAN = 128
"""First layers, and the part of them that sees hand features, are multiples of this many columns wide."""
WORD = 64
"""Columns of which `_positive` tells at once, as the bits of a word, where any position of those asked is above 0."""
PAIR = 2
PAIR_SPAN = 8 * LANES
"""Second layers of a multiple of so many columns take positions in pairs: few units speak in either of two, and so many
columns are enough to keep the processor busy with two positions."""
