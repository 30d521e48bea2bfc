"""Check the dice of a Fullprime game from its proof: ``python verify_dice.py proof.json``. Needs Python 3 alone.

Give the commitment that you noted before the game, and the anchors of your own chains, to check those as well:
``python verify_dice.py proof.json --know 3f…``. The exit status is 0 when the proof holds. The protocol is described in
docs/dice.md of Fullprime; nothing of Fullprime is used here.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

LONGEST = 65_536
"""Links of a chain: a file that names more would keep this program busy for ever."""
# ruff: noqa: T201 - it is a program
SIDES = ("X", "O")


def text_hash(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def link_hash(link: str, times: int) -> str:
    """SHA-256 of the 32 bytes that a link spells, so many times over."""
    value = bytes.fromhex(link)
    for _ in range(times):
        value = hashlib.sha256(value).digest()
    return value.hex()


def dice_of(seed: str, count: int) -> list[int]:
    """The first dice of a seed."""
    dice: list[int] = []
    block = 0
    while len(dice) < count:
        dice += [byte % 6 + 1 for byte in bytes.fromhex(text_hash(f"{seed}:{block}")) if byte < 252]
        block += 1
    return dice[:count]


class Chain:
    """A chain of links, of which some have been told."""

    def __init__(self, first: int, anchor: str, length: int) -> None:
        self.first, self.length = first, length
        self.number, self.link = first - 1, anchor

    def accepts(self, number: int, link: str) -> bool:
        """Whether a link is that of its number."""
        if not re.fullmatch("[0-9a-f]{64}", link) or not self.first <= number < self.first + self.length:
            return False
        if number <= self.number:
            return link_hash(self.link, self.number - number) == link
        if link_hash(link, number - self.number) != self.link:
            return False
        self.number, self.link = number, link
        return True


class LinkedThrows:
    """Follows the throws of a game in which each needs links."""

    def __init__(self, proof: dict[str, Any]) -> None:
        self.seeds, self.links = proof["seeds"], proof["links"]
        self.length = int(self.links["length"])
        self.waiting = list(self.links["chains"])
        self.chains: dict[str, list[Chain]] = {}
        self.newest: dict[str, str] = {}
        self.before = 0

    def fault(self, throw: dict[str, Any]) -> str | None:
        """The fault of the next throw."""
        number = int(throw["number"])
        if not 1 <= number <= self.before + 1:
            return f"is number {number}, after {self.before}"
        self.before = number
        while self.waiting and self.waiting[0]["first"] <= number:
            begun = self.waiting.pop(0)
            chain = Chain(begun["first"], begun["anchor"], self.length)
            self.chains.setdefault(begun["whose"], []).append(chain)
            self.newest[begun["whose"]] = begun["anchor"]
        if not self.accepts("server", number, throw["server"]):
            return "has a link that is not the server's"
        return self.fault_of_sides(number, throw) or self.fault_of_dice(number, throw)

    def accepts(self, whose: str, number: int, link: str) -> bool:
        """Whether a link belongs to the newest chain that serves a number."""
        serving = [chain for chain in self.chains.get(whose, []) if chain.first <= number]
        return bool(serving) and serving[-1].accepts(number, link)

    def fault_of_sides(self, number: int, throw: dict[str, Any]) -> str | None:
        """The fault of the parts of X and O."""
        givers = self.links["givers"]
        wanted = set(givers) if throw["by"] == "both" else {givers[SIDES.index(throw["by"])]}
        needed = {side for side in wanted if side in self.chains}
        given, without = set(throw["links"]), set(throw["without"])
        if given | without != needed or given & without:
            return f"needs links of {sorted(needed)} and names {sorted(given)} and, as missing, {sorted(without)}"
        for side in SIDES:
            part = throw[side.lower()]
            if side in given:
                if not self.accepts(side, number, part):
                    return f"has a link that is not {side}'s"
                self.newest[side] = part
            elif part != (self.newest[side] if side in self.chains else self.seeds.get(side, "")):
                return f"has a part of {side} that is not the newest"
        return None

    def fault_of_dice(self, number: int, throw: dict[str, Any]) -> str | None:
        """The fault of the dice."""
        due = dice_of(f"fullprime-2:{number}:{throw['server']}:{throw['x']}:{throw['o']}", 2)
        return None if list(throw["dice"]) == due else f"shows {throw['dice']}, but its links give {due}"


def check_links(proof: dict[str, Any]) -> list[str]:
    """The faults of a proof of the formula fullprime-2."""
    links = proof["links"]
    if not 1 <= links["length"] <= LONGEST:
        return [f"chains of {links['length']} links are none"]
    begun = [each["anchor"] for each in links["chains"] if each["whose"] == "server"]
    faults = [] if begun[:1] == [proof["commitment"]] else ["the server's first chain is not the commitment"]
    secret = proof.get("secret")
    if secret is not None and link_hash(secret, int(links["length"])) != proof["commitment"]:
        faults.append("the secret does not lead to the commitment")
    openings = [throw["number"] for throw in links["throws"] if throw["by"] == "both"]
    mine = [each for each in links["chains"] if each["whose"] == "server"]
    for before, each in zip(mine, mine[1:]):  # noqa: B905, RUF007 - for older Pythons
        first, left = each["first"], before["first"] + links["length"] - each["first"]
        if left >= links["length"] // 2 or (first not in openings and first <= max(openings)):
            faults.append(f"the server had no reason to begin a chain at throw {first}")
        if secret is not None and link_hash(text_hash(f"{secret}:{first}"), links["length"]) != each["anchor"]:
            faults.append(f"the server's chain from throw {first} on is not that of its secret")
    throws = LinkedThrows(proof)
    for place, throw in enumerate(links["throws"], 1):
        fault = throws.fault(throw)
        if fault is not None:
            return [*faults, f"throw {place} {fault}"]
    return faults


def check_seeds(proof: dict[str, Any]) -> list[str]:
    """The faults of a proof of the formula fullprime-1, by which games of version 0.1 play on."""
    if proof.get("secret") is None:
        return ["the secret is told when nothing more is played"]
    faults = [] if text_hash(proof["secret"]) == proof["commitment"] else ["the secret is not the committed one"]
    seeds, places = proof["seeds"], proof["drawn"]
    if len(places) != len(proof["throws"]) or any(not 0 <= place <= 2 * at for at, place in enumerate(places)):
        return [*faults, "dice were passed over"]
    seed = f"fullprime-1:{proof['secret']}:{seeds['X']}:{seeds['O']}"
    dice = dice_of(seed, max(places, default=-2) + 2)
    for number, (throw, place) in enumerate(zip(proof["throws"], places), 1):  # noqa: B905 - for older Pythons
        due = dice[place : place + 2]
        # Version 0.1 told the higher die of a roll first, whatever the order in which they fell.
        if throw not in (due, due[::-1]):
            faults.append(f"throw {number} shows {throw}, but the seeds give {due}")
    return faults


def check(proof: dict[str, Any], known: list[str]) -> list[str]:
    """All faults of a proof; ``known`` are commitments and anchors that must stand in it."""
    chains = [each["anchor"] for each in (proof.get("links") or {"chains": []})["chains"]]
    told = {proof["commitment"], *chains, *proof["seeds"].values()}
    faults = [f"{each} does not stand in the proof" for each in known if each not in told]
    if proof["formula"] == "fullprime-2":
        return faults + check_links(proof)
    if proof["formula"] == "fullprime-1":
        return faults + check_seeds(proof)
    return [*faults, f"the formula {proof['formula']!r} is unknown"]


def summary(proof: dict[str, Any]) -> str:
    """The result of a proof that holds, in a sentence or two."""
    if proof["formula"] == "fullprime-1":
        return f"All {len(proof['throws'])} throws follow from the seeds. The server knew them all before."
    throws = proof["links"]["throws"]
    alone = sum(not throw["links"] for throw in throws)
    said = f"All {len(throws)} throws follow from the links."
    return said if not alone else f"{said} {alone} were made without a link of a player: the server knew them before."


def main(words: list[str]) -> int:
    """Check the file that is named; gives the exit status."""
    if not words or words[0].startswith("-"):
        print(__doc__)
        return 2
    try:
        proof = json.loads(Path(words[0]).read_text(encoding="utf-8"))
        faults = check(proof, [word for word in words[1:] if word != "--know"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        print(f"{words[0]} is no proof of dice: {type(error).__name__} {error}")
        return 2
    print("\n".join(faults) if faults else summary(proof))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
