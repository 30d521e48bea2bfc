"""Readers take time in proportion to what they read: calls are counted, so that a busy machine changes nothing.

What copies or searches text makes no more calls when it takes longer: those tests measure time, alone."""

from __future__ import annotations

import random
import sys
import time
from types import FrameType

import pytest
from tests.formats.generate import random_match
from tests.formats.test_fuzz import SEEDS

from fullprime import formats
from fullprime.formats import FORMATS, FormatError
from fullprime.rules.score import Settings

GROWTH = 8
LINES = 5
"""Lines of a file that are repeated, one at a time."""
TEXTS = sorted(set(SEEDS) - {"jellyfish", "snowie", "xg", "bgblitz", "ogxm", "json"})


def calls(name: str, data: bytes) -> int:
    """The function calls by which a reader reads these bytes, or refuses them."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        FORMATS[name].read(data, "")
    except FormatError:
        pass
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", TEXTS)
def test_a_line_that_is_repeated_costs_the_same_each_time(name: str) -> None:
    for seed in SEEDS[name]:
        lines = seed.splitlines(keepends=True)
        rng = random.Random(name)
        for at in sorted(rng.sample(range(len(lines)), min(LINES, len(lines)))):
            sizes = [b"".join([*lines[:at], *[lines[at]] * times, *lines[at:]]) for times in (10, 10 * GROWTH)]
            few, many = (calls(name, data) for data in sizes)
            assert many <= GROWTH * few * 1.25, lines[at]


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_that_is_repeated_costs_the_same_each_time(name: str) -> None:
    for seed in SEEDS[name]:
        few, many = (calls(name, seed * times) for times in (2, 2 * GROWTH))
        assert many <= GROWTH * few * 1.25


@pytest.mark.parametrize("name", ["xg", "ogxm", "json", "sgf", "mat"])
def test_a_longer_session_costs_as_much_a_game(name: str) -> None:
    few, many = (
        formats.write(formats.Document(random_match(random.Random(3), Settings(), games=games)), name)[0]
        for games in (2, 2 * GROWTH)
    )
    events = [sum(len(game.events) for game in formats.read(data).matches[0].games) for data in (few, many)]
    assert calls(name, many) / events[1] <= 1.5 * calls(name, few) / events[0]


@pytest.mark.alone
@pytest.mark.parametrize("node", ["C[a remark]", ";C[a remark]"])
def test_remarks_about_one_event_take_time_in_proportion(node: str) -> None:
    """Text that is copied for each remark makes no more calls, so this is processor time; by squares it is 60 times."""

    def seconds(count: int) -> float:
        data = f"(;GM[6]PB[A]PW[B];B[31hefe]{node * count})".encode()
        begin = time.thread_time()
        (document,) = formats.read(data).documents
        took = time.thread_time() - begin
        assert document.match.games[0].comments[1].count("a remark") == count
        return took

    # Each attempt is a measurement of its own: work beside it may make one too long, and never one too short.
    assert any(seconds(100_000) < 30 * seconds(6_250) for _ in range(5))


@pytest.mark.alone
@pytest.mark.parametrize(
    "words", ["", "Game", "Game #", "5 point", "match to", "money", "Ann : 1", "Ann : 1 Bob : 1", ";"]
)
def test_blanks_in_a_line_that_is_looked_at_take_time_in_proportion(words: str) -> None:
    """What looks for a match counts no calls, so this is processor time; by squares it is 64 times."""

    def seconds(count: int) -> float:
        begin = time.thread_time()
        FORMATS["mat"].recognises(f"{words}{' ' * count}x\n".encode())
        return time.thread_time() - begin

    assert any(seconds(8 * 2_000) < 30 * seconds(2_000) for _ in range(5))
