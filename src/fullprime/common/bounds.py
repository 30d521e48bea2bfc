"""Bounds of the fields of a value, for what comes from outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The bounds of a field, in the annotation of its type: ``Annotated[int, Bounds(ge=1, le=6)]``.

    The server checks them before it makes a value of a request, and its document of the API tells them. Values that
    the program makes itself, and those that it has stored, are not checked.
    """

    ge: float | None = None
    """The least number."""
    le: float | None = None
    """The greatest number."""
    min_length: int | None = None
    """The fewest letters, or items."""
    max_length: int | None = None
    """The most letters, or items."""
    pattern: str | None = None
    """The regular expression that a text fits."""


Name = Annotated[str, Bounds(min_length=1, max_length=60)]
"""The name of a game, an option or the like."""
RuleTexts = Annotated[Mapping[Name, Annotated[str, Bounds(max_length=40)]], Bounds(max_length=40)]
"""Options of the rules as texts, by name."""

__all__ = ["Bounds", "Name", "RuleTexts"]
