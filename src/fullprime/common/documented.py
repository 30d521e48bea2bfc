"""Values that go to pages, bots and scripts as JSON, whose fields are documented where they stand.

They are frozen dataclasses, and the typed dictionaries that are left. A docstring under each field is its one
description, and that of a property which is among the fields. ``documented`` puts it where ``help`` shows it, the web's
document of its API and the types of the pages' scripts read it with ``field_docs``.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import lru_cache, reduce
from operator import or_
from types import MappingProxyType, NoneType, UnionType
from typing import Any, NotRequired, TypeVar, Union, get_args, get_origin, get_type_hints

from typing_extensions import get_original_bases, is_typeddict

from fullprime.common.json_values import attribute_types, json_fields, json_form

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
    """The description of a value, without its fields."""
    return _SUMMARIES.get(cls) or inspect.cleandoc(cls.__doc__ or "")


def field_docs(cls: Any) -> Mapping[str, str]:
    """The description of each field in JSON, those of its bases first; empty for one that has none."""
    if is_dataclass(cls):
        return MappingProxyType({part.name: part.text for part in _parts_in_json(cls)})
    found: dict[str, str] = {}
    for base in get_original_bases(cls):
        if is_typeddict(base):
            found.update(field_docs(base))
    found.update(_docs_of(cls.__module__).get(cls.__name__, {}))
    return MappingProxyType(found)


def field_types(cls: Any) -> Mapping[str, Any]:
    """The type of each field in JSON, with ``NotRequired`` where it may be missing."""
    if is_dataclass(cls):
        return MappingProxyType({part.name: part.kind for part in _parts_in_json(cls)})
    return MappingProxyType(get_type_hints(cls, include_extras=True))


@dataclass(frozen=True, slots=True)
class _Part:
    """A field of a dataclass as it stands in JSON."""

    name: str
    kind: Any
    text: str


def _parts_in_json(cls: Any) -> Iterator[_Part]:
    """The fields of a dataclass in JSON; those of a merged value stand among those of its owner."""
    types = attribute_types(cls)
    for field in json_fields(cls):
        kind = types[field.attribute]
        inside = [part for part in (*get_args(kind), kind) if is_dataclass(part)] if field.is_merged else []
        if inside:
            optional = NoneType in get_args(kind)
            for part in _parts_in_json(inside[0]):
                yield _Part(part.name, _optional(part.kind) if optional else part.kind, part.text)
        else:
            left_out = field.is_left_out
            yield _Part(field.name, _optional(_without_none(kind)) if left_out else kind, _doc_of(cls, field.attribute))


def _optional(kind: Any) -> Any:
    return kind if get_origin(kind) is NotRequired else NotRequired[kind]


def _without_none(kind: Any) -> Any:
    parts = [part for part in get_args(kind) if part is not NoneType]
    return reduce(or_, parts) if get_origin(kind) in (Union, UnionType) else kind


def _doc_of(cls: Any, attribute: str) -> str:
    """The docstring of a property, or under a field, of the class or a base of it."""
    for base in cls.__mro__:
        if isinstance(getter := vars(base).get(attribute), property):
            return " ".join((inspect.getdoc(getter) or "").split())
        module, name = base.__module__, base.__name__
        if is_dataclass(base):
            text = _docs_of(module).get(name, {}).get(attribute)
            if text is not None:
                return text
    return ""


def parts_of(kind: Any) -> Iterator[type]:
    """Every value with fields that a type is made of, itself first and each once."""
    seen: list[type] = []
    _collect(kind, seen)
    return iter(seen)


def _collect(kind: Any, seen: list[type]) -> None:
    if is_typeddict(kind) or (isinstance(kind, type) and is_dataclass(kind) and json_form(kind) is None):
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
