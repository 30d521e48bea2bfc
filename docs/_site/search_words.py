"""Words of the field that lead to a page in the site's search, beside the page's own headings.

Sphinx reads this as an extension (``conf.py``). A page comes up by its title or by chance, because it contains a word
among thousands; here a word is said to be what a page is about. The other words of a term of the glossary lead to it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

WORDS: dict[str, str] = {
    "accounts": "account, rating, ratings, lobby, password",
    "bearoff": "bear-off, pip count, EPC, race, endgame, bear-off table, bear-off database, Keith count, Thorp count",
    "book": "opening, openings, opening book, reply, reference position",
    "cli": "terminal, command line, commands",
    "client": "client, bot on a server",
    "diagrams": "picture, diagram, SVG, PNG, notebook",
    "dice": "dice, fair dice, proof",
    "drills": "drill, trainer, puzzle, pip count, take point, flashcards",
    "engine": "level, ply, engine, look-ahead, equity, strength, hint",
    "equity": "take point, match equity, match equity table, MET, gammon value, cube, doubling cube, cash point,"
    " doubling point, live cube, cube efficiency, Janowski's formula, equity, Kazaross",
    "first-hour": "install, installation",
    "formats/README": "file, file formats, import, export, GNU Backgammon",
    "formats/bgblitz": "bgf",
    "formats/mat": "mat, Jellyfish, match text",
    "formats/xg": "xg, xgp, XG file, eXtreme Gammon",
    "hosting": "server, Docker, nginx, proxy, club",
    "ids": "XGID, OGID, GNU ID, Position ID, Match ID, ID, FIBS",
    "learn": "lesson, lessons, beginner",
    "library": "library, library of matches, pattern, statistics, search",
    "notation": "notation",
    "own-bot": "bot",
    "play": "tutor, takeback, keyboard, screen reader, clock",
    "real-board": "real board, score card, clock, phone",
    "review": "blunder, error, error rate, performance rating, match review, verdict",
    "rollouts": "rollout, variance reduction, truncated rollout, trial, standard error",
    "training": "neural net, net, train",
    "variants/README": "beaver, raccoon, Jacoby, Jacoby rule, Crawford, Crawford rule, Crawford game, automatic double,"
    " money play, match play, house rules, variant",
    "variants/backgammon": "rules, backgammon, gammon, bar, bear off, hit, opening roll",
    "web-api": "API, web API, HTTP, JSON",
}
TERM = re.compile(r"^### (?:(?!^##).)*?^Also: (\*[^.]*\*)\.$", re.MULTILINE | re.DOTALL)
"""A term of the glossary that has other words, up to these."""
GLOSSARY = "glossary"


def entries(words: str) -> str:
    """The words as entries of the index, as MyST; the mark says that this is the place, not only a mention."""
    return "```{index} " + ", ".join(f"! {word}" for word in re.split(r",\s+", words)) + "\n```\n"


def named(text: str) -> str:
    """The glossary, where the other words of each term lead to its heading."""
    return TERM.sub(lambda term: f"{entries(' '.join(term[1].split()).replace('*', ''))}\n{term[0]}", text)


def fill(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the words below the title of their page."""
    if docname == GLOSSARY:
        source[0] = named(source[0])
    elif docname in WORDS:
        title, rest = source[0].split("\n", 1)
        source[0] = f"{title}\n\n{entries(WORDS[docname])}{rest}"


def keep(app: Sphinx) -> tuple[()]:
    """Give the search the words of pages that have not changed: it forgets those that it does not write again."""
    indexer = getattr(app.builder, "indexer", None)  # of builders of HTML alone
    for page, written in app.env.get_domain("index").entries.items() if indexer else ():
        indexer._index_entries.setdefault(page, [(word, place, main) for _, word, place, main, _ in written if main])
    return ()


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("source-read", fill)
    app.connect("html-collect-pages", keep)
    return {"parallel_read_safe": True}
