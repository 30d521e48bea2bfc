"""Sources that are none: a text where a path is wanted, nothing, a level that is a number."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import fullprime as fp

TEXT = '; [Site "x"]\n 5 point match\n\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5\n' * 60


@pytest.mark.parametrize("asks", [fp.read, fp.review])
@pytest.mark.parametrize(
    ("source", "words"),
    [
        (TEXT, "is no path of a file"),
        ("", "is no path of a file"),
        ("x" * 5000, "there is no file"),
        ("a\0b", "no file"),
    ],
)
def test_what_is_no_path_is_said_in_a_line(asks: Callable[[str], object], source: str, words: str) -> None:
    with pytest.raises(fp.FullprimeError, match=words) as raised:
        asks(source)
    assert len(str(raised.value)) < 200
    assert "\n" not in str(raised.value)


def test_a_text_is_read_as_bytes() -> None:
    assert fp.read(TEXT.encode())[0].match.names == ("Bob", "Ann")


def test_a_level_that_is_none_is_said() -> None:
    start = "4HPwATDgc/ABMA"
    with pytest.raises(fp.FullprimeError, match="there is no level 'None'"):
        fp.hint(start, "31", level=None)  # type: ignore[arg-type]
    with pytest.raises(fp.FullprimeError, match=r"there is no level '7\.5'"):
        fp.evaluate(start, level=7.5)  # type: ignore[arg-type]
