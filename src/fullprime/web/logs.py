"""The log of the server: standard logging as lines of JSON, without texts that could be secrets."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TextIO

LEVELS = ("debug", "info", "warning", "error")

_SECRETS = (
    # Keys of seats, tokens and sessions, wherever they stand: headers, the parts of addresses, JSON.
    re.compile(r"(?i)(\bbearer\s+)[^\s\"',;]+"),
    re.compile(
        r"(?i)((?:key|invite|invitation|token|secret|password|session|seed|cookie)[\"']?\s*[=:]\s*[\"']?)[^\s\"'&,;#}]+"
    ),
    re.compile(r"(://[^/\s:@]*:)[^@/\s]+(?=@)"),
)
_KNOWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


def without_secrets(text: str) -> str:
    """The text with everything that looks like a key, a token or a password replaced.

    >>> without_secrets("Authorization: Bearer abc123 for postgresql://me:pass@host/db#key=xyz")
    'Authorization: Bearer … for postgresql://me:…@host/db#key=…'
    """
    for pattern in _SECRETS:
        text = pattern.sub(r"\1…", text)
    return text


class JsonLines(logging.Formatter):
    """A record as one line: ``time``, ``level``, ``logger``, ``message``, all that is ``extra``, and ``error``."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        line |= {name: _plain(value) for name, value in vars(record).items() if name not in _KNOWN}
        if record.exc_info:
            line["error"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def _shorten_cut_off(record: logging.LogRecord) -> bool:
    """Log a request that the end of the server cut off in one line, because it is no fault of the program."""
    if record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError):
        record.msg, record.args, record.exc_info = "a request was cut off: the server stops", (), None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


def _is_ours(record: logging.LogRecord) -> bool:
    """False for uvicorn's log of requests.

    It names visitors and whole URLs, and a URL may be all that it takes to open a job. ``monitoring`` logs requests by
    the patterns of their routes instead.
    """
    return record.levelno >= logging.WARNING or record.name.partition(".")[0] != "uvicorn"


def log_to(stream: TextIO | None = None, level: str = "warning") -> logging.Handler:
    """Write all logs of this process to a stream (standard error) from a level on, and nowhere else."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonLines())
    handler.addFilter(_is_ours)
    handler.addFilter(_shorten_cut_off)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    return handler


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    return without_secrets(str(value))
