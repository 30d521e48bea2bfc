"""No test touches the data of whoever runs it: games, libraries and endgame tables lie in a folder of their own."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

_HOME = tempfile.TemporaryDirectory(prefix="fullprime-tests-", ignore_cleanup_errors=True)
os.environ["XDG_DATA_HOME"] = _HOME.name

# Under `python -O` only what pytest rewrites still asserts: the helpers of the tests have to, too.
pytest.register_assert_rewrite(
    *(f"tests.{room.name}" for room in sorted(Path(__file__).parent.iterdir()) if room.is_dir())
)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if os.name != "posix" and item.get_closest_marker("posix"):
        pytest.skip("this system has no such signals, terminals or shell")
