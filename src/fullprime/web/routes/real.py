"""Routes of the page beside a real board: the record that was written down there, as a file."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from fullprime.reviews.matches.fields import FollowedRecord
from fullprime.reviews.matches.transcripts import boards_of, file_of
from fullprime.web import guard
from fullprime.web.models.real import RealRecord
from fullprime.web.pages import page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.analysis import visitor
from fullprime.web.routes.turns import Turns

for _path in ("/api/real/record", "/api/real/boards"):
    guard.LARGER_BODIES[_path] = 1 << 18

real = APIRouter(prefix="/api/real", tags=["real boards"], responses=REFUSALS)


def add_real(app: FastAPI) -> None:
    """Add the routes and the page."""
    app.include_router(real)
    app.get("/real", include_in_schema=False)(partial(page_file, "real/real.html", 200))


@real.post("/record", response_class=Response)
async def make_record(asked: RealRecord, request: Request) -> Response:
    """The games that were written down, checked by the rules, as a file that a review and the library take.

    A line that cannot have been played is refused with its game, its number and the reason.
    """
    turns: Turns = request.app.state.turns
    async with turns.turn("record", [visitor(request)]):
        data = await run_in_threadpool(file_of, asked.transcript)
    return Response(
        data,
        media_type="application/octet-stream",
        headers={"Content-Disposition": 'attachment; filename="record.json"'},
    )


@real.post("/boards")
async def follow_record(asked: RealRecord, request: Request) -> FollowedRecord:
    """The board after each line of the last game, up to the first that cannot be, with the reason.

    Earlier games count with their results alone; plays that were written down without a connection are checked so.
    """
    turns: Turns = request.app.state.turns
    async with turns.turn("record", [visitor(request)]):
        return await run_in_threadpool(boards_of, asked.transcript)
