"""The callers of the API: accounts by a browser's cookie or a program's token; seats by their keys or by accounts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from fullprime.accounts.account_traces import AccountTraces
from fullprime.accounts.lobby import Lobby
from fullprime.accounts.profiles import Profiles
from fullprime.accounts.service import LASTING, SESSION, TOKEN, Account, Accounts
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.events import Seat
from fullprime.play.server.game_server import GameServer
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.live_session import LiveSession
from fullprime.play.server.pubsub import access_topic
from fullprime.web.addresses import client_key
from fullprime.web.connections.registry import mark_as_known
from fullprime.web.routes.cookies import SecretCookie
from fullprime.web.streams import Access

COOKIE = "fullprime_session"
BROWSER_COOKIE = "fullprime_browser"
SIGNED_IN = SecretCookie(COOKIE, int(LASTING.total_seconds()), SESSION)
KNOWN_BROWSER = SecretCookie(BROWSER_COOKIE, 400 * 24 * 3600)
"""The cookie by which a browser is recognised, also when it is signed out."""

_TOKEN_IN_DOCUMENT = HTTPBearer(
    auto_error=False, scheme_name="bearer", description="a personal token, or the key of a seat"
)


BEARER: dict[str, Any] = {"security": [{"bearer": []}]}
"""The same for the document of a route that reads the key itself."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller with an account. ``scopes`` are those of the token; None for a browser, which may do everything."""

    account: Account
    scopes: tuple[str, ...] | None
    session: str | None

    def require_scope(self, *scopes: str) -> Account:
        """Require a token to have one of these scopes; gives the account. Raises Refusal."""
        if not self.has_scope(*scopes):
            raise Refusal(Message("this token is not for {scopes}", scopes=" / ".join(scopes)), "forbidden")
        return self.account

    def has_scope(self, *scopes: str) -> bool:
        """True if a token has one of these scopes, and for a browser."""
        return self.scopes is None or bool(set(scopes) & set(self.scopes))

    @property
    def play_scope(self) -> str:
        """The scope of a token that plays with the account."""
        return "bot:play" if self.account.bot else "board:play"


def bearer(connection: HTTPConnection) -> str | None:
    """The text after ``Bearer`` in the header: a seat's key or a token."""
    kind, _, key = connection.headers.get("authorization", "").partition(" ")
    return key.strip() if kind.lower() == "bearer" and key.strip() else None


async def caller_of(connection: HTTPConnection) -> Caller | None:
    """Find the account that sends a request; None for a guest. Raises Refusal for a text that is no token."""
    accounts: Accounts = connection.app.state.accounts
    key = bearer(connection)
    if key is not None and key.startswith(TOKEN):
        owner = await run_in_threadpool(accounts.find_by_token, key)
        if owner is None:
            raise Refusal(Message("this token is not (or no longer) good"), "unknown")
        mark_as_known(connection.scope)
        await _note(connection, owner[0], None)
        return Caller(owner[0], owner[1], None)
    session = SIGNED_IN.read(connection)
    account = await run_in_threadpool(accounts.find_by_session, session) if session else None
    if account is None:
        return None
    mark_as_known(connection.scope)
    await _note(connection, account, KNOWN_BROWSER.read(connection))
    return Caller(account, None, session)


async def _note(connection: HTTPConnection, account: Account, browser: str | None) -> None:
    """Note the address and browser with which an account is used."""
    traces: AccountTraces = connection.app.state.account_traces
    address = client_key(connection.scope)
    if traces.is_new(account.id, address, browser):
        await run_in_threadpool(traces.note, account.id, address, browser)


def _make_access(connection: HTTPConnection, caller: Caller) -> Access:
    """Make the right of a caller to a stream."""

    async def is_valid() -> bool:
        try:
            now = await caller_of(connection)
        except Refusal:
            return False
        return now is not None and now.account.id == caller.account.id

    lobby: Lobby = connection.app.state.lobby
    topic = access_topic(caller.account.id)
    return Access(is_valid, partial(lobby.topics.subscribe, topic), partial(lobby.topics.unsubscribe, topic))


def refuse_token(caller: Caller | None) -> None:
    """Raise Refusal for a token, where browsers alone are welcome."""
    if caller is not None and caller.session is None:
        raise Refusal(Message("a token does not open this: sign in with a browser"), "forbidden")


async def _maybe(request: Request, _documented: Annotated[Any, Depends(_TOKEN_IN_DOCUMENT)]) -> Caller | None:
    return await caller_of(request)


MaybeCaller = Annotated[Caller | None, Depends(_maybe)]


async def _require_account(caller: MaybeCaller) -> Caller:
    if caller is None:
        raise Refusal(Message("sign in first, or send a token"), "unknown")
    return caller


AccountCaller = Annotated[Caller, Depends(_require_account)]


async def _require_browser(caller: AccountCaller) -> Caller:
    refuse_token(caller)
    return caller


BrowserCaller = Annotated[Caller, Depends(_require_browser)]


async def _access(caller: AccountCaller, request: Request) -> Access:
    return _make_access(request, caller)


CallerAccess = Annotated[Access, Depends(_access)]
"""The right of the caller to a stream."""


async def handle_of(connection: HTTPConnection, game: str, key: str | None = None) -> SessionHandle:
    """Get the session of that id; raises Refusal where there is none."""
    game_server: GameServer = connection.app.state.game_server
    return SessionHandle(game_server, await game_server.service.get(game, key))


async def seat_for(
    connection: HTTPConnection, live: LiveSession, key: str | None, *, acting: bool = False
) -> Seat | None:
    """Find the seat of a key, or else of the account that sends the request; None for a spectator.

    A token opens the seat of its account if it is one for playing, or, to read, one for reading games. Raises Refusal
    where it is not, if ``acting`` is true or the game has no spectators.
    """
    return (await _find_seat(connection, live, key, acting=acting))[0]


async def find_seat_and_access(
    connection: HTTPConnection, live: LiveSession, key: str | None
) -> tuple[Seat | None, Access | None]:
    """Find a seat to read as :func:`seat_for` does, and the right by which an account has it; None for that of a key.

    For streams, which end when the right is revoked.
    """
    seat, caller = await _find_seat(connection, live, key, acting=False)
    return seat, None if caller is None else _make_access(connection, caller)


async def _find_seat(
    connection: HTTPConnection, live: LiveSession, key: str | None, *, acting: bool
) -> tuple[Seat | None, Caller | None]:
    """Find a seat, and the account that has it where no key opens it."""
    refused: Refusal | None = None
    try:
        seat = live.seat_of(key)
    except Refusal as error:
        seat, refused = None, error
    if seat is not None:
        if live.session.game is not None:  # creating a game alone makes no player
            mark_as_known(connection.scope)
        return seat, None
    caller = await caller_of(connection)
    if caller is not None:
        profiles: Profiles = connection.app.state.profiles
        seat = await run_in_threadpool(profiles.find_seat, live.session, caller.account)
        scopes = (caller.play_scope,) if acting else (caller.play_scope, "games:read")
        if seat is not None and not caller.has_scope(*scopes):
            if acting or refused is not None:
                caller.require_scope(*scopes)
            seat = None
    if seat is None and refused is not None:
        raise refused
    return seat, None if seat is None else caller


# -- games and seats --------------------------------------------------------------------------------------------
async def _key(request: Request, _documented: Annotated[Any, Depends(_TOKEN_IN_DOCUMENT)]) -> str | None:
    return bearer(request)


Key = Annotated[str | None, Depends(_key)]


async def _handle(game: str, request: Request, key: Key) -> SessionHandle:
    return await handle_of(request, game, key)


InSession = Annotated[SessionHandle, Depends(_handle)]


async def _seat(handle: InSession, key: Key, request: Request) -> Seat | None:
    return await seat_for(request, handle.live, key, acting=request.method != "GET")


Seated = Annotated[Seat | None, Depends(_seat)]


async def _seat_and_access(handle: InSession, key: Key, request: Request) -> tuple[Seat | None, Access | None]:
    return await find_seat_and_access(request, handle.live, key)


SeatedWithAccess = Annotated[tuple[Seat | None, Access | None], Depends(_seat_and_access)]
"""The seat of who reads, and the right of an account to it."""
