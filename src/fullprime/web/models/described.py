"""Values in requests, in answers and in the document of the API: their form in JSON, each field with its description.

Both are dataclasses, which :mod:`fullprime.common.json_values` reads and writes. ``wire_type`` gives pydantic their
fields in JSON, ``answer_with`` the type of an answer that is such a value; ``REQUEST`` in the annotation of a value has
a request checked by the value's types and bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, fields, is_dataclass
from functools import cache, partial, reduce
from operator import or_
from types import UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    TypeAdapter,
    create_model,
    with_config,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypedDict

from fullprime.common.bounds import Bounds
from fullprime.common.documented import field_docs, field_types, summary_of
from fullprime.common.json_values import from_json, json_form, to_json


def answer_with(kind: Any) -> Any:
    """The type of an answer that is a value of that type, as FastAPI takes it.

    The value is written as it is. Its form is worked out for the document alone, because that takes a second for all
    answers of the server together.
    """
    return Annotated[Any, _Answer(kind)]


class _Answer:
    """What pydantic asks of an answer: the value in JSON, and the form of its type for the document."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(to_json)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(_core_schema(self._kind))


@cache
def _core_schema(kind: Any) -> CoreSchema:
    """The schema by which pydantic describes an answer; below a validator its type keeps its name in the document."""
    form: Any = Annotated[wire_type(kind), BeforeValidator(to_json)]
    return TypeAdapter(form).core_schema


class _Request:
    """Tells pydantic the form of a value in a request, and makes the value of what has that form."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def make_value(request: BaseModel) -> Any:
            return from_json(source, request.model_dump(exclude_unset=True))

        return core_schema.no_info_after_validator_function(make_value, handler.generate_schema(_request_model(source)))


REQUEST = _Request()
"""Stands in the annotation of a value that a request brings: ``Annotated[AnalysisSetup, REQUEST]``."""


@cache
def _request_model(kind: Any) -> type[BaseModel]:
    """The fields of a value as a request has them: those with a default may be missing, unknown ones are refused."""
    types, docs = field_types(kind), field_docs(kind)
    definitions: dict[str, Any] = {
        field.name: (
            wire_type(types[field.name], _request_model),
            Field(
                **{
                    name: default
                    for name in ("default", "default_factory")
                    if (default := getattr(field, name)) is not MISSING
                },
                description=docs[field.name].replace("``", "`"),
            ),
        )
        for field in fields(kind)
    }
    return create_model(
        f"{kind.__name__}Request",
        __config__=ConfigDict(extra="forbid", strict=True),
        __doc__=summary_of(kind),
        __module__=kind.__module__,
        **definitions,
    )


def wire_type(kind: Any, object_of: Callable[[type], Any] | None = None) -> Any:
    """The type that a value has in JSON, as pydantic reads it: an object with described fields for a dataclass.

    ``object_of`` makes the type of that object; without it, it is that of an answer.
    """
    form = json_form(kind)
    if form is not None:
        return wire_type(form.kind, object_of)
    if isinstance(kind, type) and is_dataclass(kind):
        return (object_of or _object)(kind)
    inner_type = partial(wire_type, object_of=object_of)
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[(inner_type(inside[0]), *map(_to_constraint, inside[1:]))]
    if origin is NotRequired:
        return NotRequired[inner_type(inside[0])]
    if origin in (Union, UnionType):
        return reduce(or_, map(inner_type, inside))
    if origin is list or (origin is tuple and inside[-1] is ...):
        return list[inner_type(inside[0])]  # type: ignore[misc]  # a type made here
    if origin is tuple:
        # Not strict itself, because JSON has lists alone; its items are.
        return Annotated[tuple[tuple(map(inner_type, inside))], Strict(False)]  # type: ignore[misc]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[tuple(map(inner_type, inside))]  # type: ignore[misc]  # a type made here
    return kind


def _to_constraint(metadata: Any) -> Any:
    """Bounds as pydantic knows them; other metadata of an annotation as it is."""
    if not isinstance(metadata, Bounds):
        return metadata
    return Field(**{name: bound for name, bound in asdict(metadata).items() if bound is not None})


@cache
def _object(kind: type) -> Any:
    parts = {name: wire_type(part) for name, part in field_types(kind).items()}
    shape: Any = TypedDict(kind.__name__, parts)  # type: ignore[misc]  # a type made here
    shape.__module__ = kind.__module__
    with_config(ConfigDict(json_schema_extra=lambda schema: _describe(schema, kind)))(shape)
    return shape


def _describe(schema: dict[str, Any], cls: type) -> None:
    schema["description"] = summary_of(cls).replace("``", "`")
    docs = field_docs(cls)
    for name, field in schema["properties"].items():
        field["description"] = docs[name].replace("``", "`")
