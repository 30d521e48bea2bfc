"""The bear-off tables, built once for all tests of a run and kept in memory."""

from __future__ import annotations

from functools import cache

import pytest

from fullprime.engine.core.jit import JIT
from fullprime.engine.tables.bearoff import CHECKERS, Bearoff, build_tables


@cache
def shared_bearoff() -> Bearoff:
    """The tables of the default size; skips the test where kernels are not compiled."""
    if not JIT:
        pytest.skip("the tables take too long without compiled kernels")
    return Bearoff(**build_tables(), checkers=CHECKERS)
