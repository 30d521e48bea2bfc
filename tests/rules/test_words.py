"""Two players, and a number with its sign: one way for all pages, reports and the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fullprime
from fullprime.rules.dice import Roll
from fullprime.rules.words import format_dice, format_players, format_score, format_signed

SOURCES = Path(fullprime.__file__).parent
MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


def test_players_have_a_dash_between_them_and_one_without_a_name_is_a_question_mark() -> None:
    assert format_players(("Ada", "Ben")) == f"Ada {DASH} Ben"
    assert format_players(("", None)) == f"? {DASH} ?"


def test_a_throw_has_a_hyphen_and_a_score_a_dash() -> None:
    assert format_dice((4, 2)) == "4-2"
    assert format_dice(Roll(2, 4).dice) == Roll(2, 4).words == "4-2"
    assert str(Roll(2, 4)) == "42", "as it is typed, and as formats have it"
    assert format_score((4, 2)) == f"4{DASH}2"


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.125, 3, "+0.125"),
        (-1.5462, 3, f"{MINUS}1.546"),
        (-0.0004, 3, "+0.000"),
        (0.0, 2, "+0.00"),
        (-3, 0, f"{MINUS}3"),
    ],
)
def test_a_number_has_a_minus_and_never_a_hyphen(value: float, digits: int, text: str) -> None:
    assert format_signed(value, digits) == text


def _lines(folder: str, ending: str) -> list[tuple[str, str]]:
    return [
        (path.relative_to(SOURCES).as_posix(), line)
        for path in sorted((SOURCES / folder).rglob(f"*{ending}"))
        for line in path.read_text().splitlines()
    ]


def test_nobody_joins_names_in_another_way() -> None:
    """Files of other programs have their own; the two modules of words are the one way."""
    other = re.compile(r'" [-\N{EN DASH}] "|names\[0\]\} (?:\(X\) )?(?:against|-) |join\(" against "\)')
    ours = ("rules/words.py", "web/static/parts/words.js")
    lines = [*_lines(".", ".py"), *_lines("web/static", ".js")]
    assert [(path, line) for path, line in lines if other.search(line) and path not in ours] == []


def test_nobody_writes_signs_in_another_way() -> None:
    """`+` in a format gives a hyphen where the number is below nothing. A report turns its own into a minus."""
    python = re.compile(r"\{[^{}\"]+:[<>^]?\+\d*\.?\d*[dfg]?\}")
    script = re.compile(r'[<>]=? 0 \? "\+" : ""')
    lines = [line for line in _lines(".", ".py") if not line[0].startswith("formats/")]
    assert [each for each in lines if python.search(each[1])] == []
    assert [each for each in _lines("web/static", ".js") if script.search(each[1])] == []
