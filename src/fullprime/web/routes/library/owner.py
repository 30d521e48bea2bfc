"""Whose library a request is about: that of this machine for who sits at it, else that of the account that asks."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from fullprime.accounts.service import People
from fullprime.common.refusals import Refusal
from fullprime.library.service import LibraryStore
from fullprime.web.routes.callers import MaybeCaller
from fullprime.web.routes.own_machine import at_this_machine


async def _library(request: Request, caller: MaybeCaller) -> LibraryStore:
    people: People = request.app.state.people
    if caller is not None and caller.session is None:
        raise Refusal("a token does not open this: sign in with a browser", "forbidden")
    if at_this_machine(request):
        return LibraryStore(people.engine)
    if caller is None:
        raise Refusal("sign in first: a library belongs to an account", "unknown")
    return LibraryStore(people.engine, shelf=caller.account.id)


Library = Annotated[LibraryStore, Depends(_library)]
"""The library of whoever asks."""
