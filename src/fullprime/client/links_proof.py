"""Dice that need links: the links that a client promises, and their proof, checked with nothing but the documented
formula (docs/dice.md).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fullprime.client.dice_proof import DiceVerdict, OwnShare, format_throw
from fullprime.client.errors import ClientError
from fullprime.client.state import RemoteLinks
from fullprime.client.wire import JsonFields
from fullprime.rules.errors import RulesError
from fullprime.rules.links import FORMULA, LENGTH, LinkChain, RevealedChain, is_link, linked_dice
from fullprime.rules.score import Player

_SIDES = ("X", "O")
_SERVER = "server"
_SEED = re.compile("[0-9a-f]{0,64}")


@dataclass(frozen=True, slots=True)
class OwnChains:
    """The chains that a client has begun in a game, and the links that it has given."""

    side: Player
    anchors: tuple[str, ...]
    given: Mapping[int, str]


def check_links(proof: JsonFields, share: OwnShare, own: OwnChains) -> DiceVerdict:
    """Follow every chain and throw every die again; works while the game is played, too."""
    try:
        return _verify(proof, share, own)
    except ClientError as error:
        return DiceVerdict(0, is_own=False, faults=(str(error),))


def _verify(proof: JsonFields, share: OwnShare, own: OwnChains) -> DiceVerdict:
    if proof.text("formula") != FORMULA:
        other = f"the server has another formula, {proof.text('formula')!r}: only {FORMULA} is checked"
        return DiceVerdict(0, is_own=False, faults=(other,))
    links = proof.part("links")
    rows = links.parts("throws")
    if links.whole("length") != LENGTH:
        return DiceVerdict(len(rows), is_own=False, faults=("the chains have another length",))
    wrong = _form_fault(proof, links, rows)
    if wrong is not None:
        return DiceVerdict(len(rows), is_own=False, faults=(wrong,))
    faults = list(_first_faults(proof, links, share))
    checker = _Checker(proof, links)
    without = 0
    try:
        for row in rows:
            faults += checker.faults(row)
            without += not row.texts("links")
        faults += _own_faults(links, rows, own, was_first=share.seed is not None)
    except RulesError as error:
        faults.append(str(error))
    faults += [*_server_faults(proof, links, rows), *_witnessed_faults(rows, share), *_listed_faults(proof, rows)]
    return DiceVerdict(len(rows), bool(own.anchors) or share.seed is not None, tuple(faults), without)


def _form_fault(proof: JsonFields, links: JsonFields, rows: Sequence[JsonFields]) -> str | None:
    """The first thing that is not in the form of the document, before any hash is made."""
    givers, seeds = links.texts("givers"), proof.part("seeds")
    bot = any(seat != "human" for seat in links.texts("seats"))
    if givers != ("X", "X") and (bot or givers != ("X", "O")):
        return f"{', '.join(givers) or 'nobody'} cannot give the links of this game"
    before, begun = 1, set()
    for chain in links.parts("chains"):
        whose, first, anchor = chain.text("whose"), chain.whole("first"), chain.text("anchor")
        if whose not in (_SERVER, *_SIDES) or first < before or not is_link(anchor):
            return f"a chain of {whose} from throw {first} on is none, or out of order"
        if whose not in begun and (first != 1 or (whose != _SERVER and seeds.maybe_text(whose) != anchor)):
            return f"the first chain of {whose} is not the one of the first throw"
        before = first
        begun.add(whose)
    if any(_SEED.fullmatch(seeds.maybe_text(side) or "") is None for side in _SIDES):
        return "a seed is not hexadecimal"
    for row in rows:
        dice, lists = row.pair("dice"), (row.texts("links"), row.texts("without"))
        if row.text("by") not in (*_SIDES, "both") or not all(1 <= die <= 6 for die in dice):
            return f"throw {row.whole('number')} is not in the form of a throw"
        if any(sides not in ((), ("X",), ("O",), _SIDES) for sides in lists):
            return f"throw {row.whole('number')} has links of nobody"
    return None


def _listed_faults(proof: JsonFields, rows: Sequence[JsonFields]) -> Iterator[str]:
    """The throws that the proof lists once nothing more is played are those of the links."""
    if not any(name in proof for name in ("secret", "throws", "drawn")):
        return
    expected = tuple(row.wholes("dice") for row in rows), tuple(2 * row.whole("number") - 2 for row in rows)
    if (proof.rows("throws"), proof.wholes("drawn")) != expected:
        yield "the throws that are told are not those of the links"


def _first_faults(proof: JsonFields, links: JsonFields, share: OwnShare) -> Iterator[str]:
    first = next((chain.text("anchor") for chain in links.parts("chains") if chain.text("whose") == _SERVER), "")
    if not first == proof.text("commitment") == share.commitment:
        yield "the server's chain is not the one that it committed to"
    secret = proof.maybe_text("secret")
    if secret is not None and (not is_link(secret) or LinkChain(secret, 1, links.whole("length")).anchor != first):
        yield "the secret is not that of the server's chain"


def _server_faults(proof: JsonFields, links: JsonFields, rows: Sequence[JsonFields]) -> Iterator[str]:
    """The server begins a chain before an opening throw alone, when few links are left, and from the same secret."""
    openings = {row.whole("number") for row in rows if row.text("by") == "both"}
    mine = [chain for chain in links.parts("chains") if chain.text("whose") == _SERVER]
    last = max((row.whole("number") for row in rows), default=0)
    secret, length = proof.maybe_text("secret"), links.whole("length")
    for before, chain in pairwise(mine):
        first = chain.whole("first")
        if before.whole("first") + length - first >= length // 2 or (first not in openings and first <= last):
            yield f"the server had no reason to begin a chain at throw {first}"
        if secret is not None:
            derived = hashlib.sha256(f"{secret}:{first}".encode()).hexdigest()
            if LinkChain(derived, first, length).anchor != chain.text("anchor"):
                yield f"the server's chain from throw {first} on is not that of its secret"


class _Checker:
    """Follows the throws of a proof in their order."""

    def __init__(self, proof: JsonFields, links: JsonFields) -> None:
        self._begun = [
            (chain.text("whose"), chain.whole("first"), chain.text("anchor")) for chain in links.parts("chains")
        ]
        self._length, self._givers = links.whole("length"), links.texts("givers")
        seeds = proof.part("seeds")
        self._seeds = {side: seeds.maybe_text(side) or "" for side in _SIDES}
        self._chains: dict[str, list[RevealedChain]] = {}
        self._newest: dict[str, str] = {}
        self._number = self._next = 0
        self._dice: dict[int, tuple[int, ...]] = {}

    def faults(self, row: JsonFields) -> Iterator[str]:
        """The faults of the next throw."""
        number = row.whole("number")
        where = f"throw {number}"
        if not 1 <= number <= self._number + 1:
            yield f"{where} does not follow on {self._number}"
            return
        dice = row.wholes("dice")
        if number in self._dice and (self._givers == _SIDES or self._dice[number] != dice):
            yield f"{where} came again with other dice, or where nothing is taken back"
        self._number, self._dice[number] = number, dice
        self._begin(number)
        try:
            self._chain(_SERVER, number).reveal(number, row.text("server"))
            yield from self._parts(row, number, where)
        except RulesError as error:
            yield f"{where}: {error}"
            return
        due = linked_dice(number, row.text("server"), row.text("x"), row.text("o"))
        if dice != due:
            yield f"{where} was {format_throw(dice)}, but the links give {format_throw(due)}"

    def _parts(self, row: JsonFields, number: int, where: str) -> Iterator[str]:
        by, givers, without = row.text("by"), set(row.texts("links")), set(row.texts("without"))
        wanted = set(self._givers) if by == "both" else {self._givers[_SIDES.index(by)]} if by in _SIDES else set()
        needed = {side for side in wanted if side in self._chains}
        if givers | without != needed or givers & without:
            yield f"{where} needs the links of {sorted(needed)}, and has those of {sorted(givers)}"
        for side in _SIDES:
            part = row.text(side.lower())
            if side in givers:
                self._chain(side, number).reveal(number, part)
                self._newest[side] = part
            elif part != (self._newest[side] if side in self._chains else self._seeds[side]):
                yield f"{where}: {side}'s part is not the newest that {side} has told"

    def _begin(self, number: int) -> None:
        while self._next < len(self._begun) and self._begun[self._next][1] <= number:
            whose, first, anchor = self._begun[self._next]
            self._chains.setdefault(whose, []).append(RevealedChain(anchor, first, self._length))
            self._newest[whose] = anchor
            self._next += 1

    def _chain(self, whose: str, number: int) -> RevealedChain:
        for chain in reversed(self._chains.get(whose, [])):
            if chain.first <= number:
                return chain
        raise RulesError(f"{whose} has no chain for throw {number}")


def _own_faults(links: JsonFields, rows: Sequence[JsonFields], own: OwnChains, *, was_first: bool) -> Iterator[str]:
    if not own.anchors:
        return
    name = own.side.name
    # A program that has come back with another secret knows nothing of the chains before its own.
    is_mine = was_first
    mine = [chain for chain in links.parts("chains") if chain.text("whose") == name]
    if not any(chain.text("anchor") in own.anchors for chain in mine):
        yield f"no chain of {name} was begun by this client"
    for chain in mine:
        is_own = chain.text("anchor") in own.anchors
        is_mine = is_mine or is_own
        if is_mine and not is_own:
            yield f"the chain of {name} from throw {chain.whole('first')} on was not begun by this client"
    if own.side is Player.O and links.texts("givers") != _SIDES:
        yield "the server says that O gives no links"
    last = 0
    for row in rows:
        last = max(last, row.whole("number"))
        if row.whole("number") in own.given and name not in row.texts("links"):
            yield f"throw {row.whole('number')} was made as if this client had told no link"
    if max(own.given, default=0) > last + 1:
        yield f"the server asked for the link of throw {max(own.given)}, when {last} had been made"


def _witnessed_faults(rows: Sequence[JsonFields], share: OwnShare) -> Iterator[str]:
    thrown = share.thrown
    if len(thrown) > len(rows):
        yield f"{len(thrown)} throws were seen, but the server tells of {len(rows)}"
        return
    first = len(rows) - len(thrown)
    for number, (row, (kind, dice)) in enumerate(zip(rows[first:], thrown, strict=True), first + 1):
        stated = tuple(row.wholes("dice"))
        if stated != dice and (kind != "roll" or stated[::-1] != dice):
            yield f"throw {number} was {format_throw(dice)} in the game, but the server now says {format_throw(stated)}"
    numbers = [row.whole("number") for row in rows]
    again = sum(after <= before for before, after in pairwise(numbers))
    if len(thrown) == len(rows) and again > share.takebacks:
        yield f"dice came again {again} times, with {share.takebacks} takebacks"


class OwnLinks:
    """The links that a client promises for the dice of a game.

    All of them follow from one secret seed, which the server never sees: another process that has the seed makes the
    same ones.
    """

    def __init__(self, game: str, seed: str) -> None:
        self._game, self._seed = game, seed
        self._chains: dict[int, LinkChain] = {}
        self.begun: list[str] = []
        """The anchors of the chains that this client has begun, or has found to be its own."""
        self.given: dict[int, str] = {}
        """The links that have been given, by the number of the throw."""

    def chain(self, side: Player, first: int = 1) -> LinkChain:
        """The chain that serves the throws from ``first`` on."""
        if first not in self._chains:
            text = f"{self._seed}:{self._game}:{side.name}:{first}"
            self._chains[first] = LinkChain(hashlib.sha256(text.encode()).hexdigest(), first)
        return self._chains[first]

    def serving(self, side: Player, links: RemoteLinks) -> LinkChain | None:
        """The chain of this client that serves the next throw; None where it is another's, or used up."""
        first, anchor = links.chain_of(side)
        chain = None if first is None else self.chain(side, first)
        if chain is None or chain.anchor != anchor or links.number > chain.last:
            return None
        self.note(anchor)
        return chain

    def note(self, anchor: str) -> None:
        """Note that the chain of this anchor is one's own."""
        if anchor not in self.begun:
            self.begun.append(anchor)


def double_error(url: str) -> ClientError:
    """The error for a double after the link for the roll has been given."""
    return ClientError("the link for this throw has been told: only the roll is left", url=url)
