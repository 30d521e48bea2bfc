"""Values that go to pages, bots and scripts as JSON, whose fields are documented where they stand.

They are frozen dataclasses. A docstring under each field is its one description, and that of a property which is among
the fields: the web's document of its API and the types of the pages' scripts read it with ``field_docs``.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass, replace
from functools import lru_cache, reduce
from operator import or_
from types import MappingProxyType, NoneType, UnionType
from typing import Any, NotRequired, Union, get_args, get_origin

from fullprime.common.json_values import attribute_types, json_fields, json_form


def summary_of(cls: type) -> str:
    """The description of a value, without its fields."""
    return inspect.cleandoc(cls.__doc__ or "")


def field_docs(cls: Any) -> Mapping[str, str]:
    """The description of each field in JSON; empty for one that has none."""
    return MappingProxyType({part.name: _doc_of(part.owner, part.attribute) for part in _parts_in_json(cls)})


def field_types(cls: Any) -> Mapping[str, Any]:
    """The type of each field in JSON, with ``NotRequired`` where it may be missing."""
    return MappingProxyType({part.name: part.kind for part in _parts_in_json(cls)})


@dataclass(frozen=True, slots=True)
class _Part:
    """A field of a dataclass as it stands in JSON."""

    name: str
    kind: Any
    owner: type
    attribute: str


def _parts_in_json(cls: Any) -> Iterator[_Part]:
    """The fields of a dataclass in JSON; those of a merged value stand among those of its owner."""
    types = attribute_types(cls)
    for field in json_fields(cls):
        kind = types[field.attribute]
        inside = [part for part in (*get_args(kind), kind) if is_dataclass(part)] if field.is_merged else []
        if inside:
            optional = NoneType in get_args(kind)
            for part in _parts_in_json(inside[0]):
                yield replace(part, kind=_optional(part.kind)) if optional else part
        else:
            left_out = field.is_left_out
            yield _Part(field.name, _optional(_without_none(kind)) if left_out else kind, cls, field.attribute)


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
    return _new_parts(kind, set())


def _new_parts(kind: Any, yielded: set[type]) -> Iterator[type]:
    inside: Iterable[Any] = get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind) and json_form(kind) is None:
        if kind in yielded:
            return
        yielded.add(kind)
        yield kind
        inside = field_types(kind).values()
    for part in inside:
        yield from _new_parts(part, yielded)


@lru_cache
def _docs_of(module: str) -> Mapping[str, Mapping[str, str]]:
    """The docstrings under the fields of every class of a module."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: dict(_field_docs(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _field_docs(cls: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, after in zip(cls.body, cls.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
            text = after.value.value if isinstance(after.value, ast.Constant) else None
            if isinstance(text, str):
                yield field.target.id, " ".join(text.split())
