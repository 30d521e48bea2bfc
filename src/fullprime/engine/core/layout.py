"""The packed position: one row of 32 bytes, and the rules of movement as an array.

``int8[32]`` seen by the player on roll: [0] minus the opponent's checkers on the bar, [1-24] signed counts by the
mover's points (+ own, - opponent's), [25] own bar, [26] own off, [27] opponent's off, [28] own hand, [29] opponent's
hand, [30] own licence to hit, [31] opponent's licence (flags only where the checkers do not imply it, as in
``Position``). The other side's view is ``out[i] = -row[25 - i]`` for the first 26, and the last three pairs exchanged.
"""

from __future__ import annotations

from typing import Any

Array = Any
"""A NumPy array; docstrings give type and shape."""

ROW = 32

# Bytes of a row that are not points.
THEIR_BAR, BAR, OFF, THEIR_OFF, HAND, THEIR_HAND, LICENCE, THEIR_LICENCE = 0, 25, 26, 27, 28, 29, 30, 31

# Fields of the array of rules (``pack.rules_array`` makes it from a variant).
RULES = 5
RULE_ENTER_ALL_FIRST, RULE_BAR_PRIORITY, RULE_HIT_LICENCE, RULE_ENTERING_MOVE_MAY_HIT, RULE_EXACT_BEAROFF = range(RULES)
LICENCE_FREE, LICENCE_PERMANENT, LICENCE_CURRENT = range(3)
