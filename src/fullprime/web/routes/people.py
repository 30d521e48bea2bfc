"""Routes of people: accounts, browsers that are signed in, tokens, profiles, ratings."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, FastAPI, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.fields import GameList, Profile, RatingList
from fullprime.accounts.lobby import Lobby, epoch
from fullprime.accounts.profiles import Profiles
from fullprime.accounts.pushes import Pushes, PushOptions
from fullprime.accounts.ratings import Results, kinds
from fullprime.accounts.service import SCOPES, Account, People, SavedToken, digest
from fullprime.accounts.watch import Watch
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.server.rooms import Rooms
from fullprime.web.addresses import whom
from fullprime.web.guard import Buckets, RequestRate
from fullprime.web.models import people as models
from fullprime.web.pages import Page, page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.bots import board
from fullprime.web.routes.callers import KNOWN_BROWSER, SIGNED_IN, BrowserCaller, Caller, MaybeCaller
from fullprime.web.routes.lobby import challenges, lobby
from fullprime.web.routes.push import push_routes

accounts = APIRouter(prefix="/api/account", tags=["accounts"], responses=REFUSALS)
people = APIRouter(prefix="/api", tags=["people"], responses=REFUSALS)

_BY_NAME = RequestRate(10, 0.05)
"""The tries of the password of one account from one address, or in one browser that the account has used before; the
guard counts the tries of one address."""
_BY_STRANGERS = RequestRate(200, 0.1)
"""The tries of the password of one account by all browsers together that it has not used before."""


class Doors:
    """The tries of passwords, counted by name and address; a browser that the account knows is counted by itself.

    So nobody is locked out by the tries of others, whether they come from one address or from many.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._places, self._names = Buckets(_BY_NAME, clock), Buckets(_BY_STRANGERS, clock)

    def knock(self, name: str, address: str, known: str | None = None) -> None:
        """``known`` is the secret of a browser that the account knows. Raises Refusal ("busy") when too often."""
        name = name.casefold()
        if known is not None:
            allowed = self._places.take(f"{name} at {digest(known)}")
        else:
            allowed = self._places.take(f"{name} from {address}") and self._names.take(name)
        if not allowed:
            raise Refusal(Message("too many tries: wait a minute"), "busy")


def add_people(app: FastAPI, rooms: Rooms, database: str | None, push: PushOptions | None = None) -> None:
    """Give an application its people: the services that the routes here, in the lobby and for programs stand on."""
    state = app.state
    state.people, state.doors = People(database), Doors()
    state.watch = Watch(state.people.engine)
    results = Results(state.people, state.watch)
    state.pushes = Pushes(rooms, state.people.engine, push)
    state.lobby = Lobby(rooms, state.people, results, state.pushes)
    state.profiles = Profiles(results, state.lobby)
    rooms.tell_ends(to=state.lobby.settle)
    rooms.tell_turns(to=state.pushes.turned)
    state.lobby.settle()
    state.lobby.sweep()
    for router in (accounts, people, lobby, challenges, board, push_routes):
        app.include_router(router)
    app.get("/profile", include_in_schema=False)(show_profile)


def close_people(app: FastAPI) -> None:
    """Let go of the database."""
    app.state.pushes.close()
    app.state.lobby.close()
    app.state.people.close()


# -- accounts ---------------------------------------------------------------------------------------------------
def _me(account: Account | None, scopes: tuple[str, ...] | None = None) -> models.Me:
    if account is None:
        return models.Me(name=None, bot=False, public=False, scopes=None)
    kept = None if scopes is None else list(scopes)
    return models.Me(name=account.name, bot=account.bot, public=account.public, scopes=kept)


async def _sign_in(request: Request, response: Response, account: Account) -> models.Me:
    secret = await run_in_threadpool(_people(request).open_session, account)
    SIGNED_IN.give(request, response, secret)
    browser = _know_again(request, response)
    await run_in_threadpool(_watch(request).seen, account.id, whom(request.scope), browser)
    return _me(account)


def _know_again(request: Request, response: Response) -> str:
    """The secret by which a browser is known again: its own, or a new one."""
    browser = KNOWN_BROWSER.read(request) or secrets.token_urlsafe(24)
    KNOWN_BROWSER.give(request, response, browser)
    return browser


async def _knock(request: Request, name: str) -> None:
    """Count a try of the password of an account; raises Refusal when there are too many."""
    browser = KNOWN_BROWSER.read(request)
    known = await run_in_threadpool(_watch(request).knows, name, browser) if browser else False
    doors: Doors = request.app.state.doors
    doors.knock(name, whom(request.scope), browser if known else None)


def _watch(request: Request) -> Watch:
    found: Watch = request.app.state.watch
    return found


def _people(request: Request) -> People:
    found: People = request.app.state.people
    return found


@accounts.get("")
async def who_am_i(caller: MaybeCaller, request: Request, response: Response) -> models.Me:
    """The account of the browser or the token that asks, or nobody in particular."""
    if caller is not None and caller.session is not None and KNOWN_BROWSER.read(request) is None:
        browser = _know_again(request, response)
        await run_in_threadpool(_watch(request).seen, caller.account.id, whom(request.scope), browser)
    return _me(None) if caller is None else _me(caller.account, caller.scopes)


@accounts.post("/sign-up", status_code=201)
async def sign_up(asked: models.Credentials, request: Request, response: Response) -> models.Me:
    """Make an account, and sign this browser in. Names are public, so that a taken one is told."""
    await _knock(request, asked.name)
    account = await run_in_threadpool(_people(request).sign_up, asked.name, asked.password)
    return await _sign_in(request, response, account)


@accounts.post("/sign-in")
async def sign_in(asked: models.Credentials, request: Request, response: Response) -> models.Me:
    """Sign this browser in. A wrong name and a wrong password are told alike, after the same time."""
    await _knock(request, asked.name)
    account = await run_in_threadpool(_people(request).sign_in, asked.name, asked.password)
    return await _sign_in(request, response, account)


@accounts.post("/sign-out", status_code=204)
async def sign_out(asked: models.SignOut, caller: BrowserCaller, request: Request, response: Response) -> None:
    """Sign this browser out, or all of the account; with ``tokens`` all tokens are revoked too."""
    sign_out = _people(request).sign_out
    session = None if asked.everywhere else caller.session
    await run_in_threadpool(lambda: sign_out(caller.account, session, revoke=asked.tokens))
    SIGNED_IN.drop(request, response)


@accounts.post("/password", status_code=204)
async def change_password(asked: models.NewPassword, caller: BrowserCaller, request: Request) -> None:
    """Take another password; all other browsers are signed out. Tokens stay, unless ``tokens`` revokes them."""
    await _knock(request, caller.account.name)
    change = _people(request).change_password
    await run_in_threadpool(
        lambda: change(caller.account, asked.old, asked.new, session=caller.session, revoke=asked.tokens)
    )


@accounts.post("/profile", status_code=204)
async def change_profile(asked: models.Visibility, caller: BrowserCaller, request: Request) -> None:
    """Show the profile to others, or keep it private."""
    store = _people(request).store
    await run_in_threadpool(lambda: store.set_public(caller.account.id, public=asked.public))


@accounts.post("/bot", status_code=204)
async def become_bot(caller: BrowserCaller, request: Request) -> None:
    """Mark the account as that of a program, for good; only before its first game."""
    await run_in_threadpool(_people(request).make_bot, caller.account)


@accounts.post("/remove", status_code=204)
async def remove_account(
    asked: models.OnlyPassword, caller: BrowserCaller, request: Request, response: Response
) -> None:
    """Forget the account with its ratings and tokens; its games stay, under the names they were played with.

    Rated matches that it plays are left, and so lost.
    """
    await _knock(request, caller.account.name)
    profiles: Profiles = request.app.state.profiles
    await run_in_threadpool(profiles.remove, caller.account, asked.password)
    SIGNED_IN.drop(request, response)


# -- tokens -----------------------------------------------------------------------------------------------------
def _token(saved: SavedToken) -> models.Token:
    used = None if saved.used is None else epoch(saved.used)
    return models.Token(
        id=saved.id, name=saved.name, scopes=list(saved.scopes), created=epoch(saved.created), used=used
    )


@accounts.get("/tokens")
async def list_tokens(caller: BrowserCaller, request: Request) -> models.Tokens:
    """The tokens of the account; their secrets are not told again."""
    found = await run_in_threadpool(_people(request).store.tokens, caller.account.id)
    return models.Tokens(tokens=[_token(each) for each in found], known_scopes=SCOPES)


@accounts.post("/tokens", status_code=201)
async def make_token(asked: models.NewToken, caller: BrowserCaller, request: Request) -> models.MadeToken:
    """A token for a program, told only now."""
    make = _people(request).new_token
    saved, secret = await run_in_threadpool(make, caller.account, asked.name, asked.scopes)
    return models.MadeToken(**_token(saved).model_dump(), token=secret)


@accounts.post("/tokens/{token}/revoke", status_code=204)
async def revoke_token(token: int, caller: BrowserCaller, request: Request) -> None:
    """Make a token worthless."""
    await run_in_threadpool(_people(request).revoke_token, caller.account, token)


# -- games ------------------------------------------------------------------------------------------------------
@accounts.post("/claim")
async def claim_game(asked: models.Claim, caller: BrowserCaller, request: Request) -> models.Claimed:
    """Make a game that was begun as a guest a game of the account, by the key of the seat."""
    rooms: Rooms = request.app.state.rooms
    profiles: Profiles = request.app.state.profiles
    room = await run_in_threadpool(rooms.room, asked.game)
    side = await run_in_threadpool(profiles.claim, room, asked.key, caller.account)
    return models.Claimed.model_validate({"side": side})


def _viewer(caller: Caller | None) -> Account | None:
    """The account that reads; nobody in particular for a token that is not for reading what only the account sees."""
    return caller.account if caller is not None and caller.has("games:read") else None


@people.get("/users/{name}")
async def read_profile(name: str, caller: MaybeCaller, request: Request) -> Profile:
    """The games of an account, their results, and its ratings; of private games only the account itself sees."""
    profiles: Profiles = request.app.state.profiles
    account = await run_in_threadpool(_people(request).named, name)
    return await run_in_threadpool(profiles.profile, account, _viewer(caller))


async def show_profile(request: Request, name: str = "") -> Page:
    """The page of a profile; one's own without a name."""
    try:
        if name:
            await run_in_threadpool(_people(request).named, name)
    except Refusal:
        return page_file("people/profile.html", 404)
    return page_file("people/profile.html", 200)


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
    account = await run_in_threadpool(_people(request).named, name)
    return await run_in_threadpool(
        lambda: profiles.games(
            account, _viewer(caller), opponent=opponent, variant=variant, since=since, until=until, rated=rated,
            ended=ended, page=page,
        )
    )  # fmt: skip


@people.get("/ratings")
async def list_ratings(request: Request, kind: Annotated[str, Query(max_length=40)] = "backgammon:short") -> RatingList:
    """The highest ratings of a kind, none provisional, of accounts that show their profile and have played enough."""
    profiles: Profiles = request.app.state.profiles
    if kind not in kinds():
        raise Refusal(Message("there are no ratings of {kind}", kind=repr(kind[:40])), "missing")
    return {"kind": kind, "kinds": kinds(), "best": await run_in_threadpool(profiles.best, kind)}
