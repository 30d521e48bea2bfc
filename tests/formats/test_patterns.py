"""Every regular expression of the readers takes a time that grows with the line, not with its square or worse."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fullprime.formats
from fullprime.formats.recording import text as texts

TOKENS = (
    " ", "\n", "a", "1", "8/5", "8/55/55", "8/5 ", "8/5,", ":", " : 1 ", "a: ", "X: ", "  O:", "(", " (a", "[", "]",
    "[a]", "\\", '"', ";", "*", "/", "-", "1.", "+0.1 ", "1.0,", "=1.0,", "=", "wins ", "beavers=>1 ", "double ", "0",
    "?",
    "Game 1\n", "a 1", "off", "bar/", "1)", "31:", "1.0%(G:1.0%", "{", "}", "x/", "1-ply ", "\\'41", "\\u1 ", "\\a1 ",
    "B", "1:",
)  # fmt: skip
STARTS = (
    "", "1. ", "1. 2-ply ", "1. x ", "X:", " X: a", "(;", "1) ", "a : 0 ", "A[", "PositionID", "Match ID",
    "* ", "board:", "beavers", "; [", "; [a \"b\"", "GAME_1_", "i 1 a b 1 1 1 1", "1 r 3-1 ", "wins", "Game 1 - ",
    "a wins ", "\\u",
    "illegal play (", "Game 1", "money ", "1. 0.1 x / 0.1 ", "=0.1,",
)  # fmt: skip
MOST = 0.03
"""Seconds for a line of 2,000 characters: a linear expression needs a hundredth of it, a square one far more."""


SUSPECT = 0.0005
"""A short line that takes longer is tried again, longer."""


def patterns() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    seen = set()
    for module in pkgutil.walk_packages(fullprime.formats.__path__, "fullprime.formats."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern) and (key := (value.pattern, value.flags)) not in seen:
                seen.add(key)
                yield f"{module.name.removeprefix('fullprime.formats.')}.{name}", value


def seconds(pattern: Any, use: Callable[[Any], object], text: str, tries: int = 3) -> float:
    """Seconds of one use, the least of several tries."""
    text = texts.squeeze_blanks(text)
    data: str | bytes = text.encode() if isinstance(pattern.pattern, bytes) else text
    best = float("inf")
    for _ in range(tries):
        begin = time.thread_time()
        use(data)
        best = min(best, time.thread_time() - begin)
        if best < SUSPECT:
            break
    return best


def slowest(pattern: Any, use: Callable[[Any], object]) -> tuple[float, str]:
    """The longest that a pumped line takes. A long line is tried where a short one is slow, so that nothing hangs."""
    worst = 0.0, ""
    for start in STARTS:
        for token in TOKENS:
            text = start + token * (50 // len(token)) + "\x01"
            for size in (100, 300, 2000):
                if seconds(pattern, use, text) < SUSPECT:
                    if size == 2000:
                        break
                elif size == 100:
                    return 1.0, f"{start!r} {token!r} 50"
                text = start + token * (size // len(token)) + "\x01"
            worst = max(worst, (seconds(pattern, use, text), f"{start!r} {token!r}"))
            if worst[0] > MOST:
                return worst
    return worst


@pytest.mark.parametrize(
    ("name", "pattern"), list(patterns()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_no_expression_is_worse_than_linear(name: str, pattern: re.Pattern[str]) -> None:
    module, _, variable = name.rpartition(".")
    source = Path(str(importlib.import_module(f"fullprime.formats.{module}").__file__)).read_text()
    searched = re.search(rf"\b{variable}\.(?:search|finditer|findall|split|sub)\(", source)
    took, what = slowest(pattern, pattern.search if searched else pattern.match)
    assert took < MOST, f"{name}: {took:.3f} s for {what}"
