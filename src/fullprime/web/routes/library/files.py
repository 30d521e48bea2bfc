"""Routes of files: added to a library, reviewed, and given back; the work is a job that can be stopped."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from fullprime.analysis import service
from fullprime.common import jobs
from fullprime.learn.match_lessons import review_levels
from fullprime.library.adding import ADDING, add_upload, review_matches
from fullprime.library.places import export_match, read_question
from fullprime.rules.errors import SettingsError
from fullprime.web import rate_limits
from fullprime.web.models import library as models
from fullprime.web.refusals import REFUSALS
from fullprime.web.routes.analysis import JobAnswer, answer_new_job, queue, visitor_key
from fullprime.web.routes.library.owner import Library
from fullprime.web.routes.storage_limit import STORAGE_LIMIT
from fullprime.web.routes.values import ValueRoute

rate_limits.LARGER_BODIES["/api/library/files"] = ADDING.most_bytes

files = APIRouter(prefix="/api/library", tags=["library"], responses=REFUSALS, route_class=ValueRoute)

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


@files.post("/files", status_code=202, openapi_extra=_FILE, dependencies=[STORAGE_LIMIT])
async def add_files(
    store: Library,
    request: Request,
    name: Annotated[str, Query(max_length=200, description="of the file; its ending helps to know its format")] = "",
    level: Level = "",
) -> JobAnswer:
    """Add a file, or every file of a zip archive: the body is the file. The job's result says what became of each."""
    data = await request.body()
    if not data:
        raise SettingsError("the file is empty")
    short = re.split(r"[/\\]", name)[-1].strip() or "file"
    checked_level = _level(level) if level else None
    return _begin(request, lambda job: add_upload(store, data, short, checked_level, job), len(data))


@files.post("/review", status_code=202, dependencies=[STORAGE_LIMIT])
async def review_library(body: models.ReviewWanted, store: Library, request: Request) -> JobAnswer:
    """Review the matches for which the conditions hold and that have no review of that level yet."""
    wanted, level = replace(read_question(body.question), numbers=tuple(body.matches)), _level(body.level)
    return _begin(request, lambda job: review_matches(store, wanted, level, job))


def _begin(request: Request, work: jobs.Work, sent: int = 0) -> JobAnswer:
    job = queue(request).submit(visitor_key(request), "library", work, seconds=service.SECONDS["library"], sent=sent)
    return answer_new_job(request, job)


@files.get("/matches/{match}/file", response_class=Response)
async def save_match(
    match: Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of a match")],
    store: Library,
    format: Annotated[str, Query(max_length=20, description="a format that `fullprime` writes")] = "json",  # noqa: A002
    *,
    analysis: Annotated[bool, Query(description="false for the match alone")] = True,
) -> Response:
    """The match with our newest review where there is one, else with the analysis it came with."""
    data, name = await run_in_threadpool(partial(export_match, store, match, format, analysis=analysis))
    return _send_file(data, name)


@files.get("/files/{source}", response_class=Response)
async def save_original(
    source: Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of a file")], store: Library
) -> Response:
    """A file as it was added, byte for byte."""
    name, data = await run_in_threadpool(store.get_original, source)
    return _send_file(data, re.split(r"[/\\]", name)[-1])


def _send_file(data: bytes, name: str) -> Response:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-") or "match"
    head = {"Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"}
    return Response(data, media_type="application/octet-stream", headers=head)
