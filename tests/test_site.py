"""The documentation site: every public name has its entry, and the pages that are made with the site can be made."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from tests.loading import load_module

import fullprime
from fullprime.learn.glossary import terms
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.plays import legal_plays

DOCS = Path(__file__).resolve().parents[1] / "docs"
REFERENCE = sorted((DOCS / "reference").glob("*.md"))


def extension(name: str) -> ModuleType:
    """An extension of Sphinx; it needs no Sphinx itself."""
    return load_module(DOCS / "_site" / f"{name}.py")


@pytest.fixture
def front_door() -> ModuleType:
    return extension("front_door")


def test_every_name_of_the_front_door_has_an_entry_on_one_page(front_door: ModuleType) -> None:
    shown = [name for page in REFERENCE for name in front_door.names(page.read_text(encoding="utf-8"))]
    assert sorted(name for name in shown if "." not in name) == sorted(set(fullprime.__all__) - {"__version__"})


def test_the_index_of_the_reference_links_to_every_page() -> None:
    index = (DOCS / "reference" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in REFERENCE if page.name != "README.md" and f"]({page.name})" not in index] == []


def test_the_index_of_decisions_lists_every_record_and_what_replaces_it() -> None:
    folder = DOCS / "adr"
    index = (folder / "README.md").read_text(encoding="utf-8")
    records = sorted(folder.glob("0*.md"))
    assert [path.name for path in records] == re.findall(r"\]\((0[\w-]+\.md)\)", index)
    mark = re.compile(r"^\*(?:Replaced|In part replaced) by ", re.MULTILINE)
    replaced = [path.name for path in records if mark.search(path.read_text(encoding="utf-8"))]
    assert replaced == re.findall(r"\]\((0[\w-]+\.md)\),\s+(?:in part )?replaced by", " ".join(index.split()))


def test_a_page_gets_its_entries_by_the_kinds_of_their_names(
    front_door: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {"Roll": Roll, "legal_plays": legal_plays, "FullprimeError": FullprimeError, "LIMIT": 3}
    for name, value in values.items():
        monkeypatch.setattr(fullprime, name, value, raising=False)
    page = front_door.entries(f"# Title\n\n<!-- names: {' '.join(values)} client.Client -->\n")
    assert ".. autoclass:: fullprime.Roll\n   :members:" in page
    assert ".. autofunction:: fullprime.legal_plays" in page
    assert ".. autoclass:: fullprime.FullprimeError\n   :show-inheritance:" in page
    assert ".. autodata:: fullprime.LIMIT" in page
    assert ".. autoclass:: fullprime.client.Client\n   :members:" in page
    assert page.count("```{eval-rst}") == 5
    assert "<!--" not in page


def test_a_folder_has_its_pages_in_the_order_of_its_links() -> None:
    contents = extension("folders").contents("[b](b.md), [a](a.md#part), [b](b.md), [no](../c.md), [no](README.md)")
    assert contents.split("{toctree}")[1].split() == [":hidden:", "b", "a", "```"]


def test_words_of_the_search_lead_to_pages_that_are_there() -> None:
    words = extension("search_words")
    assert [page for page in words.WORDS if not (DOCS / f"{page}.md").is_file()] == []
    page = words.named("### effective pip count\n\nA count.\n\nAlso: *EPC,\ntrue count*.\n\n### pip\n\nOne point.\n")
    assert page.startswith("```{index} ! EPC, ! true count\n```\n\n### effective pip count\n")
    assert page.count("{index}") == 1


def test_the_glossary_has_every_term_and_links_to_a_term_lead_to_one() -> None:
    glossary = extension("terms")
    page, anchors = glossary.list_terms(), set(glossary.anchors().values())
    assert re.findall(r"^### (.*)$", page, re.MULTILINE) == [term.name for term in terms()]
    assert set(re.findall(r"\]\(#(.*?)\)", page)) <= anchors
    texts = (path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    linked = {anchor for text in texts for anchor in re.findall(r"glossary\.md#([\w-]+)", text)}
    assert linked
    assert linked <= anchors


def test_the_list_of_modules_has_every_package_and_no_module_without_a_line() -> None:
    modules = extension("modules")
    listed = modules.list_modules()
    packages = {path.parent.name for path in modules.PACKAGE.glob("*/__init__.py")}
    assert set(re.findall(r"^## (\w+)$", listed, re.MULTILINE)) == packages | {"fullprime_lab"}
    assert "| `position.py` | " in listed
    assert all(len(row.split(" | ")) == 2 for row in listed.splitlines() if row.startswith("| `"))


@pytest.mark.parametrize("name", ["terms", "modules"])
def test_a_page_built_with_the_site_has_one_place_for_its_contents(name: str) -> None:
    builder = extension(name)
    assert (DOCS / f"{builder.PAGE}.md").read_text(encoding="utf-8").count(builder.MARK) == 1
    source = [builder.MARK]
    builder.fill(None, builder.PAGE, source)
    assert builder.MARK not in source[0]
    assert builder.PAGE in builder.find_outdated()
