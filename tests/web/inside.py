"""The application without a socket."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fullprime.web.routes.accounts import close_accounts
from fullprime.web.server import create_app

if TYPE_CHECKING:
    from fullprime.web.server import Application

with warnings.catch_warnings():
    # Newer versions would rather have another client library; with this one they do the same.
    warnings.simplefilter("ignore", DeprecationWarning)
    warnings.simplefilter("ignore", UserWarning)
    from starlette.testclient import TestClient

__all__ = ["TestClient", "application"]


@contextmanager
def application(database: Path | str = ":memory:", **options: Any) -> Iterator[Application]:
    """An application that is closed at the end, whether it has served or not."""
    app = create_app(str(database), **options)
    try:
        yield app
    finally:
        close_accounts(app)
        app.state.game_server.close()
