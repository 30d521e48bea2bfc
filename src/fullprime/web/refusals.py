"""Errors of the program as answers: their status, their message as JSON, and their description for the API."""

from __future__ import annotations

from typing import Any, get_args

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import Request

from fullprime.common.refusals import RefusalCode
from fullprime.library.places import LibraryError
from fullprime.messages import render, render_error
from fullprime.play.server.game_server import StoreError, StoreFailed
from fullprime.web.connections.open_streams import TooManyStreams
from fullprime.web.languages import language_of
from fullprime.web.monitoring import Health
from fullprime.web.pages import Page
from fullprime.web.request_faults import describe_fault

_STATUS = {"unknown": 401, "forbidden": 403, "missing": 404, "stale": 409, "taken": 409, "busy": 429, "full": 503}
"""The status of each code that an error may have."""

REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"description": why, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
    for code, why in (
        (400, "not allowed by the rules or the settings"),
        (401, "sign in first, or the name, the password or the token is wrong"),
        (403, "not yours to do"),
        (404, "no such game, account, challenge, analysis or review"),
        (409, "too late, or taken: the game may have gone on"),
        (413, "too large"),
        (421, "called by another name"),
        (422, "not what the route takes"),
        (429, "too many requests, or too much of yours that waits; `Retry-After` has seconds"),
        (503, "nothing can be stored, or too much waits; `Retry-After` has seconds"),
    )
}
"""With which any route may answer, for the API's document.

They refer to the schema of :class:`Error`, which :meth:`Application.openapi` adds: given as a model, it would be worked
out for each route and status, which is a tenth of what a server needs to start.
"""


def status_of(error: Exception) -> int:
    """The status with which an error is answered: by its ``code``, where it has one of ours."""
    failed = isinstance(error, StoreError | TooManyStreams) and not isinstance(error, LibraryError)
    code = 503 if failed else 400
    return _STATUS.get(str(getattr(error, "code", "")), code)


def retry_after(error: Exception) -> str | None:
    """The seconds of the header ``Retry-After``; None where another try would not help."""
    return str(getattr(error, "retry_after", 10)) if status_of(error) in (429, 503) else None


async def answer_refusal(request: Request, error: Exception) -> Response:
    """The answer to an action that the rules, the settings or the game do not allow; to a browser, maybe a page."""
    status = status_of(error)
    if isinstance(error, StoreFailed):
        health: Health = request.app.state.health
        health.note_failed(str(error))
    if status in (401, 404) and wants_a_page(request):
        return missing_page(request, status)
    wait = retry_after(error)
    code, field = getattr(error, "code", None), getattr(error, "field", None)
    kind = {"code": code} if code in get_args(RefusalCode) else {}
    answer = {"error": render_error(error, language_of(request)), **kind, **({"field": field} if field else {})}
    return JSONResponse(answer, status, None if wait is None else {"Retry-After": wait})


async def answer_unknown(request: Request, error: Exception) -> Response:
    """The answer to a request that no route takes: to a browser that asks for a page, a page."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and wants_a_page(request):
        return missing_page(request)
    return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)


_KINDS = {
    "/game/": "no-game",
    "/rules": "no-game",
    "/study/": "no-study",
    "/library/": "no-match",
    "/learn/": "no-lesson",
    "/drill/": "no-drill",
    "/openings/": "no-opening",
}
"""The class of the page for something missing, by the beginning of its address, so that it shows the next step."""


def missing_page(request: Request, status: int = 404) -> Page:
    """The page for an address where there is nothing, or (401) where it takes an account; it offers a next step."""
    path = request.url.path
    kind = next((kind for begin, kind in _KINDS.items() if path.startswith(begin)), "no-page")
    return Page("home/missing.html", status, body="no-account" if status == 401 else kind)


def wants_a_page(request: Request) -> bool:
    """True for a browser that opens a page; programs and scripts do not ask for HTML."""
    accepted = request.headers.get("accept", "")
    return request.method in ("GET", "HEAD") and "text/html" in accepted and not request.url.path.startswith("/api/")


async def answer_unreadable(request: Request, error: Exception) -> Response:
    """The answer to a request that its route does not accept; to a browser, the page for something missing."""
    assert isinstance(error, RequestValidationError)
    if wants_a_page(request):
        return missing_page(request)
    return JSONResponse({"error": render(describe_fault(error.errors()[0]), language_of(request))}, 422)
