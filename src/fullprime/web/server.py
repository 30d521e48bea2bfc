"""The server: routes, and live events from the rooms to those who watch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from copy import copy
from functools import partial
from threading import Lock
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, Response
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from fullprime.accounts.lobby import Lobby
from fullprime.accounts.pushes import PushOptions
from fullprime.common.jobs import Jobs
from fullprime.common.refusals import Refusal
from fullprime.library.storage import Storage, StorageLimits
from fullprime.messages import Message, catalogues, render, render_all, render_error
from fullprime.play.commands import GiveSeed
from fullprime.play.options.compiling import compiling
from fullprime.play.options.games import GAME_WORDS, RULE_WORDS, own_rules, start_of, tour_of
from fullprime.play.options.houses import CONSEQUENCES
from fullprime.play.options.opponents import bots_for, opponents, usual_bot_for
from fullprime.play.options.options import PRESET_WORDS, rule_choices, variant_options, variants
from fullprime.play.options.strengths import analysis_levels
from fullprime.play.server import acting
from fullprime.play.server.fields import DiceProof, StateMessage
from fullprime.play.server.rooms import Rooms
from fullprime.play.server.service import SessionService
from fullprime.play.table.naming import seen_events
from fullprime.play.table.scorecard import ScoreCard
from fullprime.rules.errors import FullprimeError
from fullprime.version import __version__
from fullprime.web.connections.answers import AnswersTold
from fullprime.web.connections.limits import ConnectionLimits
from fullprime.web.connections.open_streams import TooManyStreams
from fullprime.web.connections.visits import ENTRANCE, TICK, Entrance, streaming_to
from fullprime.web.event_stream import EventStream
from fullprime.web.guard import LIMITS, LOCAL_HOSTS, Gate, Guard, RequestLimits
from fullprime.web.health import Health
from fullprime.web.languages import VARIES, language_of
from fullprime.web.live import Reader, converse, current, hello
from fullprime.web.manual import add_manual
from fullprime.web.metrics import Metrics, Observer
from fullprime.web.models import common as models
from fullprime.web.pages import STATIC, Page, page_file, page_text
from fullprime.web.reference import reference_page
from fullprime.web.refusals import REFUSALS, refused, unknown, unreadable
from fullprime.web.routes.analysis import add_analysis
from fullprime.web.routes.callers import BEARER, InRoom, MaybeCaller, Seated, bearer, room_of, seat_for
from fullprime.web.routes.daily import daily
from fullprime.web.routes.drills import add_drills
from fullprime.web.routes.library import add_library
from fullprime.web.routes.openings import add_openings
from fullprime.web.routes.people import add_people, close_people
from fullprime.web.routes.pictures import add_pictures
from fullprime.web.routes.play import add_play
from fullprime.web.routes.real import add_real
from fullprime.web.routes.review import add_reviews
from fullprime.web.routes.rules import rules
from fullprime.web.routes.school import add_school
from fullprime.web.routes.sharing import sharing
from fullprime.web.routes.texts import texts
from fullprime.web.routes.turns import Turns
from fullprime.web.streams import MEDIA, Lines, answer, text

API_VERSION = "2"
"""The version of the API in its document. docs/web-api.md says what changed with each."""


class Application(FastAPI):
    """The application, with something that comes before all that the framework does."""

    first: ASGIApp

    def openapi(self) -> dict[str, Any]:
        """The document of the API. A stream is described by its lines, not as a text."""
        document = super().openapi()
        for path in document["paths"].values():
            for operation in path.values():
                schema = operation["responses"].get("200", {}).get("content", {}).get(MEDIA, {}).get("schema", {})
                if "anyOf" in schema or "$ref" in schema:
                    schema.pop("type", None)
        return document

    def include_router(self, router: APIRouter, **more: Any) -> None:
        """Take the routes of a router as they are.

        The framework would work every one out again for each application: a second of processor time at the first
        request that needs it, while everybody waits, and in the tests for each of hundreds of applications.
        """
        if more:
            super().include_router(router, **more)
        else:
            self.router.routes.extend(router.routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self.first(scope, receive, send)


def create_app(
    database: str | None = None,
    *,
    hosts: Iterable[str] | None = LOCAL_HOSTS,
    limits: RequestLimits = LIMITS,
    show_metrics: bool = False,
    cluster: str | None = None,
    connections: ConnectionLimits | None = None,
    proxies: Iterable[str] = (),
    network: Iterable[str] = (),
    own_machine: bool = False,
    push: PushOptions | None = None,
    storage: StorageLimits | None = None,
) -> FastAPI:
    """The application on a database; ``hosts`` are the names by which it may be called, None for every name.

    ``limits`` are the rates of requests; ``show_metrics`` adds the page for Prometheus, which is for its operators.
    ``cluster`` is the address of a Dask cluster that plays rollouts. ``connections`` are the limits of connections,
    which hold where ``run`` serves the application; those of ``proxies`` are not counted by address. ``network`` are
    the addresses by which others in the local network reach it, such as ``http://192.168.1.7:8000``. ``own_machine``:
    it was started for the user of this machine, whose browser sees the library of the terminal. ``push`` are the
    choices about push messages; ``storage`` are the bounds for uploads.
    """
    catalogues()  # read now: no request waits for them, and a broken one stops the server before it serves
    metrics, gate = Metrics(), Gate(hosts, limits)
    rooms = Rooms(database)
    app = Application(
        title="Fullprime",
        version=API_VERSION,
        openapi_url=None,  # made once, and not on the event loop: _add_document
        docs_url=None,
        redoc_url=None,
        lifespan=_serving,
    )
    app.state.rooms, app.state.service, app.state.metrics = rooms, rooms.service, metrics
    app.state.storage = Storage(rooms.engine, storage)
    app.state.network = tuple(network)
    app.state.own_machine = own_machine
    app.state.counts_addresses = limits.creating is not None
    app.state.health = Health(rooms.try_to_store)
    rooms.service.on_append.append(app.state.health.note_append)
    app.state.entrance = entrance = Entrance(connections or ConnectionLimits(), tuple(proxies), count=metrics.refused)
    _add_middleware(app, gate, metrics)
    _add_error_handlers(app)
    for router in (server, games, daily, rules, sharing):
        app.include_router(router)
    add_play(app)
    add_people(app, rooms, database, push)
    add_analysis(app, cluster)
    for add in (add_pictures, add_reviews, add_school, add_drills, add_real, add_openings, add_library, add_manual):
        add(app)
    _add_pages(app)
    _add_gauges(app, metrics, entrance)
    if show_metrics:
        app.get("/metrics", include_in_schema=False)(lambda: Response(metrics.text, media_type=metrics.content_type))
    _answer_heads(app)
    return app


def _add_middleware(app: Application, gate: Gate, metrics: Metrics) -> None:
    """Let each request pass what stands before the routes."""
    plain = super(Application, app).__call__
    app.first = AnswersTold(plain)
    app.add_middleware(Guard, gate=gate)
    app.add_middleware(Observer, metrics=metrics)


def _add_error_handlers(app: FastAPI) -> None:
    """Let errors of ours, and requests that no route takes or reads, be answered in one line."""
    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(FullprimeError, refused)
    app.add_exception_handler(RequestValidationError, unreadable)
    app.add_exception_handler(HTTPException, unknown)


def _answer_heads(app: FastAPI) -> None:
    """Let HEAD ask for every page that GET gives; the server leaves the body out.

    The API is left alone: a HEAD for a stream would not end. Each such route is a copy, because applications share the
    routes of a router, and stays out of the API's document, where an operation has one name.
    """
    app.router.routes[:] = [way for route in app.routes for way in (route, *_head_of(route))]


def _head_of(route: BaseRoute) -> Iterator[APIRoute]:
    if isinstance(route, APIRoute) and route.methods == {"GET"} and not route.path.startswith("/api/"):
        head = copy(route)
        head.methods, head.include_in_schema = {"HEAD"}, False
        yield head


@asynccontextmanager
async def _serving(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
    """Keep the clocks of games while the application serves; close jobs, people and rooms afterwards."""
    rooms: Rooms = app.state.rooms
    rooms.begin()
    sweeping = asyncio.create_task(_sweep(app.state.entrance))
    app.state.settler.thread.start()
    app.state.ahead.thread.start()
    yield {ENTRANCE: app.state.entrance}
    sweeping.cancel()
    await run_in_threadpool(app.state.settler.thread.close)
    await run_in_threadpool(app.state.ahead.thread.close)
    await run_in_threadpool(app.state.jobs.close)
    close_people(app)
    await rooms.end()


async def _sweep(entrance: Entrance) -> None:
    while True:
        for _ in range(4):
            entrance.look()
            await asyncio.sleep(TICK)
        entrance.sweep()


def _add_gauges(app: FastAPI, metrics: Metrics, entrance: Entrance) -> None:
    for what, meaning in (
        ("open", "Connections that are open"),
        ("resting", "Connections that have nothing asked: at rest, or in the midst of a request"),
        ("streams", "Live lines and streams"),
    ):
        metrics.gauge(f"connections_{what}", meaning, partial(_entrance, entrance, what))
    for what, meaning in (("open", "Games in memory"), ("live", "Games in play"), ("watchers", "Who follows games")):
        metrics.gauge(what, meaning, partial(_count, app.state.rooms, what))
    for what in ("waiting", "running"):
        metrics.gauge(f"jobs_{what}", f"Analyses and reviews {what}", partial(_length, app, what))
        metrics.gauge(f"hints_{what}", f"Questions to the engine at games {what}", partial(_asking, app, what))


def _entrance(entrance: Entrance, what: str) -> float:
    return entrance.counts()[what]


def _count(rooms: Rooms, what: str) -> float:
    return rooms.census()[what]


def _length(app: FastAPI, what: str) -> float:
    jobs: Jobs = app.state.jobs
    return jobs.lengths()[what]


def _asking(app: FastAPI, what: str) -> float:
    turns: Turns = app.state.turns
    return turns.lengths()[what]


# -- the routes -------------------------------------------------------------------------------------------------
server = APIRouter(prefix="/api", tags=["server"])
games = APIRouter(prefix="/api/games", tags=["games"], responses=REFUSALS)


@server.get("/health", response_model_exclude_none=True, responses={503: {"model": models.HealthAnswer}})
async def health(request: Request, response: Response) -> models.HealthAnswer:
    """The health of the server: ``ok``, or 503 and ``failing`` with the reason while nothing can be stored."""
    checked: Health = request.app.state.health
    fault = await checked.fault()
    if fault is None:
        under_way = compiling()
        words = None if under_way is None else str(under_way)
        return models.HealthAnswer(status="ok", version=__version__, error=None, compiling=words)
    response.status_code = 503
    return models.HealthAnswer(status="failing", version=__version__, error=fault, compiling=None)


@server.get("/options", response_model=models.Options)
async def options(request: Request) -> Mapping[str, Any]:
    """Variants with the bots that play them and the options in force, presets, and all rules with their choices."""
    return {
        "variants": {
            name: {
                "title": title,
                "bots": list(bots_for(name)),
                "options": variant_options(name),
                "about": GAME_WORDS[name],
                "start": start_of(name),
                "rules": own_rules(name),
                "tour": tour_of(name),
            }
            for name, title in variants().items()
        },
        "bot": usual_bot_for(),
        "opponents": render_all(opponents(), language_of(request)),
        "levels": analysis_levels(),
        "presets": PRESET_WORDS,
        "rules": rule_choices(),
        "rule_words": RULE_WORDS,
        "rule_values": CONSEQUENCES,
    }


@games.post("", status_code=201)
async def create_game(asked: models.NewGame, request: Request, caller: MaybeCaller) -> models.Created:
    """Create a game. It begins when every person has added to the seed of the dice (and the friend has joined)."""
    lobby: Lobby = request.app.state.lobby
    account = None if caller is None else caller.needs("challenge:write")
    room, key, invitation = await run_in_threadpool(lambda: lobby.create(account, **asked.model_dump()))
    return models.Created(id=room.id, key=key, invitation=invitation, commitment=room.commitment)


@games.get("/{game}", response_model=StateMessage)
async def read_game(room: InRoom, seat: Seated, request: Request) -> Response:
    """The state as the holder of the key sees it, or as a spectator does, and the events so far."""
    return answer(await current(room, Reader(seat, language_of(request))))


@games.post("/{game}/join")
async def join_game(room: InRoom, asked: models.Join, request: Request, caller: MaybeCaller) -> models.Joined:
    """Take the free seat; somebody with an account keeps its name."""
    lobby: Lobby = request.app.state.lobby
    account = None if caller is None else caller.needs("challenge:write")
    return models.Joined(key=await run_in_threadpool(lobby.join, room, account, asked.invitation, asked.name))


@games.post("/{game}/seed", status_code=204)
async def add_seed(room: InRoom, seat: Seated, asked: models.Seed) -> None:
    """Add to the dice: promise links, or add a seed alone. The game begins when everybody has."""
    await room.performed(GiveSeed(asked.seed, asked.links), seat)


async def act(game: str, asked: models.Line, request: Request) -> Response:
    """Act in the words of the terminal. When this answers, the action is stored."""
    service: SessionService = request.app.state.service
    live = await service.get(game, key := bearer(request))
    seat = await seat_for(request, live, key, acting=True)
    events, moves = await acting.act(
        service, live, seat, asked.line, moves=asked.moves, sequence=asked.sequence, link=asked.link
    )
    return answer({"events": seen_events(events, seat, language_of(request)), "moves": moves})


class _ActRoute(APIRoute):
    """The most frequent route of all: to have the framework solve its parameters takes longer than to act."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler; what is not as it should be is left to that of the framework."""
        usual = super().get_route_handler()

        async def handle(request: Request) -> Response:
            if request.headers.get("content-type") != "application/json":
                return await usual(request)
            try:
                asked = models.Line.model_validate_json(await request.body())
            except ValidationError:
                return await usual(request)
            return await act(request.path_params["game"], asked, request)

        return handle


games.add_api_route(
    "/{game}/act", act, methods=["POST"], response_model=models.Answer, openapi_extra=BEARER,
    route_class_override=_ActRoute,
)  # fmt: skip


@games.post("/{game}/close", status_code=204)
async def close_game(room: InRoom, seat: Seated, request: Request, asked: models.Close | None = None) -> None:
    """End a game that is not played out. A match ends so by both players, or is lost by the one who leaves it.

    Once nothing more is played, the secret of the dice is told.
    """
    lobby: Lobby = request.app.state.lobby
    await run_in_threadpool(lobby.close_game, room, seat, "end" if asked is None else asked.how)


@games.get("/{game}/proof", response_model=DiceProof)
async def read_proof(room: InRoom, seat: Seated) -> Response:
    """The proof of the dice: with links of every throw so far, with seeds when nothing more is played."""
    if seat is None and room.late and not room.is_closed:
        raise Refusal(Message("spectators see this game late: they have its proof when it is over"), "forbidden")
    return answer(await run_in_threadpool(lambda: room.proof))


@games.get("/{game}/card")
async def read_card(room: InRoom, seat: Seated, request: Request) -> ScoreCard:
    """The score card: the finished games, the running score, and for money who pays whom what."""
    if seat is None and room.late and not room.is_closed:
        raise Refusal(Message("spectators see this game late: they have its card when it is over"), "forbidden")
    return render_all(await run_in_threadpool(lambda: room.card), language_of(request))


@games.get("/{game}/record", response_class=Response)
async def read_record(
    room: InRoom,
    seat: Seated,
    format: Annotated[str, Query(max_length=20)] = "mat",  # noqa: A002
) -> Response:
    """The record so far as a file: match text, or another format that `fullprime` writes."""
    if seat is None and room.late and not room.is_closed:
        raise Refusal(Message("spectators see this game late: they have its record when it is over"), "forbidden")
    data, name = await run_in_threadpool(room.record, format)
    return Response(
        data, media_type="application/octet-stream", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@games.get(
    "/{game}/stream",
    response_class=Lines,
    responses={200: {"model": StateMessage, "description": "lines of JSON, each a message"}},
)
async def stream_game(
    room: InRoom,
    seat: Seated,
    request: Request,
    tree: Annotated[
        bool, Query(description="whether the `tree` of the ways to play is wanted beside the `plays`")
    ] = True,
) -> Lines:
    """Live events as lines of JSON: first the state with all events so far, then each change as it comes.

    A blank line is sent when nothing has happened for 15 seconds.
    """
    return EventStream(room, Reader(seat, language_of(request), tree))


@games.websocket("/{game}/live")
async def live(socket: WebSocket, game: str) -> None:
    """The same over a WebSocket. The first message is ``{"key": KEY}`` (or null, to watch); nothing else is heard."""
    await socket.accept()
    language = language_of(socket)
    try:
        key = await hello(socket)
        room = await room_of(socket, game, key)
        seat = await seat_for(socket, room.live, key)
    except (ValueError, KeyError, TypeError, TimeoutError):
        await socket.close(1008, render(Message("say who you are first"), language))
        return
    except FullprimeError as error:
        await socket.close(1008, render_error(error, language)[:100])
        return
    except WebSocketDisconnect:
        return
    try:
        with streaming_to(socket.scope, None if seat is None else (room.id, seat)):
            await converse(socket, room, Reader(seat, language))
    except TooManyStreams as error:
        await socket.close(1013, render_error(error, language)[:100])


def _add_document(app: FastAPI) -> None:
    """The API's document, and the page of it: made by the first who asks, in a thread, and kept."""
    making, made = Lock(), dict[str, bytes]()

    def answer_with(what: str, media: str, make: Callable[[dict[str, Any]], bytes]) -> Callable[[], Response]:
        def answering() -> Response:
            with making:
                if what not in made:
                    made[what] = make(app.openapi())
            return Response(made[what], media_type=media)

        return answering

    for path, media, make in (
        ("/api/openapi.json", "application/json", text),
        ("/docs", "text/html; charset=utf-8", lambda document: reference_page(document).encode()),
    ):
        app.get(path, include_in_schema=False)(answer_with(path, media, make))


# -- pages -------------------------------------------------------------------------------------------------------
def _service_worker() -> FileResponse:
    """The script that keeps what was seen for times without a connection; at the root, from where it serves all."""
    return FileResponse(STATIC / "parts" / "service-worker.js", media_type="text/javascript")


def _home(request: Request) -> Page:
    """The first page. Its picture for pasted links must have a whole address."""
    return Page("home/index.html", origin=str(request.base_url).rstrip("/"))


async def _card(game: str, request: Request) -> Page:
    """The page of a game's score card. Raises Refusal for a game that there is not."""
    await room_of(request, game)
    return page_file("card/card.html", 200)


async def _rules(request: Request, game: str = "") -> Page:
    """The page of the rules: of any game, or of one that is played here, which there must be."""
    if game:
        await room_of(request, game)
    return page_file("rules/rules.html", 200)


def _verifier(request: Request) -> HTMLResponse:
    """The page that checks dice without a server, to be saved: in the language of whoever saves it."""
    language = language_of(request)
    saved = 'attachment; filename="verify.html"'
    headers = {"Content-Disposition": saved, "Content-Language": language, "Vary": VARIES}
    return HTMLResponse(page_text("verify/verify.html", language), headers=headers)


def _add_pages(app: FastAPI) -> None:
    _add_document(app)
    app.get("/", include_in_schema=False)(_home)
    for path, name in (
        ("/glossary", "terms/glossary"),
        ("/house", "house/house"),
        ("/lab", "house/lab"),
        ("/offline", "home/offline"),
        ("/lobby", "home/lobby"),
        ("/account", "people/account"),
    ):
        app.get(path, include_in_schema=False)(partial(page_file, f"{name}.html", 200))
    app.get("/rules", include_in_schema=False)(_rules)
    app.get("/game/{game}/card", include_in_schema=False)(_card)
    app.get("/verify.html", include_in_schema=False)(_verifier)
    app.get("/service-worker.js", include_in_schema=False)(_service_worker)
    app.include_router(texts)
    # Only files that everybody may read are compressed: a secret must not change the length of an answer.
    app.mount("/static", GZipMiddleware(StaticFiles(directory=STATIC), minimum_size=500))
