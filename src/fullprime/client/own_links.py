"""The chains of a client: the links that it promises for the dice of a game, and which of them it has told.

All chains of a player follow from one secret seed, so that another process, or another device, that is given the same
seed makes the same ones. The server never sees it.
"""

from __future__ import annotations

import hashlib

from fullprime.client.errors import ClientError
from fullprime.client.state import RemoteLinks
from fullprime.rules.links import LinkChain
from fullprime.rules.score import Player


class OwnLinks:
    """The links of one side in one game."""

    def __init__(self, game: str, seed: str) -> None:
        self._game, self._seed = game, seed
        self._chains: dict[int, LinkChain] = {}
        self.begun: list[str] = []
        """The anchors of the chains that this client has begun, or has found to be its own."""
        self.told: dict[int, str] = {}
        """The links that have been told, by the number of the throw."""

    def chain(self, side: Player, first: int = 1) -> LinkChain:
        """The chain that serves the throws from ``first`` on."""
        if first not in self._chains:
            text = f"{self._seed}:{self._game}:{side.name}:{first}"
            self._chains[first] = LinkChain(hashlib.sha256(text.encode()).hexdigest(), first)
        return self._chains[first]

    def serving(self, side: Player, known: RemoteLinks) -> LinkChain | None:
        """The chain of this client that serves the next throw; None where it is another's, or used up."""
        first, anchor = known.chain_of(side)
        chain = None if first is None else self.chain(side, first)
        if chain is None or chain.anchor != anchor or known.number > chain.last:
            return None
        self.note(anchor)
        return chain

    def note(self, anchor: str) -> None:
        """A chain is known to be one's own."""
        if anchor not in self.begun:
            self.begun.append(anchor)


def refuse_double(url: str) -> ClientError:
    """The error for a double after the link for the roll has been told."""
    return ClientError("the link for this throw has been told: only the roll is left", url=url)
