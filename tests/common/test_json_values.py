"""Dataclasses as JSON values: what is written is read again, and what is wrong is refused by its name."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Literal

import pytest

from fullprime.common.json_values import (
    LEFT_OUT,
    MERGED,
    JsonError,
    JsonFields,
    NanAsNull,
    attribute_types,
    from_json,
    json_fields,
    json_form,
    json_names,
    to_json,
)
from fullprime.rules.dice import Roll
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position


class Colour(StrEnum):
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Score:
    points: tuple[int, int]
    crawford: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    kind: Literal["choice"]
    number: int


@dataclass(frozen=True, slots=True)
class Turn:
    kind: Literal["turn"]
    position: Position
    dice: Roll | None
    score: Score = field(metadata=MERGED)
    colour: Colour
    chances: tuple[float, ...]
    names: Mapping[str, str]
    equity: float | None = None
    comment: str | None = field(default=None, metadata=LEFT_OUT)
    following: Turn | Choice | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Square:
    __json__: ClassVar[JsonFields] = json_names("side", "area", both="sides")

    side: float
    hidden: object = None

    @property
    def area(self) -> float:
        """Its area."""
        return self.side**2

    @property
    def sides(self) -> tuple[float, float]:
        """Two sides."""
        return self.side, self.side


@dataclass(frozen=True, slots=True)
class Measured:
    error: NanAsNull


TURN = Turn(
    "turn", Position.start(), Roll(3, 1), Score((2, 4), True), Colour.DARK, (0.5, 0.25), {"X": "Ann"}, 0.25, None,
    Choice("choice", 5),
)  # fmt: skip
WRITTEN = {
    "kind": "turn", "position": "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "dice": [3, 1], "points": [2, 4],
    "crawford": True, "colour": "dark", "chances": [0.5, 0.25], "names": {"X": "Ann"}, "equity": 0.25,
    "following": {"kind": "choice", "number": 5},
}  # fmt: skip


def test_a_value_is_written_and_read_again() -> None:
    assert to_json(TURN) == WRITTEN
    assert list(to_json(TURN)) == list(WRITTEN)
    assert from_json(Turn, json.loads(json.dumps(to_json(TURN)))) == TURN
    assert from_json(tuple[Turn, ...], [WRITTEN]) == (TURN,)
    assert from_json(Turn, {**WRITTEN, "dice": None, "following": WRITTEN}).following == TURN


def test_fields_with_a_default_may_be_missing_when_a_value_is_read() -> None:
    shorter = {name: part for name, part in WRITTEN.items() if name not in ("crawford", "equity", "following")}
    read = from_json(Turn, shorter)
    assert (read.score.crawford, read.equity, read.following) == (False, None, None)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"colour": "red"}, "colour: 'red' is not one of light, dark"),
        ({"chances": [0.5, "x"]}, "chances[1]: 'x' is not a number"),
        ({"chances": [True]}, "chances[0]: True is not a number"),
        ({"chances": [float("nan")]}, "chances[0]: nan is not a number"),
        ({"points": [1]}, "2 items are needed, not 1"),
        ({"points": [1, 2.5]}, "points[1]: 2.5 is not a whole number"),
        ({"position": "nonsense"}, "position: "),
        ({"dice": [3, 7]}, "dice: "),
        ({"names": {"X": 3}}, "names.X: 3 is not a text"),
        ({"names": []}, "names: [] is not an object"),
        ({"crawford": 1}, "crawford: 1 is not true or false"),
        ({"following": {"kind": "choice", "number": "5"}}, "following.number: '5' is not a whole number"),
        ({"following": {**WRITTEN, "equity": "0"}}, "following.equity: '0' is not a number"),
        ({"loss": 0.1}, "there is no field 'loss'; fields are kind, position"),
        ({"kind": "play"}, "kind: 'play' is not one of turn"),
    ],
)
def test_what_is_wrong_is_refused_by_its_name(changed: dict[str, object], fault: str) -> None:
    with pytest.raises(JsonError) as refused:
        from_json(Turn, {**WRITTEN, **changed})
    assert fault in str(refused.value)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(JsonError, match=r"^chances: this field is missing$"):
        from_json(Turn, {name: part for name, part in WRITTEN.items() if name != "chances"})
    with pytest.raises(JsonError, match=r"^\[0\]\.number: this field is missing$"):
        from_json(list[Choice], [{"kind": "choice"}])


def test_a_class_chooses_its_names_and_may_take_properties_among_them() -> None:
    assert to_json(Square(3.0, object())) == {"side": 3.0, "area": 9.0, "both": [3.0, 3.0]}
    assert [part.name for part in json_fields(Square)] == ["side", "area", "both"]
    assert attribute_types(Square)["sides"] == tuple[float, float]
    with pytest.raises(TypeError, match="a Square is written as JSON, and not read"):
        from_json(Square, {"side": 3.0})


def test_a_number_that_is_not_known_is_none() -> None:
    assert to_json((1.5, float("nan"), float("inf"), None)) == [1.5, None, None, None]
    assert math.isnan(from_json(Measured, {"error": None}).error)
    assert from_json(Measured, {"error": 0.5}) == Measured(0.5)
    assert json_form(NanAsNull) is not None
    assert json_form(float) is None


def test_a_play_is_written_as_its_notation() -> None:
    play = legal_plays(Position.start(), Roll(3, 1))[0]
    assert to_json([play]) == [str(play)]


def test_what_has_no_form_is_refused() -> None:
    with pytest.raises(TypeError, match="a object has no form in JSON"):
        to_json({"a": [object()]})
    with pytest.raises(TypeError, match="has no form in JSON"):
        from_json(complex, 1)
