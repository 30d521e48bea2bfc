"""Several reviewed matches added up: each player's figures over all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fullprime.reviews.decision import XG, Decision, Thresholds
from fullprime.reviews.rating import DecisionTally, tally
from fullprime.reviews.review import Review
from fullprime.rules.record import Event, Match
from fullprime.rules.score import Player


@dataclass(frozen=True, slots=True)
class PlayerTotal:
    """One player's matches of one game. Capitals, and spaces around a name, make no other player."""

    name: str
    variant: str
    matches: int
    won: int
    """Of those to a number of points; a money session is neither won nor lost, nor is a match that goes on."""
    lost: int
    overall: DecisionTally
    luck: float | None
    """Mean luck a match in points of equity, the opponent's taken off; None where no roll was judged."""


@dataclass(slots=True)
class _Sums:
    name: str
    variant: str
    matches: int = 0
    won: int = 0
    lost: int = 0
    decisions: list[Decision] = field(default_factory=list)
    luck: list[float] = field(default_factory=list)


def totals(reviewed: Iterable[tuple[Match, Review]], thresholds: Thresholds = XG) -> list[PlayerTotal]:
    """The players with a name, the most frequent first; matches of different games are not added up.

    A match that is given twice, perhaps from files of two formats, counts once.
    """
    sums: dict[tuple[str, str], _Sums] = {}
    counted: dict[tuple[str, ...], list[list[tuple[Event, ...]]]] = {}
    for match, review in reviewed:
        played = [record.events for record in match.games]
        alike = counted.setdefault(tuple(name.casefold() for name in match.names), [])
        if played in alike:
            continue
        alike.append(played)
        variant = match.settings.variant
        luck = {player: sum(each.luck for each in review.rolls if each.player is player) for player in Player}
        winner = match.score.match_winner(match.settings)
        for player in Player:
            name = match.names[player].strip()
            if not name:
                continue
            found = sums.setdefault((name.casefold(), variant.name), _Sums(name, variant.title))
            found.matches += 1
            found.won += winner is player
            found.lost += winner is player.other
            found.decisions += [each for each in review.decisions if each.player is player]
            if review.rolls:
                found.luck.append(luck[player] - luck[player.other])
    ordered = sorted(sums.values(), key=lambda each: (-each.matches, each.name.casefold(), each.variant))
    return [
        PlayerTotal(
            each.name,
            each.variant,
            each.matches,
            each.won,
            each.lost,
            tally(each.decisions, thresholds, interval=True),
            sum(each.luck) / len(each.luck) if each.luck else None,
        )
        for each in ordered
    ]
