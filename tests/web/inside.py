"""The application without a socket."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    # Newer versions would rather have another client library; with this one they do the same.
    warnings.simplefilter("ignore", DeprecationWarning)
    warnings.simplefilter("ignore", UserWarning)
    from starlette.testclient import TestClient

__all__ = ["TestClient"]
