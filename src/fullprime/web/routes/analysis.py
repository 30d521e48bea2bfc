"""Routes of the analysis board, and of the jobs that it and the reviews wait for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from fullprime.analysis import service, setups
from fullprime.analysis.diagrams import diagram
from fullprime.analysis.rollouts import RolloutOptions
from fullprime.common import jobs
from fullprime.common.json_values import to_json
from fullprime.rules.errors import SettingsError
from fullprime.rules.game import Game
from fullprime.web.addresses import whom
from fullprime.web.models import analysis as models
from fullprime.web.pages import page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.streams import MEDIA, Lines

ALIVE = 15.0
"""Seconds after which a stream without news gets a blank line."""

DESERTED = 10.0
"""Seconds for which an answer that nobody waits for is still looked for. Reviews and additions to a
library go on: people come back to them."""

analysis = APIRouter(prefix="/api/analysis", tags=["analysis"], responses=REFUSALS)


def add_analysis(app: FastAPI, cluster: str | None = None) -> None:
    """Add the routes and the pages to an application. Rollouts go to the Dask cluster at ``cluster`` where one is."""
    app.state.jobs = jobs.Jobs()
    app.state.cluster = cluster
    app.include_router(analysis)
    for path, name in (("/review", "review/review"),):
        app.get(path, include_in_schema=False)(partial(page_file, f"{name}.html", 200))


def queue(request: Request) -> jobs.Jobs:
    """The queue of the server."""
    found: jobs.Jobs = request.app.state.jobs
    return found


def visitor(request: Request) -> str:
    """The key under which work is counted together."""
    return whom(request.scope)


# -- the board --------------------------------------------------------------------------------------------------
@analysis.post("/read")
async def read_identifier(asked: models.Identifier) -> setups.BoardJson:
    """The board that an identifier of any kind describes, with notes on the facts that it leaves open."""
    return await run_in_threadpool(setups.read_setup, asked.text, asked.variant, asked.rules)


@analysis.post("/board")
async def show_board(asked: models.GameSetup) -> setups.BoardJson:
    """Everything about a game that was set up: checkers, identifiers, and the ways to play its roll."""
    return await run_in_threadpool(lambda: setups.board(setups.game_of(asked.setup)))


@analysis.post("/act")
async def act(asked: models.Deed) -> setups.BoardJson:
    """The board after something was done: a roll (by the server's dice, or typed), a play, a double, a take."""
    return await run_in_threadpool(lambda: setups.act(setups.game_of(asked.setup.setup), asked.line))


@analysis.post("/picture", response_class=Response)
async def draw_board(asked: models.DiagramRequest) -> Response:
    """The board as a picture: SVG."""
    drawn = await run_in_threadpool(
        lambda: diagram(setups.game_of(asked.setup.setup), plays=tuple(asked.plays), theme=asked.theme, home=asked.home)
    )
    headers = {"Content-Disposition": 'attachment; filename="board.svg"'}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


# -- jobs -------------------------------------------------------------------------------------------------------
@analysis.post("/jobs", status_code=202, response_model=models.JobAnswer)
async def ask_engine(asked: models.Question, request: Request) -> Any:
    """Put a question to the engine into the queue. `Accept: application/x-ndjson` gets the job's stream at once."""
    game = await run_in_threadpool(setups.game_of, asked.setup.setup)
    work = _work(asked, game, request.app.state.cluster)
    job = queue(request).submit(visitor(request), asked.kind, work, seconds=service.SECONDS[asked.kind])
    return told(request, job)


@analysis.get("/jobs/{job}", response_model=models.JobAnswer)
async def read_job(job: str, request: Request) -> Any:
    """The progress of a job, and its result."""
    return shown(request, queue(request).job(job))


@analysis.post("/jobs/{job}/stop", response_model=models.JobAnswer)
async def stop_job(job: str, request: Request) -> Any:
    """Stop a job; its result is that found by then."""
    return shown(request, queue(request).stop(job))


@analysis.get("/jobs/{job}/stream", response_class=Lines)
async def stream_job(job: str, request: Request) -> Lines:
    """The job as lines of JSON: at once, after each change, and at last as it is over. Blank lines keep it alive."""
    found = queue(request).job(job)

    return Lines(_lines(queue(request), found))


async def _lines(waiting: jobs.Jobs, job: jobs.Job) -> AsyncIterator[str]:
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def listener() -> None:
        loop.call_soon_threadsafe(news.set)

    job.listeners.add(listener)
    try:
        while True:
            news.clear()
            over = job.is_over
            yield json.dumps(to_json(job.facts(waiting.ahead(job)))) + "\n"
            if over:
                return
            while not news.is_set():
                try:
                    async with asyncio.timeout(ALIVE):
                        await news.wait()
                except TimeoutError:
                    yield "\n"
    finally:
        job.listeners.discard(listener)
        if job.kind not in ("review", "library"):
            loop.call_later(DESERTED, _desert, waiting, job)


def _desert(waiting: jobs.Jobs, job: jobs.Job) -> None:
    if not job.listeners and not job.is_over:
        waiting.stop(job.id)


def told(request: Request, job: jobs.Job) -> Any:
    """A new job: as it is now, or its stream to a request that accepts that."""
    if MEDIA in request.headers.get("accept", ""):
        return Lines(_lines(queue(request), job))
    return shown(request, job)


def shown(request: Request, job: jobs.Job) -> Any:
    """The job as an answer. Its kind decides the types of progress and result: the model of the answer checks them."""
    return to_json(job.facts(queue(request).ahead(job)))


def _work(asked: models.Question, game: Game, cluster: str | None) -> jobs.Work:
    """The work that answers a question. The answer becomes JSON in the thread that does the work."""
    answer = _answering(asked, game, cluster)
    return lambda job: to_json(answer(job))


def _answering(asked: models.Question, game: Game, cluster: str | None) -> jobs.Work:
    match asked.kind:
        case "analyse":
            return lambda job: service.analyse(game, asked.level, job, cubeful=asked.cubeful)
        case "compare":
            if len(asked.plays) != 2:
                raise SettingsError("two plays are compared: give both")
            first, second = asked.plays
            return lambda _job: service.compare(game, first, second)
        case "rolls":
            return lambda _job: service.rolls(game)
        case "scores":
            return lambda _job: service.scores(game, asked.length)
        case "rollout":
            options = service.within_limits(
                RolloutOptions(
                    trials=asked.trials, seed=asked.seed, truncate=asked.truncate, ply=asked.ply,
                    cube_ply=asked.ply if asked.cube_ply is None else asked.cube_ply, level=asked.like,
                    variance_reduction=asked.variance_reduction, apart=asked.apart, error=asked.error,
                    cubeful=asked.cubeful, cluster=cluster,
                )
            )  # fmt: skip
            return lambda job: service.roll_out_plays(game, asked.plays, options, job)
