"""Dataclasses as JSON values: what is written is read again, and what is wrong is refused by its name."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
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
from fullprime.rules.errors import FullprimeError
from fullprime.rules.plays import CheckerMove, legal_plays
from fullprime.rules.position import Position
from fullprime.rules.score import Player


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
class Circle:
    __json__: ClassVar[JsonFields] = json_names("area")

    radius: float

    @property
    def area(self) -> float:
        """Its area."""
        return math.pi * self.radius**2


@dataclass(frozen=True, slots=True)
class Weight:
    grams: int

    def __post_init__(self) -> None:
        if self.grams < 0:
            raise FullprimeError(f"nothing weighs {self.grams}")


@dataclass(frozen=True, slots=True)
class Rounded:
    __json_digits__: ClassVar[int] = 2

    mean: float
    interval: tuple[float, float | None]
    words: str
    count: int


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


def test_what_a_property_gives_is_passed_over_in_reading() -> None:
    assert from_json(Square, to_json(Square(3.0))) == Square(3.0)
    assert from_json(Square, {"side": 3.0}) == Square(3.0)
    with pytest.raises(JsonError, match="there is no field 'hidden'"):
        from_json(Square, {"side": 3.0, "hidden": 1})


def test_a_class_whose_fields_are_not_all_in_json_is_not_read() -> None:
    with pytest.raises(TypeError, match="a Circle is written as JSON, and not read"):
        from_json(Circle, {"area": 3.0})


def test_a_value_that_refuses_its_fields_is_no_value() -> None:
    assert from_json(list[Weight], [{"grams": 3}]) == [Weight(3)]
    with pytest.raises(JsonError, match=r"^\[1\]: nothing weighs -3$"):
        from_json(list[Weight], [{"grams": 3}, {"grams": -3}])


def test_the_numbers_of_a_class_may_have_few_digits() -> None:
    assert to_json(Rounded(1.23456, (0.98765, None), "1.23456", 12345)) == {
        "mean": 1.23, "interval": [0.99, None], "words": "1.23456", "count": 12345,
    }  # fmt: skip


def test_a_player_and_a_checker_move() -> None:
    moves = (CheckerMove(8, 5, 3), CheckerMove(25, 22, 3, hit=True))
    written = to_json((Player.O, moves))
    assert written == ["O", [[8, 5, 3, 0], [25, 22, 3, 1]]]
    assert from_json(tuple[Player, tuple[CheckerMove, ...]], written) == (Player.O, moves)
    with pytest.raises(JsonError, match="'A' is not one of X, O"):
        from_json(Player, "A")
    with pytest.raises(JsonError, match="4 items are needed, not 3"):
        from_json(CheckerMove, [8, 5, 3])


def test_a_number_that_is_not_known_is_none() -> None:
    assert to_json((1.5, float("nan"), float("inf"), None)) == [1.5, None, None, None]
    assert math.isnan(from_json(Measured, {"error": None}).error)
    assert from_json(Measured, {"error": 0.5}) == Measured(0.5)
    assert json_form(NanAsNull) is not None
    assert json_form(float) is None


def test_a_time_is_seconds_since_1970() -> None:
    at = datetime(2026, 11, 27, 12, 30, 1, 123456)  # noqa: DTZ001 - stored without a zone, all in UTC
    assert to_json(at) == at.replace(tzinfo=UTC).timestamp()
    assert from_json(datetime, to_json(at)) == at
    for wrong in ("2026-11-27", 1e300, float("nan"), True):
        with pytest.raises(JsonError, match=r"is not a (time|number)"):
            from_json(datetime, wrong)


def test_a_play_is_written_as_its_notation() -> None:
    play = legal_plays(Position.start(), Roll(3, 1))[0]
    assert to_json([play]) == [str(play)]


def test_what_has_no_form_is_refused() -> None:
    with pytest.raises(TypeError, match="a object has no form in JSON"):
        to_json({"a": [object()]})
    with pytest.raises(TypeError, match="has no form in JSON"):
        from_json(complex, 1)
