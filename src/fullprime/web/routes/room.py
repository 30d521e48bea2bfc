"""Room for uploads, asked for before the body of one is read."""

from __future__ import annotations

from fastapi import Depends, Request

from fullprime.library.storage import Storage
from fullprime.web.routes.own_machine import at_this_machine


def storage_of(request: Request) -> Storage:
    """The room that the server has for uploads."""
    found: Storage = request.app.state.storage
    return found


def _check_room(request: Request) -> None:
    """Raise StorageFull while nothing is uploaded; the user of this machine fills their own disk."""
    if not at_this_machine(request):
        storage_of(request).check_uploads()


ROOM = Depends(_check_room)
"""The dependency of a route that takes uploads."""
