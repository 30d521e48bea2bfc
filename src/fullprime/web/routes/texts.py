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
from fullprime.web.pages import MANIFEST, STATIC

texts = APIRouter(include_in_schema=False)
_KEPT = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}


@texts.get("/static/texts/{language}.js")
def read_texts(language: str, request: Request) -> Response:
    """The texts as a script; packed for a browser that can open it, since they are the same for everybody."""
    if language not in catalogues():
        raise HTTPException(404)
    # An address without the mark of these very texts may stand for others tomorrow.
    headers = _KEPT if request.query_params.get("v") == script_mark(language) else {"Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(script_texts(language), media_type="text/javascript", headers=headers)
    packed = {**headers, "Content-Encoding": "gzip"}
    return Response(_packed(language), media_type="text/javascript", headers=packed)


@cache
def _packed(language: str) -> bytes:
    return gzip.compress(script_texts(language), 9, mtime=0)


@texts.get("/static/texts/{language}.webmanifest")
def read_manifest(language: str) -> Response:
    """The manifest of the pages in a language."""
    if language not in catalogues():
        raise HTTPException(404)
    return Response(_manifest(language), media_type="application/manifest+json")


@cache
def _manifest(language: str) -> bytes:
    known = catalogue(language)
    told = json.loads((STATIC / MANIFEST).read_text(encoding="utf-8"))
    told |= {"name": known.text(told["name"]), "description": known.text(told["description"])}
    told |= {"lang": language, "dir": known.direction}
    told["shortcuts"] = [{**each, "name": known.text(each["name"])} for each in told["shortcuts"]]
    return json.dumps(told, ensure_ascii=False).encode()
