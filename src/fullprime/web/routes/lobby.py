"""Routes of the lobby: challenges to everybody or to one account, and the stream of an account's news."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.fields import AccountMessage, LobbyMessage, MyChallenges
from fullprime.accounts.lobby import Lobby, game_message
from fullprime.accounts.profiles import Profiles
from fullprime.accounts.service import People
from fullprime.messages import render_all
from fullprime.play.server import news
from fullprime.play.server.rooms import Rooms
from fullprime.web.addresses import whom
from fullprime.web.languages import language_of
from fullprime.web.models import people as models
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import Caller, MaybeCaller, SomeCaller, bearer
from fullprime.web.streams import Lines, line, listening, same, streaming

lobby = APIRouter(prefix="/api/lobby", tags=["lobby"], responses=REFUSALS)
challenges = APIRouter(prefix="/api", tags=["challenges"], responses=REFUSALS)


def _lobby(request: Request) -> Lobby:
    found: Lobby = request.app.state.lobby
    return found


async def _challenge(
    request: Request, asked: models.NewChallenge, caller: Caller | None, target: str | None = None
) -> models.MadeChallenge:
    people: People = request.app.state.people
    creator = None if caller is None else caller.needs("challenge:write")
    meant = None if target is None else await run_in_threadpool(people.named, target)
    address = whom(request.scope) if request.app.state.counts_addresses else None
    make = partial(_lobby(request).challenge, creator, target=meant, address=address, **asked.model_dump())
    made, key, invitation = await run_in_threadpool(make)
    commitment = await run_in_threadpool(_commitment, request, made["game"])
    made = render_all(made, language_of(request))
    return models.MadeChallenge(challenge=made, key=key, invitation=invitation, commitment=commitment)


def _commitment(request: Request, game: str) -> str:
    rooms: Rooms = request.app.state.rooms
    return rooms.room(game).commitment


# -- the lobby --------------------------------------------------------------------------------------------------
@lobby.get("")
async def list_challenges(request: Request) -> models.Challenges:
    """The challenges to everybody, the latest first."""
    standing = render_all(await run_in_threadpool(_lobby(request).open_ones), language_of(request))
    return models.Challenges(challenges=standing)


@lobby.post("", status_code=201)
async def challenge_everybody(
    asked: models.NewChallenge, request: Request, caller: MaybeCaller
) -> models.MadeChallenge:
    """Make a challenge to everybody. The game waits for the player who accepts it, or who comes by the link."""
    return await _challenge(request, asked, caller)


@lobby.get(
    "/stream",
    response_class=Lines,
    responses={200: {"model": LobbyMessage, "description": "lines of JSON"}},
)
async def stream_lobby(request: Request) -> Lines:
    """The list of challenges as a line of JSON (``type`` ``lobby``), and again whenever it changes.

    ``gone`` is the id of a challenge that was accepted or withdrawn. A blank line comes when nothing has happened for a
    while.
    """
    found, language = _lobby(request), language_of(request)

    async def told() -> AsyncIterator[bytes]:
        join, leave = (partial(do, news.LOBBY) for do in (found.news.listen, found.news.leave))
        async with listening(join, leave, same) as box:
            yield line(render_all(await run_in_threadpool(found.message), language))
            async for message in box.read():
                if message is None:
                    yield b"\n"
                    continue
                lobby_now = await run_in_threadpool(found.message, message.get("gone"))
                yield line(render_all(lobby_now, language))

    return streaming(told())


# -- challenges -------------------------------------------------------------------------------------------------
@challenges.get("/challenge")
async def my_challenges(request: Request, caller: SomeCaller) -> MyChallenges:
    """Challenges meant for the account, and those it has made."""
    account = caller.needs("challenge:read")
    return render_all(await run_in_threadpool(_lobby(request).of_account, account), language_of(request))


@challenges.post("/challenge/{name}", status_code=201)
async def challenge_account(
    name: str, asked: models.NewChallenge, request: Request, caller: MaybeCaller
) -> models.MadeChallenge:
    """Challenge one account; it is told in its stream of events and on its pages."""
    return await _challenge(request, asked, caller, name)


@challenges.post("/challenge/{challenge}/accept")
async def accept_challenge(
    challenge: str, asked: models.Accept, request: Request, caller: MaybeCaller
) -> models.Accepted:
    """Take the free seat. The game begins when both have added to the seed of the dice."""
    account = None if caller is None else caller.needs("challenge:write")
    room, key = await run_in_threadpool(_lobby(request).accept, challenge, account, asked.name)
    return models.Accepted(game=room.id, key=key, commitment=room.commitment)


@challenges.post("/challenge/{challenge}/decline", status_code=204)
async def decline_challenge(challenge: str, request: Request, caller: SomeCaller) -> None:
    """Say no to a challenge that is meant for the account."""
    await run_in_threadpool(_lobby(request).decline, challenge, caller.needs("challenge:write"))


@challenges.post("/challenge/{challenge}/cancel", status_code=204)
async def cancel_challenge(challenge: str, request: Request, caller: MaybeCaller) -> None:
    """Withdraw a challenge: by the account that made it or, for a guest, by the key of the seat."""
    account = None if caller is None else caller.needs("challenge:write")
    await run_in_threadpool(_lobby(request).withdraw, challenge, account, bearer(request))


# -- what concerns an account -----------------------------------------------------------------------------------
@challenges.get(
    "/stream/event",
    response_class=Lines,
    responses={200: {"model": AccountMessage, "description": "lines of JSON"}},
)
async def stream_events(request: Request, caller: SomeCaller) -> Lines:
    """The news of the account, a line of JSON each: first its games that are not over and the challenges to it.

    ``type`` is ``gameStart`` and ``gameFinish`` (with ``game``), ``challenge``, ``challengeCanceled`` and
    ``challengeDeclined`` (with ``challenge``). A blank line comes when nothing has happened for seven seconds.
    """
    account = caller.needs("challenge:read")
    found, language = _lobby(request), language_of(request)
    profiles: Profiles = request.app.state.profiles
    topic = news.of_account(account.id)

    def now() -> list[AccountMessage]:
        events: list[AccountMessage] = [game_message(game, side) for game, side in profiles.playing(account)]
        events.extend({"type": "challenge", "challenge": each} for each in found.of_account(account)["incoming"])
        return events

    async def told() -> AsyncIterator[bytes]:
        async with listening(partial(found.news.listen, topic), partial(found.news.leave, topic), same) as box:
            first = await run_in_threadpool(now)
            for event in first:
                yield line(render_all(event, language))
            known = {_what(event) for event in first}
            async for message in box.read():
                if message is None:
                    yield b"\n"
                elif _what(message) in known:
                    known.remove(_what(message))  # it came while the first ones were read, and is among them
                else:
                    yield line(render_all(message, language))

    return streaming(told())


def _what(event: Mapping[str, Any]) -> tuple[str, str]:
    """The kind of a message to an account and whose it is: each comes once."""
    about = event["challenge"] if "challenge" in event else event["game"]
    return event["type"], about["id"]
