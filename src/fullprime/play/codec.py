"""A session as rows of the database: each event of its log, and the head row that is written with the last one.

The fields of an event are JSON under their names, those with their default value left out. Values of the rules have the
form of our own files (``formats.ours``).
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fullprime.formats.document import FormatError
from fullprime.formats.ours.form import from_json, to_json
from fullprime.formats.ours.writing import Json
from fullprime.play.events import LogEntry, SessionEvent
from fullprime.play.keys import SeatKeys
from fullprime.play.session import GameSession
from fullprime.play.terms import Terms
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, Game
from fullprime.rules.score import Player, Settings

_RULES = (Action, Game, Settings)
_PLAIN = (str, int, bool)


def head_row(session: GameSession, keys: SeatKeys, at: datetime) -> dict[str, Any]:
    """The columns of a head row that change with each event."""
    return {
        "sequence": session.sequence,
        "status": session.status,
        "deadline_at": session.deadline,
        "x_key": keys.x,
        "o_key": keys.o,
        "invitation": keys.invitation,
        "changed_at": at,
    }


def event_row(session_id: str, entry: LogEntry) -> dict[str, Any]:
    """An entry of a log as its row; the kind is the name of the event's class, such as ``action_taken``."""
    return {
        "session_id": session_id,
        "sequence": entry.sequence,
        "at": entry.at,
        "kind": _NAMES[type(entry.event)],
        "data": _dump(_to_json(entry.event)),
    }


def read_event(kind: str, data: str) -> SessionEvent:
    """The event of a row; raises ValueError where it is no JSON, FormatError where it is no event."""
    event_type = _KINDS.get(kind)
    if event_type is None:
        raise FormatError(f"there is no event {kind[:40]!r} of a session")
    event: SessionEvent = _from_json(event_type, json.loads(data))
    return event


_dump = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
"""Writes the JSON of an event; ``json.dumps`` would make a new encoder for each one."""


def _kind(event_type: type[Any]) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event_type.__name__).lower()


_KINDS: Mapping[str, type[Any]] = {_kind(event_type): event_type for event_type in get_args(SessionEvent)}
"""The classes of events by the name under which they are stored."""
_NAMES = {event_type: name for name, event_type in _KINDS.items()}
_DEFAULTS: Mapping[type[Any], tuple[tuple[str, Any], ...]] = {
    kind: tuple(
        (part.name, part.default if part.default_factory is MISSING else part.default_factory())
        for part in fields(kind)
    )
    for kind in (*_KINDS.values(), Terms)
}
"""The fields of each class with their default values, which are not written."""


# -- writing ----------------------------------------------------------------------------------------------------
def _to_json(value: Any) -> Json:
    if isinstance(value, Player):
        return value.name
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, tuple):
        return [_to_json(entry) for entry in value]
    if isinstance(value, Mapping):
        return {_to_json(key): _to_json(entry) for key, entry in value.items()}
    if isinstance(value, Game):
        return {"settings": to_json(value.settings), **to_json(value)}
    if isinstance(value, _RULES):
        return to_json(value)
    plain = {}  # an event, or the terms in one
    for name, default in _DEFAULTS[type(value)]:
        content = getattr(value, name)
        if content != default or type(content) is not type(default):
            plain[name] = _to_json(content)
    return plain


# -- reading ----------------------------------------------------------------------------------------------------
def _from_json(kind: type[Any], data: Json) -> Any:
    """Read a dataclass from its JSON fields."""
    if not isinstance(data, dict):
        raise FormatError(f"{_kind(kind)}: {data!r:.60} is no object")
    readers = _READERS[kind]
    unknown = set(data) - set(readers)
    if unknown:
        raise FormatError(f"{_kind(kind)} has no field {min(unknown)[:40]!r}")
    try:
        return kind(**{name: readers[name](value) for name, value in data.items()})
    except FormatError:
        raise
    except (FullprimeError, TypeError, ValueError, KeyError) as error:
        raise FormatError(f"{_kind(kind)}: {error!s:.200}") from error


def _readers(kind: type[Any]) -> Mapping[str, Callable[[Json], Any]]:
    """The function that reads each field of a dataclass."""
    hints = get_type_hints(kind)
    return {part.name: _reader(hints[part.name]) for part in fields(kind)}


def _reader(hint: Any) -> Callable[[Json], Any]:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return lambda value: _one_of(value, parts)
    if origin in (Union, types.UnionType):
        (inner,) = (part for part in parts if part is not type(None))
        read = _reader(inner)
        return lambda value: None if value is None else read(value)
    if origin is tuple:
        read = _reader(parts[0])
        length = None if parts[-1] is ... else len(parts)
        return lambda value: _tuple(value, read, length)
    if origin is not None:  # a mapping by side
        read = _reader(parts[1])
        return lambda value: {_player(key): read(entry) for key, entry in dict(value).items()}
    if hint is Player:
        return _player
    if hint in _PLAIN:
        return lambda value: _plain(value, hint)
    if hint is Terms:
        return lambda value: _from_json(Terms, value)
    return lambda value: from_json(hint, value)


def _player(value: Json) -> Player:
    if value not in ("X", "O"):
        raise FormatError(f"a side is X or O, not {value!r:.40}")
    return Player[value]


def _plain(value: Json, kind: type[Any]) -> Any:
    if type(value) is not kind:
        raise FormatError(f"{value!r:.60} is no {kind.__name__}")
    return value


def _one_of(value: Json, allowed: tuple[Any, ...]) -> Any:
    if value not in allowed:
        raise FormatError(f"{value!r:.40} is none of {', '.join(map(str, allowed))}")
    return value


def _tuple(value: Json, read: Callable[[Json], Any], length: int | None) -> tuple[Any, ...]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise FormatError(f"{value!r:.60} is no list{'' if length is None else f' of {length}'}")
    return tuple(read(entry) for entry in value)


_READERS = {kind: _readers(kind) for kind in (*_KINDS.values(), Terms)}
"""The functions that read the fields of each class."""
