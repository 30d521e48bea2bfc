"""Checks of arguments: each value from outside is read as what it means, or refused: truth values, numbers, names."""

from __future__ import annotations

import math
from enum import StrEnum
from numbers import Real
from operator import index
from typing import Any, TypeVar

from fullprime.rules.errors import FullprimeError, SettingsError

Member = TypeVar("Member", bound=StrEnum)

_TRUE = frozenset({"yes", "true", "on", "1"})
_FALSE = frozenset({"no", "false", "off", "0"})


def to_bool(name: str, value: object, error: type[FullprimeError] = SettingsError) -> bool:
    """Read a truth value: a bool, or a word such as ``yes`` or ``off``. Raises ``error`` for anything else.

    >>> to_bool("jacoby", "no")
    False
    """
    truth = truth_value(value)
    if truth is not None:
        return truth
    word = value.strip().lower() if isinstance(value, str) else ""
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise error(f"{name}: {short_value(value)} is neither yes nor no")


def truth_value(value: object) -> bool | None:
    """A bool, Python's or NumPy's, as Python's; None for anything else.

    >>> truth_value(True), truth_value(1), truth_value("yes")
    (True, None, None)
    """
    if isinstance(value, bool):
        return value
    kind = type(value)  # NumPy's, which the rules do not import, is called bool_ before NumPy 2
    return bool(value) if kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_") else None


def whole_number(value: object) -> int | None:
    """An integer, Python's or NumPy's, as Python's; None for anything else, also for fractions and truth values.

    >>> whole_number(7), whole_number(7.0), whole_number(True)
    (7, None, None)
    """
    if type(value) is int:
        return value
    if isinstance(value, bool):
        return None
    try:
        return int(index(value))  # type: ignore[arg-type]  # what has no __index__ is refused here
    except TypeError:
        return None


def make_plain(value: object, *names: str) -> None:
    """Replace numbers of NumPy and of enumerations by plain ones in these fields of a frozen value."""
    for name in names:
        number = getattr(value, name)
        if number is not None and type(number) is not int:
            object.__setattr__(value, name, whole_number(number))


def to_integer(name: str, value: object, least: int, most: int, error: type[FullprimeError] = SettingsError) -> int:
    """Read an integer from ``least`` to ``most``. Raises ``error`` for anything else, also for fractions and bools.

    >>> to_integer("trials", 7.5, 1, 100)
    Traceback (most recent call last):
    ...
    fullprime.rules.errors.SettingsError: trials: 7.5 is not a whole number from 1 to 100
    """
    number = whole_number(value)
    if number is None or not least <= number <= most:
        raise error(f"{name}: {short_value(value)} is not a whole number from {least} to {most}")
    return number


def to_member(kind: type[Member], name: str, value: object, error: type[FullprimeError] = SettingsError) -> Member:
    """Read a member of an enumeration of words: itself, or its word. Raises ``error`` for anything else."""
    if isinstance(value, kind):
        return value
    word = value.strip().lower().replace("-", "_") if isinstance(value, str) else ""
    for member in kind:
        if word == member.value:
            return member
    raise error(f"{name}: {short_value(value)} is not one of {', '.join(kind)}")


def to_kind(kind: type[Any] | tuple[type[Any], ...], name: str, value: object, error: type[FullprimeError]) -> None:
    """Raise ``error`` unless a value is of a kind."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        expected = " or ".join(choice.__name__ for choice in kinds)
        raise error(f"{name} is a {expected}, not {short_value(value)}")


def is_number(value: object, least: float) -> bool:
    """True for a finite int or float of at least ``least``; False for a bool."""
    number = real_number(value)
    return number is not None and number >= least


def real_number(value: object) -> float | None:
    """A finite int or float, Python's or NumPy's, as a float; None for anything else, also for bools and text.

    >>> real_number(7), real_number(7.5), real_number(True), real_number(1e999)
    (7.0, 7.5, None, None)
    """
    if isinstance(value, bool):
        return None
    number = value if isinstance(value, Real) else whole_number(value)
    try:
        plain = math.nan if number is None else float(number)
    except OverflowError:
        return None
    return plain if math.isfinite(plain) else None


def is_tuple_of(kind: type[Any] | tuple[type[Any], ...], value: object, length: int | None = None) -> bool:
    """True for a tuple of values of a kind, of that length if one is given."""
    return (
        isinstance(value, tuple)
        and (length is None or len(value) == length)
        and ({kind}.issuperset(map(type, value)) or all(isinstance(item, kind) for item in value))
    )


def is_pair_of_numbers(value: object) -> bool:
    """True for a tuple of two whole numbers."""
    return isinstance(value, tuple) and len(value) == 2 and all(whole_number(number) is not None for number in value)


def short_path(path: object) -> str:
    """A path or an address, shortened for a message of one line."""
    words = str(path)
    return words if len(words) <= 300 else f"{words[:40]}…"


def short_value(value: object) -> str:
    """The repr of a value, shortened for a message of one line; never fails, even for huge numbers."""
    try:
        return f"{value!r:.60}"
    except Exception:  # noqa: BLE001 - a repr of theirs may fail in any way
        return f"a {type(value).__name__}"
