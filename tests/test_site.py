"""The documentation site follows the front door: its reference has an entry for every name, in its section."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import fullprime
from fullprime.rules import errors
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.plays import legal_plays

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.fixture
def front_door() -> ModuleType:
    """The extension of Sphinx; it needs no Sphinx itself."""
    spec = importlib.util.spec_from_file_location("front_door", DOCS / "_site" / "front_door.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_name_of_the_front_door_has_an_entry_in_its_section(
    front_door: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"Roll": Roll, "legal_plays": legal_plays, "FullprimeError": FullprimeError, "errors": errors, "LIMIT": 3}
    for name, thing in found.items():
        monkeypatch.setattr(fullprime, name, thing, raising=False)
    monkeypatch.setattr(fullprime, "__all__", ["__version__", *found], raising=False)
    written = front_door.entries()
    sections = dict(re.findall(r"^## (.*)\n((?:(?!## ).*\n?)*)", written, re.MULTILINE))
    assert ".. autoclass:: fullprime.Roll\n   :members:" in sections["Values and classes"]
    assert ".. autofunction:: fullprime.legal_plays" in sections["Functions"]
    assert ".. autoclass:: fullprime.FullprimeError\n   :show-inheritance:" in sections["Errors"]
    assert ".. automodule:: fullprime.rules.errors" in sections["Modules and constants"]
    assert ".. autodata:: fullprime.LIMIT" in sections["Modules and constants"]
    assert written.count("```{eval-rst}") == len(found)


def test_the_page_has_a_place_for_the_entries(front_door: ModuleType) -> None:
    page = (DOCS / f"{front_door.PAGE}.md").read_text(encoding="utf-8")
    assert page.count(front_door.PLACE) == 1
