"""Modules and files that docstrings, comments and pages name exist. Records of decisions tell what was, too."""

from __future__ import annotations

import importlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = ("src", "lab", "tests", "scripts", "benchmarks", "examples")
DOTTED = re.compile(r"`((?:[a-z_]\w*\.)+\w+)(?:\(\))?`")
"""``formats.recording.tags``, with or without ``fullprime`` before it, or a thing in a module."""
FILE = re.compile(r"`((?:[\w-]+/)*\w+\.py)`")
PACKAGES = {path.parent.name for path in (ROOT / "src" / "fullprime").glob("*/__init__.py")}
FORMER = {"app", "book", "school"}
"""Packages that are gone: what names a module in one was left behind."""
LAB = tomllib.loads((ROOT / "lab" / "pyproject.toml").read_text(encoding="utf-8"))
NO_MODULES = {*LAB["project"]["entry-points"], "fullprime.pot"}
"""They look like modules: groups of entry points, and a catalogue."""


def texts() -> Iterator[tuple[str, str]]:
    """The place and the text of each page and module: code has no backticks but in comments and strings."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("lab/*.md"), *(ROOT / "docs").rglob("*.md")]
    for path in [*pages, *(path for folder in CODE for path in (ROOT / folder).rglob("*.py"))]:
        if "adr" not in path.parts and path.name != "CHANGELOG.md":
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


@cache
def exists(name: str) -> bool:
    """True for a module of ours, or what is in one: a name, an attribute of it, or a field of a class."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value: object = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            if part in getattr(value, "__annotations__", {}):
                return True
            if not hasattr(value, part):
                return False
            value = getattr(value, part)
        return True
    return False


def full_name(name: str) -> str | None:
    """The name of a module of ours, from ``fullprime`` on; None for what names none."""
    first = name.partition(".")[0]
    if name in NO_MODULES or name.endswith(".py"):
        return None
    if first in ("fullprime", "fullprime_lab"):
        return name
    return f"fullprime.{name}" if first in PACKAGES | FORMER else None


def test_named_modules_exist() -> None:
    named = [(place, name) for place, text in texts() for name in DOTTED.findall(text)]
    gone = [f"{place}: {name}" for place, name in named if (full := full_name(name)) and not exists(full)]
    assert gone == []


@pytest.mark.skipif(not (ROOT / "benchmarks").exists(), reason="the sdist lacks some of the files")
def test_named_files_exist() -> None:
    """By the end of their path: a table of modules in a folder names them from there."""
    paths = [*ROOT.glob("*.py"), *(path for folder in (*CODE, "docs") for path in (ROOT / folder).rglob("*.py"))]
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in paths]
    ends = {path[at:] for path in files for at in range(len(path)) if path[at] == "/"}
    gone = [f"{place}: {name}" for place, text in texts() for name in FILE.findall(text) if f"/{name}" not in ends]
    assert gone == []
