"""Errors of the program as answers: their status, their message as JSON, and their description for the API."""

from __future__ import annotations

from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.requests import Request

from fullprime.messages import Message, error_message
from fullprime.play.server.game_server import StoreFailed
from fullprime.rules.errors import ErrorCode, FullprimeError
from fullprime.web.error_answers import STATUS, answer_error
from fullprime.web.monitoring import Health
from fullprime.web.pages import Page
from fullprime.web.request_faults import describe_fault, field_of

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
        (500, "a fault of the server"),
        (503, "nothing can be stored, or too much waits; `Retry-After` has seconds"),
    )
}
"""With which any route may answer, for the API's document.

They refer to the schema of :class:`Error`, which :meth:`Application.openapi` adds: given as a model, it would be worked
out for each route and status, which is a tenth of what a server needs to start.
"""


async def answer_refusal(request: Request, error: Exception) -> Response:
    """The answer to an action that the rules, the settings or the game do not allow; to a browser, maybe a page."""
    assert isinstance(error, FullprimeError)
    code: ErrorCode = error.code or "invalid"
    status = STATUS[code]
    if isinstance(error, StoreFailed):
        health: Health = request.app.state.health
        health.note_failed(str(error))
    if status in (401, 404) and wants_a_page(request):
        return missing_page(request, status)
    # Another try helps against these alone.
    wait = {"Retry-After": str(getattr(error, "retry_after", 10))} if status in (429, 503) else None
    return answer_error(request.scope, code, error_message(error), field=error.field, headers=wait)


async def answer_unknown(request: Request, error: Exception) -> Response:
    """The answer to a request that no route takes: to a browser that asks for a page, a page."""
    assert isinstance(error, HTTPException)
    status, headers = error.status_code, error.headers
    if status == 404 and wants_a_page(request):
        return missing_page(request)
    if status == 404:
        return answer_error(request.scope, "no_route", Message("there is nothing at this address"), headers=headers)
    if status == 405:
        message = Message("this address does not take {method}", method=request.method)
        return answer_error(request.scope, "no_route", message, status=status, headers=headers)
    return answer_error(request.scope, "invalid", str(error.detail), status=status, headers=headers)


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
    fault = error.errors()[0]
    return answer_error(request.scope, "invalid", describe_fault(fault), status=422, field=field_of(fault))
