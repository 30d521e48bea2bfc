"""Routes of the analysis board, and of the jobs that it and the reviews wait for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from typing import TypeAlias

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
from fullprime.web.addresses import client_key
from fullprime.web.live import KEEPALIVE_SECONDS
from fullprime.web.models import analysis as models
from fullprime.web.pages import page_file
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.values import ValueRoute
from fullprime.web.streams import NDJSON, JsonLinesResponse

DESERTED = 10.0
"""Seconds after which an analysis stops when its client is gone. Reviews and additions to a library go on, because
people come back to them."""

JobAnswer: TypeAlias = models.JobInfo | JsonLinesResponse
"""A job, or its stream to a request that accepts lines."""

analysis = APIRouter(prefix="/api/analysis", tags=["analysis"], responses=REFUSALS, route_class=ValueRoute)


def add_analysis(app: FastAPI, cluster: str | None = None) -> None:
    """Add the routes and the pages to an application. Rollouts go to the Dask cluster at ``cluster`` where one is."""
    app.state.jobs = jobs.Jobs()
    app.state.cluster = cluster
    app.include_router(analysis)
    for path, name in (("/review", "review/review"),):
        app.get(path, include_in_schema=False)(partial(page_file, f"{name}.html", 200))


def queue(request: Request) -> jobs.Jobs:
    """The queue of the server."""
    job_queue: jobs.Jobs = request.app.state.jobs
    return job_queue


def visitor_key(request: Request) -> str:
    """The key under which work is counted together."""
    return client_key(request.scope)


# -- the board --------------------------------------------------------------------------------------------------
@analysis.post("/read")
async def read_identifier(body: models.Identifier) -> setups.AnalysisBoard:
    """The board that an identifier of any kind describes, with notes on the facts that it leaves open."""
    return await run_in_threadpool(setups.read_setup, body.text, body.variant, body.rules)


@analysis.post("/board")
async def show_board(body: models.Setup) -> setups.AnalysisBoard:
    """Everything about a game that was set up: checkers, identifiers, and the ways to play its roll."""
    return await run_in_threadpool(lambda: setups.board(setups.game_of(body)))


@analysis.post("/act")
async def act(body: models.BoardAction) -> setups.AnalysisBoard:
    """The board after something was done: a roll (by the server's dice, or typed), a play, a double, a take."""
    return await run_in_threadpool(lambda: setups.act(setups.game_of(body.setup), body.line))


@analysis.post("/picture", response_class=Response)
async def draw_board(body: models.DiagramRequest) -> Response:
    """The board as a picture: SVG."""
    drawn = await run_in_threadpool(
        lambda: diagram(setups.game_of(body.setup), plays=tuple(body.plays), theme=body.theme, home=body.home)
    )
    headers = {"Content-Disposition": 'attachment; filename="board.svg"'}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


# -- jobs -------------------------------------------------------------------------------------------------------
@analysis.post("/jobs", status_code=202)
async def ask_engine(body: models.EngineQuestion, request: Request) -> JobAnswer:
    """Put a question to the engine into the queue. `Accept: application/x-ndjson` gets the job's stream at once."""
    game = await run_in_threadpool(setups.game_of, body.setup)
    work = _work(body, game, request.app.state.cluster)
    job = queue(request).submit(visitor_key(request), body.kind, work, seconds=service.SECONDS[body.kind])
    return answer_new_job(request, job)


@analysis.get("/jobs/{job}")
async def read_job(job: str, request: Request) -> models.JobInfo:
    """The progress of a job, and its result."""
    return answer_job(request, queue(request).job(job))


@analysis.post("/jobs/{job}/stop")
async def stop_job(job: str, request: Request) -> models.JobInfo:
    """Stop a job; its result is that found by then."""
    return answer_job(request, queue(request).stop(job))


@analysis.get("/jobs/{job}/stream", response_class=JsonLinesResponse)
async def stream_job(job: str, request: Request) -> JsonLinesResponse:
    """The job as lines of JSON: at once, after each change, and at last as it is over. Blank lines keep it alive."""
    current_job = queue(request).job(job)

    return JsonLinesResponse(_lines(queue(request), current_job))


async def _lines(waiting: jobs.Jobs, job: jobs.Job) -> AsyncIterator[str]:
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def listener() -> None:
        loop.call_soon_threadsafe(news.set)

    job.listeners.add(listener)
    try:
        while True:
            news.clear()
            over = job.is_over
            yield json.dumps(to_json(job.facts(waiting.count_ahead(job)))) + "\n"
            if over:
                return
            while not news.is_set():
                try:
                    async with asyncio.timeout(KEEPALIVE_SECONDS):
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


def answer_new_job(request: Request, job: jobs.Job) -> JobAnswer:
    """A new job: as it is now, or its stream to a request that accepts that."""
    if NDJSON in request.headers.get("accept", ""):
        return JsonLinesResponse(_lines(queue(request), job))
    return answer_job(request, job)


def answer_job(request: Request, job: jobs.Job) -> models.JobInfo:
    """The job as an answer."""
    return models.job_info(job.facts(queue(request).count_ahead(job)))


def _work(body: models.EngineQuestion, game: Game, cluster: str | None) -> jobs.Work:
    """The work that answers a question. The answer becomes JSON in the thread that does the work."""
    answer = _answering(body, game, cluster)
    return lambda job: to_json(answer(job))


def _answering(body: models.EngineQuestion, game: Game, cluster: str | None) -> jobs.Work:
    match body.kind:
        case "analyse":
            return lambda job: service.analyse(game, body.level, job, cubeful=body.cubeful)
        case "compare":
            if len(body.plays) != 2:
                raise SettingsError("two plays are compared: give both")
            first, second = body.plays
            return lambda _job: service.compare(game, first, second)
        case "rolls":
            return lambda _job: service.map_rolls(game)
        case "scores":
            return lambda job: service.report_scores(game, body.length, body.level, job)
        case "rollout":
            options = service.check_limits(
                RolloutOptions(
                    trials=body.trials, seed=body.seed, truncate=body.truncate, ply=body.ply,
                    cube_ply=body.ply if body.cube_ply is None else body.cube_ply, level=body.like,
                    variance_reduction=body.variance_reduction, apart=body.apart, error=body.error,
                    cubeful=body.cubeful, cluster=cluster,
                )
            )  # fmt: skip
            return lambda job: service.roll_out_plays(game, body.plays, options, job)
