"""The pages: where they lie, and one of them as an answer, with the head that all have."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fastapi.responses import HTMLResponse

STATIC = Path(__file__).parent / "static"
ICON = '<link rel="icon" href="/static/parts/icon.svg">'
HEAD = f"""<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{ICON}
<link rel="stylesheet" href="/static/parts/tokens.css">
<link rel="stylesheet" href="/static/parts/style.css">
<link rel="stylesheet" href="/static/board/board.css">"""
"""The head of every page, put where its file has ``<!-- head -->``."""
_MARK = "<!-- head -->"


@cache
def page_text(name: str) -> str:
    """A page by its path below the static files, such as ``home/index.html``."""
    return (STATIC / name).read_text(encoding="utf-8").replace(_MARK, HEAD, 1)


def page_file(name: str, status: int) -> HTMLResponse:
    """A page as an answer."""
    return HTMLResponse(page_text(name), status)
