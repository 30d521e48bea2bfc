"""The proof of a session's dice: every throw made again from the log and the server's secret. Pure.

Each throw follows from the next links of the chains of the server and of the players (docs/dice.md). A player without
links has added a seed, which stays the same for all throws. After a takeback the same throws come again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

from fullprime.common.json_values import JsonFields, json_names
from fullprime.play.events import ActionTaken, ChainBegun, LogEntry
from fullprime.play.evolve import evolve
from fullprime.play.links import server_chain
from fullprime.play.session import GameSession
from fullprime.rules.errors import RulesError
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.links import LENGTH, SPARE
from fullprime.rules.score import Player
from fullprime.rules.words import format_dice

_THROWS = (ActionKind.OPENING, ActionKind.ROLL)


@dataclass(frozen=True, slots=True)
class ProvedThrow:
    """One throw, with everything from which it follows."""

    __json__: ClassVar[JsonFields] = json_names(
        "number", "by", "server", "x", "o", "links", "without", "dice", links="link_givers"
    )

    number: int
    """Its number in the match, from 1; after a takeback numbers come again, with the same dice."""
    by: Literal["X", "O", "both"]
    """The side that threw; ``both`` for the opening."""
    dice: tuple[int, ...]
    """The dice in the order of the formula: in the opening X's, then O's."""
    due: tuple[int, int]
    """The dice that follow from the links, in the same order."""
    server: str
    """The server's link of that number."""
    parts: tuple[str, str]
    """What X and O have added."""
    links: Mapping[Player, str]
    """The links of that number which sides gave."""
    without: tuple[Player, ...]
    """The sides that owed a link and gave none, so that the server could know this throw in advance."""

    @property
    def x(self) -> str:
        """X's part: its link of that number if the throw needs it, else the newest link that X has told for an earlier
        throw, else the anchor of X's chain; without a chain X's seed.
        """
        return self.parts[Player.X]

    @property
    def o(self) -> str:
        """O's part."""
        return self.parts[Player.O]

    @property
    def link_givers(self) -> tuple[Player, ...]:
        """The sides that gave their link of that number."""
        return tuple(self.links)


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a check. ``faults`` is empty when everything follows from the links."""

    throws: int
    choices: int
    """Choices of bots that were made again."""
    without_link: int
    """Throws that the server could know in advance, because a link was missing or none was promised."""
    faults: tuple[str, ...]


BotCheck = Callable[[GameSession, Action], str | None]
"""Judges the choice of the bot whose turn it is: gives its fault, or None."""


def linked_throws(log: Iterable[LogEntry], secret: str) -> Iterator[ProvedThrow]:
    """Every throw of a log; raises RulesError for a log that cannot be followed."""
    for before, entry in _steps(log):
        event = entry.event
        if isinstance(event, ActionTaken) and event.action.kind in _THROWS:
            yield _linked_throw(before, event, secret)


def verify_log(log: Iterable[LogEntry], secret: str, check_bot: BotCheck) -> Verification:
    """Throw every die of a log again, and let ``check_bot`` judge the choices of bots."""
    throws, choices, faults = list[ProvedThrow](), 0, list[str]()
    chains: list[ChainBegun] = []
    try:
        for before, entry in _steps(log):
            event = entry.event
            if isinstance(event, ChainBegun) and event.whose is None:
                chains.append(event)
            if not isinstance(event, ActionTaken) or before.game is None:
                continue
            where = f"game {before.game_number}, event {before.changes + 1}"
            if event.action.kind in _THROWS:
                throws.append(_linked_throw(before, event, secret))
                faults += [f"{where}: {fault}" for fault in _throw_faults(before, throws[-1])]
            elif not event.automatic and not before.is_human(before.turn):
                choices += 1
                fault = check_bot(before, event.action)
                faults += [] if fault is None else [f"{where}: {fault}"]
    except RulesError as error:
        faults.append(f"the log ends before an event that cannot follow: {error}")
    faults += _chain_faults(chains, throws, secret)
    return Verification(len(throws), choices, sum(not throw.links for throw in throws), tuple(faults))


def _steps(log: Iterable[LogEntry]) -> Iterator[tuple[GameSession, LogEntry]]:
    """The events after the first, each with the session before it."""
    session: GameSession | None = None
    for entry in log:
        after = evolve(session, entry)
        if session is not None:
            yield session, entry
        session = after


def _linked_throw(before: GameSession, event: ActionTaken, secret: str) -> ProvedThrow:
    links, number, dice = before.links, before.throws + 1, event.action.dice
    if dice is None:
        raise RulesError("a throw has two dice")
    due = links.dice(secret, number, event.links)
    # A roll is kept with its higher die first.
    is_due = dice == due or (event.action.kind is ActionKind.ROLL and dice == due[::-1])
    return ProvedThrow(
        number=number,
        by="both" if before.turn is None else ("X" if before.turn is Player.X else "O"),
        dice=due if is_due else dice,
        due=due,
        server=links.server_link(secret, number),
        parts=(links.part(Player.X, event.links), links.part(Player.O, event.links)),
        links=event.links,
        without=tuple(side for side in before.needed if side not in event.links),
    )


def _throw_faults(before: GameSession, throw: ProvedThrow) -> Iterator[str]:
    strangers = [side.name for side in throw.links if side not in before.needed]
    if strangers:
        yield f"a link of {', '.join(strangers)} is none of this throw"
    if throw.dice != throw.due:
        yield f"thrown {format_dice(throw.dice)}, but the links give {format_dice(throw.due)}"


def _chain_faults(chains: list[ChainBegun], throws: list[ProvedThrow], secret: str) -> Iterator[str]:
    """The server's chains follow from its secret, and it begins one only for an opening throw, with few links left."""
    if any(server_chain(secret, chain.first).anchor != chain.anchor for chain in chains):
        yield "the server's secret does not give the chain that it has promised"
    openings = {throw.number for throw in throws if throw.by == "both"}
    for before, chain in pairwise(chains):
        left = before.first + LENGTH - chain.first
        if left >= SPARE or (chain.first not in openings and throws and chain.first <= throws[-1].number):
            yield f"the server had no reason to begin a chain at throw {chain.first}"
