"""Releases and the image are made of versions that are named, with their hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT, LAB = (
    tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8")) for folder in (".", "lab")
)
PROJECT = PYPROJECT["project"]
LOCKED = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]


def named(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=;! ]", requirement)[0].lower() for requirement in requirements}


def pinned(file: str) -> dict[str, str]:
    """The requirements of a file: the name of each, and its text with the hashes."""
    text = (ROOT / "deploy" / file).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    return {line.split("==")[0].strip(): line for line in lines}


@pytest.mark.parametrize("file", ["server.txt", "build.txt"])
def test_every_requirement_has_one_version_and_hashes(file: str) -> None:
    versions = pinned(file)
    assert len(versions) >= 5
    assert [name for name, line in versions.items() if not re.search(r"==\S+.*--hash=sha256:[0-9a-f]{64}", line)] == []


_SERVER = ("library", "png", "postgres", "web")


def test_the_server_has_all_that_its_extras_ask_for() -> None:
    extras = PROJECT["optional-dependencies"]
    wanted = [*PROJECT["dependencies"], *(text for extra in _SERVER for text in extras[extra])]
    assert named(wanted) - {PROJECT["name"]} - pinned("server.txt").keys() == set()
    assert {"build", "hatchling"} <= pinned("build.txt").keys()


def requirements(*files: dict[str, Any]) -> list[tuple[str, Requirement]]:
    """What each pyproject.toml asks for, with the extra or group that asks: none for what is always installed."""
    every = []
    for file in files or (PYPROJECT, LAB):
        project = file["project"]
        always = {"build-system": file["build-system"]["requires"], "": project["dependencies"]}
        groups = {**always, **project["optional-dependencies"], **file["dependency-groups"]}
        every += [(extra, Requirement(text)) for extra, texts in groups.items() for text in texts]
    return [(extra, requirement) for extra, requirement in every if requirement.name != PROJECT["name"]]


def lower_bound(requirement: Requirement) -> Version:
    (bound,) = requirement.specifier
    assert bound.operator == ">=", requirement
    return Version(bound.version)


@pytest.mark.parametrize("file", [PYPROJECT, LAB], ids=["fullprime", "fullprime-lab"])
def test_the_lock_is_about_what_pyproject_asks_for(file: dict[str, Any]) -> None:
    (ours,) = (package for package in LOCKED if package["name"] == file["project"]["name"])
    locked = {
        (extra[1] if (extra := re.search(r"extra == '(\w+)'", entry.get("marker", ""))) else "", entry["name"]): entry
        for entry in ours["metadata"]["requires-dist"]
    }
    for group, entries in ours["metadata"]["requires-dev"].items():
        locked |= {(group, entry["name"]): entry for entry in entries}
    for extra, requirement in requirements(file):
        if extra != "build-system":
            assert locked[extra, requirement.name].get("specifier", "") == str(requirement.specifier), "make lock"


def test_the_page_on_installing_has_every_extra() -> None:
    page = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)`", page, re.MULTILINE)) == PROJECT["optional-dependencies"].keys()


SAFE = {
    "anyio": ("4.14.2", "CVE-2026-63374", "2026-09"),
    # The wheel has OpenSSL 4.0.2; cryptography itself is safe from 50.0.0 on (CVE-2026-69247).
    "cryptography": ("50.0.1", "CVE-2026-63072", "2026-08"),
    "distributed": ("2026.1.0", "CVE-2026-23528", "2026-01"),
    "fastapi": ("0.109.1", "CVE-2024-24762", "2024-02"),
    # The wheel has llhttp 9.2.1.
    "httptools": ("0.6.3", "CVE-2024-27982", "2024-04"),
    "httpx": ("0.23.0", "CVE-2021-41945", "2022-04"),
    "numpy": ("1.22.2", "CVE-2021-41495", "2021-12"),
    "orjson": ("3.11.6", "CVE-2025-67221", "2026-01"),
    "playwright": ("1.55.1", "CVE-2025-59288", "2025-10"),
    # The wheel has libpq 18.6, those up to 3.3.4 have 18.0 or an older one.
    "psycopg": ("3.3.5", "CVE-2025-12818", "2025-11"),
    "pydantic": ("2.4.0", "CVE-2024-3772", "2024-04"),
    "pytest": ("9.0.3", "CVE-2025-71176", "2026-01"),
    "pyyaml": ("5.4", "CVE-2020-14343", "2021-02"),
    "sphinx": ("3.0.4", "CVE-2020-11023", "2020-04"),
    "sqlalchemy": ("1.3.0", "CVE-2019-7164", "2019-02"),
    # Also CVE-2025-62727 (before 0.49.1) and CVE-2026-48710 (before 1.0.1).
    "starlette": ("1.3.1", "CVE-2026-54283", "2026-06"),
    "torch": ("2.13.0", "CVE-2025-3000", "2025-03"),
    "uvicorn": ("0.11.7", "CVE-2020-7694", "2020-07"),
    # The wheel has libuv 1.48.
    "uvloop": ("0.20.0", "CVE-2024-24806", "2024-02"),
    "websockets": ("9.1", "CVE-2021-33880", "2021-05"),
}
"""The first version of a package without a known hole, the advisory of the last hole before it, and its month."""

WITHOUT_ADVISORY = {
    "argon2-cffi", "axe-playwright-python", "bgsage", "build", "coverage", "fsrs", "furo", "gammonview", "glicko2-py",
    "gnubg-nn", "hatchling", "hypothesis", "import-linter", "mypy", "myst-parser", "numba", "ogxm",
    "platformdirs", "polib", "prometheus-client", "pytest-cov", "pytest-timeout", "pytest-xdist", "readme-renderer",
    "resvg-py", "rich", "ruff", "schemathesis", "segno", "typer", "types-polib", "typing-extensions",
    "xgdatatools",
}  # fmt: skip
"""Packages of which no advisory was known on 27 November 2026 (of the group `readers`: on 29 November)."""


def test_no_lower_bound_admits_a_known_hole() -> None:
    """A new package is looked up (`make audit` for the versions of the lock) and stands in one of the two lists."""
    assert {requirement.name for _, requirement in requirements()} == SAFE.keys() | WITHOUT_ADVISORY
    assert not SAFE.keys() & WITHOUT_ADVISORY
    admitting = [
        f"{requirement}: {advisory} is there before {version}"
        for _, requirement in requirements()
        if requirement.name in SAFE
        for version, advisory, _ in [SAFE[requirement.name]]
        if lower_bound(requirement) < Version(version)
    ]
    assert admitting == []


def test_one_package_has_one_lower_bound() -> None:
    bounds: dict[str, set[Version]] = {}
    for _, requirement in requirements():
        bounds.setdefault(requirement.name, set()).add(lower_bound(requirement))
    assert {name: versions for name, versions in bounds.items() if len(versions) > 1} == {}


def test_the_image_installs_nothing_without_a_hash() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    installs = re.findall(r"pip install ([^\\\n&]+)", lines)
    assert len(installs) == 3
    assert all("--require-hashes" in install or "--no-deps /wheel/" in install for install in installs)
