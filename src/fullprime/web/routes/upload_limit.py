"""The disk quota of uploads, which is checked before a body is read."""

from __future__ import annotations

from fastapi import Depends, Request

from fullprime.library.storage import Storage
from fullprime.web.routes.local_user import is_local_user


def storage_of(request: Request) -> Storage:
    """Get the disk quota of uploads."""
    storage: Storage = request.app.state.storage
    return storage


def _check_uploads(request: Request) -> None:
    """Raise StorageFull while nothing may be uploaded; the local user fills their own disk."""
    if not is_local_user(request):
        storage_of(request).check_uploads()


UPLOAD_LIMIT = Depends(_check_uploads)
"""The dependency of a route that takes uploads."""
