"""The files of the pages, read and compressed once, at addresses that a browser may keep for good.

A page has some forty of them. Pages and scripts are sent with addresses below ``/static/VERSION/``, where the version
follows from all files, so that a browser asks for them again only after one has changed. On the disk they name
``/static/``.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path, PurePath

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

FOR_GOOD = "public, max-age=31536000, immutable"
"""The ``Cache-Control`` of files that never change at their address."""
VERSION = re.compile("[0-9a-f]{12}")
"""The form of a version in an address."""
_LEAST = 500
"""The size in bytes below which compressing gains nothing."""


def version_of(folder: Path) -> str:
    """The version of the files of a folder: it changes when one of them does."""
    content = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content.update(f"{path.relative_to(folder).as_posix()} {path.stat().st_size} ".encode() + path.read_bytes())
    return content.hexdigest()[:12]


def at_version(text: str, version: str) -> str:
    """Put a version into the addresses that a page or a script names."""
    return text.replace('"/static/', f'"/static/{version}/')


@dataclass(frozen=True, slots=True)
class CompressedFile:
    """A file as it is sent; ``compressed`` is empty where gzip does not make it smaller."""

    content: bytes
    compressed: bytes
    headers: Headers

    def answer(self, *, may_compress: bool) -> Response:
        """The answer with the file."""
        if not (may_compress and self.compressed):
            return Response(self.content, headers=dict(self.headers))
        return Response(self.compressed, headers={**self.headers, "content-encoding": "gzip"})


def read_compressed(path: Path, version: str = "", *, for_good: bool = False) -> CompressedFile:
    """Read a file; a script names others of the same version.

    Its ETag follows from its content, so it is the same in every process and after an installation.
    """
    content = path.read_bytes()
    if version and path.suffix == ".js":
        content = at_version(content.decode(), version).encode()
    compressed = gzip.compress(content, 9, mtime=0) if len(content) >= _LEAST else b""
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    headers = {
        "content-type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
        "etag": f'"{hashlib.sha256(content).hexdigest()[:32]}"',
        "vary": "Accept-Encoding",
        **({"cache-control": FOR_GOOD} if for_good else {}),
    }
    return CompressedFile(content, compressed if len(compressed) < len(content) else b"", Headers(headers))


class CompressedFiles(StaticFiles):
    """The files of a folder. Each stays in memory as it was at the first request for it.

    Addresses with another version lead to the same files, for pages that were opened before an update, or sent by
    another process that has it already; browsers do not keep these. Only public files belong here, because
    compression would let a secret change the length of an answer.
    """

    def __init__(self, folder: Path, version: str) -> None:
        super().__init__(directory=folder)
        self._version = version
        self._files: dict[str, CompressedFile] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, or 304 where the browser has it already; raises HTTPException for a path that is no file."""
        file = self._files.get(path)
        if file is None or scope["method"] not in ("GET", "HEAD"):
            parts = PurePath(path).parts
            version = parts[0] if len(parts) > 1 and VERSION.fullmatch(parts[0]) else ""
            response = await super().get_response(str(PurePath(*parts[1:])) if version else path, scope)
            if not isinstance(response, FileResponse):
                return response
            for_good = version == self._version
            file = await run_in_threadpool(read_compressed, Path(response.path), version, for_good=for_good)
            if for_good or not version:
                self._files[path] = file
        headers = Headers(scope=scope)
        if self.is_not_modified(file.headers, headers):
            return NotModifiedResponse(file.headers)
        return file.answer(may_compress="gzip" in headers.get("accept-encoding", ""))
