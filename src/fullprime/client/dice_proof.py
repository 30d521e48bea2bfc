"""The proof of dice that come from seeds alone, as in games begun under version 0.1 (``links_proof`` has the other).

The commitment is the SHA-256 of the server's secret. The dice are those of the seed ``fullprime-1:SECRET:X:O`` with
the seeds that X and O have added (docs/web-api.md has it in full).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from fullprime.client.wire import JsonFields
from fullprime.rules.dice import SeededDice
from fullprime.rules.score import Player
from fullprime.rules.words import thrown

FORMULA = "fullprime-1"

Throw = tuple[int, ...]
"""Two dice."""


@dataclass(frozen=True, slots=True)
class DiceVerdict:
    """The verdict of a check of the dice."""

    throws: int
    """The number of throws that follow from the seeds."""
    is_own: bool
    """True if this client knew the commitment and then added to the dice itself. Without that it rests on the server's
    word that nobody chose the secret to suit the seeds."""
    faults: tuple[str, ...] = ()
    """The faults; empty when everything follows from the seeds."""
    without: int = 0
    """Throws that the server knew of before, since no player gave a link for them."""
    formula: str = FORMULA
    """The formula by which the dice were made."""

    @property
    def holds(self) -> bool:
        """True if everything follows from the seeds."""
        return not self.faults

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.faults:
            return "\n".join(self.faults)
        whose = "yours among them" if self.is_own else "none of them added by this client"
        what = "seeds" if self.formula == FORMULA else "links"
        alone = f" {self.without} of them were made without a link of a player." if self.without else ""
        return f"{self.throws} throws follow from the {what}, {whose}.{alone}"


@dataclass(frozen=True, slots=True)
class OwnShare:
    """The commitment that a client knew before a game, its own seed, and the throws that it has seen."""

    commitment: str
    """The commitment that the server told first."""
    player: Player | None
    seed: str | None
    """The seed that this client added after it had been told the commitment; None when it did not."""
    thrown: Sequence[tuple[str, Throw]]
    """The latest throws without a gap: ``opening``, ``tie`` or ``roll``, and the dice in their order."""
    takebacks: int = 0
    """The number of takebacks meanwhile: the same dice come again."""


def check_dice(proof: JsonFields, own: OwnShare) -> DiceVerdict:
    """Throw every die again; raises ClientError while the secret is not told."""
    secret = proof.text("secret")
    seeds = proof.part("seeds")
    throws, drawn = proof.rows("throws"), proof.wholes("drawn")
    faults = []
    if proof.text("formula") != FORMULA:
        faults.append(f"the server has another formula, {proof.text('formula')!r}")
    if not hashlib.sha256(secret.encode()).hexdigest() == own.commitment == proof.text("commitment"):
        faults.append("the secret is not the one that the server committed to")
    if own.seed is not None and own.player is not None and seeds.maybe_text(own.player.name) != own.seed:
        faults.append(f"{own.player.name} added {own.seed}, not {seeds.maybe_text(own.player.name)!r}")
    seed = f"{FORMULA}:{secret}:{seeds.maybe_text('X') or ''}:{seeds.maybe_text('O') or ''}"
    faults += _other_places(drawn, len(throws), own) or _other_dice(seed, throws, drawn, own)
    faults += _other_throws(throws, own.thrown)
    return DiceVerdict(len(throws), own.seed is not None, tuple(faults))


def _other_places(drawn: Sequence[int], throws: int, own: OwnShare) -> list[str]:
    """The faults: dice were passed over, or came again although nothing was taken back."""
    if len(drawn) != throws:
        return [f"{throws} throws, but {len(drawn)} places in the row of dice"]
    steps = [place - before for before, place in zip((-2, *drawn), drawn, strict=False)]
    again = sum(step < 2 for step in steps)
    if any(step > 2 or step % 2 for step in steps) or min(drawn, default=0) < 0:
        return [f"dice were passed over: throws at {', '.join(map(str, drawn))}"]
    saw_all = len(own.thrown) == throws
    return (
        [f"dice came again {again} times, with {own.takebacks} takebacks"] if saw_all and again > own.takebacks else []
    )


def _other_dice(seed: str, throws: Sequence[Throw], drawn: Sequence[int], own: OwnShare) -> list[str]:
    """Throws that the seed does not give. A roll keeps its higher die first; an opening has X's die first."""
    source = SeededDice(seed)
    dice = [source.die() for _ in range(max(drawn, default=-2) + 2)]
    openings = {len(throws) - back for back, (kind, _) in enumerate(reversed(own.thrown), 1) if kind != "roll"}
    faults = []
    for number, (throw, place) in enumerate(zip(throws, drawn, strict=True)):
        due = tuple(dice[place : place + 2])
        if throw != due and (throw != due[::-1] or number in openings):
            faults.append(f"throw {number + 1} was {throw_words(throw)}, but the seeds give {throw_words(due)}")
    return faults


def _other_throws(throws: Sequence[Throw], seen: Sequence[tuple[str, Throw]]) -> list[str]:
    """Throws that were others while the game was played."""
    if len(seen) > len(throws):
        return [f"{len(seen)} throws were seen, but the server tells of {len(throws)}"]
    first = len(throws) - len(seen)
    return [
        f"throw {first + number} was {throw_words(dice)} in the game, but the server now says {throw_words(told)}"
        for number, (told, (kind, dice)) in enumerate(zip(throws[first:], seen, strict=True), 1)
        if told != dice and (kind != "roll" or told[::-1] != dice)
    ]


def throw_words(dice: Throw) -> str:
    """A throw as people read it; ``nothing`` for none."""
    return thrown(dice) or "nothing"
