"""The search of the documentation site, where it has been built: words of the field lead to the pages on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.browsing import window

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"
FIRST = {
    "prime": ["glossary#prime"],
    "take point": ["glossary#take-point", "drills", "equity"],
    "XGID": ["glossary#xgid", "ids"],
    "gammon": ["glossary#gammon", "variants/backgammon"],
    "rollout": ["glossary#rollout", "rollouts"],
    "match equity": ["glossary#match-equity", "equity"],
    "pip count": ["glossary#pip-count", "drills", "bearoff"],
    "beaver": ["glossary#beaver", "variants/README"],
    "PR": ["glossary#pr", "review#pr"],
    "EPC": ["bearoff"],
    "blunder": ["glossary#blunder", "review"],
    "doubling cube": ["equity"],
    "install": ["first-hour"],
    "rollouts": ["rollouts"],
    "Position": ["glossary#position", "reference/positions#fullprime.Position"],
    "hint": ["glossary#hint", "reference/hints#fullprime.hint"],
    "evaluate_many": ["reference/hints#fullprime.evaluate_many"],
}
"""Queries, and the pages that are among the first five that they find; the very first is the first here."""


@pytest.fixture(scope="module")
def page(browser: Any) -> Iterator[Any]:
    """The page of the search with its index."""
    if not (SITE / "searchindex.js").exists():
        pytest.skip("the site is not built: make docs")
    built = (SITE / "searchindex.js").stat().st_mtime
    if any(
        file.stat().st_mtime > built for file in (*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs/_site").glob("*.*"))
    ):
        pytest.skip("the site is older than its pages: make docs")
    with window(browser) as opened:
        opened.goto((SITE / "search.html").as_uri())
        opened.wait_for_function("Search.hasIndex()")
        yield opened


def results(page: Any, query: str) -> list[str]:
    places_found: list[str] = page.evaluate(
        "query => Search._performSearch(...Search._parseQuery(query)).reverse().map(([page, , place]) => page + place)",
        query,
    )
    return places_found


@pytest.mark.parametrize("query", FIRST)
def test_a_word_of_the_field_leads_to_its_pages(page: Any, query: str) -> None:
    places_found = results(page, query)
    assert places_found[0] == FIRST[query][0]
    assert set(FIRST[query]) <= set(places_found[:5])


def test_the_name_of_the_package_finds_no_name_of_python(page: Any) -> None:
    python = [place for place in results(page, "prime") if place.startswith("reference/") and "#" in place]
    assert python == ["reference/errors#fullprime.FullprimeError"]
    assert "reference/positions#fullprime.Position" in results(page, "fullprime.Position")


def test_pages_on_the_making_come_last(page: Any) -> None:
    is_history = [place.startswith(("adr/", "training-log/", "changelog")) for place in results(page, "cube")]
    assert any(is_history)
    assert is_history.index(True) > 40
