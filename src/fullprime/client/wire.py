"""Requests and answers as values, and JSON that is read field by field.

The client's work is written once, as generators that ask for a request or a pause and are given the answer (``Steps``).
``plain`` and ``aio`` run them, with HTTPX waiting or awaiting.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

from fullprime.client.errors import NO_FACTS, ClientError, ServerGone
from fullprime.rules.errors import ErrorCode
from fullprime.rules.score import Player

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
D = TypeVar("D", bound="DataclassInstance")

TOO_MANY_REQUESTS = 429
UNCERTAIN = (502, 503, 504)
"""Refusals that leave open whether the request was done."""


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
    """A pause of ``seconds`` before the next request."""

    seconds: float


Steps = Generator[WireRequest | Pause, WireAnswer | None, T]


def get(path: str, key: str | None = None) -> WireRequest:
    """Make a GET request."""
    return WireRequest("GET", path, None, key)


def post(path: str, body: Mapping[str, object] | None = None, key: str | None = None) -> WireRequest:
    """Make a POST request with a JSON body."""
    return WireRequest("POST", path, body if body is not None else {}, key)


class Backoff:
    """Pauses that grow from try to try, until ``patience`` seconds are used up."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self.reset()

    def reset(self) -> None:
        """Reset the pauses, because the server has answered."""
        self._waited, self._next = 0.0, 0.1

    def wait(self, error: ClientError) -> Steps[None]:
        """Pause before the next try; raises ``error`` once ``patience`` is used up."""
        if self._waited >= self._patience:
            raise error
        pause = min(self._next, self._patience - self._waited)
        yield Pause(pause)
        self._waited, self._next = self._waited + pause, min(2 * self._next, 5.0)


def fetch(request: WireRequest, patience: float = 0.0) -> Steps[WireAnswer]:
    """Fetch the answer to a request; raises ClientError when it is refused.

    A request that is one too many is made again, for ``patience`` seconds: nothing has been done.
    """
    backoff = Backoff(patience)
    while True:
        answer = yield request
        if answer is None:
            raise ClientError("no server has answered", url=request.path)
        if answer.status != TOO_MANY_REQUESTS:
            break
        yield from backoff.wait(to_client_error(answer))
    if not 200 <= answer.status < 300:
        raise to_client_error(answer)
    return answer


def to_client_error(answer: WireAnswer) -> ClientError:
    """Make an error of a refusal, in the server's words."""
    try:
        error = answer.json
        code = error.maybe_text("code")
        return ClientError(
            error.text("error"),
            url=answer.url,
            status=answer.status,
            code=cast("ErrorCode", code) if code in get_args(ErrorCode) else None,
            facts=error.mapping("facts"),
            field=error.maybe_text("field"),
        )
    except ClientError:
        reason = "this is not the answer of a Fullprime server"
        return ClientError(reason, url=answer.url, status=answer.status)


def is_transient(error: ClientError) -> bool:
    """True for an error after which a retry may succeed: no server answered, or it was in no state to."""
    return isinstance(error, ServerGone) or error.status in (TOO_MANY_REQUESTS, *UNCERTAIN)


def read_json(content: bytes | str, url: str) -> JsonFields:
    """Read a JSON object as fields; raises ClientError for anything else."""
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
        return self._check_type(name, self._fields.get(name), str)

    def maybe_text(self, name: str) -> str | None:
        """A text or None."""
        return self.text(name) if name in self else None

    def whole(self, name: str) -> int:
        """A whole number."""
        return self._check_type(name, self._fields.get(name), int)

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
        return name in self and self._check_type(name, self._fields[name], bool)

    def texts(self, name: str) -> tuple[str, ...]:
        """A row of texts; empty when it is missing."""
        return tuple(self._check_type(name, text, str) for text in self._row(name))

    def wholes(self, name: str) -> tuple[int, ...]:
        """A row of whole numbers; empty when it is missing."""
        return tuple(self._check_type(name, number, int) for number in self._row(name))

    def numbers(self, name: str) -> tuple[float, ...]:
        """A row of numbers; empty when it is missing."""
        return tuple(self._float(name, number) for number in self._row(name))

    def part(self, name: str) -> JsonFields:
        """An object in the object."""
        return JsonFields(self._fields.get(name), self._url)

    def maybe_part(self, name: str) -> JsonFields | None:
        """An object in the object, or None."""
        return self.part(name) if name in self else None

    def mapping(self, name: str) -> Mapping[str, object]:
        """An object with any fields; empty when it is missing."""
        part = self.maybe_part(name)
        return NO_FACTS if part is None else MappingProxyType(dict(part._fields))

    def parts(self, name: str) -> tuple[JsonFields, ...]:
        """A row of objects; empty when it is missing."""
        return tuple(JsonFields(part, self._url) for part in self._row(name))

    def maybe_side(self, name: str) -> Player | None:
        """``X`` or ``O`` as a player; None for anything else, such as ``both``."""
        side = self._fields.get(name)
        return Player[side] if side in ("X", "O") else None

    def sides(self, name: str) -> tuple[Player, ...]:
        """A row of sides."""
        return tuple(Player[side] for side in self.texts(name) if side in ("X", "O"))

    def pair(self, name: str) -> tuple[int, int]:
        """Two whole numbers."""
        numbers = self.wholes(name)
        if len(numbers) != 2:
            raise self.type_error(name)
        return numbers[0], numbers[1]

    def maybe_pair(self, name: str) -> tuple[int, int] | None:
        """Two whole numbers or None."""
        return self.pair(name) if name in self else None

    def rows(self, name: str) -> tuple[tuple[int, ...], ...]:
        """Rows of whole numbers."""
        return tuple(
            tuple(self._check_type(name, number, int) for number in self._list(name, row)) for row in self._row(name)
        )

    def values(self, kind: type[DataclassInstance], names: Iterable[str]) -> dict[str, Any]:
        """The fields of those names, each read by the type that it has in a dataclass."""
        kinds = {field.name: field.type for field in fields(kind)}
        return {name: _READERS[kinds[name]](self, name) for name in names}

    def value(self, kind: type[D], **overrides: object) -> D:
        """A dataclass of the fields that have its names; those of ``overrides`` are not looked for."""
        return kind(
            **self.values(kind, (field.name for field in fields(kind) if field.name not in overrides)), **overrides
        )

    def type_error(self, name: str) -> ClientError:
        """The error for a field that is missing or of another kind."""
        shown = repr(self._fields.get(name))[:60]
        return ClientError(f"the field {name!r} of the answer is not understood: {shown}", url=self._url)

    def _row(self, name: str) -> list[object]:
        return self._list(name, self._fields[name]) if name in self else []

    def _list(self, name: str, value: object) -> list[object]:
        if not isinstance(value, list):
            raise self.type_error(name)
        return value

    def _check_type(self, name: str, value: object, kind: type[T]) -> T:
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise self.type_error(name)
        return value

    def _float(self, name: str, value: object) -> float:
        return float(
            self._check_type(name, value, int) if isinstance(value, int) else self._check_type(name, value, float)
        )


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
