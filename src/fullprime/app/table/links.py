"""The links of a table's dice: whose link a throw needs, which have been told, and the dice that follow from them.

``docs/dice.md`` has the protocol. The object holds no truth of its own: it is made from what is stored with the room
(the chains) and with each throw (the links).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from fullprime.app.table.events import SIDES, Side
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.links import LENGTH, LinkChain, ToldChain, linked_dice
from fullprime.rules.score import Player

Links = Mapping[str, str]
"""The links of sides (``X``, ``O``) that a throw was made with."""
NO_LINKS: Links = {}

SERVER = "server"
C = TypeVar("C", LinkChain, ToldChain)


@dataclass(frozen=True, slots=True)
class ChainBegun:
    """The beginning of a chain: whose it is (``server``, ``X`` or ``O``), the first throw it serves, its anchor."""

    whose: str
    first: int
    anchor: str


@dataclass(frozen=True, slots=True)
class LinkedThrow:
    """A throw: its number in the match from 1, its dice in the formula's order, the links of sides that made it."""

    number: int
    dice: tuple[int, int]
    links: Links


@dataclass(slots=True)
class ThrowLinks:
    """The chains of one match."""

    secret: str
    """The server's."""
    givers: tuple[Player | None, Player | None]
    """For X's throws and for O's: the side whose link they need. None: that of nobody but the server."""
    seeds: Mapping[str, str]
    """What sides have added before the first throw; it counts until they have a chain."""
    length: int = LENGTH
    alone: int = 0
    """The number of a throw that the server makes without the links that are missing."""
    _mine: list[LinkChain] = field(default_factory=list)
    _theirs: dict[str, list[ToldChain]] = field(default_factory=dict)
    _used: dict[str, int] = field(default_factory=dict)

    def begin(self, chains: Iterable[ChainBegun]) -> None:
        """Take over the chains that have been begun; those that are known already stay as they are."""
        mine, counts = 0, {"X": 0, "O": 0}
        for each in chains:
            if each.whose == SERVER:
                mine += 1
                if mine > len(self._mine):
                    self._mine.append(LinkChain(server_secret(self.secret, each.first), each.first, self.length))
                continue
            side = "X" if each.whose == "X" else "O"
            counts[side] += 1
            known = self._theirs.setdefault(side, [])
            if counts[side] > len(known):
                known.append(ToldChain(each.anchor, each.first, self.length))
                self._used[side] = each.first - 1

    # -- reading ------------------------------------------------------------------------------------------
    def needed(self, game: Game) -> tuple[Side, ...]:
        """The sides whose links the next throw of a game needs."""
        if game.phase is Phase.OPENING_ROLL:
            sides = {giver for giver in self.givers if giver is not None}
        else:
            giver = None if game.turn is None else self.givers[game.turn]
            sides = set() if giver is None else {giver}
        return tuple(SIDES[side] for side in Player if side in sides and self._theirs.get(SIDES[side]))

    def missing(self, number: int, game: Game) -> tuple[Side, ...]:
        """Those of them that have not told the link of that number."""
        if self.alone == number:
            return ()
        return tuple(side for side in self.needed(game) if self._told(side, number) is None)

    def wanted(self, number: int, game: Game) -> tuple[Side, ...]:
        """Those of them that have to tell it: no stored throw had it, which a takeback brings back.

        A link that was told and not stored (another process was first) is wanted still: the other process lacks it.
        """
        if self.alone == number:
            return ()
        return tuple(side for side in self.needed(game) if self._used.get(side, 0) < number)

    def has_told(self, side: str, number: int) -> bool:
        """True if a side has told its link of that number."""
        return self._told(side, number) is not None

    def throw(self, number: int, game: Game) -> LinkedThrow | None:
        """The next throw of a game; None while a link is missing."""
        if self.missing(number, game):
            return None
        links: dict[str, str] = {
            side: told for side in self.needed(game) if (told := self._told(side, number)) is not None
        }
        return LinkedThrow(number, self.dice(number, links), links)

    def dice(self, number: int, links: Links) -> tuple[int, int]:
        """The dice of a throw that is made with these links, after all throws that have been :meth:`made`."""
        return linked_dice(number, self.server_link(number), *(self.part(side, links) for side in SIDES))

    def part(self, side: str, links: Links) -> str:
        """What a side adds to the next throw: its link; else the newest that it has told for a throw (or its anchor);
        else its seed.
        """
        chains = self._theirs.get(side)
        if side in links:
            return links[side]
        return self.seeds.get(side, "") if not chains else chains[-1].at(self._used[side]) or chains[-1].anchor

    def server_link(self, number: int) -> str:
        """The server's link of a number."""
        return _serving(self._mine, number).link(number)

    @property
    def anchors(self) -> list[str]:
        """The anchors of the server's chains."""
        return [each.anchor for each in self._mine]

    @property
    def left(self) -> int:
        """The number of the last throw for which the server has a link."""
        return self._mine[-1].last

    # -- hearing ------------------------------------------------------------------------------------------
    def tell(self, side: str, number: int, link: str) -> None:
        """Take a link; raises IllegalAction where it does not fit the chain."""
        chains = self._theirs.get(side)
        if not chains:
            raise IllegalAction(f"{side} has promised no links")
        _serving(chains, number).tell(number, link)

    def made(self, number: int, links: Links) -> None:
        """A throw has been stored."""
        for side, link in links.items():
            self.tell(side, number, link)
            self._used[side] = max(number, self._theirs[side][-1].first - 1)

    def _told(self, side: str, number: int) -> str | None:
        chains = self._theirs.get(side)
        return None if not chains else _serving(chains, number).at(number)


def server_secret(secret: str, first: int) -> str:
    """The secret of the server's chain that serves the throws from ``first`` on."""
    return secret if first == 1 else hashlib.sha256(f"{secret}:{first}".encode()).hexdigest()


def _serving(chains: list[C], number: int) -> C:
    """The newest chain that serves a number; a throw that comes again after a takeback may be of an older one."""
    for chain in reversed(chains):
        if chain.first <= number:
            return chain
    raise SettingsError(f"there is no chain for throw {number}")
