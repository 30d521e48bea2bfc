"""Values in the document of the API: their form in JSON, with the description of every field.

What the server sends is made of dataclasses, which :mod:`fullprime.common.json_values` writes, and of the typed
dictionaries that are left. ``described`` and ``on_wire`` give pydantic the fields that they have in JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict, is_typeddict

from fullprime.common.documented import field_docs, field_types, parts_of, summary_of
from fullprime.common.json_values import json_form


def described(*contracts: type) -> None:
    """Put the descriptions of typed dictionaries, and of all that they are made of, into the document."""
    for contract in contracts:
        for each in parts_of(contract):
            with_config(ConfigDict(json_schema_extra=_describe))(each)


def on_wire(kind: Any) -> Any:
    """The type that a value has in JSON, as pydantic reads it: an object with described fields for a dataclass."""
    form = json_form(kind)
    if form is not None:
        return on_wire(form.kind)
    if is_typeddict(kind) or (isinstance(kind, type) and is_dataclass(kind)):
        return _object(kind)
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[(on_wire(inside[0]), *inside[1:])]
    if origin is NotRequired:
        return NotRequired[on_wire(inside[0])]
    if origin in (Union, UnionType):
        return reduce(or_, map(on_wire, inside))
    if origin is list or (origin is tuple and inside[-1] is ...):
        return list[on_wire(inside[0])]  # type: ignore[misc]  # a type made here
    if origin is tuple:
        return tuple[tuple(map(on_wire, inside))]  # type: ignore[misc]  # a type made here
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[on_wire(inside[0]), on_wire(inside[1])]  # type: ignore[misc]  # a type made here
    return kind


@cache
def _object(kind: type) -> Any:
    parts = {name: on_wire(part) for name, part in field_types(kind).items()}
    made: Any = TypedDict(kind.__name__, parts)  # type: ignore[misc]  # a type made here
    made.__module__ = kind.__module__
    with_config(ConfigDict(json_schema_extra=lambda schema: _describe(schema, kind)))(made)
    return made


def _describe(schema: dict[str, Any], cls: type) -> None:
    schema["description"] = summary_of(cls).replace("``", "`")
    docs = field_docs(cls)
    for name, field in schema["properties"].items():
        field["description"] = docs[name].replace("``", "`")
