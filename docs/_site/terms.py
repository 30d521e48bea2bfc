"""The page of the glossary: every term of ``fullprime.learn.glossary`` with its links and its board.

Sphinx reads this as an extension (``conf.py``). Git holds the page with a mark, and the terms take the mark's place
when the site is built; tests hold that they can be built, and that links to a term lead to one.
"""

from __future__ import annotations

import re
import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

from fullprime.learn.glossary import Term, terms
from fullprime.rules.board import BoardView, draw_board

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE = "glossary"
MARK = "<!-- terms -->\n"


def anchors() -> dict[str, str]:
    """The anchor of each term's heading, as GitHub makes it; a second one of the same spelling gets a number."""
    links: dict[str, str] = {}
    taken: dict[str, int] = {}
    for term in terms():
        slug = re.sub(r"[^\w -]", "", term.name.lower()).replace(" ", "-")
        count = taken[slug] = taken.get(slug, -1) + 1
        links[term.name] = f"{slug}-{count}" if count else slug
    return links


def initial(term: Term) -> str:
    """The heading a term stands under."""
    first = term.name[0].upper()
    return first if first.isalpha() else "0-9"


def board(term: Term) -> str:
    """A drawing that opens on a click: the text form and what stands beside it above it, the caption below."""
    drawn = draw_board(BoardView(term.position, dice=term.roll or (), cube=term.cube))
    parts = (
        "<details><summary>A board</summary>",
        f"`{term.position.text}`",
        plain(term.beside()),
        f"```text\n{drawn}\n```",
        plain(term.caption),
        "</details>\n",
    )
    return "\n\n".join(part for part in parts if part)


def plain(words: str) -> str:
    """Words in Markdown as they are: the star of a hit makes nothing slanted, and brackets are no link."""
    return re.sub(r"([*\[\]])", r"\\\1", words)


def entry(term: Term, links: dict[str, str]) -> str:
    """One term with its links and its board."""
    parts = [f"### {term.name}\n", textwrap.fill(term.text, 120, break_on_hyphens=False) + "\n"]
    if term.also:
        parts.append(textwrap.fill(f"Also: *{', '.join(term.also)}*.", 120, break_on_hyphens=False) + "\n")
    if term.see:
        # One link a line, so that no line is too long; a paragraph to the reader.
        parts.append("See\n" + ",\n".join(f"[{name}](#{links[name]})" for name in term.see) + ".\n")
    parts.append(board(term))
    return "\n".join(parts)


def list_terms() -> str:
    """Every term, under its initial."""
    links = anchors()
    parts: list[str] = []
    for letter, group in groupby(terms(), key=initial):
        parts.append(f"## {letter}\n")
        parts.extend(entry(term, links) for term in group)
    return "\n".join(parts)


def fill(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the terms in the place of their mark."""
    if docname == PAGE:
        source[0] = source[0].replace(MARK, list_terms())


def find_outdated(*_: object) -> list[str]:
    """Have the page read anew each time, because the terms may have changed."""
    return [PAGE]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", fill)
    app.connect("env-get-outdated", find_outdated)
    return {"parallel_read_safe": True}
