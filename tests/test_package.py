"""The package as a whole: who imports whom, what start-up costs, and that the documentation is complete and true."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import fullprime
from fullprime.rules.board import BoardView, draw_board
from fullprime.rules.position import Position
from fullprime.rules.score import Settings
from fullprime.rules.variants import VARIANTS, variant_named

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "fullprime"
PAGES = ROOT / "docs" / "variants"
MODULES = sorted(PACKAGE.rglob("*.py"))
SESSIONS = sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.rglob("*.py")))
FACES = ("cli", "web", "client", "protocols")


def imports(path: Path) -> Iterator[str]:
    """Full names of what a module imports, wherever in it, types alone included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def importers_of(library: str) -> set[str]:
    """Rooms (`engine.core` counts as one) whose modules import a library."""
    rooms = set()
    for path in MODULES:
        is_named = library in path.read_text(encoding="utf-8")  # to parse all modules takes seconds
        if is_named and any(name.split(".")[0] == library for name in imports(path)):
            parts = path.relative_to(PACKAGE).parts
            rooms.add("engine.core" if parts[:2] == ("engine", "core") else parts[0])
    return rooms


def python(*arguments: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout


# -- layers -----------------------------------------------------------------------------------------------------


def test_the_rules_need_only_the_standard_library() -> None:
    for path in (PACKAGE / "rules").rglob("*.py"):
        if (
            path.name == "late_binding.py"
        ):  # types of answers from above, which only type checkers import: see the next test
            continue
        for name in imports(path):
            top = name.split(".")[0]
            assert top in sys.stdlib_module_names or name.startswith("fullprime.rules"), f"{path}: {name}"


def test_types_of_modules_above_are_named_in_one_place_alone() -> None:
    """The import contracts look at what runs; here imports for type checkers count too."""
    order = ["rules", "engine", "analysis", "formats", "store", "app"]
    for number, room in enumerate(order):
        above = tuple(f"fullprime.{layer}" for layer in order[number + 1 :])
        for path in (PACKAGE / room).rglob("*.py"):
            if path != PACKAGE / "rules" / "late_binding.py":
                found = [name for name in imports(path) if name.startswith(above)]
                assert not found, f"{path}: {found}"


def test_nothing_imports_torch() -> None:
    """Nets are made by fullprime-lab."""
    assert importers_of("torch") == set()


def test_numba_stays_in_the_kernels() -> None:
    assert importers_of("numba") <= {"engine.core"}


OPENS = {"cli": ("fullprime.web.run.run_server",)}
"""What one face needs of another: the command that opens the page in the browser."""


@pytest.mark.parametrize("face", [face for face in FACES if (PACKAGE / face).is_dir()])
def test_a_face_knows_the_features_and_the_rules_and_a_few_doors_alone(face: str) -> None:
    slices = ("accounts", "analysis", "common", "learn", "library", "messages", "play", "reviews", "rules", face)
    doors = ("db.backup", "db.exclusive_server", "engine.api", "version.__version__")
    rooms = tuple(f"fullprime.{name}" for name in (*slices, *doors))
    for path in (PACKAGE / face).rglob("*.py"):
        for name in imports(path):
            allowed = name.startswith(rooms) or name in OPENS.get(face, ())
            assert not name.startswith("fullprime.") or allowed, f"{path}: {name}"


def test_every_package_has_its_place_in_the_contracts() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    assert set(SESSIONS) <= set(re.findall(r"\w+", " ".join(contract["layers"])))


def test_the_places_where_things_are_changed_exist() -> None:
    """Each path of the table in docs/architecture.md is there, and each name of a row stands in one of its files."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("## Where to change what")[1].split("\n## ")[0]
    for row in table.splitlines():
        if not row.startswith("| ") or row.startswith("| To change"):
            continue
        words = re.findall(r"`([^`]+)`", row)
        paths = [PACKAGE / word for word in words if (PACKAGE / word).exists()]
        assert paths, row
        texts = "".join(path.read_text(encoding="utf-8") for path in paths if path.is_file())
        for word in words:
            assert (PACKAGE / word).exists() or re.search(rf"\b{re.escape(word)}\b", texts), f"{word}: {row}"


def test_functions_stay_under_sixty_lines() -> None:
    """Outside the kernels, where one function is one thing that cannot be cut."""
    names = set()
    for path in MODULES:
        where = path.relative_to(PACKAGE)
        if where.parts[:2] == ("engine", "core"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines >= 60:
                    names.add(f"{where.as_posix()} {node.name}")
    assert names == set()


# -- start-up ---------------------------------------------------------------------------------------------------


def test_nothing_heavy_is_imported_at_start_up() -> None:
    code = "import json, sys, fullprime, fullprime.cli.main; print(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(python("-c", code)))
    assert not loaded & {"numba", "numpy", "sqlalchemy", "torch", "pydantic", "rich.console"}


def test_the_rules_import_no_third_party_module() -> None:
    code = (
        "import sys, pkgutil, importlib, fullprime.rules\n"
        "before = set(sys.modules)\n"
        "for module in pkgutil.walk_packages(fullprime.rules.__path__, 'fullprime.rules.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(*{n.split('.')[0] for n in set(sys.modules) - before})"
    )
    assert set(python("-c", code).split()) - set(sys.stdlib_module_names) == {"fullprime"}


@pytest.mark.alone
def test_help_comes_at_once() -> None:
    """Processor time beside that of Typer alone in the same run, since machines differ: 2.3 times when measured."""
    help_page = "import sys; sys.argv = ['fullprime', '--help']; from fullprime.cli.main import main; main()"
    assert "Usage" in python("-c", help_page)
    assert min(spent("-c", help_page) for _ in range(5)) < 3.5 * min(spent("-c", "import typer.main") for _ in range(5))


def spent(*arguments: str) -> float:
    """Processor time in seconds of a fresh interpreter."""
    resource = pytest.importorskip("resource", reason="this system does not tell what its processes have used")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    python(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def test_the_command_says_its_version() -> None:
    code = "import sys; sys.argv = ['fullprime', '--version']; from fullprime.cli.main import main; main()"
    assert python("-c", code).strip() == f"fullprime {fullprime.__version__}"


# -- documentation ----------------------------------------------------------------------------------------------


def test_every_variant_has_a_page_and_no_page_is_left_over() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} - {"README"} == set(VARIANTS)
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    assert [name for name in VARIANTS if f"[`{name}`]({name}.md)" not in index] == []


@pytest.mark.parametrize("name", VARIANTS)
def test_a_page_has_the_start_and_every_option_with_its_value(name: str) -> None:
    variant = variant_named(name)
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {variant.title}\n")
    assert draw_board(BoardView(variant.starting_position)) in page
    written = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", page, re.MULTILINE))
    assert written == variant.options


def test_every_setting_is_described_with_its_default() -> None:
    page = (PAGES / "README.md").read_text(encoding="utf-8")
    written = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", page, re.MULTILINE))
    settings = {field.name: str(field.default) for field in fields(Settings) if field.name != "variant"}
    assert written == settings


@pytest.mark.parametrize("name", VARIANTS)
def test_other_answers_named_on_a_page_are_options(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    for option, value in re.findall(r"`(\w+)=([\w+]+)`", page):
        assert variant_named(name).with_options({option: value}) != variant_named(name)


def test_the_text_forms_of_the_conventions_are_positions() -> None:
    page = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    section = page.split("## The text form of a position")[1].split("## ")[0]
    forms = [line.strip() for line in section.splitlines() if line.startswith("    ")]
    assert len(forms) == 3
    for form in forms:
        assert Position.from_text(Position.from_text(form).text) == Position.from_text(form)


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if not target.startswith(("http:", "https:")):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_changelog_knows_this_version() -> None:
    assert f"## [{fullprime.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
