"""The library of a request: that of this machine for its user, else that of the account that asks."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from fullprime.accounts.service import Accounts
from fullprime.common.refusals import Refusal
from fullprime.library.service import LibraryStore
from fullprime.messages import Message
from fullprime.web.routes.callers import MaybeCaller, refuse_token
from fullprime.web.routes.local_user import is_local_user
from fullprime.web.routes.storage_limit import storage_of


async def _library(request: Request, caller: MaybeCaller) -> LibraryStore:
    people: Accounts = request.app.state.accounts
    refuse_token(caller)
    if is_local_user(request):
        return LibraryStore(people.engine)
    if caller is None:
        raise Refusal(Message("sign in first: a library belongs to an account"), "unknown")
    return LibraryStore(people.engine, caller.account.id, storage_of(request).check_growth)


Library = Annotated[LibraryStore, Depends(_library)]
"""The library of the caller."""
