"""Errors of the program as answers: their status, and their message as JSON."""

from __future__ import annotations

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request

from fullprime.app.live.rooms import RoomError, StoreError

_STATUS = {"unknown": 401, "forbidden": 403, "missing": 404, "stale": 409, "taken": 409, "busy": 429}


def status_of(error: Exception) -> int:
    """The status with which an error is answered."""
    code = 503 if isinstance(error, StoreError) else 400
    return _STATUS.get(error.code, code) if isinstance(error, RoomError) else code


async def refused(_request: Request, error: Exception) -> JSONResponse:
    """What the rules, the settings or the game do not allow."""
    return JSONResponse({"error": str(error)}, status_of(error))


async def unknown(_request: Request, error: Exception) -> JSONResponse:
    """What no route takes."""
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": str(error.detail)}, error.status_code, error.headers)


async def unreadable(_request: Request, error: Exception) -> JSONResponse:
    """What is not as the route describes it."""
    assert isinstance(error, RequestValidationError)
    found = error.errors()[0]
    where = ".".join(str(part) for part in found["loc"][1:])
    return JSONResponse({"error": f"{where or 'the request'}: {found['msg']}"}, 422)
