"""The laboratory as a whole: what it is to `fullprime`, what importing it costs, and how its code is written."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from tests.test_contracts import asserted, handed_on

import fullprime
import fullprime_lab
from fullprime.cli import plugins
from fullprime.cli.main import commands
from fullprime.common.documented import field_docs, parts_of
from fullprime.engine.bots import players
from fullprime_lab.court.table import CourtTable
from fullprime_lab.measure.bench import PlaysBench
from fullprime_lab.measure.bench_peers import PeersBench
from fullprime_lab.measure.curve import StrengthCurve
from fullprime_lab.measure.figures import PerftCounts
from fullprime_lab.peers.programs import PROGRAMS
from fullprime_lab.selfplay import SelfplayTally
from fullprime_lab.training.dataset import ShardsSummary

LAB = Path(__file__).resolve().parents[1]
PACKAGE = LAB / "src" / "fullprime_lab"
MODULES = sorted(PACKAGE.rglob("*.py"))
PROJECT = tomllib.loads((LAB / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def named(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_its_version_is_that_of_fullprime() -> None:
    assert PROJECT["version"] == fullprime.__version__
    assert f"fullprime[compile]=={fullprime.__version__}" in PROJECT["dependencies"]


def test_it_is_installed_by_the_entry_points_that_fullprime_looks_for() -> None:
    assert set(PROJECT["entry-points"]) == {plugins.GROUP, players.GROUP}
    for group, entries in PROJECT["entry-points"].items():
        assert {entry.name: entry.value for entry in entry_points(group=group)}.items() >= entries.items()
    assert set(plugins.LAB_COMMANDS) <= set(commands().commands)
    assert PROGRAMS in players.player_sources()


def test_every_name_it_shows_is_there() -> None:
    assert all(callable(getattr(fullprime_lab, name)) for name in fullprime_lab.__all__)
    with pytest.raises(AttributeError, match="fullprime_lab has no 'trane'; it has ConfigError"):
        fullprime_lab.trane  # type: ignore[attr-defined]  # noqa: B018


def test_neither_importing_it_nor_its_commands_loads_anything_heavy() -> None:
    code = (
        "import json, os, sys, fullprime_lab.commands, fullprime_lab.measure.bench\n"
        "print(json.dumps([sorted(sys.modules), 'OPENBLAS_NUM_THREADS' in os.environ]))"
    )
    given = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=LAB, env=given)
    loaded, limited = json.loads(done.stdout)
    assert not set(loaded) & {"numba", "numpy", "sqlalchemy", "torch", "pydantic", "rich.console"}
    assert not limited, "commands that measure have the threads that they are given"


def test_numba_is_left_to_the_kernels() -> None:
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]
                assert not any(name.split(".")[0] == "numba" for name in names), named(path)


def test_functions_stay_under_sixty_lines() -> None:
    long = {
        f"{named(path)} {node.name}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno + 1 >= 60
    }
    assert long == set()


def test_no_assert_judges_data() -> None:
    assert {named(path): found for path in MODULES if (found := list(asserted(parsed(path))))} == {}


def test_no_public_function_of_what_gives_json_takes_or_gives_a_dictionary_of_anything() -> None:
    for path in (PACKAGE / "selfplay.py", PACKAGE / "measure" / "figures.py", PACKAGE / "training" / "steps.py"):
        assert not handed_on(path.read_text(encoding="utf-8")), named(path)


@pytest.mark.parametrize(
    "answer", [SelfplayTally, PerftCounts, PlaysBench, PeersBench, StrengthCurve, CourtTable, ShardsSummary],
    ids=lambda answer: answer.__name__,
)  # fmt: skip
def test_every_field_of_an_answer_is_described(answer: type) -> None:
    for kind in parts_of(answer):
        missing = [name for name, text in field_docs(kind).items() if not text]
        assert not missing, f"{kind.__module__}.{kind.__name__}: {', '.join(missing)}"


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
