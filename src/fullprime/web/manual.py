"""The documentation site under ``/help``, where it has been built, and the glossary for the pages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, FastAPI
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.types import Message, Receive, Scope, Send

from fullprime.learn.glossary import Term, look_up, terms
from fullprime.learn.glossary.boards import term_board
from fullprime.web.refusals import REFUSALS

PLACES = (Path(__file__).parent / "manual", Path(__file__).parents[3] / "build" / "site")
"""The folders of a built site: in the package, or in the checkout it was installed from (``make docs``)."""

_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Allows inline scripts, which the site's pages have; they never hold text of visitors."""

_KEPT = "public, max-age=3600"
"""Browsers may keep the glossary, because it changes only with the program."""

glossary = APIRouter(prefix="/api/glossary", tags=["server"], responses=REFUSALS)


class GlossaryTerm(BaseModel):
    """A term of the game or of this program."""

    name: str = Field(description="the term, by which it is asked for")
    title: str = Field(description="the term as it is shown")
    text: str = Field(description="its meaning in one or two sentences")
    also: list[str] = Field(description="other words for it")
    see: list[str] = Field(description="terms to read next")
    position: str = Field(description="a board that shows it, as our text form")
    beside: str = Field(description="the roll, its play and the cube beside that board, in words; empty for none")
    caption: str = Field(description="how that board shows it; empty where that is plain")


def _to_glossary_term(term: Term) -> GlossaryTerm:
    return GlossaryTerm(
        name=term.name,
        title=term.name,
        text=term.text,
        also=list(term.also),
        see=list(term.see),
        position=term.position.text,
        beside=term.beside(),
        caption=term.caption,
    )


@glossary.get("")
async def read_glossary() -> list[GlossaryTerm]:
    """Every term, in the order of the alphabet."""
    return [_to_glossary_term(term) for term in terms()]


@glossary.get("/words")
async def read_words(response: Response) -> dict[str, str]:
    """The words by which pages find terms in their sentences, each with the term's name.

    Left out are those that are everyday words too.
    """
    response.headers["Cache-Control"] = _KEPT
    return {word: term.name for term in terms() for word in term.marked}


@glossary.get("/{word}/board.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
async def draw_term(
    word: Annotated[str, Field(max_length=60)],
    theme: Annotated[str, Field(max_length=20, description="classic, dark or print")] = "classic",
    home: Annotated[
        Literal["right", "left"], Field(description="the side to which one bears off: right or left")
    ] = "right",
) -> Response:
    """The board of a term as a picture, with its roll, its play as arrows, and its cube."""
    picture = await run_in_threadpool(_draw_diagram, look_up(word).name, theme, home)
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": _KEPT})


@glossary.get("/{word}")
async def read_term(word: Annotated[str, Field(max_length=60)]) -> GlossaryTerm:
    """The term that a word means, in any case, in the plural or by another name; 404 names those near it."""
    return _to_glossary_term(look_up(word))


@lru_cache(maxsize=1024)
def _draw_diagram(name: str, theme: str, home: Literal["right", "left"]) -> str:
    """A term's board: drawn once for each look."""
    return term_board(look_up(name), theme=theme, home=home)


class Manual(StaticFiles):
    """The files of the site, each with a policy that lets its own scripts run."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file."""
        await super().__call__(scope, receive, _add_policy(send))


def _add_policy(send: Send) -> Send:
    async def begin(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"content-security-policy", _POLICY.encode())]
        await send(message)

    return begin


def add_manual(app: FastAPI, places: Iterable[Path] = PLACES) -> None:
    """Add the glossary, and ``/help`` where a built site lies in one of these folders."""
    app.include_router(glossary)
    folder = next((place for place in places if (place / "index.html").is_file()), None)
    if folder is not None:
        app.mount("/help", Manual(directory=folder, html=True), name="help")
