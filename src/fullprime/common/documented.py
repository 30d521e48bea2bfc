"""Values that go to pages, bots and scripts as JSON: typed dictionaries whose fields are documented where they stand.

A docstring under each field of a ``TypedDict`` is its one description. ``documented`` puts it where ``help`` shows it,
the web's document of its API and the types of the pages' scripts read it with ``field_docs``.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_type_hints

from typing_extensions import get_original_bases, is_typeddict

T = TypeVar("T", bound=type)

_SUMMARIES: dict[type, str] = {}


def documented(cls: T) -> T:
    """Add the fields of a typed dictionary, with their types and descriptions, to its docstring."""
    _SUMMARIES[cls] = summary = inspect.cleandoc(cls.__doc__ or "")
    kinds = {name: getattr(kind, "__forward_arg__", str(kind)) for name, kind in cls.__annotations__.items()}
    fields = [f"{name}: {kinds[name]}\n    {text}" for name, text in field_docs(cls).items()]
    cls.__doc__ = "\n\n".join([summary, "Fields:", *fields])
    return cls


def summary_of(cls: type) -> str:
    """The description of a typed dictionary, without its fields."""
    return _SUMMARIES.get(cls) or inspect.cleandoc(cls.__doc__ or "")


def field_docs(cls: type) -> Mapping[str, str]:
    """The description of each field of a typed dictionary, those of its bases first."""
    found: dict[str, str] = {}
    for base in get_original_bases(cls):
        if is_typeddict(base):
            found.update(field_docs(base))
    found.update(_docs_of(cls.__module__).get(cls.__name__, {}))
    return MappingProxyType(found)


def field_types(cls: type) -> Mapping[str, Any]:
    """The type of each field of a typed dictionary, with ``NotRequired`` where it may be missing."""
    return MappingProxyType(get_type_hints(cls, include_extras=True))


def parts_of(kind: Any) -> Iterator[type]:
    """Every typed dictionary that a type is made of, itself first and each once."""
    seen: list[type] = []
    _collect(kind, seen)
    return iter(seen)


def _collect(kind: Any, seen: list[type]) -> None:
    if is_typeddict(kind):
        if kind not in seen:
            seen.append(kind)
            for each in field_types(kind).values():
                _collect(each, seen)
        return
    for each in get_args(kind):
        _collect(each, seen)


@lru_cache
def _docs_of(module: str) -> Mapping[str, Mapping[str, str]]:
    """The docstrings under the fields of every class of a module."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {each.name: dict(_under(each)) for each in tree.body if isinstance(each, ast.ClassDef)}


def _under(cls: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, after in zip(cls.body, cls.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
            said = after.value.value if isinstance(after.value, ast.Constant) else None
            if isinstance(said, str):
                yield field.target.id, " ".join(said.split())
