"""The texts of a language for the scripts of its pages, and the words under which a browser installs the pages."""

from __future__ import annotations

import gzip
import json
from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from fullprime.messages import catalogue, catalogues
from fullprime.web.languages import script_mark, script_texts
from fullprime.web.pages import MANIFEST, STATIC, STATIC_VERSION
from fullprime.web.static_files import FOR_GOOD, VERSION, at_version

texts = APIRouter(include_in_schema=False)
_KEPT = {"Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding"}


@texts.get("/static/{version}/texts/{language}.js")
def read_texts(version: str, language: str, request: Request) -> Response:
    """The texts as a script; packed for a browser that can open it, since they are the same for everybody."""
    if language not in catalogues() or not VERSION.fullmatch(version):
        raise HTTPException(404)
    # An address without the mark of these very texts may stand for others tomorrow.
    newest = version == STATIC_VERSION and request.query_params.get("v") == script_mark(language)
    headers = _KEPT if newest else {"Vary": "Accept-Encoding"}
    if not newest or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(_write_texts(language, version), media_type="text/javascript", headers=headers)
    packed = {**headers, "Content-Encoding": "gzip"}
    return Response(_pack_texts(language), media_type="text/javascript", headers=packed)


def _write_texts(language: str, version: str) -> bytes:
    return at_version(script_texts(language).decode(), version).encode()


@cache
def _pack_texts(language: str) -> bytes:
    return gzip.compress(_write_texts(language, STATIC_VERSION), 9, mtime=0)


@texts.get("/static/{version}/texts/{language}.webmanifest")
def read_manifest(version: str, language: str) -> Response:
    """The manifest of the pages in a language."""
    if language not in catalogues() or not VERSION.fullmatch(version):
        raise HTTPException(404)
    return Response(_manifest(language), media_type="application/manifest+json")


@cache
def _manifest(language: str) -> bytes:
    texts = catalogue(language)
    manifest = json.loads((STATIC / MANIFEST).read_text(encoding="utf-8"))
    manifest |= {"name": texts.text(manifest["name"]), "description": texts.text(manifest["description"])}
    manifest |= {"lang": language, "dir": texts.direction}
    manifest["shortcuts"] = [{**shortcut, "name": texts.text(shortcut["name"])} for shortcut in manifest["shortcuts"]]
    return json.dumps(manifest, ensure_ascii=False).encode()
