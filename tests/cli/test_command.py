"""How commands are made: options from records, numbers in our words, what was given, and the words for a wrong line."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Annotated

import pytest
import typer
from tests.cli.commandline import CommandLine

from fullprime.cli.command import find_changed_options, flatten_options
from fullprime.cli.options import PositionOptions, RuleOptions, seed_number
from fullprime.cli.usage import WrongUsage, number_reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    size: Annotated[int, typer.Option("--size", "-s", min=1)] = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    names: Annotated[list[str] | None, typer.Option("--name")] = None
    inner: Inner = field(default_factory=Inner)


def test_a_record_stands_for_its_options_and_comes_back_whole() -> None:
    calls = []

    def command(word: str, *, outer: Outer, loud: bool = False) -> None:
        calls.append((word, outer, loud))

    flattened = flatten_options(command)
    assert list(inspect.signature(flattened).parameters) == ["word", "names", "size", "loud"]
    flattened(word="x", names=[], size=5, loud=True)
    assert calls == [("x", Outer(inner=Inner(size=5)), True)]


def test_what_was_given_is_known_by_the_names_of_the_options() -> None:
    assert find_changed_options(Outer()) == []
    assert find_changed_options(Outer(names=["Ann"], inner=Inner(size=4))) == ["--name", "--size"]
    at = PositionOptions(variant="dutch", rules=RuleOptions(length=0, jacoby=False), post_crawford=True)
    assert find_changed_options(at) == ["--variant", "--length", "--jacoby", "--post-crawford"]


@pytest.mark.parametrize("text", ["abc", "", "1.5", "0", "8", "-1", "1e3", "nan"])
def test_a_wrong_number_names_its_option_and_what_it_takes(text: str) -> None:
    with pytest.raises(WrongUsage, match=r"^--size takes a whole number from 1 to 7, not '"):
        number_reader("--size", int, 1, 7)(text)


def test_numbers_are_read() -> None:
    assert number_reader("--size", int, 1, None)("12") == 12
    assert number_reader("--loss", float, None, None)("0.5") == 0.5
    assert number_reader("--loss", float, None, None)(None) is None
    for text in ("inf", "nan"):
        with pytest.raises(WrongUsage, match="--loss takes a number, not"):
            number_reader("--loss", float, None, None)(text)


def test_a_word_is_a_seed_too() -> None:
    assert seed_number("17") == 17
    assert seed_number("club") == seed_number("club") != seed_number("clubs")
    assert 0 <= seed_number("-3") < 2**56


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("play --length abc", "--length takes a whole number of at least 0, not 'abc'"),
        ("dice --count many", "--count takes a whole number from 1 to 10000000, not 'many'"),
        ("library list --limit -1", "--limit takes a whole number of at least 0, not '-1'"),
        ("library search --loss x", "--loss takes a number, not 'x'"),
        ("perft --plies 9", "--plies takes a whole number from 1 to 6, not '9'"),
        ("hint", "hint needs ID: for example fullprime hint 4HPwATDgc/ABMA 31"),
        ("id 4HPwATDgc/ABMA", "id needs --to: for example fullprime id 4HPwATDgc/ABMA 31 --to xgid"),
        (
            "show X --varient dutch",
            "show has no option --varient; near it: --variant; fullprime show --help lists them",
        ),
        ("shwo", "there is no command 'shwo'; near it: show; fullprime --help lists them"),
        ("library lst", "there is no command 'lst'; near it: list; fullprime library --help lists them"),
        ("levels 3", "'3' is too much; fullprime levels --help shows what levels takes"),
        ("play --bot", "--bot needs a value"),
        ("help prim", "'prim' is not in the glossary; near it: prime, full prime, PR, five-prime"),
    ],
)
def test_a_wrong_line_is_answered_in_our_words_with_the_next_step(
    fullprime: CommandLine, line: str, answer: str
) -> None:
    done = fullprime.run(*line.split())
    assert (done.code, done.out, done.err) == (2, "", f"error: {answer}\n")
