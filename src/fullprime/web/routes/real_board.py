"""Routes of the page beside a real board: the record that was written down there, as a file."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from fullprime.reviews.matches.transcripts import FollowedRecord, Transcript, boards_of, file_of
from fullprime.web import rate_limits
from fullprime.web.models.described import REQUEST
from fullprime.web.pages import page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.analysis import visitor_key
from fullprime.web.routes.engine_queue import EngineQueue
from fullprime.web.routes.values import ValueRoute

for _path in ("/api/real/record", "/api/real/boards"):
    rate_limits.LARGER_BODIES[_path] = 1 << 18

real = APIRouter(prefix="/api/real", tags=["real boards"], responses=REFUSALS, route_class=ValueRoute)


def add_real(app: FastAPI) -> None:
    """Add the routes and the page."""
    app.include_router(real)
    app.get("/real", include_in_schema=False)(partial(page_file, "real/real.html", 200))


@real.post("/record", response_class=Response)
async def make_record(body: Annotated[Transcript, REQUEST], request: Request) -> Response:
    """The games that were written down, checked by the rules, as a file that a review and the library take.

    A line that cannot have been played is refused with its game, its number and the reason.
    """
    engine_queue: EngineQueue = request.app.state.engine_queue
    async with engine_queue.take_turn("record", [visitor_key(request)]):
        data = await run_in_threadpool(file_of, body)
    return Response(
        data,
        media_type="application/octet-stream",
        headers={"Content-Disposition": 'attachment; filename="record.json"'},
    )


@real.post("/boards")
async def follow_record(body: Annotated[Transcript, REQUEST], request: Request) -> FollowedRecord:
    """The board after each line of the last game, up to the first that cannot be, with the reason.

    Earlier games count with their results alone; plays that were written down without a connection are checked so.
    """
    engine_queue: EngineQueue = request.app.state.engine_queue
    async with engine_queue.take_turn("record", [visitor_key(request)]):
        return await run_in_threadpool(boards_of, body)
