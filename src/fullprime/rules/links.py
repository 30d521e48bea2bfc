"""Dice from links: chains of commitments, and the throw that follows from the next links (docs/dice.md).

A chain is made from its secret by SHA-256, again and again: its last link is the secret, each link is the hash of the
one after it, and the anchor is the hash of the first. Who knows the anchor can check every link, and foresee none.
"""

from __future__ import annotations

import hashlib
import re
import secrets

from fullprime.rules.dice import SeededDice
from fullprime.rules.errors import IllegalAction, RulesError

FORMULA = "fullprime-2"
LENGTH = 4096
"""Links of a chain."""

SPARE = LENGTH // 2
"""The fewest links of the server's chain with which a game begins: if fewer are left, a new chain is begun first."""

_LINK = re.compile(r"[0-9a-f]{64}")
_STRIDE = 64
"""One link in this number is kept; those between are hashed again."""


def new_secret() -> str:
    """A secret of 256 bits, in hexadecimal."""
    return secrets.token_hex(32)


def is_link(text: str) -> bool:
    """True for 64 lower-case hexadecimal digits."""
    return _LINK.fullmatch(text) is not None


def hash_link(link: str, times: int = 1) -> str:
    """The SHA-256 of the bytes that a link spells, applied ``times`` times, in hexadecimal.

    >>> hash_link("00" * 32)[:16]
    '66687aadf862bd77'
    """
    value = bytes.fromhex(link)
    for _ in range(times):
        value = hashlib.sha256(value).digest()
    return value.hex()


def linked_dice(number: int, server: str, x_part: str, o_part: str) -> tuple[int, int]:
    """The dice of a throw, in the order in which the formula gives them: the opening has X's die first.

    ``number`` counts the throws of the match from 1; ``server`` is the server's link of that number.
    """
    source = SeededDice(f"{FORMULA}:{number}:{server}:{x_part}:{o_part}")
    return source.die(), source.die()


class LinkChain:
    """A chain whose secret is known, for the throws from number ``first`` on; ``secret`` is its last link."""

    def __init__(self, secret: str, first: int = 1, length: int = LENGTH) -> None:
        if not is_link(secret):
            raise RulesError("the secret of a chain has 64 hexadecimal digits")
        self.secret, self.first, self.length = secret, first, length
        value = bytes.fromhex(secret)
        self._marks: dict[int, bytes] = {length: value}
        for place in range(length - 1, -1, -1):
            value = hashlib.sha256(value).digest()
            if place % _STRIDE == 0:
                self._marks[place] = value
        self._part: dict[int, str] = {}

    @property
    def anchor(self) -> str:
        """The commitment to the whole chain."""
        return self._marks[0].hex()

    @property
    def last(self) -> int:
        """The number of the last throw for which the chain has a link."""
        return self.first + self.length - 1

    def link(self, number: int) -> str:
        """The link for the throw of that number; raises RulesError for one that this chain does not serve."""
        place = number - self.first + 1
        if not 1 <= place <= self.length:
            raise RulesError(f"this chain has links for the throws {self.first} to {self.last}, not for {number}")
        part = self._part
        if place not in part:
            mark = min(-(-place // _STRIDE) * _STRIDE, self.length)
            value, part = self._marks[mark], {}
            for index in range(mark, max(0, mark - _STRIDE), -1):
                part[index] = value.hex()
                value = hashlib.sha256(value).digest()
            self._part = part  # whole, for other threads that ask for links meanwhile
        return part[place]


class RevealedChain:
    """Another party's chain, as far as its links have been revealed: from number ``first`` on, by its ``anchor``."""

    def __init__(self, anchor: str, first: int = 1, length: int = LENGTH) -> None:
        self.anchor, self.first, self.length = anchor, first, length
        self.top, self._link = first - 1, anchor

    def reveal(self, number: int, link: str) -> None:
        """Add the link of a number; raises IllegalAction for a link of another chain."""
        if not is_link(link):
            raise IllegalAction(f"a link has 64 hexadecimal digits, not {link[:70]!r}")
        if not self.first <= number < self.first + self.length:
            raise IllegalAction(f"this chain has no link for throw {number}: begin a new one")
        fits = hash_link(link, number - self.top) == self._link if number > self.top else link == self.at(number)
        if not fits:
            raise IllegalAction(f"this is not the link that was promised for throw {number}")
        if number > self.top:
            self.top, self._link = number, link

    def at(self, number: int) -> str | None:
        """The link of a number (the anchor for the number before the first), None while it has not been revealed."""
        return None if number > self.top else hash_link(self._link, self.top - number)
