"""Dice: a roll, the 21 rolls with their weights, and the sources of rolls."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from fullprime.rules.errors import RulesError
from fullprime.rules.message import Message
from fullprime.rules.taking import make_plain, short_value, whole_number
from fullprime.rules.words import format_dice

_NUMBERS = frozenset(range(1, 7))


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Roll:
    """Two dice, given in any order; the higher is kept first.

    >>> Roll(1, 3)
    Roll(3, 1)
    """

    high: int
    low: int

    def __post_init__(self) -> None:
        if whole_number(self.high) not in _NUMBERS or whole_number(self.low) not in _NUMBERS:
            raise RulesError(
                Message(
                    "a die shows 1 to 6, not {value} and {value2}",
                    value=short_value(self.high),
                    value2=short_value(self.low),
                )
            )
        make_plain(self, "high", "low")
        if self.high < self.low:
            high, low = self.low, self.high
            object.__setattr__(self, "high", high)
            object.__setattr__(self, "low", low)

    @classmethod
    def from_text(cls, text: str) -> Roll:
        """Read ``31``, ``3-1``, ``3 1``, ``(3, 1)``; raises RulesError for anything else."""
        if not isinstance(text, str):
            raise RulesError(Message("{value} is not a roll; write two dice such as 31", value=short_value(text)))
        digits = [character for character in text if character.isdigit()]
        if len(digits) != 2 or any(c not in " -,:()/123456" for c in text.strip()):
            raise RulesError(Message("{text} is not a roll; write two dice such as 31", text=repr(text[:40])))
        return cls(int(digits[0]), int(digits[1]))

    @classmethod
    def of(cls, value: AnyRoll) -> Roll:
        """The roll that is meant: itself, text such as ``31``, or a pair of numbers; raises RulesError.

        >>> Roll.of("3-1") == Roll.of((1, 3)) == Roll(3, 1)
        True
        """
        if isinstance(value, Roll):
            return value
        if isinstance(value, str):
            return cls.from_text(value)
        pair: object = value
        if isinstance(pair, tuple | list) and len(pair) == 2:
            return cls(*pair)
        raise RulesError(
            Message("{value} is not a roll; write two dice such as '31' or (3, 1)", value=short_value(value))
        )

    @property
    def is_double(self) -> bool:
        """True when both dice show the same number."""
        return self.high == self.low

    @property
    def is_acey_deucey(self) -> bool:
        """True for a 1 and a 2."""
        return self.high == 2 and self.low == 1

    @property
    def dice(self) -> tuple[int, ...]:
        """The numbers to play: two, or four for a double."""
        return (self.high,) * 4 if self.is_double else (self.high, self.low)

    @property
    def weight(self) -> int:
        """The number of the 36 throws that give this roll."""
        return 1 if self.is_double else 2

    @property
    def words(self) -> str:
        """The roll as people read it: ``3-1``."""
        return format_dice((self.high, self.low))

    def __str__(self) -> str:
        """The roll as it is typed, and as formats have it: ``31``."""
        return f"{self.high}{self.low}"

    def __repr__(self) -> str:
        return f"Roll({self.high}, {self.low})"


AnyRoll = Roll | str | tuple[int, int]
"""Everything that :meth:`Roll.of` takes."""

ALL_ROLLS: tuple[Roll, ...] = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""The 21 different rolls; their weights add up to 36."""


class DiceSource(Protocol):
    """A source of numbers. ``die`` gives 1 to 6."""

    def die(self) -> int:
        """One die."""
        ...


@dataclass(slots=True)
class SeededDice:
    """Reproducible dice: die number ``k`` is a function of the seed and ``k`` alone, so that a resumed game goes
    on with the very dice it would have had. SHA-256 of ``seed:block`` gives bytes; bytes of 252 and more are
    passed over, so that each number is equally likely.
    """

    seed: int | str
    drawn: int = 0
    _stream: Iterator[int] | None = field(default=None, init=False, repr=False, compare=False)

    def die(self) -> int:
        """The next die, 1 to 6."""
        if self._stream is None:
            self._stream = _sha_dice(str(self.seed))
            for _ in range(self.drawn):
                next(self._stream)
        self.drawn += 1
        return next(self._stream)


def _sha_dice(seed: str) -> Iterator[int]:
    block = 0
    while True:
        for byte in hashlib.sha256(f"{seed}:{block}".encode()).digest():
            if byte < 252:
                yield byte % 6 + 1
        block += 1


class SystemDice:
    """Dice from the operating system's generator: fair, not reproducible."""

    def die(self) -> int:
        """The next die, 1 to 6."""
        return secrets.randbelow(6) + 1
