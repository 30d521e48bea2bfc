"""Write docs/glossary.md from the terms of ``fullprime.learn.glossary``.

``python scripts/list_terms.py`` writes; ``--check`` only says whether the page is up to date (exit code 1 if not).
"""

from __future__ import annotations

import re
import sys
import textwrap
from itertools import groupby
from pathlib import Path

from fullprime.learn.glossary import Term, terms
from fullprime.rules.board import BoardView, draw_board

PAGE = Path(__file__).resolve().parents[1] / "docs" / "glossary.md"
HEAD = """# Glossary

Every term of the game and of Fullprime. Boards show the player on roll at the bottom, with full checkers, and bear
off at the bottom right. The terms stand in `src/fullprime/learn/glossary/terms.toml`; `make terms` writes this page
from them.
"""


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


def page() -> str:
    """The whole page."""
    links = anchors()
    parts = [HEAD]
    for letter, group in groupby(terms(), key=initial):
        parts.append(f"## {letter}\n")
        parts.extend(entry(term, links) for term in group)
    return "\n".join(parts)


def main() -> int:
    """Write or check the page."""
    wanted = page()
    if "--check" in sys.argv:
        same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == wanted
        if not same:
            print("docs/glossary.md does not say what the glossary says: run make terms", file=sys.stderr)
        return 0 if same else 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
