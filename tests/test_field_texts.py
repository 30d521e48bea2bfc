"""Fields are explained once: what repeats a text, a form of JSON or a schema is counted, and may only become less.

``pytest tests/test_field_texts.py --log-cli-level=info`` shows the counts.
"""

from __future__ import annotations

import ast
import logging
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from tests.test_twins import PACKAGE, classes_of_the_package
from tests.web.inside import application

log = logging.getLogger(__name__)

REPEATED_TEXTS = 256
"""Explanations of fields in the package that stand word for word at another field, too."""
SCHEMAS = 332
"""Schemas in the document of the API."""
CONVERTER_LINES = 88
"""Lines of functions that write a dictionary for JSON by hand."""


def field_texts() -> Iterator[str]:
    """The explanation of each field: the docstring under it, or the description in its annotation or its default."""
    for classes in classes_of_the_package().values():
        for node in classes:
            for field, after in zip_longest(node.body, node.body[1:]):
                if isinstance(field, ast.AnnAssign):
                    yield from texts_of(field, after)


def texts_of(field: ast.AnnAssign, after: ast.stmt | None) -> Iterator[str]:
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
        yield " ".join(after.value.value.split())
        return
    for node in ast.walk(field):
        if isinstance(node, ast.keyword) and node.arg == "description" and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def converters() -> Iterator[tuple[str, int]]:
    """Functions that give a dictionary with names of fields as JSON, with their lines."""
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "JsonObject" not in source and "dict[str, " not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and gives_fields(node):
                yield f"{path.relative_to(PACKAGE)}:{node.name}", (node.end_lineno or 0) - node.lineno + 1


def gives_fields(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    kind = "" if function.returns is None else ast.unparse(function.returns)
    if kind not in ("JsonObject", "dict[str, Any]", "dict[str, object]", "Mapping[str, Any]", "Mapping[str, object]"):
        return False
    return any(
        isinstance(node, ast.Dict) and sum(isinstance(key, ast.Constant) for key in node.keys) >= 3
        for node in ast.walk(function)
    )


def test_no_more_fields_repeat_the_explanation_of_another() -> None:
    texts = Counter(field_texts())
    repeated = sum(count - 1 for count in texts.values())
    log.info("%d of %d explanations repeat another: %s", repeated, texts.total(), texts.most_common(5))
    assert repeated <= REPEATED_TEXTS


def test_no_more_functions_write_json_by_hand() -> None:
    lines = dict(converters())
    log.info("%d lines in %d converters: %s", sum(lines.values()), len(lines), lines)
    assert sum(lines.values()) <= CONVERTER_LINES


def test_the_document_has_no_more_schemas(tmp_path: Path) -> None:
    with application(tmp_path / "games.db") as app:
        schemas = app.openapi()["components"]["schemas"]
    texts = Counter(
        field["description"]
        for schema in schemas.values()
        for field in schema.get("properties", {}).values()
        if "description" in field
    )
    repeated = sum(count - 1 for count in texts.values())
    log.info("%d schemas; %d of %d explanations repeat another", len(schemas), repeated, texts.total())
    assert len(schemas) <= SCHEMAS
