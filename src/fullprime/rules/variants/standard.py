"""Backgammon and its relatives that differ only in where the checkers start."""

from fullprime.rules.variants.variant import Variant, counts

BACKGAMMON = Variant(name="backgammon", title="Backgammon", start=counts({24: 2, 13: 5, 8: 3, 6: 5}))
"""Sources 000, 001, 002 and 004."""

NACKGAMMON = Variant(name="nackgammon", title="Nackgammon", start=counts({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}))
"""Nack Ballard's start with two more checkers back."""

HYPERGAMMON = Variant(name="hypergammon", title="Hypergammon", start=counts({24: 1, 23: 1, 22: 1}))
"""Three checkers a side."""

LONGGAMMON = Variant(name="longgammon", title="Longgammon", start=counts({24: 15}))
"""All fifteen checkers start on the 24-point."""
