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

FORMULA = "fullprime-2"
LENGTH = 4096
"""Links of a chain."""
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
        if not is_link(link) or not self.first <= number < self.first + self.length:
            return False
        if number <= self.number:
            return link_hash(self.link, self.number - number) == link
        if link_hash(link, number - self.number) != self.link:
            return False
        self.number, self.link = number, link
        return True


def is_link(value: object) -> bool:
    """Whether a value is 64 lower-case hexadecimal digits."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_whole(value: object, least: int, most: int | None = None) -> bool:
    """Whether a value is a whole number within bounds: true, 1.0 and "1" are none."""
    return type(value) is int and value >= least and (most is None or value <= most)


def fault_of_form(proof: dict[str, Any]) -> str | None:
    """The first thing of a proof by links that is not as the document says, before any hash is made."""
    links, seeds = proof["links"], proof["seeds"]
    if links["length"] != LENGTH:
        return f"chains of {links['length']} links are none"
    bot = any(seat != "human" for seat in links["seats"])
    if links["givers"] not in ([["X", "X"]] if bot else [["X", "X"], ["X", "O"]]):
        return f"{links['givers']} are no givers of links"
    before, begun = 1, set()
    for chain in links["chains"]:
        whose, first = chain["whose"], chain["first"]
        if whose not in ("server", *SIDES) or not is_whole(first, before) or not is_link(chain["anchor"]):
            return f"a chain of {whose} from throw {first} on is none, or out of order"
        if whose not in begun and (first != 1 or (whose in SIDES and seeds.get(whose) != chain["anchor"])):
            return f"the first chain of {whose} is not the one of the first throw"
        before = first
        begun.add(whose)
    if any(not re.fullmatch("[0-9a-f]{0,64}", seeds.get(side, "")) for side in SIDES):
        return "a seed is not hexadecimal"
    if proof.get("secret") is not None and not is_link(proof["secret"]):
        return "the secret is not 64 lower-case hexadecimal digits"
    for place, throw in enumerate(links["throws"], 1):
        dice, lists = throw["dice"], (throw["links"], throw["without"])
        good = is_whole(throw["number"], 1) and throw["by"] in (*SIDES, "both") and type(dice) is list
        good = good and len(dice) == 2 and all(is_whole(die, 1, 6) for die in dice)
        if not good or any(sides not in ([], ["X"], ["O"], ["X", "O"]) for sides in lists):
            return f"throw {place} is not in the form of a throw"
    return None


class LinkedThrows:
    """Follows the throws of a game in which each needs links."""

    def __init__(self, proof: dict[str, Any]) -> None:
        self.seeds, self.links = proof["seeds"], proof["links"]
        self.waiting = list(self.links["chains"])
        self.chains: dict[str, list[Chain]] = {}
        self.newest: dict[str, str] = {}
        self.before = 0
        self.seen: dict[int, list[int]] = {}

    def fault(self, throw: dict[str, Any]) -> str | None:
        """The fault of the next throw."""
        number = throw["number"]
        if not 1 <= number <= self.before + 1:
            return f"is number {number}, after {self.before}"
        if number in self.seen and (self.links["givers"] != ["X", "X"] or self.seen[number] != throw["dice"]):
            return f"is number {number} again, with other dice or where nothing is taken back"
        self.before, self.seen[number] = number, throw["dice"]
        while self.waiting and self.waiting[0]["first"] <= number:
            begun = self.waiting.pop(0)
            self.chains.setdefault(begun["whose"], []).append(Chain(begun["first"], begun["anchor"], LENGTH))
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
        links, without = set(throw["links"]), set(throw["without"])
        if links | without != needed or links & without:
            return f"needs links of {sorted(needed)} and names {sorted(links)} and, as missing, {sorted(without)}"
        for side in SIDES:
            part = throw[side.lower()]
            if side in links:
                if not self.accepts(side, number, part):
                    return f"has a link that is not {side}'s"
                self.newest[side] = part
            elif part != (self.newest[side] if side in self.chains else self.seeds.get(side, "")):
                return f"has a part of {side} that is not the newest"
        return None

    def fault_of_dice(self, number: int, throw: dict[str, Any]) -> str | None:
        """The fault of the dice."""
        due = dice_of(f"{FORMULA}:{number}:{throw['server']}:{throw['x']}:{throw['o']}", 2)
        return None if throw["dice"] == due else f"shows {throw['dice']}, but its links give {due}"


def check_links(proof: dict[str, Any]) -> list[str]:
    """The faults of a proof by links."""
    fault = fault_of_form(proof)
    if fault is not None:
        return [fault]
    links, secret = proof["links"], proof.get("secret")
    mine = [chain for chain in links["chains"] if chain["whose"] == "server"]
    faults = []
    if not mine or mine[0]["anchor"] != proof["commitment"]:
        faults.append("the server's first chain is not the commitment")
    if secret is not None and link_hash(secret, LENGTH) != proof["commitment"]:
        faults.append("the secret does not lead to the commitment")
    openings = {throw["number"] for throw in links["throws"] if throw["by"] == "both"}
    last = max((throw["number"] for throw in links["throws"]), default=0)
    for before, chain in zip(mine, mine[1:]):  # noqa: B905, RUF007 - for older Pythons
        first, left = chain["first"], before["first"] + LENGTH - chain["first"]
        if left >= LENGTH // 2 or (first not in openings and first <= last):
            faults.append(f"the server had no reason to begin a chain at throw {first}")
        if secret is not None and link_hash(text_hash(f"{secret}:{first}"), LENGTH) != chain["anchor"]:
            faults.append(f"the server's chain from throw {first} on is not that of its secret")
    throws = LinkedThrows(proof)
    for place, throw in enumerate(links["throws"], 1):
        fault = throws.fault(throw)
        if fault is not None:
            return [*faults, f"throw {place} {fault}"]
    stated, drawn = proof.get("throws"), proof.get("drawn")
    if secret is not None or stated is not None or drawn is not None:
        its = [throw["dice"] for throw in links["throws"]], [2 * throw["number"] - 2 for throw in links["throws"]]
        if (stated, drawn) != its:
            faults.append("the throws that are told are not those of the links")
    return faults


def check(proof: dict[str, Any], notes: list[str]) -> list[str]:
    """All faults of a proof; ``notes`` are commitments and anchors that must stand in it."""
    if proof["formula"] != FORMULA:
        return [f"the formula {proof['formula']!r} is unknown: only {FORMULA} is checked"]
    chains = [chain["anchor"] for chain in proof["links"]["chains"]]
    contents = {proof["commitment"], *chains, *proof["seeds"].values()}
    faults = [f"{note} does not stand in the proof" for note in notes if note not in contents]
    return faults + chains_unknown(proof, notes) + check_links(proof)


def chains_unknown(proof: dict[str, Any], notes: list[str]) -> list[str]:
    """The chains of a side that were begun after one that was noted, and were not noted themselves."""
    faults, sides = [], set()
    for chain in proof["links"]["chains"]:
        if chain["whose"] != "server" and chain["anchor"] in notes:
            sides.add(chain["whose"])
        elif chain["whose"] in sides:
            faults.append(f"the chain of {chain['whose']} from throw {chain['first']} on is not among what you noted")
    return faults


def summary(proof: dict[str, Any]) -> str:
    """The result of a proof that holds, in a sentence or two."""
    throws = proof["links"]["throws"]
    alone = sum(not throw["links"] for throw in throws)
    text = f"All {len(throws)} throws follow from the links."
    if alone:
        text += f" {alone} were made without a link of a player: the server knew them before."
    return text


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
