"""Cases of a test of which every run has some, and the nightly run all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def broadly(cases: Iterable[str], *always: str) -> list[Any]:
    """The cases; those that are not among ``always`` are marked ``broad``."""
    cases = list(cases)
    assert set(always) <= set(cases)
    return [case if case in always else pytest.param(case, marks=pytest.mark.broad) for case in cases]
