"""Requests and answers as values, and JSON that is read field by field.

The client's work is written once, as generators that ask for a request or a pause and are given the answer (``Steps``).
``plain`` and ``aio`` run them, with HTTPX waiting or awaiting.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

from fullprime.client.errors import ClientError, ServerGone
from fullprime.rules.score import Player

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
D = TypeVar("D", bound="DataclassInstance")

TOO_MANY = 429
NOBODY_KNOWS = (502, 503, 504)
"""Refusals after which nobody knows whether the request was done."""


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request. ``key`` opens a seat; None sends the token of the client, if there is one."""

    method: str
    path: str
    body: Mapping[str, object] | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """An answer, and the address that gave it."""

    url: str
    status: int
    content: bytes

    @property
    def json(self) -> JsonFields:
        """The answer as a JSON object; raises ClientError."""
        return read_json(self.content, self.url)


@dataclass(frozen=True, slots=True)
class Pause:
    """So many seconds in which nothing is to be done."""

    seconds: float


Steps = Generator[WireRequest | Pause, WireAnswer | None, T]


def get(path: str, key: str | None = None) -> WireRequest:
    """A question."""
    return WireRequest("GET", path, None, key)


def post(path: str, body: Mapping[str, object] | None = None, key: str | None = None) -> WireRequest:
    """Something to be done."""
    return WireRequest("POST", path, body if body is not None else {}, key)


class Backoff:
    """Pauses that grow from try to try, until ``patience`` seconds are used up."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self.again()

    def again(self) -> None:
        """Begin anew: the server has answered."""
        self._waited, self._next = 0.0, 0.1

    def wait(self, error: ClientError) -> Steps[None]:
        """Wait for a while; raises ``error`` when that has been done for long enough."""
        if self._waited >= self._patience:
            raise error
        pause = min(self._next, self._patience - self._waited)
        yield Pause(pause)
        self._waited, self._next = self._waited + pause, min(2 * self._next, 5.0)


def asked(request: WireRequest, patience: float = 0.0) -> Steps[WireAnswer]:
    """The answer to a request; raises ClientError when it is refused.

    A request that is one too many is made again, for ``patience`` seconds: nothing has been done.
    """
    backoff = Backoff(patience)
    while True:
        answer = yield request
        if answer is None:
            raise ClientError("nobody has answered", url=request.path)
        if answer.status != TOO_MANY:
            break
        yield from backoff.wait(refusal(answer))
    if not 200 <= answer.status < 300:
        raise refusal(answer)
    return answer


def refusal(answer: WireAnswer) -> ClientError:
    """A refusal as an error, in the server's words."""
    try:
        reason = answer.json.text("error")
    except ClientError:
        reason = "this is not the answer of a Fullprime server"
    return ClientError(reason, url=answer.url, status=answer.status)


def may_pass(error: ClientError) -> bool:
    """True if it is worth while to ask again after an error: nobody answered, or the server was in no state to."""
    return isinstance(error, ServerGone) or error.status in (TOO_MANY, *NOBODY_KNOWS)


def read_json(content: bytes | str, url: str) -> JsonFields:
    """A JSON object as fields; raises ClientError for anything else."""
    try:
        return JsonFields(json.loads(content), url)
    except (ValueError, RecursionError) as error:
        shown = repr(content[:60])
        raise ClientError(f"this is not the answer of a Fullprime server: {shown}", url=url) from error


class JsonFields:
    """A JSON object whose fields are read by their kinds. A field of another kind, or that is missing, is refused by a
    ClientError that names it; methods with ``maybe`` take null and missing for None.
    """

    def __init__(self, value: object, url: str) -> None:
        self._url = url
        if not isinstance(value, dict):
            raise ClientError(f"an object is expected here, not {str(value)[:60]}", url=url)
        self._fields: Mapping[str, object] = value

    def __contains__(self, name: str) -> bool:
        return self._fields.get(name) is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all fields."""
        return tuple(self._fields)

    def text(self, name: str) -> str:
        """A text."""
        return self._typed(name, self._fields.get(name), str)

    def maybe_text(self, name: str) -> str | None:
        """A text or None."""
        return self.text(name) if name in self else None

    def whole(self, name: str) -> int:
        """A whole number."""
        return self._typed(name, self._fields.get(name), int)

    def maybe_whole(self, name: str) -> int | None:
        """A whole number or None."""
        return self.whole(name) if name in self else None

    def number(self, name: str) -> float:
        """A number."""
        return self._float(name, self._fields.get(name))

    def maybe_number(self, name: str) -> float | None:
        """A number or None."""
        return self.number(name) if name in self else None

    def flag(self, name: str) -> bool:
        """True or false; false when it is missing."""
        return name in self and self._typed(name, self._fields[name], bool)

    def texts(self, name: str) -> tuple[str, ...]:
        """A row of texts; empty when it is missing."""
        return tuple(self._typed(name, each, str) for each in self._row(name))

    def wholes(self, name: str) -> tuple[int, ...]:
        """A row of whole numbers; empty when it is missing."""
        return tuple(self._typed(name, each, int) for each in self._row(name))

    def numbers(self, name: str) -> tuple[float, ...]:
        """A row of numbers; empty when it is missing."""
        return tuple(self._float(name, each) for each in self._row(name))

    def part(self, name: str) -> JsonFields:
        """An object in the object."""
        return JsonFields(self._fields.get(name), self._url)

    def maybe_part(self, name: str) -> JsonFields | None:
        """An object in the object, or None."""
        return self.part(name) if name in self else None

    def parts(self, name: str) -> tuple[JsonFields, ...]:
        """A row of objects; empty when it is missing."""
        return tuple(JsonFields(each, self._url) for each in self._row(name))

    def maybe_side(self, name: str) -> Player | None:
        """``X`` or ``O`` as a player; None for anything else, such as ``both``."""
        found = self._fields.get(name)
        return Player[found] if found in ("X", "O") else None

    def sides(self, name: str) -> tuple[Player, ...]:
        """A row of sides."""
        return tuple(Player[each] for each in self.texts(name) if each in ("X", "O"))

    def pair(self, name: str) -> tuple[int, int]:
        """Two whole numbers."""
        found = self.wholes(name)
        if len(found) != 2:
            raise self.wrong(name)
        return found[0], found[1]

    def maybe_pair(self, name: str) -> tuple[int, int] | None:
        """Two whole numbers or None."""
        return self.pair(name) if name in self else None

    def rows(self, name: str) -> tuple[tuple[int, ...], ...]:
        """Rows of whole numbers."""
        return tuple(tuple(self._typed(name, one, int) for one in self._list(name, each)) for each in self._row(name))

    def values(self, kind: type[DataclassInstance], names: Iterable[str]) -> dict[str, Any]:
        """The fields of those names, each read by the type that it has in a dataclass."""
        kinds = {field.name: field.type for field in fields(kind)}
        return {name: _READERS[kinds[name]](self, name) for name in names}

    def value(self, kind: type[D], **given: object) -> D:
        """A dataclass of the fields that have its names; those that are ``given`` are not looked for."""
        return kind(**self.values(kind, (each.name for each in fields(kind) if each.name not in given)), **given)

    def wrong(self, name: str) -> ClientError:
        """The error that a field is not as it should be."""
        shown = repr(self._fields.get(name))[:60]
        return ClientError(f"the field {name!r} of the answer is not understood: {shown}", url=self._url)

    def _row(self, name: str) -> list[object]:
        return self._list(name, self._fields[name]) if name in self else []

    def _list(self, name: str, value: object) -> list[object]:
        if not isinstance(value, list):
            raise self.wrong(name)
        return value

    def _typed(self, name: str, value: object, kind: type[T]) -> T:
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise self.wrong(name)
        return value

    def _float(self, name: str, value: object) -> float:
        return float(self._typed(name, value, int) if isinstance(value, int) else self._typed(name, value, float))


_READERS: Mapping[object, Callable[[JsonFields, str], object]] = {
    "bool": JsonFields.flag,
    "float": JsonFields.number,
    "float | None": JsonFields.maybe_number,
    "int": JsonFields.whole,
    "int | None": JsonFields.maybe_whole,
    "str": JsonFields.text,
    "str | None": JsonFields.maybe_text,
    "Player | None": JsonFields.maybe_side,
    "tuple[Player, ...]": JsonFields.sides,
    "tuple[float, ...]": JsonFields.numbers,
    "tuple[int, ...]": JsonFields.wholes,
    "tuple[int, int] | None": JsonFields.maybe_pair,
    "tuple[str, ...]": JsonFields.texts,
}
"""How a field is read, by its type as the dataclass writes it."""
