"""What the machine checks for every change: the lowest Python that is promised is one that the tests ran on."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / ".ci" / "check-pythons"

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the sdist has no .ci")


def check_pythons(tmp_path: Path, *versions: str) -> subprocess.CompletedProcess[str]:
    listing = tmp_path / "pythons.txt"
    listing.write_text("".join(f"{version}\n" for version in versions), encoding="utf-8")
    return subprocess.run([sys.executable, SCRIPT, listing], capture_output=True, text=True, check=False)


def lowest_promised() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["requires-python"]).removeprefix(">=")


def test_tests_on_a_newer_python_alone_fail(tmp_path: Path) -> None:
    result = check_pythons(tmp_path, "3.99")
    assert result.returncode != 0
    assert result.stderr == f"pyproject.toml promises Python {lowest_promised()}, but the tests ran on 3.99 alone\n"
    assert check_pythons(tmp_path).returncode != 0


def test_tests_on_the_lowest_python_pass(tmp_path: Path) -> None:
    assert check_pythons(tmp_path, "3.99", lowest_promised()).returncode == 0


def test_a_run_notes_the_pythons_that_it_used_and_checks_them() -> None:
    run = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert run.index(".ci/newcomer build/pythons.txt") < run.index(".ci/check-pythons build/pythons.txt")
