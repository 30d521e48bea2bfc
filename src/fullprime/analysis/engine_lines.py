"""The engine for programs: one JSON object a line in, one a line out. ``docs/engine.md`` describes the fields.

Nothing that comes in can end the conversation: a line that cannot be answered gets ``{"id": …, "error": …}``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fullprime.common.json_values import to_json
from fullprime.engine import shared
from fullprime.engine.cube.action import CubeDecision
from fullprime.engine.cube.equity import CubeContext, CubeOwner
from fullprime.engine.cube.probabilities import Probabilities
from fullprime.engine.search.levels import level_named
from fullprime.engine.search.results import RankedPlay
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError, IdError
from fullprime.rules.position import Position
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import Variant

if TYPE_CHECKING:
    from fullprime.engine.engine import Engine

LONGEST = 1 << 16
"""Bytes of a request; a longer line is refused without being read as JSON."""

DEEPEST = 100
"""Brackets within each other in a request. Three have a meaning; the rest can only stand in its ``id``."""

DEFAULT_LEVEL = "1-ply"

_STRINGS_AND_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]')
_FIELDS = ("id", "position", "dice", "level", "variant", "cubeful", "cube", "match", "rules")


class RequestError(FullprimeError):
    """A request that cannot be answered."""


@dataclass(frozen=True, slots=True)
class LinePlays:
    """The answer to a request with dice."""

    plays: tuple[RankedPlay, ...]
    """All plays, the best first."""


@dataclass(frozen=True, slots=True)
class LinePosition:
    """The answer to a request without dice."""

    probabilities: Probabilities
    """The chances of each end of the game."""
    equity: float
    """With the cube where the request says so, else without."""
    cube: CubeDecision | None
    """None in games without a cube."""


@dataclass(frozen=True, slots=True)
class LineError:
    """The answer to a request that cannot be answered."""

    error: str
    """The reason."""


LineAnswer = LinePlays | LinePosition | LineError
"""The answer to one line, beside its ``id``."""


def answer(line: bytes | str, threads: int = 1) -> str:
    """The answer to one line, as one line of JSON without its end; a wrong line gives an error as its answer."""
    name = "null"
    try:
        if len(line) > LONGEST:
            raise RequestError(f"a request has at most {LONGEST} bytes, not {len(line)}")
        request = _read(line)
        name = _write(request.get("id"))
        body = _write(to_json(_answer(request, threads)))
    except FullprimeError as error:
        body = _write(to_json(LineError(str(error))))
    except Exception as error:  # noqa: BLE001 - the program at the other end gets it as an answer and may go on
        body = _write(to_json(LineError(f"internal error: {type(error).__name__}: {error}"[:500])))
    return f'{{"id":{name},{body[1:]}'


def _write(value: object) -> str:
    """A value as JSON. What was read can be written: `_read` takes no number and no nesting that could not."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def too_long() -> str:
    """The answer to a line that was not even kept."""
    return answer(b" " * (LONGEST + 1))


def _read(line: bytes | str) -> Mapping[str, Any]:
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        if _depth(text) > DEEPEST:
            raise RequestError(f"a request has at most {DEEPEST} brackets within each other")
        request = json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except ValueError as error:
        raise RequestError(f"not JSON: {error}"[:200]) from None
    if not isinstance(request, dict):
        raise RequestError(f"a request is a JSON object, not {_shorten(request)}")
    return request


def _depth(text: str) -> int:
    """The nesting of a text of JSON: its brackets, without those in strings."""
    deepest = depth = 0
    for token in _STRINGS_AND_BRACKETS.findall(text):
        if token in ("[", "{"):
            depth += 1
            deepest = max(deepest, depth)
        elif token in ("]", "}"):
            depth -= 1
    return deepest


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


def _answer(request: Mapping[str, Any], threads: int) -> LineAnswer:
    _check_fields(request, _FIELDS, "the request")
    level = level_named(_text(request, "level", DEFAULT_LEVEL))
    variant = variant_named(_text(request, "variant", "backgammon"))
    position = _position(request, variant)
    cubeful = _flag(request, "cubeful", "cubeful")
    context = _context(request)
    roll = _dice(request.get("dice"))
    engine = shared.engine_for(variant, threads)
    if roll is None:
        return _position_answer(engine, position, context, level.name, cubeful)
    ranking = engine.rank_plays(position, roll, context, cubeful=cubeful, level=level)
    return LinePlays(ranking.plays)


def _position_answer(
    engine: Engine, position: Position, context: CubeContext, level: str, cubeful: bool
) -> LinePosition:
    evaluation = engine.evaluate(position, context, cubeful=cubeful, level=level)
    cube = None if engine.per_checker else engine.cube_decision(position, context, level=level)
    return LinePosition(evaluation.probabilities, evaluation.equity, cube)


# -- fields ---------------------------------------------------------------------------------------------------
def _position(request: Mapping[str, Any], variant: Variant) -> Position:
    from fullprime.rules.ids import read_id
    from fullprime.rules.score import Settings

    if "position" not in request:
        raise RequestError("the request has no position")
    game = read_id(_text(request, "position", ""), settings=Settings(variant=variant)).game
    if variant.checkers != game.position.checkers:
        raise IdError(f"{game.position.text}: {variant.title} has {variant.checkers} checkers a side")
    position = game.position
    if position.player[0] == variant.checkers or position.opponent[0] == variant.checkers:
        raise RequestError(f"{position.text}: the game is over")
    return position


def _dice(value: Any) -> Roll | None:
    if value is None:
        return None
    if not (isinstance(value, list) and len(value) == 2 and all(_is_number(die, 1, 6) for die in value)):
        raise RequestError(f"dice are two numbers from 1 to 6 or null, not {_shorten(value)}")
    return Roll(value[0], value[1])


def _context(request: Mapping[str, Any]) -> CubeContext:
    cube = _object(request, "cube", ("value", "owner")) or {}
    match = _object(request, "match", ("length", "mover", "opponent", "crawford"))
    rules = _object(request, "rules", ("jacoby", "beavers")) or {}
    owner = cube.get("owner")
    if owner is not None and owner not in ("mover", "opponent"):
        raise RequestError(f'cube.owner is "mover", "opponent" or null, not {_shorten(owner)}')
    away = None
    if match is not None:
        length = _number(match, "length", "match.length", 1, 10_000)
        scores = [_number(match, side, f"match.{side}", 0, length - 1, 0) for side in ("mover", "opponent")]
        away = (length - scores[0], length - scores[1])
    return CubeContext(
        cube=_number(cube, "value", "cube.value", 1, 1 << 20, 1),
        owner=CubeOwner(owner) if owner is not None else None,
        away=away,
        crawford=_flag(match or {}, "crawford", "match.crawford"),
        jacoby=_flag(rules, "jacoby", "rules.jacoby"),
        beavers=_flag(rules, "beavers", "rules.beavers"),
    )


def _object(request: Mapping[str, Any], name: str, fields: tuple[str, ...]) -> Mapping[str, Any] | None:
    value = request.get(name)
    if value is None:
        return None
    if not isinstance(value, dict):
        raise RequestError(f"{name} is an object or null, not {_shorten(value)}")
    _check_fields(value, fields, name)
    return value


def _check_fields(fields: Mapping[str, Any], names: tuple[str, ...], where: str) -> None:
    for name in fields:
        if name not in names:
            raise RequestError(f"{where} has no field {_shorten(name)}; fields are {', '.join(names)}")


def _text(request: Mapping[str, Any], name: str, default: str) -> str:
    value = request.get(name)
    if value is None and name != "position":
        return default
    if not isinstance(value, str):
        raise RequestError(f"{name} is a text, not {_shorten(value)}")
    return value


def _flag(fields: Mapping[str, Any], name: str, where: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise RequestError(f"{where} is true or false, not {_shorten(value)}")
    return value


def _number(fields: Mapping[str, Any], name: str, where: str, low: int, high: int, default: int | None = None) -> int:
    value = fields.get(name, default)
    if not _is_number(value, low, high):
        raise RequestError(f"{where} is a number from {low} to {high}, not {_shorten(value)}")
    return int(value)


def _is_number(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _shorten(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def answer_lines(read: Callable[[], bytes], write: Callable[[str], None], threads: int = 1) -> None:
    """Answer until there is nothing left to read. ``read`` gives some bytes, none at the end; ``write`` one line."""
    rest, skipping = b"", False
    while chunk := read():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if skipping:
                skipping = False
            elif line.strip():
                write(answer(line, threads))
        if len(rest) > LONGEST and not skipping:
            write(too_long())
            skipping = True
        if skipping:
            rest = b""
    if rest.strip() and not skipping:
        write(answer(rest, threads))
