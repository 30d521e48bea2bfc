"""The gate and the nightly run: what each holds, and what becomes of a test that fails beside others."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / ".ci" / "check-pythons"

pytestmark = [pytest.mark.posix, pytest.mark.skipif(not SCRIPT.exists(), reason="the sdist has no .ci")]


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


def read(*path: str) -> str:
    return ROOT.joinpath(*path).read_text(encoding="utf-8")


def test_the_gate_runs_the_commands_of_the_readme_and_checks_the_lowest_python() -> None:
    block = read("README.md").split("In a clone two commands are enough", 1)[1].split("```")[1]
    commands = re.findall(r"^make \w+", block, re.MULTILINE)
    assert commands == ["make play", "make test"]
    newcomer = read(".ci", "newcomer")
    assert all(f"as_newcomer {command} " in newcomer for command in commands)
    gate = read(".ci", "run")
    assert gate.index(".ci/newcomer build/pythons.txt") < gate.index(".ci/check-pythons build/pythons.txt")
    assert re.search(r"^run_part .* run_as_newcomer$", gate, re.MULTILINE)
    assert "FULLPRIME_PYTHON" not in gate, "the newcomer has the machine's own python3"


def test_what_the_gate_leaves_out_is_in_the_nightly_run() -> None:
    gate, nightly, makefile = read(".ci", "run"), read(".ci", "nightly"), read("Makefile")
    parts = set(re.findall(r"^run_(\w+)\(\)", nightly, re.MULTILINE))
    assert parts == set(re.search(r"^all=\((.*)\)$", nightly, re.MULTILINE)[1].split())  # type: ignore[index]
    for target in ("docs", "scripts", "workflows", "test-alone", "test-files", "test-optimised", "attack"):
        assert f"\n{target}:" in makefile
        assert re.search(rf"(make|on_newest) .*\b{target}\b", nightly), target
        assert not re.search(rf"make .*\b{target}\b", gate), target
    assert "BROAD=1 on_newest test " in nightly
    workflows = ROOT / ".github" / "workflows"
    assert "make gate" in (workflows / "tests.yml").read_text(encoding="utf-8")
    assert "make nightly" in (workflows / "nightly.yml").read_text(encoding="utf-8")


def test_other_programs_read_our_files_in_the_nightly_run_and_none_may_be_missing() -> None:
    """``tests/formats/test_independent.py`` skips a program that is not installed, but for this variable."""
    recipe = re.search(r"^test-files: (.*?)\n\n", read("Makefile"), re.MULTILINE | re.DOTALL)
    assert recipe is not None
    assert "$(READERS)" in recipe[1]
    assert "FULLPRIME_READERS=1 " in recipe[1]
    assert "scripts/install $(VENV) . readers" in read("Makefile")
    group = tomllib.loads(read("pyproject.toml"))["dependency-groups"]["readers"]
    programs = {re.split(r"[>=;]", requirement)[0] for requirement in group}
    modules = {"gammonview": "gvformat", "ogxm": "ogxm", "xgdatatools": "xgdatatools"}
    assert programs == set(modules)
    used = set(re.findall(r'\bother\("(\w+)"\)', read("tests", "formats", "test_independent.py")))
    assert used == set(modules.values())


def test_the_parts_that_are_named_are_no_arguments_of_their_targets(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    script = shutil.copy(ROOT / ".ci" / "nightly", tmp_path / ".ci")
    make = tmp_path / "make"
    make.write_text('#!/bin/sh\necho "$@, ARGS=$ARGS, MAKEFLAGS=$MAKEFLAGS" > called.txt\n', encoding="utf-8")
    make.chmod(0o755)
    of_make = {"ARGS": "attack", "MAKEFLAGS": " -- ARGS=attack", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run([script, "attack"], env={**os.environ, **of_make}, check=True, capture_output=True)
    called = (tmp_path / "called.txt").read_text(encoding="utf-8")
    assert called == "VENV=build/nightly/venv attack, ARGS=, MAKEFLAGS=\n"


def test_the_nightly_run_refuses_a_part_that_it_does_not_have() -> None:
    script = ROOT / ".ci" / "nightly"
    result = subprocess.run(["bash", script, "atack"], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.startswith("nightly: there is no part atack; there are site ")


CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time"}


def test_no_test_reads_a_clock_unless_it_has_the_machine_to_itself() -> None:
    """A machine that is slow or busy makes no test fail; helpers read clocks to give up what never comes."""
    hurried = []
    for file in sorted([*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("lab/tests/**/test_*.py")]):
        module = ast.parse(file.read_text(encoding="utf-8"))
        marks = [ast.unparse(node) for node in module.body if isinstance(node, ast.Assign)]
        if any(text.startswith("pytestmark") and "mark.alone" in text for text in marks):
            continue
        for test in module.body:
            if not isinstance(test, ast.FunctionDef) or not test.name.startswith("test_"):
                continue
            if any("mark.alone" in ast.unparse(decorator) for decorator in test.decorator_list):
                continue
            if any(isinstance(node, ast.Attribute) and node.attr in CLOCKS for node in ast.walk(test)):
                hurried.append(f"{file.name}: {test.name}")
    assert hurried == []


# -- scripts/test ----------------------------------------------------------------------------------------------------
PYPROJECT = """
[tool.pytest.ini_options]
markers = ["alone", "broad", "slow"]
testpaths = ["tests"]
"""
FLAKY = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range({count}))
def test_that_passes_the_second_time(number):
    tried = Path(__file__).with_name(f"tried-{{number}}")
    first = not tried.exists()
    tried.touch()
    assert not first

def test_that_passes(): pass
"""
BROKEN = "def test_that_fails(): raise AssertionError\n"


def run_tests(root: Path, **files: str) -> tuple[int, str]:
    """The code and the last line of ``scripts/test`` in a project of its own that has these tests."""
    for folder in ("scripts", "src", "lab/src", "tests"):
        (root / folder).mkdir(parents=True)
    (root / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    shutil.copy(ROOT / "scripts" / "test", root / "scripts")
    for name, text in files.items():
        (root / "tests" / f"test_{name}.py").write_text(text, encoding="utf-8")
    ours = {"BROAD", "ALONE", "COVERAGE", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER"}
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    environment |= {"PYTHON": sys.executable, "WORKERS": "0"}
    result = subprocess.run(
        ["bash", root / "scripts" / "test"], env=environment, capture_output=True, text=True, check=False
    )
    return result.returncode, result.stdout.rstrip().rpartition("\n")[2]


def test_a_test_that_fails_and_passes_alone_is_named_last(tmp_path: Path) -> None:
    code, last = run_tests(tmp_path, flaky=FLAKY.format(count=1))
    name = "tests/test_flaky.py::test_that_passes_the_second_time[0]"
    assert (code, last) == (0, f"flaky: {name}")
    assert (tmp_path / "build" / "flaky.txt").read_text(encoding="utf-8") == f"{name}\n"


@pytest.mark.broad
def test_a_test_that_fails_alone_as_well_is_a_failure(tmp_path: Path) -> None:
    code, last = run_tests(tmp_path, flaky=FLAKY.format(count=1), broken=BROKEN)
    assert code == 1
    assert "1 failed, 1 passed" in last
    assert not (tmp_path / "build").exists()


@pytest.mark.broad
def test_more_than_three_that_fail_are_not_run_again(tmp_path: Path) -> None:
    code, last = run_tests(tmp_path, flaky=FLAKY.format(count=4))
    assert code == 1
    assert "4 failed, 1 passed" in last


@pytest.mark.broad
def test_a_file_that_cannot_be_imported_is_a_failure(tmp_path: Path) -> None:
    code, _ = run_tests(tmp_path, flaky=FLAKY.format(count=1), broken="import nothing_of_this_name\n")
    assert code != 0
