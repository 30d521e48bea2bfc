"""The storage limit of a server, which routes check before they store anything but a game."""

from __future__ import annotations

from fastapi import Depends, Request

from fullprime.library.storage import Storage
from fullprime.web.routes.local_user import is_local_user


def storage_of(request: Request) -> Storage:
    """Get the room that the server has."""
    storage: Storage = request.app.state.storage
    return storage


def _check_storage(request: Request) -> None:
    """Raise LibraryFull while there is room for games alone; the local user fills their own disk."""
    if not is_local_user(request):
        storage_of(request).check()


STORAGE_LIMIT = Depends(_check_storage)
"""The dependency of a route that stores something; it comes before the body is read. A library asks by itself, because
it knows whether a change needs room."""
