"""The application: how it is assembled, what it does while it serves, and its health."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from copy import copy
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from fullprime.accounts.notifications import PushOptions
from fullprime.common.jobs import Jobs
from fullprime.library.storage import Storage, StorageLimits
from fullprime.messages import catalogues, render_all
from fullprime.play.options.compiling import compiling
from fullprime.play.options.games import GAME_WORDS, RULE_WORDS, own_rules, start_of, tour_of
from fullprime.play.options.houses import CONSEQUENCES
from fullprime.play.options.opponents import bots_for, opponents, usual_bot_for
from fullprime.play.options.options import PRESET_WORDS, rule_choices, variant_options, variants
from fullprime.play.options.strengths import analysis_levels
from fullprime.play.server.game_server import GameServer
from fullprime.rules.errors import FullprimeError
from fullprime.version import __version__
from fullprime.web.connections.limits import ConnectionLimits
from fullprime.web.connections.registry import REGISTRY, TICK, ConnectionRegistry
from fullprime.web.languages import language_of
from fullprime.web.manual import add_manual
from fullprime.web.middleware import Middleware
from fullprime.web.models import common as models
from fullprime.web.models.described import wire_type
from fullprime.web.monitoring import Health, Metrics
from fullprime.web.rate_limits import LIMITS, LOCAL_HOSTS, RequestGate, RequestLimits
from fullprime.web.refusals import answer_refusal, answer_unknown, answer_unreadable
from fullprime.web.routes.accounts import add_accounts, close_accounts
from fullprime.web.routes.analysis import add_analysis
from fullprime.web.routes.daily import daily
from fullprime.web.routes.drills import add_drills
from fullprime.web.routes.engine_queue import EngineQueue
from fullprime.web.routes.games import games
from fullprime.web.routes.lessons import add_lessons
from fullprime.web.routes.library import add_library
from fullprime.web.routes.openings import add_openings
from fullprime.web.routes.pages import add_pages
from fullprime.web.routes.pictures import add_pictures
from fullprime.web.routes.play import add_play
from fullprime.web.routes.reading_queue import create_reading_queue
from fullprime.web.routes.real_board import add_real
from fullprime.web.routes.review import add_reviews
from fullprime.web.routes.rules import rules
from fullprime.web.routes.sharing import sharing
from fullprime.web.routes.values import ValueRoute
from fullprime.web.streams import NDJSON

API_VERSION = "3"
"""The version of the API in its document. docs/web-api.md says what changed with each."""


class Application(FastAPI):
    """FastAPI with another document of the API and a shorter way to its routes."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request without the telemetry of the framework, which has no reader here."""
        if scope["type"] == "lifespan" or self.middleware_stack is None:
            await super().__call__(scope, receive, send)
        else:
            scope["app"] = self
            await self.middleware_stack(scope, receive, send)

    def build_middleware_stack(self) -> ASGIApp:
        """The added middleware around the routes, and nothing else.

        `Middleware` does what the framework has five more layers for: it answers errors, limits bodies, and keeps the
        stack of a form's files. Each of these layers would be passed at each turn of each request and stream.
        """
        app: ASGIApp = self.router.app
        for part in reversed(self.user_middleware):
            app = part.cls(app, *part.args, **part.kwargs)
        return app

    def openapi(self) -> dict[str, Any]:
        """The document of the API. A stream is described by its lines, not as a text."""
        document = super().openapi()
        document["components"]["schemas"]["Error"] = TypeAdapter(wire_type(models.Error)).json_schema()
        for path in document["paths"].values():
            for operation in path.values():
                schema = operation["responses"].get("200", {}).get("content", {}).get(NDJSON, {}).get("schema", {})
                if "anyOf" in schema or "$ref" in schema:
                    schema.pop("type", None)
        return document

    def include_router(self, router: APIRouter, **more: Any) -> None:
        """Take the routes of a router as they are.

        The framework would prepare every route again for each application. That takes a second of processor time at the
        first request, while all clients wait, and in the tests for each of hundreds of applications.
        """
        if more:
            super().include_router(router, **more)
        else:
            self.router.routes.extend(router.routes)


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
    metrics, game_server = Metrics(), GameServer(database)
    app = Application(
        title="Fullprime",
        version=API_VERSION,
        openapi_url=None,  # made once, and not on the event loop: _add_document
        docs_url=None,
        redoc_url=None,
        lifespan=_serving,
    )
    app.state.game_server, app.state.service, app.state.metrics = game_server, game_server.service, metrics
    app.state.storage = Storage(game_server.engine, storage)
    app.state.network = tuple(network)
    app.state.own_machine = own_machine
    app.state.reading_queue = create_reading_queue()
    app.state.counts_addresses = limits.creating is not None
    app.state.health = Health(game_server.check_writable)
    game_server.service.on_append = app.state.health.note_append
    app.state.registry = registry = ConnectionRegistry(
        connections or ConnectionLimits(), tuple(proxies), count=metrics.count_refused
    )
    _add_error_handlers(app)
    app.add_middleware(Middleware, gate=RequestGate(hosts, limits), metrics=metrics, handlers=app.exception_handlers)
    for router in (games, server, daily, rules, sharing):
        app.include_router(router)
    add_play(app)
    add_accounts(app, game_server, database, push)
    add_analysis(app, cluster)
    for add in (add_pictures, add_reviews, add_lessons, add_drills, add_real, add_openings, add_library, add_manual):
        add(app)
    add_pages(app)
    _add_gauges(app, metrics, registry)
    if show_metrics:
        app.get("/metrics", include_in_schema=False)(lambda: Response(metrics.text, media_type=metrics.content_type))
    _answer_heads(app)
    return app


def _add_error_handlers(app: FastAPI) -> None:
    """Answer our errors, and requests that no route takes or can read, in one line."""
    app.add_exception_handler(FullprimeError, answer_refusal)
    app.add_exception_handler(RequestValidationError, answer_unreadable)
    app.add_exception_handler(HTTPException, answer_unknown)


def _answer_heads(app: FastAPI) -> None:
    """Answer HEAD for every page that GET gives; the server leaves the body out.

    The API is left out, because a HEAD for a stream would not end. Each such route is a copy, because applications
    share the routes of a router, and stays out of the API's document, where an operation has one name.
    """
    app.router.routes[:] = [part for route in app.routes for part in (route, *_head_of(route))]


def _head_of(route: BaseRoute) -> Iterator[APIRoute]:
    if isinstance(route, APIRoute) and route.methods == {"GET"} and not route.path.startswith("/api/"):
        head = copy(route)
        head.methods, head.include_in_schema = {"HEAD"}, False
        yield head


@asynccontextmanager
async def _serving(app: FastAPI) -> AsyncIterator[dict[str, Any]]:
    """Run the clocks of games while the application serves; close jobs, accounts and sessions afterwards."""
    game_server: GameServer = app.state.game_server
    game_server.begin()
    watching = asyncio.create_task(_watch_connections(app.state.registry))
    app.state.background_rollouts.thread.start()
    app.state.background_reviews.thread.start()
    yield {REGISTRY: app.state.registry}
    watching.cancel()
    await run_in_threadpool(app.state.background_rollouts.thread.close)
    await run_in_threadpool(app.state.background_reviews.thread.close)
    await run_in_threadpool(app.state.jobs.close)
    close_accounts(app)
    await game_server.end()


async def _watch_connections(registry: ConnectionRegistry) -> None:
    while True:
        for _ in range(4):
            registry.check_load()
            await asyncio.sleep(TICK)
        registry.close_expired()


def _add_gauges(app: FastAPI, metrics: Metrics, registry: ConnectionRegistry) -> None:
    for name, meaning in (
        ("open", "Connections that are open"),
        ("resting", "Connections that have nothing asked: idle, or in the midst of a request"),
        ("streams", "Live lines and streams"),
    ):
        metrics.gauge(f"connections_{name}", meaning, partial(_registry, registry, name))
    for name, meaning in (("open", "Games in memory"), ("live", "Games in play"), ("watchers", "Who follows games")):
        metrics.gauge(name, meaning, partial(_count, app.state.game_server, name))
    for name in ("waiting", "running"):
        metrics.gauge(f"jobs_{name}", f"Analyses and reviews {name}", partial(_length, app, name))
        metrics.gauge(f"hints_{name}", f"Questions to the engine at games {name}", partial(_count_questions, app, name))


def _registry(registry: ConnectionRegistry, name: str) -> float:
    return registry.count_connections()[name]


def _count(game_server: GameServer, name: str) -> float:
    return game_server.count_sessions()[name]


def _length(app: FastAPI, name: str) -> float:
    jobs: Jobs = app.state.jobs
    return jobs.count_jobs()[name]


def _count_questions(app: FastAPI, name: str) -> float:
    engine_queue: EngineQueue = app.state.engine_queue
    return engine_queue.count_questions()[name]


# -- the routes -------------------------------------------------------------------------------------------------
server = APIRouter(prefix="/api", tags=["server"], route_class=ValueRoute)


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


@server.get("/options")
async def options(request: Request) -> models.Options:
    """Variants with the bots that play them and the options in force, presets, and all rules with their choices."""
    return models.Options(
        variants={
            name: models.VariantOptions(
                title=title,
                bots=bots_for(name),
                options=variant_options(name),
                about=GAME_WORDS[name],
                start=start_of(name),
                rules=own_rules(name),
                tour=tour_of(name),
            )
            for name, title in variants().items()
        },
        bot=usual_bot_for(),
        opponents=render_all(opponents(), language_of(request)),
        levels=analysis_levels(),
        presets=PRESET_WORDS,
        rules=rule_choices(),
        rule_words=RULE_WORDS,
        rule_values=CONSEQUENCES,
    )
