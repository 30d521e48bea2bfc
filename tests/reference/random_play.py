"""Positions to compare generators on: reached by random play, or scattered without regard to how they could arise."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from fullprime.rules.dice import Roll
from fullprime.rules.plays import Play, legal_plays
from fullprime.rules.position import BAR, HAND, OFF, SLOTS, Position
from fullprime.rules.variants import HitLicence, Variant

Decision = tuple[Position, Roll, tuple[Play, ...]]


def decisions(variant: Variant, count: int, seed: int | str) -> Iterator[Decision]:
    """Random games one after the other: each position with its roll and its legal plays by the readable rules."""
    chance = random.Random(f"{variant.name}:{seed}")
    position = variant.starting_position
    for _ in range(count):
        roll = random_roll(chance)
        plays = legal_plays(position, roll, variant)
        yield position, roll, plays
        position = chance.choice(plays).position
        if position.is_over:
            position = variant.starting_position


def scattered(variant: Variant, chance: random.Random) -> Position:
    """Any position at all with this variant's checkers; the hand is used in games that have one."""
    places = [OFF, BAR, *range(1, 25)] + ([HAND] * 4 if variant.has_hand else [])
    favourites = chance.sample(places, chance.randint(2, len(places)))
    if chance.random() < 0.4:  # endings
        favourites = [place for place in favourites if place <= 6] or [3]
    sides: list[tuple[int, ...]] = []
    for side in range(2):
        row = [0] * SLOTS
        taken = {25 - point for point in range(1, 25) if sides[0][point]} if side else set()
        free = [place for place in (favourites if side == 0 else places) if place not in taken]
        for _ in range(variant.checkers - 1):
            row[chance.choice(free)] += 1
        row[chance.choice([place for place in free if place != OFF] or [BAR])] += 1  # nobody has won
        sides.append(tuple(row))
    permanent = variant.hit_licence is HitLicence.PERMANENT
    licences = [permanent and not any(row[:7]) and chance.random() < 0.5 for row in sides]
    return Position(sides[0], sides[1], *licences)


def random_roll(chance: random.Random) -> Roll:
    """A throw of two dice."""
    return Roll(chance.randint(1, 6), chance.randint(1, 6))


def option_mixes(variant: Variant) -> list[Variant]:
    """The variant with every mixture of the options that say how checkers move: 48 games."""
    return [
        replace(
            variant,
            enter_all_first=enter_all_first,
            bar_priority=bar_priority,
            hit_licence=hit_licence,
            entering_move_may_hit=may_hit,
            exact_bearoff=exact,
        )
        for enter_all_first, bar_priority, hit_licence, may_hit, exact in product(
            (False, True), (False, True), HitLicence, (False, True), (False, True)
        )
    ]
