"""Plans: the kind of game that a side plays, judged from its checkers alone; None where no kind is plain."""

from __future__ import annotations

from enum import StrEnum

from fullprime.reviews.reasons.counts import Counts, Prime, count_behind, has_target, longest_prime
from fullprime.rules.position import HAND, Position, pip_count, rearmost

FAR = 60
"""Pips behind from which two anchors make a back game."""
ZONE = 11
"""An attack is carried by the checkers from here on home."""
ATTACKERS = 9


class Plan(StrEnum):
    """The five plans, and the race."""

    RACE = "race"
    """No contact is left."""
    RUNNING = "running game"
    """Ahead in the race, with no checker left in the opponent's home board."""
    HOLDING = "holding game"
    """Behind in the race, with one anchor in the opponent's home board and nothing else there."""
    PRIMING = "priming game"
    """Four points in a row or more with a checker of the opponent behind them."""
    BLITZ = "blitz"
    """The opponent on the bar or with a blot in the home board, no anchor there, many checkers to attack with."""
    BACK = "back game"
    """Far behind, with two anchors in the opponent's home board."""


def plan_of(position: Position) -> Plan | None:
    """The plan of the side that is given first."""
    own, their = position.player, position.opponent
    if own[HAND] or their[HAND]:
        return None
    if position.is_race:
        return Plan.RACE
    points = frozenset(point for point in range(1, 25) if own[point] >= 2)
    lead = pip_count(their) - pip_count(own)
    anchors = [point for point in range(19, 25) if point in points]
    if len(anchors) >= 2 and lead <= -FAR:
        return Plan.BACK
    prime: Prime = longest_prime(points, their)
    if prime.length >= 4 and count_behind(prime, their):
        return Plan.PRIMING
    held = any(their[25 - point] >= 2 for point in range(1, 7))
    if has_target(their) and not held and sum(own[1 : ZONE + 1]) >= ATTACKERS:
        return Plan.BLITZ
    if lead < 0 and len(anchors) == 1 and sum(own[19:26]) == own[anchors[0]]:
        return Plan.HOLDING
    if lead > 0 and sum(own[19:26]) == 0 and rearmost(own) <= 18:
        return Plan.RUNNING
    return None


def plan_words(best: Counts, played: Counts, best_text: str, played_text: str) -> str:
    """A sentence where the plays lead to two different plans; else empty."""
    plans = plan_of(best.position), plan_of(played.position)
    if plans[0] is None or plans[1] is None or plans[0] is plans[1]:
        return ""
    return f"{best_text} is a {plans[0]}, {played_text} a {plans[1]}."
