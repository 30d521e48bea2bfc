"""The pages: their files, and an answer with a page, which gets the common head and header."""

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
from fullprime.web.markup import translate_page
from fullprime.web.static_files import at_version, version_of

STATIC = Path(__file__).parent / "static"
STATIC_VERSION = version_of(STATIC)
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
<script type="module" src="/static/terms/glossary-links.js"></script>"""
"""The head of every page, which replaces ``<!-- head -->`` in its file."""


class MenuPlace(NamedTuple):
    """A place of the site: its word in the header, and its address."""

    word: str
    address: str


PLACES = {
    "play": MenuPlace("Play", "/"),
    "learn": MenuPlace("Learn", "/learn"),
    "puzzles": MenuPlace("Puzzles", "/drill/puzzles"),
    "analyse": MenuPlace("Analyse", "/analysis"),
    "library": MenuPlace("Library", "/library"),
    "people": MenuPlace("People", "/lobby"),
}
"""The places of the header, in order."""

ORIGIN = "<!-- origin -->"
"""The mark in a page that the address of the server replaces, as the request named it."""
_MARK = "<!-- head -->"
_PART = re.compile(r"<!-- (?P<part>header|places)(?:: (?P<place>\w+)(?P<way>(?:; [^;>]+)*))? -->")
_WITHIN = "within"
"""Marks a page below its place that has no room for its breadcrumbs."""


def render_places(place: str | None = None, way: tuple[str, ...] | None = None) -> str:
    """The mark and the places, the one where the reader is marked; then the way to a page that lies deeper.

    ``way`` is None for the page of the place itself; for one below it, the pages between as ``Reviews=/review``. A page
    with a title of its own in its header has this there; :func:`header` is for the others.
    """
    current = f' aria-current="{"page" if way is None else "true"}"'
    links = "".join(
        f'<a href="{link.address}"{current if name == place else ""}>{link.word}</a>' for name, link in PLACES.items()
    )
    return (
        '<a class="brand" href="/" aria-label="Fullprime">'
        '<img src="/static/parts/icon.svg" width="28" height="28" alt="">'
        '<span class="name">Fullprime</span></a>'
        '<button type="button" class="quiet menu" popovertarget="places">Menu</button>'
        f'<nav id="places" class="places" popover aria-label="Fullprime">{links}</nav>'
        '<script type="module" src="/static/parts/menu.js"></script>'
    )


def render_breadcrumbs(place: str, way: tuple[str, ...]) -> str:
    """The breadcrumbs of a page below a place, as links."""
    between = (MenuPlace(*step.split("=", 1)) for step in way)
    steps = "".join(
        f'<li><a href="{escape(link.address)}">{escape(link.word)}</a></li>' for link in (PLACES[place], *between)
    )
    return f'<nav class="crumbs" aria-label="The way here"><ol>{steps}</ol></nav>'


def header(place: str | None = None, way: tuple[str, ...] | None = None) -> str:
    """The whole header of a page: the places, the settings, and the account or the way to one."""
    return (
        f'<header class="top whole">{render_places(place, way)}'
        '<div class="tools"><button id="open-preferences" type="button" class="quiet">Settings</button>'
        '<nav id="who" class="tools" aria-label="Account"></nav></div></header>'
        '<script type="module" src="/static/parts/header.js"></script>'
    )


def _part(mark: re.Match[str]) -> str:
    """The header that a mark stands for."""
    place, steps = mark["place"], [step for step in (mark["way"] or "").split("; ") if step]
    way = None if not steps else tuple(step for step in steps if step not in ("below", _WITHIN))
    write = (header if mark["part"] == "header" else render_places)(place, way)
    return write if place is None or way is None or _WITHIN in steps else write + render_breadcrumbs(place, way)


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
    texts = catalogue(language)
    return mark_language(translate_page(text.replace(HEAD, HEAD + script_of(language), 1), texts.text), language)


def script_of(language: str) -> str:
    """The element with the texts for the scripts of a page; empty for English, which stands in the scripts."""
    # Modules run in order: the texts are there before the first script of the page, and nothing waits to be painted.
    address = f"/static/texts/{language}.js?v={script_mark(language)}"
    return "" if language == ENGLISH else f'<script type="module" src="{address}"></script>'


def mark_language(text: str, language: str) -> str:
    """Mark a page with its language."""
    direction = catalogue(language).direction
    text = text.replace(f"/static/{MANIFEST}", f"/static/texts/{language}.webmanifest", 1)
    return text.replace('<html lang="en">', f'<html lang="{language}" dir="{direction}">', 1)


MANIFEST = "parts/manifest.webmanifest"
"""The file by which a browser installs the pages, below the static ones."""


def _languages() -> str:
    """The element that tells the settings the languages to choose from; empty where there is only one."""
    languages = catalogues().values()
    words = ";".join(f"{translation.language}={translation.name}" for translation in languages)
    return f'\n<meta name="languages" content="{escape(words)}">' if len(languages) > 1 else ""


def add_version(text: str) -> str:
    """Name the version in the addresses of a page's files, so that a browser may keep them for good."""
    return at_version(text, STATIC_VERSION)


class Page(Response):
    """A page as an answer, in the language of its reader.

    ``head`` is added to its head, ``body`` is one more class of its body; ``origin``, the address by which the server
    was called, replaces :data:`ORIGIN`.
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
        await HTMLResponse(add_version(text), self.status_code, headers)(scope, receive, send)


def page_file(name: str, status: int) -> Page:
    """A page as an answer."""
    return Page(name, status)
