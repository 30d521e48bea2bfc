"""Routes of push messages: a browser asks to be told, is told no more, or has got another address."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.pushes import PushAddress, Pushes, PushOwner
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.table.events import SIDES
from fullprime.web.languages import language_of
from fullprime.web.models import push as models
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import Caller, MaybeCaller, bearer, room_of, seat_for

push_routes = APIRouter(prefix="/api/push", tags=["push"], responses=REFUSALS)


def _pushes(request: Request) -> Pushes:
    found: Pushes = request.app.state.pushes
    return found


async def _no_program(caller: MaybeCaller) -> Caller | None:
    """A browser that is signed in, or a guest's."""
    if caller is not None and caller.session is None:
        raise Refusal(Message("a token does not open this: sign in with a browser"), "forbidden")
    return caller


InBrowser = Annotated[Caller | None, Depends(_no_program)]


async def _owner(request: Request, game: str | None, caller: Caller | None) -> PushOwner:
    """Whose messages are asked for: the account's that is signed in, or those of a seat, by its key."""
    account, session = (None, None) if caller is None else (caller.account.id, caller.session)
    room, seat = None, None
    if game is not None:
        key = bearer(request)
        room = await room_of(request, game, key)
        seat = await seat_for(request, room.live, key, acting=True)
    side = seat if seat in SIDES else None
    return await run_in_threadpool(_pushes(request).owner, room, side, account, session)


@push_routes.get("")
async def read_key(request: Request) -> models.PushKey:
    """The key with which a browser subscribes; null where this server sends no push messages."""
    pushes = _pushes(request)
    return models.PushKey(key=await run_in_threadpool(lambda: pushes.public_key))


@push_routes.post("/subscribe", status_code=204)
async def subscribe(asked: models.Subscribe, request: Request, caller: InBrowser) -> None:
    """Have a browser be told: of all games by correspondence and challenges of the account, or of one seat by its key.

    When this answers, it is stored. It ends when the account is signed out in that browser.
    """
    owner, origin = await _owner(request, asked.game, caller), request.headers.get("origin")
    known_at = origin if origin is not None and origin.startswith("https://") else None
    to = asked.browser
    keep = _pushes(request).subscribe
    language = language_of(request)
    await run_in_threadpool(lambda: keep(owner, to.endpoint, to.keys.p256dh, to.keys.auth, known_at, language))


@push_routes.post("/state")
async def read_state(asked: models.Subscribe, request: Request, caller: InBrowser) -> models.PushState:
    """True if that browser is told."""
    owner = await _owner(request, asked.game, caller)
    is_told, language = _pushes(request).is_told, language_of(request)
    return models.PushState(on=await run_in_threadpool(is_told, owner, _address(asked.browser), language))


@push_routes.post("/unsubscribe", status_code=204)
async def unsubscribe(asked: models.Unsubscribe, request: Request) -> None:
    """Tell a browser nothing more, of any game. Its own secret is enough: nobody needs to be signed in."""
    await run_in_threadpool(_pushes(request).unsubscribe, _address(asked.browser))


@push_routes.post("/renew", status_code=204)
async def renew(asked: models.Renew, request: Request) -> None:
    """A browser's push service has given it another address; what it knew before proves that it is the same."""
    new = asked.browser
    take = _pushes(request).renew
    await run_in_threadpool(lambda: take(_address(asked.before), new.endpoint, new.keys.p256dh, new.keys.auth))


def _address(browser: models.PushBrowser) -> PushAddress:
    return PushAddress(browser.endpoint, browser.keys.p256dh, browser.keys.auth)
