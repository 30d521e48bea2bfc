"""How much script a page has, compressed as it is sent: no browser is needed to count it."""

from __future__ import annotations

import gzip
import logging
import re
from importlib import resources
from pathlib import Path

import pytest

from fullprime.web.pages import STATIC, page_text
from fullprime.web.routes.review import REPORT_HEAD

log = logging.getLogger(__name__)
"""`--log-cli-level=info` shows what each page has."""

MOST = 70_000
"""Bytes of script that one page may load when it opens."""
LEVEL = 9
"""Of zlib, as the server compresses its files."""
PAGES = sorted(str(path.relative_to(STATIC)) for path in STATIC.rglob("*.html"))
_SCRIPT = re.compile(r'<script[^>]*\ssrc="(/static/[^"]+)"')
_IMPORT = re.compile(r'(?:from|import)\s*"(/static/[^"]+|\./[^"]+)"')
_LATER = re.compile(r'\bimport\("(/static/[^"]+)"\)(?!\.\w+[<,}\s|])')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def scripts_of(page: str, *, later: bool = False) -> set[Path]:
    """The files of a page's scripts: those that it names, and what those import; with ``later`` at any time."""
    return scripts_in(page_text(page), later=later)


def scripts_in(text: str, *, later: bool = False) -> set[Path]:
    """The same of the text of a page."""
    ways = [STATIC.parent / path[1:] for path in _SCRIPT.findall(text)]
    files: set[Path] = set()
    while ways:
        path = ways.pop().resolve()
        if path in files:
            continue
        files.add(path)
        text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
        names = _IMPORT.findall(text) + (_LATER.findall(text) if later else [])
        ways += [STATIC.parent / name[1:] if name.startswith("/") else path.parent / name for name in names]
    return files


def sent(path: Path) -> int:
    """Bytes of a file as the server sends it."""
    return len(gzip.compress(path.read_bytes(), LEVEL))


def test_no_page_has_more_than_70_kilobytes_of_script() -> None:
    weights = {page: sum(map(sent, scripts_of(page))) for page in PAGES}
    for page, weight in sorted(weights.items(), key=lambda item: -item[1]):
        log.info("%5.1f kB in %2d files: %s", weight / 1000, len(scripts_of(page)), page)
    assert {page: weight for page, weight in weights.items() if weight > MOST} == {}


def test_a_report_has_no_more_than_70_kilobytes_of_script() -> None:
    """The page of a report is made, not stored: its own script is in it, and the server adds those of its header."""
    own = (resources.files("fullprime.drawing") / "data" / "report.js").read_bytes()
    weight = len(gzip.compress(own, LEVEL)) + sum(map(sent, scripts_in(REPORT_HEAD)))
    log.info("%5.1f kB: a report", weight / 1000)
    assert 5_000 < weight < MOST


def test_the_scripts_of_a_page_are_found_to_the_last_import() -> None:
    """The counting itself: a board's page has the board, and what the board imports; dialogs come later."""
    names = {path.name for path in scripts_of("game/game.html")}
    assert {"game.js", "board.js", "places.js", "api.js"} <= names
    more = {path.name for path in scripts_of("game/game.html", later=True)} - names
    assert more >= {"proof.js", "preferences-dialog.js"}


@pytest.mark.parametrize("page", ["home/index.html", "learn/lesson.html"])
def test_every_page_with_a_header_has_its_script(page: str) -> None:
    assert "header.js" in {path.name for path in scripts_of(page)}


def test_no_script_of_the_pages_has_more_than_400_lines() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in STATIC.rglob("*.js")}
    assert {name: length for name, length in lengths.items() if length > 400} == {}
