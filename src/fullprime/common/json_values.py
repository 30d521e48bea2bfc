"""Frozen dataclasses as JSON values and back, by the standard library: for files, the database and ``--json``.

A dataclass stands in JSON as an object with its fields, by their names. A class with ``__json__`` (see ``json_names``)
chooses its names itself, and may take properties among them. A field with the metadata ``MERGED`` has its own fields
stand among those of its owner, and one with ``LEFT_OUT`` is not written where it is None. A position is its text, a
roll its two dice, a play its notation. A number that is not finite is written as None, because it is not known.

Reading refuses unknown fields, missing ones and wrong types, each by its name.
"""

from __future__ import annotations

import math
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.notation import format_play
from fullprime.rules.plays import Play
from fullprime.rules.position import Position
from fullprime.rules.taking import short_value

Value = TypeVar("Value")
Reader = Callable[[Any], Any]

MERGED: Mapping[str, str] = MappingProxyType({"json": "merged"})
"""Metadata of a field whose own fields stand among those of its owner; one that is None has none."""
LEFT_OUT: Mapping[str, str] = MappingProxyType({"json": "left out"})
"""Metadata of a field that is not written where it is None."""

NanAsNull = Annotated[float, "null in JSON where it is NaN"]
"""A number of which nothing may be known yet: NaN in Python, null in JSON."""

_PLAIN = frozenset({str, int, bool, NoneType})


class JsonError(FullprimeError):
    """A JSON value that is not what it should be. Its message begins with the place of the fault."""

    def __init__(self, fault: str, place: str = "") -> None:
        self.fault, self.place = fault, place
        super().__init__(f"{place.lstrip('.')}: {fault}" if place else fault)

    def inside(self, place: str) -> JsonError:
        """The same fault, seen from the value around it: ``.name`` of a field, ``[3]`` of an item."""
        return JsonError(self.fault, place + self.place)


@dataclass(frozen=True, slots=True)
class JsonField:
    """One field of a dataclass in JSON."""

    name: str
    """The name in JSON."""
    attribute: str
    """The name in Python, of a field or a property."""
    is_merged: bool = False
    """True if the fields of its value stand among those of its owner."""
    is_left_out: bool = False
    """True if it is not written where it is None."""


JsonFields = tuple[JsonField, ...]
"""The type of ``__json__``, by which a dataclass chooses its fields in JSON."""


def json_names(*names: str, merged: Iterable[str] = (), **others: str) -> JsonFields:
    """The fields of a class in JSON, in order. Each of ``others`` has the attribute that it is given, the rest are
    called as in Python. Properties that are ``merged`` stand among the fields with their own ones; a field is merged by
    its metadata.
    """
    return (
        *(JsonField(name, name, is_merged=True) for name in merged),
        *(JsonField(name, others.get(name, name)) for name in names),
        *(JsonField(name, attribute) for name, attribute in others.items() if name not in names),
    )


@cache
def json_fields(kind: type) -> JsonFields:
    """The fields of a dataclass in JSON, in order."""
    forms = {field.name: field.metadata.get("json") for field in fields(kind)}
    chosen: JsonFields = getattr(kind, "__json__", None) or json_names(*forms)
    return tuple(
        replace(
            field,
            is_merged=field.is_merged or forms.get(field.attribute) == "merged",
            is_left_out=forms.get(field.attribute) == "left out",
        )
        for field in chosen
    )


@cache
def attribute_types(kind: type) -> Mapping[str, Any]:
    """The types of the fields and the properties of a dataclass."""
    types = typing.get_type_hints(kind, include_extras=True)
    for name in dir(kind):
        getter = getattr(getattr(kind, name, None), "fget", None)
        if getter is not None and name not in types:
            types[name] = typing.get_type_hints(getter, include_extras=True).get("return", Any)
    return MappingProxyType(types)


# -- writing ----------------------------------------------------------------------------------------------------------
def to_json(value: object) -> Any:
    """A value as ``json.dumps`` takes it. Raises TypeError for a kind of value that has no form in JSON."""
    kind: Any = type(value)
    return value if kind in _PLAIN else _writer(kind)(value)


@cache
def _writer(kind: type) -> Callable[[Any], Any]:
    if kind in _FORMS:
        return _FORMS[kind].write
    if is_dataclass(kind):
        return _dataclass_writer(kind)
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, float):
        return _finite
    if issubclass(kind, str | int):
        return str if issubclass(kind, str) else int
    if issubclass(kind, Mapping):
        return lambda value: {str(name): to_json(part) for name, part in value.items()}
    if issubclass(kind, list | tuple):
        return lambda value: [to_json(part) for part in value]
    raise TypeError(f"a {kind.__name__} has no form in JSON")


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _dataclass_writer(kind: type) -> Callable[[Any], Any]:
    parts = json_fields(kind)
    if not any(part.is_merged or part.is_left_out for part in parts):
        names = tuple((part.name, part.attribute) for part in parts)
        return lambda value: {name: to_json(getattr(value, attribute)) for name, attribute in names}

    def write(value: object) -> dict[str, Any]:
        written: dict[str, Any] = {}
        for part in parts:
            inside = getattr(value, part.attribute)
            if part.is_merged:
                written.update({} if inside is None else to_json(inside))
            elif inside is not None or not part.is_left_out:
                written[part.name] = to_json(inside)
        return written

    return write


# -- reading ----------------------------------------------------------------------------------------------------------
def from_json(kind: type[Value], value: object) -> Value:
    """Read what :func:`to_json` made of a value of this kind. Raises JsonError, which names the field that is wrong."""
    asked: Any = kind
    found: Value = _reader(asked)(value)
    return found


@cache
def _reader(kind: Any) -> Reader:
    if kind is Any or kind is object:
        return lambda value: value
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if kind in _FORMS:
        return _FORMS[kind].read
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _union_reader(get_args(kind))
    if origin is Literal:
        return _member_reader({member: member for member in get_args(kind)})
    if origin in (tuple, list):
        return _list_reader(origin, get_args(kind))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_reader(_reader(get_args(kind)[1]))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _member_reader({member.value: member for member in kind})
    if isinstance(kind, type) and is_dataclass(kind):
        return partial(_read_dataclass, kind)  # The reader is made late, because a kind may contain itself.
    raise TypeError(f"a {kind} has no form in JSON")


def _of_type(accepted: type, words: str) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is accepted:
            return value
        if not isinstance(value, accepted) or (isinstance(value, bool) and accepted is not bool):
            raise JsonError(f"{short_value(value)} is not {words}")
        return value

    return read


def _number(value: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise JsonError(f"{short_value(value)} is not a number")
    return float(value)


_SIMPLE: Mapping[Any, Reader] = {
    str: _of_type(str, "a text"),
    int: _of_type(int, "a whole number"),
    bool: _of_type(bool, "true or false"),
    float: _number,
    NoneType: _of_type(NoneType, "null"),
}


def _member_reader(members: Mapping[Any, Any]) -> Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, str | int) or value not in members:
            raise JsonError(f"{short_value(value)} is not one of {', '.join(map(str, members))}")
        return members[value]

    return read


def _list_reader(origin: type, parts: tuple[Any, ...]) -> Reader:
    if origin is tuple and parts[-1] is not ...:
        return _row_reader(tuple(_reader(part) for part in parts))
    read_part = _reader(parts[0])

    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise JsonError(f"{short_value(value)} is not a list")
        items: list[Any] = []
        try:
            for part in value:
                items.append(read_part(part))  # noqa: PERF401 - its length names the item that is wrong
        except JsonError as error:
            raise error.inside(f"[{len(items)}]") from None
        return items if origin is list else tuple(items)

    return read


def _row_reader(readers: tuple[Reader, ...]) -> Reader:
    """Reads a list of a fixed length."""

    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise JsonError(f"{short_value(value)} is not a list")
        if len(value) != len(readers):
            raise JsonError(f"{len(readers)} items are needed, not {len(value)}")
        items: list[Any] = []
        try:
            for read_part, part in zip(readers, value, strict=True):
                items.append(read_part(part))
        except JsonError as error:
            raise error.inside(f"[{len(items)}]") from None
        return tuple(items)

    return read


def _mapping_reader(read_part: Reader) -> Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise JsonError(f"{short_value(value)} is not an object")
        items: dict[str, Any] = {}
        name = ""
        try:
            for name, part in value.items():
                items[name] = read_part(part)
        except JsonError as error:
            raise error.inside(f".{name}") from None
        return items

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    """The kind that the value's ``kind`` names, else the first that fits; of none, the fault of the last one."""
    readers = [_reader(kind) for kind in sorted(kinds, key=lambda kind: kind is not NoneType)]

    def read(value: Any) -> Any:
        named = _named_kind(kinds, value)
        if named is not None:
            return _reader(named)(value)
        for reader in readers[:-1]:
            try:
                return reader(value)
            except JsonError:
                continue
        return readers[-1](value)

    return read


def _named_kind(kinds: tuple[Any, ...], value: Any) -> Any:
    """The dataclass whose field ``kind`` has the word that the value has there; None where there is none."""
    word = value.get("kind") if isinstance(value, dict) else None
    classes = (kind for kind in kinds if isinstance(kind, type) and is_dataclass(kind)) if word is not None else ()
    return next((kind for kind in classes if word in get_args(attribute_types(kind).get("kind"))), None)


def _read_dataclass(kind: Any, value: Any) -> Any:
    return _dataclass_reader(kind)(value)


@cache
def _dataclass_reader(kind: type) -> Reader:
    types, parts = attribute_types(kind), json_fields(kind)
    own = {field.name for field in fields(kind) if field.init}
    if any(part.attribute not in own for part in parts):
        raise TypeError(f"a {kind.__name__} is written as JSON, and not read")
    plain = {part.name: (part.attribute, _reader(types[part.attribute])) for part in parts if not part.is_merged}
    needed = {field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING}
    required = [part.name for part in parts if part.attribute in needed and not part.is_merged]
    merged = [(part.attribute, types[part.attribute]) for part in parts if part.is_merged]
    theirs = {name: attribute for attribute, inside in merged for name in _names_of(inside)}
    known = {*plain, *theirs}

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise JsonError(f"{short_value(value)} is not an object")
        given: dict[str, Any] = {}
        if not known.issuperset(value):
            unknown = next(name for name in value if name not in known)
            raise JsonError(f"there is no field {short_value(unknown)}; fields are {', '.join([*plain, *theirs])}")
        name = ""
        try:
            for name, part in value.items():
                if name in plain:
                    attribute, read_part = plain[name]
                    given[attribute] = read_part(part)
        except JsonError as error:
            raise error.inside(f".{name}") from None
        for name in required:
            if name not in value:
                raise JsonError("this field is missing", f".{name}")
        for attribute, inside in merged:
            rest = {name: value[name] for name, owner in theirs.items() if owner == attribute and name in value}
            given[attribute] = from_json(inside, rest)
        return kind(**given)

    return read


def _names_of(kind: type) -> list[str]:
    """The names of the fields of a merged value."""
    types = attribute_types(kind)
    return [
        name
        for part in json_fields(kind)
        for name in (_names_of(types[part.attribute]) if part.is_merged else [part.name])
    ]


# -- values that are a text or a list -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class JsonForm:
    """The form in JSON of a value that is no object there."""

    kind: Any
    """The type that it has in JSON."""
    write: Callable[[Any], Any]
    read: Reader


def _read_position(value: Any) -> Position:
    return _refused(Position.from_text, _SIMPLE[str](value))


def _read_roll(value: Any) -> Roll:
    return _refused(lambda pair: Roll(*pair), _list_reader(tuple, (int, int))(value))


def _read_play(_value: Any) -> Play:
    raise TypeError("a play is written as JSON, and not read: its notation needs the board")


def _refused(read: Callable[[Any], Value], value: Any) -> Value:
    try:
        return read(value)
    except FullprimeError as error:
        raise JsonError(str(error)) from None


_FORMS: Mapping[Any, JsonForm] = {
    Position: JsonForm(str, lambda position: position.text, _read_position),
    Roll: JsonForm(tuple[int, int], lambda roll: [roll.high, roll.low], _read_roll),
    Play: JsonForm(str, format_play, _read_play),
    NanAsNull: JsonForm(float | None, _finite, lambda value: math.nan if value is None else _number(value)),
}


def json_form(kind: Any) -> JsonForm | None:
    """The form of a value that is no object in JSON; None for others."""
    return next((form for known, form in _FORMS.items() if known == kind), None)
