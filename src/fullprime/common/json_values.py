"""Frozen dataclasses as JSON values and back, by the standard library: for files, the database and ``--json``.

A dataclass stands in JSON as an object with its fields, by their names. A class with ``__json__`` (see ``json_names``)
chooses its names itself, and may take properties among them. A field with the metadata ``MERGED`` has its own fields
stand among those of its owner, and one with ``LEFT_OUT`` is not written where it is None. The numbers of a class with
``__json_digits__`` are rounded to that number of digits. One with ``__json_is_kept__``, which has no slots, is written
once and keeps its JSON, which nothing may change. A position is its text, a roll its two dice, a play its
notation, a player ``X`` or ``O``, a time the seconds since 1970. A number that is not finite is written as None,
because it is not known.

Reading refuses unknown fields, missing ones and wrong types, each by its name. What a property gives is passed over,
because it follows from the fields.
"""

from __future__ import annotations

import math
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from functools import cache, partial
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.notation import format_play
from fullprime.rules.plays import CheckerMove, Play
from fullprime.rules.position import Position
from fullprime.rules.score import Player
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
    """A JSON value that does not fit the type it is read as. The message begins with the place of the fault."""

    def __init__(self, fault: str, place: str = "") -> None:
        self.fault, self.place = fault, place
        super().__init__(f"{place.lstrip('.')}: {fault}" if place else fault)

    def inside(self, place: str) -> JsonError:
        """The error with one more step before its place: ``.name`` of a field, ``[3]`` of an item."""
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
    """Name the fields of a class in JSON, in order.

    ``names`` are called as the attributes; ``name="attribute"`` gives an attribute another name. The fields of a
    ``merged`` property stand among those of the class itself; a dataclass field is merged by its metadata.
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
    return value if kind in _PLAIN else _WRITERS[kind](value)


class _Writers(dict[type, Callable[[Any], Any]]):
    """What writes the values of each class, made when the first of them is written."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        writer = self[kind] = _make_writer(kind)
        return writer


_WRITERS = _Writers()


def _make_writer(kind: type) -> Callable[[Any], Any]:
    if kind in _FORMS:
        return _FORMS[kind].write
    if is_dataclass(kind):
        return _dataclass_writer(kind)
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, float):
        return _finite
    if issubclass(kind, str):
        return lambda value: value  # A message stays one, because it is rendered at the edge.
    if issubclass(kind, int):
        return int
    if issubclass(kind, Mapping):
        return lambda value: {str(name): to_json(part) for name, part in value.items()}
    if issubclass(kind, list | tuple):
        return _write_items
    raise TypeError(f"a {kind.__name__} has no form in JSON")


def _write_items(items: list[Any] | tuple[Any, ...]) -> list[Any]:
    if _PLAIN.issuperset(map(type, items)):
        return list(items)
    return [part if (kind := type(part)) in _PLAIN else _WRITERS[kind](part) for part in items]


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None


def _dataclass_writer(kind: type) -> Callable[[Any], Any]:
    parts = json_fields(kind)
    digits: int | None = getattr(kind, "__json_digits__", None)
    try:
        types = attribute_types(kind)
    except NameError:  # A type that only type checkers import: fields are looked at one by one.
        types = MappingProxyType({})
    write = _parts_writer(parts, types)
    if digits is not None:
        write = _rounding_writer(write, digits)
    return _keeping_writer(write) if getattr(kind, "__json_is_kept__", False) else write


def _keeping_writer(write: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Keeps the JSON of a value in the value itself, for the next time."""

    def write_once(value: Any) -> Any:
        cache = vars(value)
        if "_json" not in cache:
            cache["_json"] = write(value)
        return cache["_json"]

    return write_once


def _rounding_writer(write: Callable[[Any], Any], digits: int) -> Callable[[Any], Any]:
    def round_floats(value: Any) -> Any:
        if isinstance(value, float):
            return round(value, digits)
        return [round_floats(part) for part in value] if isinstance(value, list) else value

    return lambda value: {name: round_floats(part) for name, part in write(value).items()}


def _parts_writer(parts: JsonFields, types: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Writes the fields in their order: rows of fields that stand for themselves at once, and merged ones between."""
    rows = [
        (attribute, _row_writer(tuple(row), types))
        for attribute, row in groupby(parts, lambda part: part.attribute if part.is_merged else "")
    ]
    if len(rows) == 1 and not rows[0][0]:
        return rows[0][1]

    def write(value: object) -> dict[str, Any]:
        written: dict[str, Any] = {}
        for attribute, write_row in rows:
            inside = getattr(value, attribute) if attribute else None
            if inside is not None:
                written.update(to_json(inside))
            elif not attribute:
                written.update(write_row(value))
        return written

    return write


def _row_writer(parts: JsonFields, types: Mapping[str, Any]) -> Callable[[Any], dict[str, Any]]:
    names = tuple(part.name for part in parts)
    kinds = {part.name: types.get(part.attribute, Any) for part in parts}
    lists = [name for name, kind in kinds.items() if _is_plain_tuple(kind)]
    made_anew = [name for name, kind in kinds.items() if not (_is_plain(kind) or name in lists)]
    left_out = [part.name for part in parts if part.is_left_out]
    # With one name alone attrgetter gives no tuple.
    get = attrgetter(*(part.attribute for part in parts), "__class__")

    def write(value: object) -> dict[str, Any]:
        written = dict(zip(names, get(value), strict=False))
        for name in lists:
            written[name] = list(written[name])
        for name in made_anew:
            part = written[name]
            # Not by to_json, because this is done for a hundred fields an action.
            if (kind := type(part)) not in _PLAIN:
                written[name] = _WRITERS[kind](part)
        for name in left_out:
            if written[name] is None:
                del written[name]
        return written

    return write


def _is_plain(kind: Any) -> bool:
    """True for the type of a field whose values are the same in JSON."""
    if get_origin(kind) in (Union, UnionType):
        return all(map(_is_plain, get_args(kind)))
    if get_origin(kind) is Annotated:
        return _is_plain(get_args(kind)[0])
    return kind in _PLAIN or get_origin(kind) is Literal


def _is_plain_tuple(kind: Any) -> bool:
    """True for the type of a field whose values are rows of what is the same in JSON."""
    return get_origin(kind) is tuple and all(part is ... or _is_plain(part) for part in get_args(kind))


# -- reading ----------------------------------------------------------------------------------------------------------
def from_json(kind: type[Value], value: object) -> Value:
    """Read what :func:`to_json` made of a value of this kind. Raises JsonError, which names the field that is wrong."""
    annotation: Any = kind
    result: Value = _reader(annotation)(value)
    return result


@cache
def _reader(kind: Any) -> Reader:
    if kind is Any or kind is object:
        return lambda value: value
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if kind in _FORMS:
        return _FORMS[kind].read
    origin = get_origin(kind)
    if origin is Annotated:
        return _reader(get_args(kind)[0])
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


def _type_reader(accepted: type, words: str) -> Reader:
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
    str: _type_reader(str, "a text"),
    int: _type_reader(int, "a whole number"),
    bool: _type_reader(bool, "true or false"),
    float: _number,
    NoneType: _type_reader(NoneType, "null"),
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
    is_optional = NoneType in kinds
    readers = [_reader(kind) for kind in kinds if kind is not NoneType]
    classes = [kind for kind in kinds if isinstance(kind, type) and is_dataclass(kind)]
    named = {word: kind for kind in classes for word in get_args(attribute_types(kind).get("kind"))}

    def read(value: Any) -> Any:
        if value is None and is_optional:
            return None
        word = value.get("kind") if isinstance(value, dict) else None
        if isinstance(word, str) and word in named:
            return _reader(named[word])(value)
        for reader in readers[:-1]:
            try:
                return reader(value)
            except JsonError:
                continue
        return readers[-1](value)

    return read


def _read_dataclass(kind: Any, value: Any) -> Any:
    return _dataclass_reader(kind)(value)


@cache
def _dataclass_reader(kind: type) -> Reader:
    types, parts = attribute_types(kind), json_fields(kind)
    own_fields = {field.name for field in fields(kind) if field.init}
    passed_over = {part.name for part in parts if part.attribute not in own_fields}
    parts = tuple(part for part in parts if part.attribute in own_fields)
    needed = {field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING}
    if not needed <= {part.attribute for part in parts}:
        raise TypeError(f"a {kind.__name__} is written as JSON, and not read")
    plain = {part.name: (part.attribute, _reader(types[part.attribute])) for part in parts if not part.is_merged}
    required = [part.name for part in parts if part.attribute in needed and not part.is_merged]
    merged = [(part.attribute, types[part.attribute]) for part in parts if part.is_merged]
    theirs = {name: attribute for attribute, inside in merged for name in _names_of(inside)}
    names = {*plain, *theirs, *passed_over}

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise JsonError(f"{short_value(value)} is not an object")
        attributes: dict[str, Any] = {}
        if not names.issuperset(value):
            unknown = next(name for name in value if name not in names)
            raise JsonError(f"there is no field {short_value(unknown)}; fields are {', '.join([*plain, *theirs])}")
        name = ""
        try:
            for name, part in value.items():
                if name in plain:
                    attribute, read_part = plain[name]
                    attributes[attribute] = read_part(part)
        except JsonError as error:
            raise error.inside(f".{name}") from None
        for name in required:
            if name not in value:
                raise JsonError("this field is missing", f".{name}")
        for attribute, inside in merged:
            merged_part = {name: value[name] for name, owner in theirs.items() if owner == attribute and name in value}
            attributes[attribute] = from_json(inside, merged_part)
        try:
            return kind(**attributes)
        except FullprimeError as error:
            raise JsonError(str(error)) from None

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
    """The JSON form of a value that is not written as an object."""

    kind: Any
    """The type that it has in JSON."""
    write: Callable[[Any], Any]
    read: Reader


def _read_position(value: Any) -> Position:
    return _read_or_refuse(Position.from_text, _SIMPLE[str](value))


def _read_roll(value: Any) -> Roll:
    return _read_or_refuse(lambda pair: Roll(*pair), _list_reader(tuple, (int, int))(value))


def _read_player(value: Any) -> Player:
    return Player[_member_reader({player.name: player.name for player in Player})(value)]


def _read_move(value: Any) -> CheckerMove:
    source, target, die, hit = _row_reader((_SIMPLE[int],) * 4)(value)
    return _read_or_refuse(lambda _: CheckerMove(source, target, die, bool(hit)), value)


def _read_play(_value: Any) -> Play:
    raise TypeError("a play is written as JSON, and not read: its notation needs the board")


def _read_time(value: Any) -> datetime:
    seconds = _number(value)
    try:
        return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        raise JsonError(f"{short_value(value)} is not a time") from None


def _read_or_refuse(read: Callable[[Any], Value], value: Any) -> Value:
    try:
        return read(value)
    except FullprimeError as error:
        raise JsonError(str(error)) from None


_SIDES = tuple(player.name for player in Player)
"""The names of the sides; an enum computes the name of a member each time."""
_FORMS: Mapping[Any, JsonForm] = {
    Position: JsonForm(str, lambda position: position.text, _read_position),
    Roll: JsonForm(tuple[int, int], lambda roll: [roll.high, roll.low], _read_roll),
    Play: JsonForm(str, format_play, _read_play),
    Player: JsonForm(Literal["X", "O"], lambda player: _SIDES[player], _read_player),
    CheckerMove: JsonForm(
        tuple[int, int, int, int], lambda move: [move.source, move.target, move.die, int(move.hit)], _read_move
    ),
    datetime: JsonForm(float, lambda time: time.replace(tzinfo=UTC).timestamp(), _read_time),
    NanAsNull: JsonForm(float | None, _finite, lambda value: math.nan if value is None else _number(value)),
}


def json_form(kind: Any) -> JsonForm | None:
    """The JSON form of a type that is not written as an object; None for other types."""
    return next((form for candidate, form in _FORMS.items() if candidate == kind), None)
