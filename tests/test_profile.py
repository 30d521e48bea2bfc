"""The profile of Hypothesis: nothing that a busy machine misses makes a property test fail."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import hypothesis

TESTS = Path(__file__).parent
LAB = TESTS.parent / "lab" / "tests"


def test_no_property_test_has_a_deadline() -> None:
    assert hypothesis.settings().deadline is None
    assert hypothesis.HealthCheck.too_slow in hypothesis.settings().suppress_health_check
    paths = [*sorted(TESTS.rglob("*.py")), *sorted(LAB.rglob("*.py"))]
    assert [place for path in paths for place in deadlines(path)] == []


def test_a_deadline_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "test_one.py"
    path.write_text("@settings(max_examples=5, deadline=200)\ndef test_one():\n    hypothesis.settings(deadline=x)\n")
    assert [place.rpartition(":")[2] for place in deadlines(path)] == ["1", "3"]


def deadlines(path: Path) -> Iterator[str]:
    """The calls in a file that set a deadline of Hypothesis other than none."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)) if "deadline" in source else ():
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called not in ("settings", "register_profile"):
            continue
        for argument in node.keywords:
            is_none = isinstance(argument.value, ast.Constant) and argument.value.value is None
            if argument.arg == "deadline" and not is_none:
                yield f"{path.relative_to(path.parents[1])}:{node.lineno}"
