"""Values as text: ``repr`` that evaluates back and shows only unusual fields; records as tables in HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from enum import StrEnum
from html import escape
from typing import Any

Record = dict[str, str | int | float | bool | None]
"""One row of a table, for programs, in the form that pandas and polars take as it is."""


class Word(StrEnum):
    """An enumeration of words, whose ``repr`` evaluates back: ``Phase.ROLL``."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


def short_repr(value: Any) -> str:
    """The call that makes this dataclass again, without the fields that have their usual values."""
    arguments = []
    usual = True
    for field in fields(value):
        content = getattr(value, field.name)
        if not field.init or not field.repr or (has_default(field) and content == default_of(field)):
            usual = usual and not field.init
            continue
        name = "" if usual and not field.kw_only else f"{field.name}="
        arguments.append(f"{name}{dict(content)!r}" if isinstance(content, Mapping) else f"{name}{content!r}")
    return f"{type(value).__name__}({', '.join(arguments)})"


def has_default(field: Field[Any]) -> bool:
    """True if a field may be left out."""
    return field.default is not MISSING or field.default_factory is not MISSING


def default_of(field: Field[Any]) -> Any:
    """The value of a field that was left out."""
    return field.default if field.default is not MISSING else field.default_factory()  # type: ignore[operator]


def html_table(rows: Sequence[Mapping[str, object]], caption: str = "") -> str:
    """Rows with the same keys as an HTML table; numbers are shown with at most four decimals, None as a dash."""
    if not rows:
        return f"<p>{escape(caption)}</p>"
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in rows[0])
    body = "".join(f"<tr>{_cells(row.values())}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(values: Iterable[object]) -> str:
    return "".join(f"<td>{escape(_cell(value))}</td>" for value in values)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
