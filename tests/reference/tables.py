"""The bear-off tables, as an engine opens them."""

from __future__ import annotations

from functools import cache

import pytest

from fullprime.engine.core.jit import JIT
from fullprime.engine.tables.bearoff import CHECKERS, Bearoff


@cache
def shared_bearoff() -> Bearoff:
    """The tables of the default size from the user's cache; skips the test where kernels are not compiled.

    Other versions and damage are built again, and ``tests/engine/test_bearoff.py`` compares them with a fresh build.
    """
    if not JIT:
        pytest.skip("the tables take too long without compiled kernels")
    return Bearoff.open(checkers=CHECKERS)
