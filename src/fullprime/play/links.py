"""The links of a session's dice: the chains that sides have begun, and the throw that follows (docs/dice.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from fullprime.messages import Message
from fullprime.rules.errors import IllegalAction, SettingsError
from fullprime.rules.links import LENGTH, LinkChain, hash_link, is_link, linked_dice
from fullprime.rules.score import Player


@dataclass(frozen=True, slots=True)
class SideChain:
    """The chain of a side, as far as its links have been told; it serves the throws from number ``first`` on."""

    anchor: str
    first: int
    top: int
    """The highest number whose link has been told."""
    link: str
    """The link of that number, or the anchor."""
    thrown: int
    """The number of the last throw that was made with a link of this chain."""

    @classmethod
    def begin(cls, anchor: str, first: int) -> SideChain:
        """A chain of which no link has been told."""
        return cls(anchor, first, first - 1, anchor, first - 1)

    def at(self, number: int) -> str | None:
        """The link of a number (for the one before ``first`` the anchor); None while it has not been told."""
        return None if number > self.top else hash_link(self.link, self.top - number)

    def with_link(self, number: int, link: str) -> SideChain:
        """The chain once a link is revealed; raises IllegalAction for a link that is not of this chain."""
        if not is_link(link):
            raise IllegalAction(Message("a link has 64 hexadecimal digits, not {link}", link=repr(link[:70])))
        if not self.first <= number < self.first + LENGTH:
            raise IllegalAction(Message("this chain has no link for throw {number}: begin a new one", number=number))
        fits = hash_link(link, number - self.top) == self.link if number > self.top else link == self.at(number)
        if not fits:
            raise IllegalAction(Message("this is not the link that was promised for throw {number}", number=number))
        return replace(self, top=number, link=link) if number > self.top else self


@dataclass(frozen=True, slots=True)
class Links:
    """Everything that has been told of a session's links; the server's secret is no part of it."""

    seeds: Mapping[Player, str]
    """The seeds that sides added before the first throw; a side's seed counts until it has a chain."""
    chains: Mapping[Player, tuple[SideChain, ...]]
    """The chains of each side, the oldest first; a side that promises no links has none."""
    server: tuple[int, ...] = ()
    """The numbers of the first throws of the server's chains."""

    def link_of(self, side: Player, number: int) -> str | None:
        """The link of a side for a throw; None where it has not been told, or none has been promised."""
        chains = self.chains.get(side)
        return chains[_serving([chain.first for chain in chains], number)].at(number) if chains else None

    def with_link(self, side: Player, number: int, link: str, *, is_thrown: bool = False) -> Links:
        """The links when a side has told one, perhaps with the throw itself.

        Raises IllegalAction where it does not fit.
        """
        chains = self.chains.get(side)
        if not chains:
            raise IllegalAction(Message("{name} has promised no links", name=side.name))
        place = _serving([chain.first for chain in chains], number)
        changed = list(chains)
        changed[place] = chains[place].with_link(number, link)
        if is_thrown:
            changed[-1] = replace(changed[-1], thrown=max(number, changed[-1].first - 1))
        return replace(self, chains={**self.chains, side: tuple(changed)})

    def with_chain(self, side: Player | None, first: int, anchor: str) -> Links:
        """The links when a side, or the server (None), has begun a chain."""
        if side is None:
            return replace(self, server=(*self.server, first))
        return replace(self, chains={**self.chains, side: (*self.chains.get(side, ()), SideChain.begin(anchor, first))})

    def part(self, side: Player, links: Mapping[Player, str]) -> str:
        """What a side adds to the next throw: its link among ``links``, else the newest that was thrown with (or its
        anchor), else its seed.
        """
        if side in links:
            return links[side]
        chains = self.chains.get(side)
        if not chains:
            return self.seeds.get(side, "")
        return chains[-1].at(chains[-1].thrown) or chains[-1].anchor

    def has_thrown(self, side: Player, number: int) -> bool:
        """True if a throw of that number, or a later one, was made with a link of the side."""
        chains = self.chains.get(side)
        return chains is not None and chains[-1].thrown >= number

    def dice(self, secret: str, number: int, links: Mapping[Player, str]) -> tuple[int, int]:
        """The dice of the next throw, which has that number, with the links that sides have given for it."""
        server_link = self.server_link(secret, number)
        return linked_dice(number, server_link, self.part(Player.X, links), self.part(Player.O, links))

    def server_link(self, secret: str, number: int) -> str:
        """The server's link of a number, from its secret."""
        return server_chain(secret, self.server[_serving(self.server, number)]).link(number)


def server_secret(secret: str, first: int) -> str:
    """The secret of the server's chain that serves the throws from ``first`` on."""
    return secret if first == 1 else hashlib.sha256(f"{secret}:{first}".encode()).hexdigest()


@lru_cache(2048)
def server_chain(secret: str, first: int) -> LinkChain:
    """The server's chain for the throws from ``first`` on: 4,096 hashes, made once while a session is played."""
    return LinkChain(server_secret(secret, first), first)


def _serving(firsts: Sequence[int], number: int) -> int:
    """The place of the newest chain that serves a number; a throw repeated after a takeback may use an older one."""
    for place in range(len(firsts) - 1, -1, -1):
        if firsts[place] <= number:
            return place
    raise SettingsError(Message("there is no chain for throw {number}", number=number))
