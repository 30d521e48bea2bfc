"""The documentation site under ``/help``, where it has been built, and the glossary for the pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, FastAPI
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from fullprime.glossary import Term, UnknownTerm, look_up, terms
from fullprime.web.refusals import REFUSALS

PLACES = (Path(__file__).parent / "manual", Path(__file__).parents[3] / "build" / "site")
"""Where a built site may lie: in the package, or in the checkout it was installed from (``make docs``)."""

_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The pages of the site carry small scripts of their own; nothing that a visitor wrote ever stands in them."""

glossary = APIRouter(prefix="/api/glossary", tags=["server"], responses=REFUSALS)


class GlossaryTerm(BaseModel):
    """A term of the game or of this program."""

    name: str = Field(description="the term, by which it is asked for")
    title: str = Field(description="the term as it is shown")
    text: str = Field(description="its meaning in one or two sentences")
    also: list[str] = Field(description="other words for it")
    see: list[str] = Field(description="terms to read next")
    position: str | None = Field(description="a board that shows it, as our text form; null for none")


def _told(term: Term) -> GlossaryTerm:
    position = term.position.text if term.position is not None else None
    return GlossaryTerm(
        name=term.name, title=term.name, text=term.text, also=list(term.also), see=list(term.see), position=position
    )


@glossary.get("")
async def read_glossary() -> list[GlossaryTerm]:
    """Every term, in the order of the alphabet."""
    return [_told(each) for each in terms()]


@glossary.get("/{word}")
async def read_term(word: Annotated[str, Field(max_length=60)]) -> GlossaryTerm:
    """The term that a word means, in any case, in the plural or by another name; 404 names those near it."""
    return _told(look_up(word))


async def _unknown(_request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error)}, 404)


class Manual(StaticFiles):
    """The files of the site, each with a policy that lets its own scripts run."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file."""
        await super().__call__(scope, receive, _headed(send))


def _headed(send: Send) -> Send:
    async def begin(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"content-security-policy", _POLICY.encode())]
        await send(message)

    return begin


def add_manual(app: FastAPI, places: Iterable[Path] = PLACES) -> None:
    """Add the glossary, and ``/help`` where a built site lies in one of these folders."""
    app.include_router(glossary)
    app.add_exception_handler(UnknownTerm, _unknown)
    found = next((place for place in places if (place / "index.html").is_file()), None)
    if found is not None:
        app.mount("/help", Manual(directory=found, html=True), name="help")
