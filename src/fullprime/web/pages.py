"""The pages: where they lie, and one of them as an answer, with the head and the header that all have."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from fastapi.responses import HTMLResponse, Response
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from fullprime.messages import ENGLISH, catalogue, catalogues
from fullprime.web.languages import VARIES, language_of, script_mark
from fullprime.web.markup import translated

STATIC = Path(__file__).parent / "static"
ICON = """<link rel="icon" href="/static/parts/icon.svg">
<link rel="apple-touch-icon" href="/static/parts/icons/icon-180.png">
<link rel="manifest" href="/static/parts/manifest.webmanifest">"""
HEAD = f"""<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
{ICON}
<link rel="stylesheet" href="/static/parts/tokens.css">
<link rel="stylesheet" href="/static/parts/style.css">
<link rel="stylesheet" href="/static/board/board.css">
<link rel="stylesheet" href="/static/parts/header.css">
<script type="module" src="/static/terms/later.js"></script>"""
"""The head of every page, put where its file has ``<!-- head -->``."""


class Place(NamedTuple):
    """A place of the site: its word in the header, and its address."""

    word: str
    address: str


PLACES = {
    "play": Place("Play", "/"),
    "learn": Place("Learn", "/learn"),
    "analyse": Place("Analyse", "/analysis"),
    "library": Place("Library", "/library"),
    "people": Place("People", "/lobby"),
}
"""The places of the header, in order."""

ORIGIN = "<!-- origin -->"
"""Stands in a page for the address by which the server was called."""
_MARK = "<!-- head -->"
_PART = re.compile(r"<!-- (?P<part>header|places)(?:: (?P<place>\w+)(?P<way>(?:; [^;>]+)*))? -->")
_WITHIN = "within"
"""Of a page that lies below its place and has no room for the way to it."""


def places(place: str | None = None, way: tuple[str, ...] | None = None) -> str:
    """The mark and the places, the one where the reader is marked; then the way to a page that lies deeper.

    ``way`` is None for the page of the place itself; for one below it, the pages between as ``Reviews=/review``. A page
    with a title of its own in its header has this there; :func:`header` is for the others.
    """
    current = f' aria-current="{"page" if way is None else "true"}"'
    links = "".join(
        f'<a href="{each.address}"{current if name == place else ""}>{each.word}</a>' for name, each in PLACES.items()
    )
    return (
        '<a class="brand" href="/" aria-label="Fullprime">'
        '<img src="/static/parts/icon.svg" width="28" height="28" alt="">'
        '<span class="name">Fullprime</span></a>'
        '<button type="button" class="quiet menu" popovertarget="places">Menu</button>'
        f'<nav id="places" class="places" popover aria-label="Fullprime">{links}</nav>'
        '<script type="module" src="/static/parts/menu.js"></script>'
    )


def crumbs(place: str, way: tuple[str, ...]) -> str:
    """The way to a page below a place, as links."""
    between = (Place(*each.split("=", 1)) for each in way)
    steps = "".join(
        f'<li><a href="{escape(each.address)}">{escape(each.word)}</a></li>' for each in (PLACES[place], *between)
    )
    return f'<nav class="crumbs" aria-label="The way here"><ol>{steps}</ol></nav>'


def header(place: str | None = None, way: tuple[str, ...] | None = None) -> str:
    """The whole header of a page: the places, the settings, and the account or the way to one."""
    return (
        f'<header class="top whole">{places(place, way)}'
        '<div class="tools"><button id="open-settings" type="button" class="quiet">Settings</button>'
        '<nav id="who" class="tools" aria-label="Account"></nav></div></header>'
        '<script type="module" src="/static/parts/header.js"></script>'
    )


def _part(found: re.Match[str]) -> str:
    """The header that a mark stands for."""
    place, said = found["place"], [each for each in (found["way"] or "").split("; ") if each]
    way = None if not said else tuple(each for each in said if each not in ("below", _WITHIN))
    made = (header if found["part"] == "header" else places)(place, way)
    return made if place is None or way is None or _WITHIN in said else made + crumbs(place, way)


@cache
def page_text(name: str, language: str = ENGLISH) -> str:
    """A page by its path below the static files, such as ``home/index.html``, in a language that there is.

    ``<!-- header: learn -->`` becomes the header with that place marked, ``<!-- places: library; Reviews=/review -->``
    the part of a header that leads to other places, and the way to a page that lies deeper; ``below`` stands for one
    that lies right below its place, ``within`` for one that does not show the way.
    """
    text = (STATIC / name).read_text(encoding="utf-8").replace(_MARK, HEAD + _languages(), 1)
    text = _PART.sub(_part, text)
    if language == ENGLISH:
        return text
    known = catalogue(language)
    return in_language(translated(text.replace(HEAD, HEAD + script_of(language), 1), known.text), language)


def script_of(language: str) -> str:
    """The element with the texts for the scripts of a page; empty for English, which stands in the scripts."""
    # Modules run in order: the texts are there before the first script of the page, and nothing waits to be painted.
    address = f"/static/texts/{language}.js?v={script_mark(language)}"
    return "" if language == ENGLISH else f'<script type="module" src="{address}"></script>'


def in_language(text: str, language: str) -> str:
    """A page that says which language it is in."""
    direction = catalogue(language).direction
    text = text.replace(f"/static/{MANIFEST}", f"/static/texts/{language}.webmanifest", 1)
    return text.replace('<html lang="en">', f'<html lang="{language}" dir="{direction}">', 1)


MANIFEST = "parts/manifest.webmanifest"
"""The file by which a browser installs the pages, below the static ones."""


def _languages() -> str:
    """What tells the settings that there is a choice of languages; nothing where there is none."""
    there = catalogues().values()
    words = ";".join(f"{each.language}={each.name}" for each in there)
    return f'\n<meta name="languages" content="{escape(words)}">' if len(there) > 1 else ""


class Page(Response):
    """A page as an answer, in the language of whoever asks.

    ``head`` is added to its head, ``body`` is one more class of its body; ``origin`` is the address by which the server
    was called, put where the page has :data:`ORIGIN`.
    """

    def __init__(self, name: str, status: int = 200, *, head: str = "", body: str = "", origin: str = "") -> None:
        super().__init__(status_code=status)
        self._name, self._more, self._class, self._origin = name, head, body, escape(origin)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        language = language_of(Request(scope))
        text = page_text(self._name, language).replace(ORIGIN, self._origin)
        if self._more:
            text = text.replace("</head>", self._more + "</head>", 1)
        if self._class:
            text = text.replace('<body class="', f'<body class="{self._class} ', 1)
        headers = {"Content-Language": language}
        if len(catalogues()) > 1:
            headers["Vary"] = VARIES
        await HTMLResponse(text, self.status_code, headers)(scope, receive, send)


def page_file(name: str, status: int) -> Page:
    """A page as an answer."""
    return Page(name, status)
