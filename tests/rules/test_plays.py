"""Single plays proved without listing the others, against every play by brute force; forced plays; one by one."""

from __future__ import annotations

import random
from itertools import islice, permutations

import pytest
from tests.reference import brute_force
from tests.reference.random_play import decisions, option_mixes, random_roll, scattered

from fullprime.rules.dice import Roll
from fullprime.rules.plays import CheckerMove, RollPlays, checker_moves, legal_plays, make_moves
from fullprime.rules.position import HAND, Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, DUTCH, VARIANTS, Variant

EVERY_VARIANT = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


def boards(variant: Variant, count: int, seed: int) -> list[tuple[Position, Roll]]:
    chance = random.Random(f"{variant.name}:{seed}")
    decisions_found = [(position, roll) for position, roll, _ in decisions(variant, count, seed)]
    return decisions_found + [(scattered(variant, chance), random_roll(chance)) for _ in range(count)]


def tries(position: Position, roll: Roll, chance: random.Random) -> list[tuple[tuple[int, int], ...]]:
    """Sources and dice, mostly of checkers that are there: some too few, some with a die that was not thrown."""
    decisions_found = []
    places = [place for place in range(1, HAND + 1) if position.player[place]]
    for order in set(permutations(roll.dice)):
        for _ in range(12):
            dice = order[: chance.choice((len(order), len(order), chance.randint(0, len(order))))]
            if dice and chance.random() < 0.1:
                dice = (*dice[1:], chance.randint(1, 6))
            moves = []
            for die in dice:
                # Sometimes the checker that has just been moved goes on.
                before = moves[-1][0] if moves else 0
                on = (25 if before == HAND else before) - moves[-1][1] if moves else 0
                moves.append((on if on > 0 and chance.random() < 0.4 else chance.choice(places), die))
            decisions_found.append(tuple(moves))
    return decisions_found


def hold_against_brute_force(variant: Variant, pairs: list[tuple[Position, Roll]], chance: random.Random) -> int:
    allowed = 0
    for position, roll in pairs:
        ways = RollPlays(position, roll, variant)
        legal = brute_force.results(position, (roll.high, roll.low), variant)
        for moves in tries(position, roll, chance):
            play_made = make_moves(position, moves, variant)
            if play_made is None:
                continue
            dice_fit = not [
                d for d in play_made.moves if [m.die for m in play_made.moves].count(d.die) > roll.dice.count(d.die)
            ]
            is_legal = dice_fit and len(moves) == ways.dice_playable and play_made.after in legal
            assert RollPlays(position, roll, variant).allows(play_made.moves) == is_legal, (
                variant,
                position,
                roll,
                moves,
            )
            allowed += is_legal
    return allowed


@EVERY_VARIANT
def test_a_play_is_allowed_if_brute_force_finds_its_board_with_as_many_dice(variant: Variant) -> None:
    assert hold_against_brute_force(variant, boards(variant, 60, 1), random.Random(2)) > 100


@pytest.mark.parametrize("variant", [ACEY_DEUCEY, DUTCH], ids=lambda v: v.name)
def test_a_play_is_allowed_so_with_every_mixture_of_options(variant: Variant) -> None:
    for mix in option_mixes(variant):
        hold_against_brute_force(mix, boards(mix, 3, 3), random.Random(4))


@EVERY_VARIANT
def test_one_move_by_its_source_is_the_move_of_the_list(variant: Variant) -> None:
    for position, roll in boards(variant, 150, 5):
        listed = {move.source: (move, after) for move, after in checker_moves(position, roll.high, variant)}
        for source in range(-2, 40):
            play_made = make_moves(position, [(source, roll.high)], variant)
            edge = None if play_made is None else (play_made.moves[0], play_made.after)
            assert edge == listed.get(source), (position, roll, source)


def test_a_play_says_its_hits_rightly_or_is_not_allowed() -> None:
    ways = RollPlays(BACKGAMMON.starting_position, Roll(3, 1))
    assert ways.allows((CheckerMove(8, 5, 3), CheckerMove(6, 5, 1)))
    assert not ways.allows((CheckerMove(8, 5, 3, hit=True), CheckerMove(6, 5, 1)))
    assert not ways.allows((CheckerMove(8, 4, 3), CheckerMove(6, 5, 1)))
    assert not ways.allows((CheckerMove(8, 5, 3),))


@EVERY_VARIANT
def test_a_forced_play_is_the_only_one(variant: Variant) -> None:
    forced = 0
    for position, roll in boards(variant, 200, 6):
        plays = legal_plays(position, roll, variant)
        only = RollPlays(position, roll, variant).forced
        assert only == (plays[0] if len(plays) == 1 else None)
        forced += only is not None
    assert forced > 5


@EVERY_VARIANT
def test_plays_come_one_by_one_in_their_order(variant: Variant) -> None:
    for position, roll in boards(variant, 20, 7):
        plays = legal_plays(position, roll, variant)
        assert tuple(islice(RollPlays(position, roll, variant).iterate(), 3)) == plays[:3]
