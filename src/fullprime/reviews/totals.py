"""Several reviewed matches added up: each player's figures over all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fullprime.common.json_values import MERGED
from fullprime.reviews.decision import XG, Decision, Thresholds
from fullprime.reviews.rating import DecisionTally, tally
from fullprime.reviews.review import Review
from fullprime.rules.record import Event, Match
from fullprime.rules.score import Player


@dataclass(frozen=True, slots=True)
class PlayerTotal:
    """One player's matches of one game. Capitals, and spaces around a name, make no other player."""

    name: str
    """The name of the player."""
    variant: str
    """The game."""
    matches: int
    """The number of matches."""
    won: int
    """Matches won, of those to a number of points; one that goes on is neither won nor lost."""
    lost: int
    """Matches lost, of those to a number of points."""
    overall: DecisionTally = field(metadata=MERGED)
    """All decisions."""
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
        luck = {player: sum(roll.luck for roll in review.rolls if roll.player is player) for player in Player}
        winner = match.score.match_winner(match.settings)
        for player in Player:
            name = match.names[player].strip()
            if not name:
                continue
            player_sums = sums.setdefault((name.casefold(), variant.name), _Sums(name, variant.title))
            player_sums.matches += 1
            player_sums.won += winner is player
            player_sums.lost += winner is player.other
            player_sums.decisions += [decision for decision in review.decisions if decision.player is player]
            if review.rolls:
                player_sums.luck.append(luck[player] - luck[player.other])
    ordered = sorted(
        sums.values(), key=lambda player_sums: (-player_sums.matches, player_sums.name.casefold(), player_sums.variant)
    )
    return [
        PlayerTotal(
            player_sums.name,
            player_sums.variant,
            player_sums.matches,
            player_sums.won,
            player_sums.lost,
            tally(player_sums.decisions, thresholds, interval=True),
            sum(player_sums.luck) / len(player_sums.luck) if player_sums.luck else None,
        )
        for player_sums in ordered
    ]
