"""Routes and pages of the opening explorer: every place of it has an address, and a picture for other sites."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, HTTPException, Path, Query, Request
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from fullprime.learn.openings import explorer
from fullprime.learn.openings.model import OpeningPlace, OwnOpenings, ReferencePositions
from fullprime.learn.openings.references import preview_of_reference, references
from fullprime.library import own_openings
from fullprime.rules.errors import FullprimeError
from fullprime.rules.variants import VARIANTS
from fullprime.web.addresses import client_key
from fullprime.web.pages import Page
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.engine_queue import EngineQueue
from fullprime.web.routes.library.owner import Library
from fullprime.web.routes.pictures import head_of
from fullprime.web.routes.values import ValueRoute

openings = APIRouter(prefix="/api/openings", tags=["openings"], responses=REFUSALS, route_class=ValueRoute)

reference = APIRouter(prefix="/api/reference", tags=["openings"], responses=REFUSALS, route_class=ValueRoute)

GameName = Annotated[str, Path(max_length=60, description="the game")]
ScoreName = Annotated[str, Query(max_length=20, description="the score, as the player of the first roll sees it")]
Steps = Annotated[
    list[Annotated[str, Query(max_length=120)]] | None,
    Query(max_length=8, description="a roll of the line, `31`, or with its play, `31:8/5 6/5`; may be given again"),
]


def add_openings(app: FastAPI) -> None:
    """Add the routes and the pages to an application that has the queue of its engine."""
    app.include_router(openings)
    app.get("/openings", include_in_schema=False)(lambda: RedirectResponse("/openings/backgammon", 307))
    app.get("/openings/{game}", include_in_schema=False)(show_openings)
    app.include_router(reference)
    app.get("/reference", include_in_schema=False)(show_reference)


@openings.get("/{game}")
async def read_opening(
    game: GameName, request: Request, score: ScoreName = "money", step: Steps = None
) -> OpeningPlace:
    """A place of the opening explorer: a roll with its plays, rolled out, or a position before the next roll.

    Where the book has nothing yet, search answers, and `source` says so.
    """
    engine_queue: EngineQueue = request.app.state.engine_queue
    async with engine_queue.take_turn("drill", (client_key(request.scope),)):
        return await run_in_threadpool(explorer.make_place, game, score, step or ())


@openings.get("/{game}/mine")
async def read_own_games(
    game: GameName,
    library: Library,
    request: Request,
    score: ScoreName = "money",
    step: Steps = None,
    player: Annotated[str, Query(max_length=100, description="whose plays count; everybody's unless said")] = "",
) -> OwnOpenings:
    """The plays that were made at a place in the caller's library of matches, and how those games went."""
    engine_queue: EngineQueue = request.app.state.engine_queue
    async with engine_queue.take_turn("drill", (client_key(request.scope),)):
        return await run_in_threadpool(own_openings.own_plays_of_line, library, game, score, step or (), player or None)


async def show_openings(game: GameName, request: Request) -> Page:
    """The page of a place; its head names the picture of the board with the best play."""
    name = "openings/openings.html"
    query = request.query_params
    if game not in VARIANTS:
        raise HTTPException(404)
    try:
        preview, drawn = await run_in_threadpool(
            explorer.preview_of, game, query.get("score", "money"), query.getlist("step")
        )
    except FullprimeError:
        return Page(name, 404)  # It says what is wrong with its address, and has the first roll instead.
    picture = f"/picture/position.png?{urlencode(drawn)}"
    return Page(name, head=head_of(preview, str(request.base_url), picture))


@reference.get("")
async def read_references() -> ReferencePositions:
    """The reference positions by theme: cube decisions at their borders, each with a neighbour that turns it."""
    return await run_in_threadpool(references)


async def show_reference(request: Request) -> Page:
    """The page of the reference positions; with `name` in the address its head names the picture of that position."""
    name, position = "openings/reference.html", request.query_params.get("name", "")
    if not position:
        return Page(name)
    try:
        preview, drawn = await run_in_threadpool(preview_of_reference, position)
    except FullprimeError:
        return Page(name, 404)
    picture = f"/picture/position.png?{urlencode(drawn)}"
    return Page(name, head=head_of(preview, str(request.base_url), picture))
