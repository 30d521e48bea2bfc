"""Routes of accounts: logins, tokens, profiles, ratings."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.account_traces import AccountTraces
from fullprime.accounts.lobby import Lobby
from fullprime.accounts.model import (
    ClaimedSeat,
    GameList,
    MadeToken,
    OwnAccount,
    Profile,
    RatingList,
    SeatedAccounts,
    Tokens,
)
from fullprime.accounts.notifications import Notifications, PushOptions
from fullprime.accounts.overview import Overview
from fullprime.accounts.profiles import Profiles
from fullprime.accounts.ratings import RatingService, list_rating_kinds
from fullprime.accounts.seeks import Seeks
from fullprime.accounts.service import SCOPES, Account, Accounts, digest
from fullprime.common.refusals import Refusal
from fullprime.library.service import LibraryStore
from fullprime.messages import Message
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.pubsub import access_topic
from fullprime.web.addresses import client_key
from fullprime.web.models import accounts as models
from fullprime.web.pages import Page, page_file
from fullprime.web.rate_limits import RequestRate, TokenBuckets
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.bots import board
from fullprime.web.routes.callers import KNOWN_BROWSER, SIGNED_IN, BrowserCaller, Caller, InSession, MaybeCaller, Seated
from fullprime.web.routes.friends import add_friends
from fullprime.web.routes.lobby import add_lobby
from fullprime.web.routes.push import push_routes
from fullprime.web.routes.values import ValueRoute

accounts = APIRouter(prefix="/api/account", tags=["accounts"], responses=REFUSALS, route_class=ValueRoute)
people = APIRouter(prefix="/api", tags=["people"], responses=REFUSALS, route_class=ValueRoute)

_FROM_PLACE_RATE = RequestRate(10, 0.05)
"""Attempts at the password of one account from one address, or in one browser that the account has used before; the
middleware counts the attempts of one address."""
_ON_NAME_RATE = RequestRate(200, 0.1)
"""Attempts at the password of one account by all browsers together that it has not used before."""


class LoginThrottle:
    """The rate limit of password attempts, by name and address; a browser that the account knows has its own.

    So the attempts of others, from one address or from many, do not lock the owner of an account out.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._attempts_from_place = TokenBuckets(_FROM_PLACE_RATE, clock)
        self._attempts_on_name = TokenBuckets(_ON_NAME_RATE, clock)

    def count_attempt(self, name: str, address: str, known_browser: str | None = None) -> None:
        """Count an attempt; ``known_browser`` is the secret of a browser that the account knows.

        Raises Refusal ("busy") for one attempt too many.
        """
        name = name.casefold()
        if known_browser is not None:
            allowed = self._attempts_from_place.take(f"{name} at {digest(known_browser)}")
        else:
            allowed = self._attempts_from_place.take(f"{name} from {address}") and self._attempts_on_name.take(name)
        if not allowed:
            raise Refusal(Message("too many tries: wait a minute"), "busy")


def add_accounts(app: FastAPI, game_server: GameServer, database: str | None, push: PushOptions | None = None) -> None:
    """Add the services of accounts, and the routes that use them, to an application."""
    state = app.state
    state.accounts, state.login_throttle = Accounts(database), LoginThrottle()
    state.account_traces = AccountTraces(state.accounts.engine)
    rating_service = RatingService(state.accounts, state.account_traces)
    state.notifications = Notifications(game_server, state.accounts.engine, push, state.metrics.count_dropped)
    state.lobby = Lobby(game_server, state.accounts, rating_service, state.notifications)
    state.seeks = Seeks(state.lobby, game_server, rating_service)
    state.profiles = Profiles(rating_service, state.lobby)
    state.overview = Overview(game_server, rating_service, state.profiles)
    game_server.on_end, game_server.on_turn = state.lobby.settle, state.notifications.notify_turn
    state.lobby.settle()
    state.lobby.delete_expired()
    for router in (accounts, people, board, push_routes):
        app.include_router(router)
    add_lobby(app)
    add_friends(app, state.accounts, rating_service)
    app.get("/profile", include_in_schema=False)(show_profile)


def close_accounts(app: FastAPI) -> None:
    """Close the services of accounts."""
    app.state.notifications.close()
    app.state.lobby.close()
    app.state.accounts.close()


# -- accounts ---------------------------------------------------------------------------------------------------
def _me(account: Account, scopes: tuple[str, ...] | None = None) -> OwnAccount:
    return OwnAccount(name=account.name, bot=account.bot, public=account.public, scopes=scopes)


async def _sign_in(request: Request, response: Response, account: Account) -> OwnAccount:
    secret = await run_in_threadpool(_accounts(request).open_session, account)
    SIGNED_IN.set(request, response, secret)
    browser = _recognise_browser(request, response)
    await run_in_threadpool(_traces(request).note, account.id, client_key(request.scope), browser)
    return _me(account)


def _recognise_browser(request: Request, response: Response) -> str:
    """Give the browser a secret by which it is recognised: the one it has, or a new one."""
    browser = KNOWN_BROWSER.read(request) or secrets.token_urlsafe(24)
    KNOWN_BROWSER.set(request, response, browser)
    return browser


async def _count_attempt(request: Request, name: str) -> None:
    """Count an attempt at the password of an account; raises Refusal when there are too many."""
    browser = KNOWN_BROWSER.read(request)
    is_known = await run_in_threadpool(_traces(request).has, name, browser) if browser else False
    throttle: LoginThrottle = request.app.state.login_throttle
    throttle.count_attempt(name, client_key(request.scope), browser if is_known else None)


def _traces(request: Request) -> AccountTraces:
    traces: AccountTraces = request.app.state.account_traces
    return traces


def _accounts(request: Request) -> Accounts:
    accounts: Accounts = request.app.state.accounts
    return accounts


async def _close_revoked_streams(request: Request, account: Account) -> None:
    """Close the streams of an account, in all processes, whose session or token is no longer valid."""
    lobby: Lobby = request.app.state.lobby
    await run_in_threadpool(lobby.topics.publish, access_topic(account.id), {})


@accounts.get("")
async def who_am_i(caller: MaybeCaller, request: Request, response: Response) -> OwnAccount:
    """The account of the browser or the token that asks; without a name for a guest."""
    if caller is not None and caller.session is not None and KNOWN_BROWSER.read(request) is None:
        browser = _recognise_browser(request, response)
        await run_in_threadpool(_traces(request).note, caller.account.id, client_key(request.scope), browser)
    return OwnAccount() if caller is None else _me(caller.account, caller.scopes)


@accounts.post("/sign-up", status_code=201)
async def sign_up(body: models.Credentials, request: Request, response: Response) -> OwnAccount:
    """Make an account, and sign this browser in. Names are public, so that a taken one is told."""
    await _count_attempt(request, body.name)
    account = await run_in_threadpool(_accounts(request).sign_up, body.name, body.password)
    return await _sign_in(request, response, account)


@accounts.post("/sign-in")
async def sign_in(body: models.Credentials, request: Request, response: Response) -> OwnAccount:
    """Sign this browser in. A wrong name and a wrong password get the same answer, after the same time."""
    await _count_attempt(request, body.name)
    account = await run_in_threadpool(_accounts(request).sign_in, body.name, body.password)
    return await _sign_in(request, response, account)


@accounts.post("/sign-out", status_code=204)
async def sign_out(body: models.SignOut, caller: BrowserCaller, request: Request, response: Response) -> None:
    """Sign this browser out, or all of the account; with ``tokens`` all tokens are revoked too."""
    sign_out = _accounts(request).sign_out
    session = None if body.everywhere else caller.session
    await run_in_threadpool(lambda: sign_out(caller.account, session, revoke=body.tokens))
    await _close_revoked_streams(request, caller.account)
    SIGNED_IN.delete(request, response)


@accounts.post("/password", status_code=204)
async def change_password(body: models.NewPassword, caller: BrowserCaller, request: Request) -> None:
    """Take another password; all other browsers are signed out. Tokens stay, unless ``tokens`` revokes them."""
    await _count_attempt(request, caller.account.name)
    change = _accounts(request).change_password
    await run_in_threadpool(
        lambda: change(caller.account, body.old, body.new, session=caller.session, revoke=body.tokens)
    )
    await _close_revoked_streams(request, caller.account)


@accounts.post("/profile", status_code=204)
async def change_profile(body: models.Visibility, caller: BrowserCaller, request: Request) -> None:
    """Show the profile to others, or keep it private."""
    store = _accounts(request).store
    await run_in_threadpool(lambda: store.set_public(caller.account.id, public=body.public))


@accounts.post("/bot", status_code=204)
async def become_bot(caller: BrowserCaller, request: Request) -> None:
    """Mark the account as that of a program, for good; only before its first game."""
    await run_in_threadpool(_accounts(request).mark_as_bot, caller.account)


@accounts.post("/remove", status_code=204)
async def remove_account(
    body: models.OnlyPassword, caller: BrowserCaller, request: Request, response: Response
) -> None:
    """Forget the account with its ratings, tokens and library; its games stay, under the names they were played with.

    Rated matches that it plays are left, and so lost.
    """
    await _count_attempt(request, caller.account.name)
    profiles: Profiles = request.app.state.profiles
    await run_in_threadpool(profiles.delete_account, caller.account, body.password)
    await run_in_threadpool(LibraryStore(_accounts(request).engine, caller.account.id).clear)
    await _close_revoked_streams(request, caller.account)
    SIGNED_IN.delete(request, response)


# -- tokens -----------------------------------------------------------------------------------------------------
@accounts.get("/tokens")
async def list_tokens(caller: BrowserCaller, request: Request) -> Tokens:
    """The tokens of the account; their secrets are not told again."""
    tokens = await run_in_threadpool(_accounts(request).store.list_tokens, caller.account.id)
    return Tokens(tuple(tokens), SCOPES)


@accounts.post("/tokens", status_code=201)
async def make_token(body: models.NewToken, caller: BrowserCaller, request: Request) -> MadeToken:
    """A token for a program, told only now."""
    make = _accounts(request).create_token
    return MadeToken(*await run_in_threadpool(make, caller.account, body.name, body.scopes))


@accounts.post("/tokens/{token}/revoke", status_code=204)
async def revoke_token(token: int, caller: BrowserCaller, request: Request) -> None:
    """Make a token worthless."""
    await run_in_threadpool(_accounts(request).revoke_token, caller.account, token)
    await _close_revoked_streams(request, caller.account)


# -- games ------------------------------------------------------------------------------------------------------
@accounts.post("/claim")
async def claim_game(body: models.Claim, caller: BrowserCaller, request: Request) -> ClaimedSeat:
    """Make a game that was begun as a guest a game of the account, by the key of the seat."""
    game_server: GameServer = request.app.state.game_server
    profiles: Profiles = request.app.state.profiles
    handle = await run_in_threadpool(game_server.get_handle, body.game)
    return ClaimedSeat(await run_in_threadpool(profiles.claim_game, handle, body.key, caller.account))


def _viewer(caller: Caller | None) -> Account | None:
    """The account that reads; None for a token without the scope for what only the account sees."""
    return caller.account if caller is not None and caller.has_scope("games:read") else None


@people.get("/users/{name}")
async def read_profile(name: str, caller: MaybeCaller, request: Request) -> Profile:
    """The games of an account, their results, and its ratings; of private games only the account itself sees."""
    profiles: Profiles = request.app.state.profiles
    account = await run_in_threadpool(_accounts(request).get_by_name, name)
    return await run_in_threadpool(profiles.get_profile, account, _viewer(caller))


async def show_profile(request: Request, name: str = "") -> Page:
    """The page of a profile; one's own without a name."""
    try:
        if name:
            await run_in_threadpool(_accounts(request).get_by_name, name)
    except Refusal:
        return page_file("accounts/profile.html", 404)
    return page_file("accounts/profile.html", 200)


@people.get("/games/{game}/people")
async def read_people(handle: InSession, seat: Seated, request: Request) -> SeatedAccounts:
    """The accounts at the board with their ratings of what is played, and the changes of these once it is over."""
    profiles: Profiles = request.app.state.profiles
    return await run_in_threadpool(profiles.get_seated_accounts, handle.session, seat)


Text = Annotated[str | None, Query(max_length=40)]


@people.get("/users/{name}/games")
async def list_games(
    name: str,
    caller: MaybeCaller,
    request: Request,
    *,
    opponent: Annotated[str | None, Query(max_length=40, description="a part of the other player's name")] = None,
    variant: Text = None,
    since: Annotated[str | None, Query(max_length=10, description="the first day, as 2026-11-21 (UTC)")] = None,
    until: Annotated[str | None, Query(max_length=10, description="the last day")] = None,
    rated: bool | None = None,
    ended: Annotated[bool | None, Query(description="only games that are over, or only others")] = None,
    page: Annotated[int, Query(ge=1, le=10_000)] = 1,
) -> GameList:
    """The games of an account, a hundred a page; those of others as far as they may be watched."""
    profiles: Profiles = request.app.state.profiles
    account = await run_in_threadpool(_accounts(request).get_by_name, name)
    return await run_in_threadpool(
        lambda: profiles.list_games(
            account, _viewer(caller), opponent=opponent, variant=variant, since=since, until=until, rated=rated,
            ended=ended, page=page,
        )
    )  # fmt: skip


@people.get("/ratings")
async def list_ratings(request: Request, kind: Annotated[str, Query(max_length=40)] = "backgammon:short") -> RatingList:
    """The highest ratings of a kind, none provisional, of accounts that show their profile."""
    profiles: Profiles = request.app.state.profiles
    if kind not in list_rating_kinds():
        raise Refusal(Message("there are no ratings of {kind}", kind=repr(kind[:40])), "missing")
    return RatingList(kind, tuple(list_rating_kinds()), await run_in_threadpool(profiles.list_best, kind))
