"""Error answers: every one is made here, of a code, a message and its facts, in the language of its reader."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Scope

from fullprime.common.json_values import to_json
from fullprime.messages import ENGLISH, facts_of, render
from fullprime.rules.errors import ErrorCode
from fullprime.web.languages import language_of
from fullprime.web.models.common import Error

STATUS: Mapping[ErrorCode, int] = MappingProxyType({
    "illegal": 400,
    "invalid": 400,
    "unknown": 401,
    "forbidden": 403,
    "missing": 404,
    "no_route": 404,
    "timed_out": 408,
    "stale": 409,
    "taken": 409,
    "too_large": 413,
    "misdirected": 421,
    "busy": 429,
    "fault": 500,
    "full": 503,
    "unavailable": 503,
})  # fmt: skip
"""The usual status of each code. A method that an address does not take is 405, a request that fails the checks of its
route 422, and a head that is too large 431."""


def to_error(code: ErrorCode, message: str, language: str = ENGLISH, field: str | None = None) -> Error:
    """The body of an error answer; ``field`` is the option that is wrong, where one alone is."""
    return Error(error=render(message, language), code=code, facts=facts_of(message, language), field=field)


def encode_error(error: Error) -> bytes:
    """The body as it is sent."""
    return json.dumps(to_json(error), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def answer_error(
    scope: Scope,
    code: ErrorCode,
    message: str,
    *,
    status: int | None = None,
    field: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An error answer to a request; ``status`` is that of the code unless it is given."""
    error = to_error(code, message, language_of(HTTPConnection(scope)), field)
    return Response(encode_error(error), status or STATUS[code], headers, "application/json")
