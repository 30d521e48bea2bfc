"""Where the real files are that may not be copied into this repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "FULLPRIME_SHARED_DATA"


def shared(*parts: str) -> Path:
    """A file or folder of the shared data; skips the test, visibly, when there is none."""
    root = os.environ.get(VARIABLE)
    if not root:
        pytest.skip(f"{VARIABLE} is not set")
    path = Path(root, *parts)
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    return path
