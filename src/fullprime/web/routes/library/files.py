"""Routes of files: added to a library, reviewed, and given back; the work is a job that can be stopped."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from fullprime.analysis import service
from fullprime.common import jobs
from fullprime.learn.match_lessons import review_levels
from fullprime.library.adding import ADDING, add_upload, review_matches
from fullprime.library.places import exported_match, wanted_of
from fullprime.rules.errors import SettingsError
from fullprime.web import guard
from fullprime.web.models import analysis
from fullprime.web.models import library as models
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.analysis import queue, told, visitor
from fullprime.web.routes.library.owner import Library
from fullprime.web.routes.own_machine import at_this_machine
from fullprime.web.routes.room import ROOM, storage_of

guard.LARGER_BODIES["/api/library/files"] = ADDING.most_bytes

files = APIRouter(prefix="/api/library", tags=["library"], responses=REFUSALS)

_FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
Level = Annotated[
    str, Query(max_length=20, description="review the new matches: `fast`, `standard` or `deep`; empty for not now")
]


def _level(name: str) -> str:
    if name not in review_levels():
        raise SettingsError(f"there is no level {name[:40]!r} of reviews; there are {', '.join(review_levels())}")
    return name


@files.post("/files", status_code=202, response_model=analysis.JobAnswer, openapi_extra=_FILE, dependencies=[ROOM])
async def add_files(
    store: Library,
    request: Request,
    name: Annotated[str, Query(max_length=200, description="of the file; its ending helps to know its format")] = "",
    level: Level = "",
) -> Any:
    """Add a file, or every file of a zip archive: the body is the file. The job's result says what became of each."""
    data = await request.body()
    if not data:
        raise SettingsError("the file is empty")
    short = re.split(r"[/\\]", name)[-1].strip() or "file"
    wanted = _level(level) if level else None
    storage = None if at_this_machine(request) else storage_of(request).limits
    return _begin(request, lambda job: add_upload(store, data, short, wanted, job, storage=storage), len(data))


@files.post("/review", status_code=202, response_model=analysis.JobAnswer)
async def review_library(asked: models.ReviewWanted, store: Library, request: Request) -> Any:
    """Review the matches for which the conditions hold and that have no review of that level yet."""
    wanted, level = replace(wanted_of(asked.question), numbers=tuple(asked.matches)), _level(asked.level)
    return _begin(request, lambda job: review_matches(store, wanted, level, job))


def _begin(request: Request, work: jobs.Work, sent: int = 0) -> Any:
    job = queue(request).submit(visitor(request), "library", work, seconds=service.SECONDS["library"], sent=sent)
    return told(request, job)


@files.get("/matches/{match}/file", response_class=Response)
async def save_match(
    match: Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of a match")],
    store: Library,
    format: Annotated[str, Query(max_length=20, description="a format that `fullprime` writes")] = "json",  # noqa: A002
) -> Response:
    """The match with our newest review where there is one, else with the analysis it came with."""
    data, name = await run_in_threadpool(exported_match, store, match, format)
    return _saved(data, name)


@files.get("/files/{source}", response_class=Response)
async def save_original(
    source: Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of a file")], store: Library
) -> Response:
    """A file as it was added, byte for byte."""
    name, data = await run_in_threadpool(store.original, source)
    return _saved(data, re.split(r"[/\\]", name)[-1])


def _saved(data: bytes, name: str) -> Response:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-") or "match"
    head = {"Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"}
    return Response(data, media_type="application/octet-stream", headers=head)
