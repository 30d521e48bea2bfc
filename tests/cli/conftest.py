from __future__ import annotations

from pathlib import Path

import pytest

from fullprime.cli import progress
from fullprime.engine import warmup


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Games of a test are stored in its own folder."""
    url = str(tmp_path / "games.db")
    monkeypatch.setenv("FULLPRIME_DB", url)
    return url


@pytest.fixture(autouse=True)
def no_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine anything may take ten seconds: what a test reads on standard error is the command's answer."""
    monkeypatch.setattr(progress, "EVERY", 3600.0)


@pytest.fixture(autouse=True)
def simple_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever chooses no bot has the simple one here, as on a machine on which the engine is not compiled yet."""
    monkeypatch.setattr(warmup, "is_prepared", lambda: False)
