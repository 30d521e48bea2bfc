"""Routes of friends: the accounts that an account follows, to follow one, and to unfollow it."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.friends import Friends
from fullprime.accounts.model import FriendList
from fullprime.accounts.ratings import RatingService
from fullprime.accounts.service import Accounts
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.web.rate_limits import RequestRate, TokenBuckets
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import AccountCaller
from fullprime.web.routes.values import ValueRoute

CHANGES = RequestRate(40, 1 / 30)
"""How often one account may follow and unfollow: each time a row is written under a lock."""

friends = APIRouter(prefix="/api/friends", tags=["friends"], responses=REFUSALS, route_class=ValueRoute)


def add_friends(app: FastAPI, people: Accounts, rating_service: RatingService) -> None:
    """Add the routes, the service that they stand on, and the count of changes."""
    app.state.friends, app.state.friend_changes = Friends(people, rating_service), TokenBuckets(CHANGES)
    app.include_router(friends)


def _friends(request: Request) -> Friends:
    service: Friends = request.app.state.friends
    return service


def _count_change(request: Request, account: int) -> None:
    """Count a change of the friends of an account; raises Refusal ("busy") where there are too many."""
    changes: TokenBuckets = request.app.state.friend_changes
    if not changes.take(str(account)):
        error = Refusal(Message("you have followed and unfollowed often: wait a minute"), "busy")
        error.retry_after = 60
        raise error


@friends.get("")
async def list_friends(caller: AccountCaller, request: Request) -> FriendList:
    """The accounts that the account follows, who of them is here, and their ratings. Its followers are not shown."""
    account = caller.require_scope("follow:read")
    return await run_in_threadpool(_friends(request).list_friends, account)


@friends.post("/{name}/follow", status_code=204)
async def follow_account(name: str, caller: AccountCaller, request: Request) -> None:
    """Follow an account that shows its profile: 200 at most. It is not asked and not told; again changes nothing."""
    account = caller.require_scope("follow:write")
    _count_change(request, account.id)
    await run_in_threadpool(_friends(request).follow, account, name)


@friends.post("/{name}/unfollow", status_code=204)
async def unfollow_account(name: str, caller: AccountCaller, request: Request) -> None:
    """Follow an account no more; one that is not followed stays so."""
    account = caller.require_scope("follow:write")
    _count_change(request, account.id)
    await run_in_threadpool(_friends(request).unfollow, account, name)
