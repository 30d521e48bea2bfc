"""Routes of the lobby: open challenges and those to one account, and the stream of an account's news."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.lobby import Lobby
from fullprime.accounts.model import (
    AcceptedChallenge,
    AccountMessage,
    ChallengeMessage,
    GameMessage,
    LobbyMessage,
    LobbyNow,
    MadeChallenge,
    MyChallenges,
    OpenChallenges,
    Pools,
    Seek,
)
from fullprime.accounts.overview import Overview
from fullprime.accounts.pairing import Pool
from fullprime.accounts.profiles import Profiles
from fullprime.accounts.seeks import Seeks
from fullprime.accounts.service import Account, Accounts
from fullprime.common.json_values import to_json
from fullprime.common.networks import site_of
from fullprime.common.refusals import Refusal
from fullprime.messages import Message, render_all
from fullprime.play.server import pubsub
from fullprime.play.server.game_server import GameServer
from fullprime.web.addresses import client_key
from fullprime.web.languages import language_of
from fullprime.web.models import accounts as models
from fullprime.web.models.described import answer_with
from fullprime.web.rate_limits import RequestRate, TokenBuckets
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import AccountCaller, Caller, CallerAccess, Key, MaybeCaller, bearer
from fullprime.web.routes.values import ValueRoute
from fullprime.web.streams import JsonLinesResponse, encode_json_line, open_mailbox, stream_lines, unchanged

_WAIT = 60
"""Seconds after which one more challenge to an account is allowed."""
_TO_ONE = RequestRate(10, 1 / _WAIT)
"""The rate at which one account, or the guests of one address, may challenge the same account. Each challenge notifies
it at once, on its telephone too, and may be withdrawn and made again."""
_TO_ONE_FROM_ADDRESS = RequestRate(30, 1 / _WAIT)
"""The rate at which all accounts at one address may challenge the same one, as a class may challenge its teacher; and
all guests of one site of IPv6."""

lobby = APIRouter(prefix="/api/lobby", tags=["lobby"], responses=REFUSALS, route_class=ValueRoute)
challenges = APIRouter(prefix="/api", tags=["challenges"], responses=REFUSALS, route_class=ValueRoute)


def _lobby(request: Request) -> Lobby:
    lobby: Lobby = request.app.state.lobby
    return lobby


async def _challenge(
    request: Request, body: models.NewChallenge, caller: Caller | None, target: str | None = None
) -> MadeChallenge:
    people: Accounts = request.app.state.accounts
    creator = None if caller is None else caller.require_scope("challenge:write")
    account = None if target is None else await run_in_threadpool(people.get_by_name, target)
    address = client_key(request.scope) if request.app.state.counts_addresses else None
    make = partial(_lobby(request).challenge, creator, target=account, address=address, **body.model_dump())
    with _counting(request, address, creator, account):
        challenge, key, invitation = await run_in_threadpool(make)
    commitment = await run_in_threadpool(_commitment, request, challenge.game)
    return MadeChallenge(render_all(challenge, language_of(request)), key, invitation, commitment)


@contextmanager
def _counting(request: Request, address: str | None, creator: Account | None, target: Account | None) -> Iterator[None]:
    """Count a challenge to one account, unless it fails; raises Refusal ("busy") where there were too many."""
    if address is None or target is None:
        yield
        return
    often = Message("this account has been challenged often from your address: wait a minute")
    if creator is None:
        counts = [(_rates(request)[0], f"{address} to {target.id}", often)]
        if (site := site_of(address)) != address:
            counts.append((_rates(request)[1], f"{site} to {target.id}", often))
    else:
        own = Message("you have challenged this account often: wait a minute")
        counts = [
            (_rates(request)[0], f"account {creator.id} to {target.id}", own),
            (_rates(request)[1], f"{address} to {target.id}", often),
        ]
    with ExitStack() as taken:
        for rate, pair, words in counts:
            if not rate.take(pair):
                error = Refusal(words, "busy")
                error.retry_after = _WAIT
                raise error
            taken.callback(rate.give_back, pair)
        yield
        taken.pop_all()


def _rates(request: Request) -> tuple[TokenBuckets, TokenBuckets]:
    """The counts of challenges to single accounts: by account or address of guests, and of accounts by address."""
    rates: tuple[TokenBuckets, TokenBuckets] = request.app.state.challenged
    return rates


def add_lobby(app: FastAPI) -> None:
    """Add the routes, and the count of challenges to accounts."""
    app.state.challenged = TokenBuckets(_TO_ONE), TokenBuckets(_TO_ONE_FROM_ADDRESS)
    app.include_router(lobby)
    app.include_router(challenges)


def _commitment(request: Request, game: str) -> str:
    game_server: GameServer = request.app.state.game_server
    return game_server.get_handle(game).commitment


# -- the lobby --------------------------------------------------------------------------------------------------
@lobby.get("")
async def list_challenges(request: Request) -> OpenChallenges:
    """The challenges to everybody, the latest first."""
    return OpenChallenges(render_all(await run_in_threadpool(_lobby(request).list_open), language_of(request)))


@lobby.post("", status_code=201)
async def challenge_everybody(body: models.NewChallenge, request: Request, caller: MaybeCaller) -> MadeChallenge:
    """Make a challenge to everybody. The game waits for the player who accepts it, or who comes by the link."""
    return await _challenge(request, body, caller)


@lobby.get(
    "/stream",
    response_class=JsonLinesResponse,
    responses={200: {"model": answer_with(LobbyMessage), "description": "lines of JSON"}},
)
async def stream_lobby(request: Request) -> JsonLinesResponse:
    """The list of challenges as a line of JSON (``type`` ``lobby``), and again whenever it changes.

    ``gone`` is the id of a challenge that was accepted or withdrawn. A blank line comes when nothing has happened for a
    while.
    """
    service, language = _lobby(request), language_of(request)

    async def write_lines() -> AsyncIterator[bytes]:
        join, leave = (partial(do, pubsub.LOBBY) for do in (service.topics.subscribe, service.topics.unsubscribe))
        async with open_mailbox(join, leave, unchanged) as mailbox:
            yield encode_json_line(to_json(render_all(await run_in_threadpool(service.build_message), language)))
            async for message in mailbox.read():
                if message is None:
                    yield b"\n"
                    continue
                lobby_now = await run_in_threadpool(service.build_message, message.get("gone"))
                yield encode_json_line(to_json(render_all(lobby_now, language)))

    return stream_lines(write_lines())


# -- pairing ----------------------------------------------------------------------------------------------------
def _seeks(request: Request) -> Seeks:
    seeks: Seeks = request.app.state.seeks
    return seeks


@lobby.get("/now")
async def read_lobby(request: Request) -> LobbyNow:
    """The people who are there, games that everybody may watch, and the leaders; some seconds old at most."""
    overview: Overview = request.app.state.overview
    return await run_in_threadpool(overview.get_lobby)


@lobby.get("/pools")
async def list_pools(request: Request) -> Pools:
    """The pools in which people are paired by their ratings, with those who wait and play in each."""
    return Pools(await run_in_threadpool(_seeks(request).list_pools))


@lobby.post("/seek")
async def seek_opponent(body: models.NewSeek, request: Request, caller: MaybeCaller) -> Seek:
    """Sit down opposite a person of a near rating who waits for the same match, or wait for one.

    A seek that waits is withdrawn as a challenge is. It lapses when its game does not ask to renew it for a minute; one
    with days for each turn stands for a day, that of a guest for an hour.
    """
    account = None if caller is None else caller.require_scope("challenge:write")
    address = client_key(request.scope) if request.app.state.counts_addresses else None
    pool = Pool(body.length, body.clock, body.rated)
    look = partial(_seeks(request).seek, account, pool, name=body.name, address=address)
    return render_all(await run_in_threadpool(look), language_of(request))


@lobby.post("/seek/{game}/renew")
async def renew_seek(game: str, request: Request, key: Key) -> Seek:
    """Keep a seek up, by the key of the seat, and look again among more ratings: the longer it waits, the more."""
    return render_all(await run_in_threadpool(_seeks(request).renew, game, key), language_of(request))


# -- challenges -------------------------------------------------------------------------------------------------
@challenges.get("/challenge")
async def my_challenges(request: Request, caller: AccountCaller) -> MyChallenges:
    """Challenges meant for the account, and those it has made."""
    account = caller.require_scope("challenge:read")
    return render_all(await run_in_threadpool(_lobby(request).list_for_account, account), language_of(request))


@challenges.post("/challenge/{name}", status_code=201)
async def challenge_account(
    name: str, body: models.NewChallenge, request: Request, caller: MaybeCaller
) -> MadeChallenge:
    """Challenge one account; it is told in its stream of events and on its pages."""
    return await _challenge(request, body, caller, name)


@challenges.post("/challenge/{challenge}/accept")
async def accept_challenge(
    challenge: str, body: models.Accept, request: Request, caller: MaybeCaller
) -> AcceptedChallenge:
    """Take the free seat. The game begins when both have added to the seed of the dice."""
    account = None if caller is None else caller.require_scope("challenge:write")
    handle, key = await run_in_threadpool(_lobby(request).accept, challenge, account, body.name)
    return AcceptedChallenge(handle.id, key, handle.commitment)


@challenges.post("/challenge/{challenge}/decline", status_code=204)
async def decline_challenge(challenge: str, request: Request, caller: AccountCaller) -> None:
    """Say no to a challenge that is meant for the account."""
    await run_in_threadpool(_lobby(request).decline, challenge, caller.require_scope("challenge:write"))


@challenges.post("/challenge/{challenge}/cancel", status_code=204)
async def cancel_challenge(challenge: str, request: Request, caller: MaybeCaller) -> None:
    """Withdraw a challenge: by the account that made it or, for a guest, by the key of the seat."""
    account = None if caller is None else caller.require_scope("challenge:write")
    await run_in_threadpool(_lobby(request).withdraw, challenge, account, bearer(request))


# -- what concerns an account -----------------------------------------------------------------------------------
@challenges.get(
    "/stream/event",
    response_class=JsonLinesResponse,
    responses={200: {"model": answer_with(AccountMessage), "description": "lines of JSON"}},
)
async def stream_events(request: Request, caller: AccountCaller, access: CallerAccess) -> JsonLinesResponse:
    """The news of the account, a line of JSON each: first its games that are not over and the challenges to it.

    ``type`` is ``gameStart`` and ``gameFinish`` (with ``game``), ``challenge``, ``challengeCanceled`` and
    ``challengeDeclined`` (with ``challenge``). A blank line comes when nothing has happened for seven seconds.
    """
    account = caller.require_scope("challenge:read")
    lobby, language = _lobby(request), language_of(request)
    profiles: Profiles = request.app.state.profiles
    topic = pubsub.account_topic(account.id)

    def now() -> Any:
        games = (GameMessage("gameStart", game) for game in profiles.list_unfinished(account))
        challenges = (
            ChallengeMessage("challenge", challenge) for challenge in lobby.list_for_account(account).incoming
        )
        return to_json((*games, *challenges))

    async def write_lines() -> AsyncIterator[bytes]:
        join, leave = (partial(do, topic) for do in (lobby.topics.subscribe, lobby.topics.unsubscribe))
        async with open_mailbox(join, leave, unchanged, access=access) as mailbox:
            first = await run_in_threadpool(now)
            for event in first:
                yield encode_json_line(render_all(event, language))
            sent = {_message_key(event) for event in first}
            async for message in mailbox.read():
                if message is None:
                    yield b"\n"
                elif _message_key(message) in sent:
                    sent.remove(_message_key(message))  # it came while the first ones were read, and is among them
                else:
                    yield encode_json_line(render_all(message, language))

    return stream_lines(write_lines())


def _message_key(event: Mapping[str, Any]) -> tuple[str, str]:
    """The kind of a message to an account, and the challenge or game that it is about; each pair comes once."""
    about = event["challenge"] if "challenge" in event else event["game"]
    return event["type"], about["id"]
