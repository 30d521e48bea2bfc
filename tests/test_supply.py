"""Releases and the image are made of versions that are named, with their hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def named(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=;! ]", each)[0].lower() for each in requirements}


def pinned(file: str) -> dict[str, str]:
    """The requirements of a file: the name of each, and its text with the hashes."""
    text = (ROOT / "deploy" / file).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    return {line.split("==")[0].strip(): line for line in lines}


@pytest.mark.parametrize("file", ["server.txt", "build.txt"])
def test_every_requirement_has_one_version_and_hashes(file: str) -> None:
    found = pinned(file)
    assert len(found) >= 5
    assert [name for name, line in found.items() if not re.search(r"==\S+.*--hash=sha256:[0-9a-f]{64}", line)] == []


def test_the_server_has_all_that_its_extras_ask_for() -> None:
    extras = PROJECT["optional-dependencies"]
    wanted = named(PROJECT["dependencies"] + extras["web"] + extras["postgres"] + extras["png"])
    assert wanted - pinned("server.txt").keys() == set()
    assert {"build", "hatchling"} <= pinned("build.txt").keys()


def test_the_lock_is_about_what_pyproject_asks_for() -> None:
    locked = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    (ours,) = (each for each in locked if each["name"] == PROJECT["name"])
    asked = {
        each["name"]: each.get("specifier", "") for each in ours["metadata"]["requires-dist"] if "marker" not in each
    }
    for text in PROJECT["dependencies"]:
        name = re.split(r"[<>=]", text)[0]
        assert text == f"{name}{asked[name]}", "make lock"


def test_the_image_installs_nothing_without_a_hash() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    installs = re.findall(r"pip install ([^\\\n&]+)", lines)
    assert len(installs) == 3
    assert all("--require-hashes" in each or "--no-deps /wheel/" in each for each in installs)
