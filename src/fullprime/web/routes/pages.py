"""Pages that belong to no other feature, the API's document, the verifier of dice and the static files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from fullprime.web.languages import VARIES, language_of
from fullprime.web.pages import STATIC, STATIC_VERSION, Page, add_version, page_file, page_text
from fullprime.web.reference import reference_page
from fullprime.web.routes.callers import handle_of
from fullprime.web.routes.texts import texts
from fullprime.web.static_files import CompressedFiles
from fullprime.web.streams import encode_json


def add_pages(app: FastAPI) -> None:
    """Add the pages, the document and the static files."""
    _add_document(app)
    app.get("/", include_in_schema=False)(_home)
    for path, name in (
        ("/glossary", "terms/glossary"),
        ("/house", "house/house"),
        ("/lab", "house/lab"),
        ("/offline", "home/offline"),
        ("/lobby", "home/lobby"),
        ("/account", "accounts/account"),
    ):
        app.get(path, include_in_schema=False)(partial(page_file, f"{name}.html", 200))
    app.get("/rules", include_in_schema=False)(_rules)
    app.get("/game/{game}/card", include_in_schema=False)(_card)
    app.get("/verify.html", include_in_schema=False)(_verifier)
    app.get("/service-worker.js", include_in_schema=False)(_service_worker)
    app.include_router(texts)
    app.mount("/static", CompressedFiles(STATIC, STATIC_VERSION))


def _add_document(app: FastAPI) -> None:
    """Add the API's document and its page, which are made in a thread at the first request and kept."""
    making, documents = Lock(), dict[str, bytes]()

    def answer_with(kind: str, media: str, make: Callable[[dict[str, Any]], bytes]) -> Callable[[], Response]:
        def answering() -> Response:
            with making:
                if kind not in documents:
                    documents[kind] = make(app.openapi())
            return Response(documents[kind], media_type=media)

        return answering

    for path, media, make in (
        ("/api/openapi.json", "application/json", encode_json),
        ("/docs", "text/html; charset=utf-8", lambda document: add_version(reference_page(document)).encode()),
    ):
        app.get(path, include_in_schema=False)(answer_with(path, media, make))


def _service_worker() -> Response:
    """The script that keeps pages for times without a connection. It lies at the root, so that it serves all pages.

    It changes with the version, and then replaces the pages and files that it has kept.
    """
    script = (STATIC / "parts" / "service-worker.js").read_text(encoding="utf-8")
    return Response(script.replace("VERSION", STATIC_VERSION, 1), media_type="text/javascript")


def _home(request: Request) -> Page:
    """The first page. The picture for pasted links needs a full URL."""
    return Page("home/index.html", origin=str(request.base_url).rstrip("/"))


async def _card(game: str, request: Request) -> Page:
    """The page of a game's score card. Raises Refusal where there is no such game."""
    await handle_of(request, game)
    return page_file("card/card.html", 200)


async def _rules(request: Request, game: str = "") -> Page:
    """The page of the rules: of all variants, or of a game that is played here, which must exist."""
    if game:
        await handle_of(request, game)
    return page_file("rules/rules.html", 200)


def _verifier(request: Request) -> HTMLResponse:
    """The page that checks dice without a server, to be saved, in the language of its reader."""
    language = language_of(request)
    saved = 'attachment; filename="verify.html"'
    headers = {"Content-Disposition": saved, "Content-Language": language, "Vary": VARIES}
    return HTMLResponse(page_text("verify/verify.html", language), headers=headers)
