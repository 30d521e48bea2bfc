"""The pages as files: where they lie, and one of them as an answer."""

from __future__ import annotations

from pathlib import Path

from fastapi.responses import FileResponse

STATIC = Path(__file__).parent / "static"


def page_file(name: str, status: int) -> FileResponse:
    """A page by its path below the static files, such as ``home/index.html``."""
    return FileResponse(STATIC / name, status, media_type="text/html")
