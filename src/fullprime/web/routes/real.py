"""Routes of the page beside a real board: the record that was written down there, as a file."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from fullprime.app.matches.transcripts import file_of
from fullprime.web import guard
from fullprime.web.models.real import RealRecord
from fullprime.web.pages import page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.analysis import visitor
from fullprime.web.routes.turns import Turns

guard.LARGER_BODIES["/api/real/record"] = 1 << 18

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
