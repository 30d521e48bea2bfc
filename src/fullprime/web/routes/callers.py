"""The callers of the API: accounts by a browser's cookie or a program's token; seats by their keys or by accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from fullprime.accounts.profiles import Profiles
from fullprime.accounts.service import LASTING, SESSION, TOKEN, Account, People
from fullprime.accounts.watch import Watch
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.events import Seat
from fullprime.play.server.live_session import LiveSession
from fullprime.play.server.rooms import Room, Rooms
from fullprime.web.addresses import whom
from fullprime.web.connections.visits import know
from fullprime.web.routes.cookies import SecretCookie

COOKIE = "fullprime_session"
BROWSER_COOKIE = "fullprime_browser"
SIGNED_IN = SecretCookie(COOKIE, int(LASTING.total_seconds()), SESSION)
KNOWN_BROWSER = SecretCookie(BROWSER_COOKIE, 400 * 24 * 3600)
"""By it a browser is known again, also when it is signed out."""

_TOKEN_IN_DOCUMENT = HTTPBearer(
    auto_error=False, scheme_name="bearer", description="a personal token, or the key of a seat"
)


BEARER: dict[str, Any] = {"security": [{"bearer": []}]}
"""The same for the document of a route that reads the key itself."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with an account. ``scopes`` are those of the token; None for a browser, which may do everything."""

    account: Account
    scopes: tuple[str, ...] | None
    session: str | None

    def needs(self, *scopes: str) -> Account:
        """The account, if a token is good for one of these; raises Refusal."""
        if not self.has(*scopes):
            raise Refusal(Message("this token is not for {scopes}", scopes=" / ".join(scopes)), "forbidden")
        return self.account

    def has(self, *scopes: str) -> bool:
        """True if a token is good for one of these, and for a browser."""
        return self.scopes is None or bool(set(scopes) & set(self.scopes))

    @property
    def playing(self) -> str:
        """The scope of a token that plays with the account."""
        return "bot:play" if self.account.bot else "board:play"


def bearer(connection: HTTPConnection) -> str | None:
    """The text after ``Bearer`` in the header: a seat's key or a token."""
    kind, _, key = connection.headers.get("authorization", "").partition(" ")
    return key.strip() if kind.lower() == "bearer" and key.strip() else None


async def caller_of(connection: HTTPConnection) -> Caller | None:
    """The account that asks; None for a guest. Raises Refusal for a token that is none."""
    people: People = connection.app.state.people
    key = bearer(connection)
    if key is not None and key.startswith(TOKEN):
        found = await run_in_threadpool(people.of_token, key)
        if found is None:
            raise Refusal(Message("this token is not (or no longer) good"), "unknown")
        know(connection.scope)
        await _note(connection, found[0], None)
        return Caller(found[0], found[1], None)
    session = SIGNED_IN.read(connection)
    account = await run_in_threadpool(people.of_session, session) if session else None
    if account is None:
        return None
    know(connection.scope)
    await _note(connection, account, KNOWN_BROWSER.read(connection))
    return Caller(account, None, session)


async def _note(connection: HTTPConnection, account: Account, browser: str | None) -> None:
    """Note from where an account is used."""
    watch: Watch = connection.app.state.watch
    address = whom(connection.scope)
    if watch.is_new(account.id, address, browser):
        await run_in_threadpool(watch.seen, account.id, address, browser)


async def _maybe(request: Request, _documented: Annotated[Any, Depends(_TOKEN_IN_DOCUMENT)]) -> Caller | None:
    return await caller_of(request)


MaybeCaller = Annotated[Caller | None, Depends(_maybe)]


async def _somebody(caller: MaybeCaller) -> Caller:
    if caller is None:
        raise Refusal(Message("sign in first, or send a token"), "unknown")
    return caller


SomeCaller = Annotated[Caller, Depends(_somebody)]


async def _at_a_browser(caller: SomeCaller) -> Caller:
    if caller.session is None:
        raise Refusal(Message("a token does not open this: sign in with a browser"), "forbidden")
    return caller


BrowserCaller = Annotated[Caller, Depends(_at_a_browser)]


async def room_of(connection: HTTPConnection, game: str, key: str | None = None) -> Room:
    """The room of that id; raises Refusal where there is none."""
    rooms: Rooms = connection.app.state.rooms
    return Room(rooms, await rooms.service.get(game, key))


async def seat_for(
    connection: HTTPConnection, live: LiveSession, key: str | None, *, acting: bool = False
) -> Seat | None:
    """The seat that a key opens, or that belongs to the account that asks; None for a spectator.

    A token opens the seat of its account if it is one for playing, or, to read, one for reading games. Raises Refusal
    where it is not, with ``acting`` or where nobody may watch.
    """
    refused: Refusal | None = None
    try:
        seat = live.seat_of(key)
    except Refusal as error:
        seat, refused = None, error
    if seat is not None:
        if live.session.game is not None:  # to create a game makes nobody a player
            know(connection.scope)
        return seat
    caller = await caller_of(connection)
    if caller is not None:
        profiles: Profiles = connection.app.state.profiles
        seat = await run_in_threadpool(profiles.seat, live.session, caller.account)
        scopes = (caller.playing,) if acting else (caller.playing, "games:read")
        if seat is not None and not caller.has(*scopes):
            if acting or refused is not None:
                caller.needs(*scopes)
            seat = None
    if seat is None and refused is not None:
        raise refused
    return seat


# -- games and seats --------------------------------------------------------------------------------------------
async def _key(request: Request, _documented: Annotated[Any, Depends(_TOKEN_IN_DOCUMENT)]) -> str | None:
    return bearer(request)


Key = Annotated[str | None, Depends(_key)]


async def _room(game: str, request: Request, key: Key) -> Room:
    return await room_of(request, game, key)


InRoom = Annotated[Room, Depends(_room)]


async def _seat(room: InRoom, key: Key, request: Request) -> Seat | None:
    return await seat_for(request, room.live, key, acting=request.method != "GET")


Seated = Annotated[Seat | None, Depends(_seat)]
