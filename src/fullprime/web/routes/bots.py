"""Routes for programs that play with an account, modelled on lichess's board and bot API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.model import AccountGames
from fullprime.accounts.profiles import Profiles
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.commands import BeginChain, GiveLink, GiveSeed
from fullprime.play.events import Seat
from fullprime.play.server.fields import BoardFull, BoardMessage
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.live_session import SessionNews, SessionSnapshot
from fullprime.play.table.table_events import events_for_seat
from fullprime.rules.links import FORMULA
from fullprime.web.languages import language_of
from fullprime.web.models import common as models
from fullprime.web.models.described import answer_with
from fullprime.web.models.play import Happened
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import AccountCaller, CallerAccess, handle_of
from fullprime.web.routes.values import ValueRoute
from fullprime.web.streams import JsonLinesResponse, ValueResponse, encode_value, open_mailbox, stream_lines

board = APIRouter(prefix="/api/board", tags=["board"], responses=REFUSALS, route_class=ValueRoute)

_LEVELS = {1: "resign", 2: "resign g", 3: "resign b"}


async def _seat(game: str, caller: AccountCaller, request: Request) -> tuple[SessionHandle, Seat]:
    """The session, and the seat of the account that asks."""
    account = caller.require_scope(caller.play_scope)
    profiles: Profiles = request.app.state.profiles
    handle = await handle_of(request, game)
    seat = await run_in_threadpool(profiles.find_seat, handle.session, account)
    if seat is None:
        raise Refusal(Message("your account has no seat in this game"), "forbidden")
    return handle, seat


Seated = Annotated[tuple[SessionHandle, Seat], Depends(_seat)]


@board.get("/playing")
async def list_playing(caller: AccountCaller, request: Request) -> AccountGames:
    """The games of the account that are not over."""
    profiles: Profiles = request.app.state.profiles
    account = caller.require_scope(caller.play_scope, "challenge:read")
    return AccountGames(await run_in_threadpool(profiles.list_unfinished, account))


@board.get(
    "/game/stream/{game}",
    response_class=JsonLinesResponse,
    responses={200: {"model": answer_with(BoardFull | BoardMessage), "description": "lines of JSON"}},
)
async def stream_game(at: Seated, access: CallerAccess, request: Request) -> JsonLinesResponse:
    """A game as lines of JSON: ``gameFull`` first, ``gameState`` whenever something has happened.

    Both have ``events`` and ``state`` as in the other streams; ``gameFull`` has the formula and the commitment of the
    dice as well. It ends when nothing more is played. A blank line comes after seven seconds without news. A program
    that reads it is present at the game, as a person with a page open.
    """
    (handle, seat), language = at, language_of(request)

    def convert(news: SessionNews) -> tuple[int, bytes, bool]:
        state_message = news.view.message(news.events, seat)
        message = BoardMessage(events=state_message.events, state=state_message.state, now=state_message.now)
        return news.version, encode_value(message, language) + b"\n", news.is_last

    async def write_lines() -> AsyncIterator[bytes]:
        async with (
            handle.track_presence(seat),
            open_mailbox(handle.follow, handle.unfollow, convert, access=access) as mailbox,
        ):
            # One snapshot: what happened before it is in it, and what happens after it has a greater version.
            await handle.refresh_async()
            snapshot = handle.live.take_snapshot(seat)
            yield await run_in_threadpool(_first, snapshot, seat, handle.commitment, language)
            if snapshot.view.session_for(seat).is_over:
                return
            async for message in mailbox.read():
                if message is None:
                    yield b"\n"
                    continue
                version, text, is_last = message
                if version > snapshot.version:
                    yield text
                    if is_last:
                        return

    return stream_lines(write_lines())


def _first(snapshot: SessionSnapshot, seat: Seat, commitment: str, language: str) -> bytes:
    """The first message, with the proof of the dice, as a line."""
    message = snapshot.build_message(seat)
    first = BoardFull(
        events=message.events, state=message.state, now=message.now, formula=FORMULA, commitment=commitment
    )
    return encode_value(first, language) + b"\n"


@board.post("/game/{game}/seed", status_code=204)
async def add_seed(at: Seated, body: models.Seed) -> None:
    """Add to the dice: promise links, or add a seed alone. The game begins when everybody has."""
    handle, seat = at
    await handle.perform_async(GiveSeed(body.seed, body.links), seat)


@board.post("/game/{game}/link")
async def give_link(at: Seated, body: models.Link, request: Request) -> ValueResponse[Happened]:
    """Tell your link for a throw that waits for nothing else; gives what happened, once no link is missing."""
    handle, seat = at
    events = await handle.perform_async(GiveLink(body.number, body.link), seat)
    return ValueResponse(Happened(events=events_for_seat(events, seat)), request)


@board.post("/game/{game}/chain", status_code=204)
async def begin_chain(at: Seated, body: models.ChainRequest) -> None:
    """Begin a new chain of links, which the proof shows."""
    handle, seat = at
    await handle.perform_async(BeginChain(body.number, body.anchor), seat)


@board.post("/game/{game}/act")
async def act(at: Seated, body: models.Line, request: Request) -> ValueResponse[models.Answer]:
    """Act in the words of the terminal: a play, ``roll``, ``double``, ``take``. An answered action is stored."""
    handle, seat = at
    events, moves = await handle.act_async(seat, body.line, moves=body.moves, sequence=body.sequence, link=body.link)
    return ValueResponse(models.Answer(events=events_for_seat(events, seat), moves=tuple(moves)), request)


@board.post("/game/{game}/resign/{level}")
async def resign(at: Seated, level: Annotated[int, Path(ge=1, le=3)], request: Request) -> ValueResponse[models.Answer]:
    """Offer to resign: 1 a single game, 2 a gammon, 3 a backgammon. The other side accepts or refuses."""
    handle, seat = at
    if seat == "both":
        raise Refusal(Message("two people at one screen resign at the screen"), "forbidden")
    events, moves = await handle.act_async(seat, _LEVELS[level])
    return ValueResponse(models.Answer(events=events_for_seat(events, seat), moves=tuple(moves)), request)
