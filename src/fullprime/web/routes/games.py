"""The routes of a game: create, join and act in it, read its state, proof and record, and follow it live."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from fullprime.accounts.lobby import Lobby
from fullprime.common.refusals import Refusal
from fullprime.messages import Message, render, render_error
from fullprime.play.commands import GiveSeed
from fullprime.play.dice_counts import MatchDice
from fullprime.play.events import Seat
from fullprime.play.plies import GamePlies
from fullprime.play.server import acting
from fullprime.play.server.fields import DiceProof, StateMessage
from fullprime.play.server.game_server import StoreFailed
from fullprime.play.server.handle import SessionHandle
from fullprime.play.server.service import SessionService
from fullprime.play.table.scorecard import ScoreCard
from fullprime.play.table.table_events import events_for_seat
from fullprime.rules.errors import FullprimeError
from fullprime.web.connections.open_streams import TooManyStreams
from fullprime.web.connections.registry import track_stream
from fullprime.web.languages import language_of
from fullprime.web.live import EventStream, Reader, read_state_message, receive_key, serve_socket
from fullprime.web.models import common as models
from fullprime.web.models.described import answer_with
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.callers import (
    BEARER,
    InSession,
    MaybeCaller,
    Seated,
    SeatedWithAccess,
    bearer,
    find_seat_and_access,
    handle_of,
    seat_for,
)
from fullprime.web.routes.reading_queue import read_whole_game
from fullprime.web.routes.values import ValueRoute
from fullprime.web.streams import JsonLinesResponse, ValueResponse

games = APIRouter(prefix="/api/games", tags=["games"], responses=REFUSALS, route_class=ValueRoute)


async def act(game: str, body: models.Line, request: Request) -> ValueResponse[models.Answer]:
    """Act in the words of the terminal. When this answers, the action is stored."""
    service: SessionService = request.app.state.service
    live = await service.get(game, key := bearer(request))
    seat = await seat_for(request, live, key, acting=True)
    events, moves = await acting.act(
        service, live, seat, body.line, moves=body.moves, sequence=body.sequence, link=body.link
    )
    return ValueResponse(models.Answer(events_for_seat(events, seat), tuple(moves)), request)


class _ActRoute(ValueRoute):
    """The most frequent route, which reads its own parameters, because the framework needs longer for them than it."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; one with any fault is left to the framework, which gets its body once more."""
        request = Request(scope, receive, send)
        if scope["method"] == "POST" and request.headers.get("content-type") == "application/json":
            body = await request.body()
            try:
                line = models.Line.model_validate_json(body)
            except ValidationError:
                receive = _receive_again(body, receive)
            else:
                response = await act(request.path_params["game"], line, request)
                await response(scope, receive, send)
                return
        await super().handle(scope, receive, send)


def _receive_again(body: bytes, receive: Receive) -> Receive:
    """A function that receives a body that has been read, and then what comes after it."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive_message() -> AsgiMessage:
        return next(messages, None) or await receive()

    return receive_message


# It comes first, because a request is compared with one route after the other.
games.add_api_route("/{game}/act", act, methods=["POST"], openapi_extra=BEARER, route_class_override=_ActRoute)


@games.post("", status_code=201)
async def create_game(body: models.NewGame, request: Request, caller: MaybeCaller) -> models.Created:
    """Create a game. It begins when every person has added to the seed of the dice (and the friend has joined)."""
    lobby: Lobby = request.app.state.lobby
    account = None if caller is None else caller.require_scope("challenge:write")
    handle, key, invitation = await run_in_threadpool(lambda: lobby.create_session(account, **body.model_dump()))
    return models.Created(id=handle.id, key=key, invitation=invitation, commitment=handle.commitment)


@games.get("/{game}")
async def read_game(handle: InSession, seat: Seated, request: Request) -> ValueResponse[StateMessage]:
    """The state as the holder of the key sees it, or as a spectator does, and the events so far."""
    return ValueResponse(await read_state_message(handle, Reader(seat)), request)


@games.post("/{game}/join")
async def join_game(handle: InSession, body: models.Join, request: Request, caller: MaybeCaller) -> models.Joined:
    """Take the free seat; a player with an account keeps its name."""
    lobby: Lobby = request.app.state.lobby
    account = None if caller is None else caller.require_scope("challenge:write")
    return models.Joined(key=await run_in_threadpool(lobby.join, handle, account, body.invitation, body.name))


@games.post("/{game}/seed", status_code=204)
async def add_seed(handle: InSession, seat: Seated, body: models.Seed) -> None:
    """Add to the dice: promise links, or add a seed alone. The game begins when everybody has."""
    await handle.perform_async(GiveSeed(body.seed, body.links), seat)


@games.post("/{game}/close", status_code=204)
async def close_game(handle: InSession, seat: Seated, request: Request, body: models.Close | None = None) -> None:
    """End a game that is not played out. A match ends so by both players, or is lost by the one who leaves it.

    Once nothing more is played, the secret of the dice is revealed.
    """
    lobby: Lobby = request.app.state.lobby
    await run_in_threadpool(lobby.close_game, handle, seat, "end" if body is None else body.how)


def _check_not_late(handle: SessionHandle, seat: Seat | None, words: Message) -> None:
    """Raise Refusal, with these words, for a spectator who would learn more of a game than spectators may see yet."""
    if seat is None and handle.spectator_delay and not handle.is_closed:
        raise Refusal(words, "forbidden")


@games.get("/{game}/proof")
async def read_proof(handle: InSession, seat: Seated, request: Request) -> ValueResponse[DiceProof]:
    """The proof of the dice: with links of every throw so far, with seeds when nothing more is played."""
    _check_not_late(handle, seat, Message("spectators see this game late: they have its proof when it is over"))
    return ValueResponse(await read_whole_game(request, lambda: handle.proof), request)


@games.get("/{game}/dice")
async def read_dice(handle: InSession, seat: Seated, request: Request) -> MatchDice:
    """The dice of the latest game and of the match so far, of both sides: counted, and beside what chance gives."""
    words = Message("spectators see this game late: they have the counts of its dice when it is over")
    _check_not_late(handle, seat, words)
    return await read_whole_game(request, lambda: handle.dice)


@games.get("/{game}/plies")
async def read_plies(handle: InSession, seat: Seated, request: Request) -> GamePlies:
    """Every ply so far with the board before it, game by game, without what was taken back."""
    _check_not_late(handle, seat, Message("spectators see this game late: they can step through it when it is over"))
    return await read_whole_game(request, lambda: handle.plies)


@games.get("/{game}/card")
async def read_card(handle: InSession, seat: Seated, request: Request) -> ValueResponse[ScoreCard]:
    """The score card: the finished games, the running score, and for money who pays whom what."""
    _check_not_late(handle, seat, Message("spectators see this game late: they have its card when it is over"))
    return ValueResponse(await read_whole_game(request, lambda: handle.card), request)


@games.get("/{game}/record", response_class=Response)
async def read_record(
    handle: InSession,
    seat: Seated,
    request: Request,
    format: Annotated[str, Query(max_length=20)] = "mat",  # noqa: A002
) -> Response:
    """The record so far as a file: match text, or another format that `fullprime` writes."""
    _check_not_late(handle, seat, Message("spectators see this game late: they have its record when it is over"))
    data, name = await read_whole_game(request, partial(handle.record, format))
    return Response(
        data, media_type="application/octet-stream", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@games.get(
    "/{game}/stream",
    response_class=JsonLinesResponse,
    responses={200: {"model": answer_with(StateMessage), "description": "lines of JSON, each a message"}},
)
async def stream_game(
    handle: InSession,
    seated: SeatedWithAccess,
    request: Request,
    tree: Annotated[
        bool, Query(description="whether the `tree` of the ways to play is wanted beside the `plays`")
    ] = True,
) -> JsonLinesResponse:
    """Live events as lines of JSON: first the state with all events so far, then each change as it comes.

    A blank line is sent when nothing has happened for 15 seconds.
    """
    seat, access = seated
    return EventStream(handle, Reader(seat, language_of(request), tree, access))


@games.websocket("/{game}/live")
async def live(socket: WebSocket, game: str) -> None:
    """The same over a WebSocket. The first message is ``{"key": KEY}`` (or null, to watch); nothing else is heard."""
    await socket.accept()
    language = language_of(socket)
    try:
        key = await receive_key(socket)
        handle = await handle_of(socket, game, key)
        seat, access = await find_seat_and_access(socket, handle.live, key)
    except (ValueError, KeyError, TypeError, TimeoutError):
        await socket.close(1008, render(Message("say who you are first"), language))
        return
    except FullprimeError as error:
        # A database that is away comes back: the page connects again.
        await socket.close(1013 if isinstance(error, StoreFailed) else 1008, render_error(error, language)[:100])
        return
    except WebSocketDisconnect:
        return
    try:
        with track_stream(socket.scope, None if seat is None else (handle.id, seat)):
            await serve_socket(socket, handle, Reader(seat, language, access=access))
    except TooManyStreams as error:
        await socket.close(1013, render_error(error, language)[:100])
