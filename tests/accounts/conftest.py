"""Fixtures of the tests of accounts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.accounts.hall import Hall


@pytest.fixture
def hall(any_database: str) -> Iterator[Hall]:
    opened = Hall(any_database)
    yield opened
    opened.close()
