"""Routes of push messages: a browser subscribes, unsubscribes, or has got another address."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.notifications import Notifications, PushAddress, PushOwner
from fullprime.play.table.table_events import SIDES
from fullprime.web.languages import language_of
from fullprime.web.models import push as models
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import Caller, MaybeCaller, bearer, handle_of, refuse_token, seat_for

push_routes = APIRouter(prefix="/api/push", tags=["push"], responses=REFUSALS)


def _pushes(request: Request) -> Notifications:
    notifications: Notifications = request.app.state.notifications
    return notifications


async def _no_program(caller: MaybeCaller) -> Caller | None:
    """A browser that is signed in, or a guest's."""
    refuse_token(caller)
    return caller


InBrowser = Annotated[Caller | None, Depends(_no_program)]


async def _owner(request: Request, game: str | None, caller: Caller | None) -> PushOwner:
    """The owner of the messages: the account that is signed in, or a seat, by its key."""
    account, session = (None, None) if caller is None else (caller.account.id, caller.session)
    handle, seat = None, None
    if game is not None:
        key = bearer(request)
        handle = await handle_of(request, game, key)
        seat = await seat_for(request, handle.live, key, acting=True)
    side = seat if seat in SIDES else None
    return await run_in_threadpool(_pushes(request).get_owner, handle, side, account, session)


@push_routes.get("")
async def read_key(request: Request) -> models.PushKey:
    """The key with which a browser subscribes; null where this server sends no push messages."""
    pushes = _pushes(request)
    return models.PushKey(key=await run_in_threadpool(lambda: pushes.public_key))


@push_routes.post("/subscribe", status_code=204)
async def subscribe(body: models.Subscribe, request: Request, caller: InBrowser) -> None:
    """Have a browser be told: of all games by correspondence and challenges of the account, or of one seat by its key.

    When this answers, it is stored. It ends when the account is signed out in that browser.
    """
    owner, origin = await _owner(request, body.game, caller), request.headers.get("origin")
    known_at = origin if origin is not None and origin.startswith("https://") else None
    to = body.browser
    keep = _pushes(request).subscribe
    language = language_of(request)
    await run_in_threadpool(lambda: keep(owner, to.endpoint, to.keys.p256dh, to.keys.auth, known_at, language))


@push_routes.post("/state")
async def read_state(body: models.Subscribe, request: Request, caller: InBrowser) -> models.PushState:
    """True if that browser is told."""
    owner = await _owner(request, body.game, caller)
    is_subscribed, language = _pushes(request).is_subscribed, language_of(request)
    return models.PushState(on=await run_in_threadpool(is_subscribed, owner, _address(body.browser), language))


@push_routes.post("/unsubscribe", status_code=204)
async def unsubscribe(body: models.Unsubscribe, request: Request) -> None:
    """Tell a browser nothing more, of any game. Its own secret is enough, without an account."""
    await run_in_threadpool(_pushes(request).unsubscribe, _address(body.browser))


@push_routes.post("/renew", status_code=204)
async def renew(body: models.Renew, request: Request) -> None:
    """A browser's push service has given it another address; what it knew before proves that it is the same."""
    new = body.browser
    take = _pushes(request).replace_address
    await run_in_threadpool(lambda: take(_address(body.before), new.endpoint, new.keys.p256dh, new.keys.auth))


def _address(browser: models.PushBrowser) -> PushAddress:
    return PushAddress(browser.endpoint, browser.keys.p256dh, browser.keys.auth)
