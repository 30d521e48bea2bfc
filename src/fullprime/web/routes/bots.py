"""Routes for programs that play with an account, modelled on lichess's board and bot API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from fullprime.accounts.lobby import game_event
from fullprime.accounts.profiles import Profiles
from fullprime.common.refusals import Refusal
from fullprime.messages import Message
from fullprime.play.commands import BeginChain, GiveLink, GiveSeed
from fullprime.play.events import Seat
from fullprime.play.server.facts import OVER
from fullprime.play.server.fields import BoardFull, BoardMessage
from fullprime.play.server.live_session import SessionNews, SessionPicture
from fullprime.play.server.rooms import Room
from fullprime.play.table.naming import seen_events
from fullprime.rules.links import FORMULA
from fullprime.web.languages import language_of
from fullprime.web.models import common as models
from fullprime.web.models.people import Playing
from fullprime.web.models.play import Happened
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import SomeCaller, room_of
from fullprime.web.streams import Lines, answer, line, listening, streaming

board = APIRouter(prefix="/api/board", tags=["board"], responses=REFUSALS)

_LEVELS = {1: "resign", 2: "resign g", 3: "resign b"}


async def _seat(game: str, caller: SomeCaller, request: Request) -> tuple[Room, Seat]:
    """The room, and the seat of the account that asks."""
    account = caller.needs(caller.playing)
    profiles: Profiles = request.app.state.profiles
    room = await room_of(request, game)
    seat = await run_in_threadpool(profiles.seat, room.session, account)
    if seat is None:
        raise Refusal(Message("your account has no seat in this game"), "forbidden")
    return room, seat


Seated = Annotated[tuple[Room, Seat], Depends(_seat)]


@board.get("/playing", response_model=Playing)
async def list_playing(caller: SomeCaller, request: Request) -> dict[str, object]:
    """The games of the account that are not over."""
    profiles: Profiles = request.app.state.profiles
    account = caller.needs(caller.playing, "challenge:read")
    found = await run_in_threadpool(profiles.playing, account)
    return {"playing": [game_event(game, side) for game, side in found]}


@board.get(
    "/game/stream/{game}",
    response_class=Lines,
    responses={200: {"model": BoardFull | BoardMessage, "description": "lines of JSON"}},
)
async def stream_game(at: Seated, request: Request) -> Lines:
    """A game as lines of JSON: ``gameFull`` first, ``gameState`` whenever something has happened.

    Both have ``events`` and ``state`` as in the other streams; ``gameFull`` has the formula and the commitment of the
    dice as well. It ends when nothing more is played. A blank line comes after seven seconds without news.
    """
    (room, seat), language = at, language_of(request)

    def shape(news: SessionNews) -> tuple[int, bytes, bool]:
        message: BoardMessage = {**news.frame(seat, language=language), "type": "gameState"}
        return news.version, line(message), news.is_last

    async def told() -> AsyncIterator[bytes]:
        async with listening(room.follow, room.unfollow, shape) as box:
            # One snapshot: what happened before it is in it, and what happens after it has a greater version.
            await room.refreshed()
            picture = room.live.picture(seat)
            version, first = picture.version, await run_in_threadpool(_first, picture, seat, room.commitment, language)
            yield line(first)
            if first["state"]["status"] == OVER:
                return
            async for message in box.read():
                if message is None:
                    yield b"\n"
                    continue
                known, text, is_last = message
                if known > version:
                    yield text
                    if is_last:
                        return

    return streaming(told())


def _first(picture: SessionPicture, seat: Seat, commitment: str, language: str) -> BoardFull:
    """The first message, with the proof of the dice."""
    return {**picture.frame(seat, language=language), "type": "gameFull", "formula": FORMULA, "commitment": commitment}


@board.post("/game/{game}/seed", status_code=204)
async def add_seed(at: Seated, asked: models.Seed) -> None:
    """Add to the dice: promise links, or add a seed alone. The game begins when everybody has."""
    room, seat = at
    await room.performed(GiveSeed(asked.seed, asked.links), seat)


@board.post("/game/{game}/link", response_model=Happened)
async def give_link(at: Seated, asked: models.Link, request: Request) -> Response:
    """Tell your link for a throw that waits for nothing else; gives what happened, once no link is missing."""
    room, seat = at
    events = await room.performed(GiveLink(asked.number, asked.link), seat)
    return answer({"events": seen_events(events, seat, language_of(request))})


@board.post("/game/{game}/chain", status_code=204)
async def begin_chain(at: Seated, asked: models.Chain) -> None:
    """Begin a new chain of links; it is seen in the proof."""
    room, seat = at
    await room.performed(BeginChain(asked.number, asked.anchor), seat)


@board.post("/game/{game}/act", response_model=models.Answer)
async def act(at: Seated, asked: models.Line, request: Request) -> Response:
    """Act in the words of the terminal: a play, ``roll``, ``double``, ``take``. An answered action is stored."""
    room, seat = at
    events, moves = await room.acted(seat, asked.line, moves=asked.moves, sequence=asked.sequence, link=asked.link)
    return answer({"events": seen_events(events, seat, language_of(request)), "moves": moves})


@board.post("/game/{game}/resign/{level}", response_model=models.Answer)
async def resign(at: Seated, level: Annotated[int, Path(ge=1, le=3)], request: Request) -> Response:
    """Offer to resign: 1 a single game, 2 a gammon, 3 a backgammon. The other side accepts or refuses."""
    room, seat = at
    if seat == "both":
        raise Refusal(Message("two people at one screen resign at the screen"), "forbidden")
    events, moves = await room.acted(seat, _LEVELS[level])
    return answer({"events": seen_events(events, seat, language_of(request)), "moves": moves})
