"""Walking written plays agrees with the list of legal plays, and writes each of them in one way only."""

from __future__ import annotations

import random

import pytest

from fullprime.formats.recording import walk
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant


def positions(variant: Variant, count: int, seed: int) -> list[tuple[Position, Roll]]:
    rng = random.Random(seed)
    found = []
    position = variant.starting_position
    while len(found) < count:
        roll = rng.choice(ALL_ROLLS)
        found.append((position, roll))
        plays = legal_plays(position, roll, variant)
        position = rng.choice(plays).position
        if position.is_over:
            position = variant.starting_position
    return found


@pytest.mark.parametrize("variant", [BACKGAMMON, NACKGAMMON, HYPERGAMMON], ids=lambda v: v.name)
def test_every_legal_play_resolves_to_its_board_in_one_canonical_form(variant: Variant) -> None:
    rng = random.Random(5)
    for position, roll in positions(variant, 300, 1):
        own, other = list(position.player), list(position.opponent)
        plays = legal_plays(position, roll, variant)
        canonical = {}
        for play in plays:
            hops = tuple((m.source, m.target) for m in play.moves)
            shuffled = list(hops)
            rng.shuffle(shuffled)
            if len(shuffled) == 4:
                hops = tuple(shuffled)
            made = walk.resolve(own, other, hops, roll.high, roll.low, any(m.hit for m in play.moves))
            assert made is not None, (position, roll, play)
            assert (tuple(made[0]), tuple(made[1])) == (play.after.player, play.after.opponent)
            canonical[made[2]] = play.after
        assert len(canonical) == len(plays)


@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON], ids=lambda v: v.name)
def test_nothing_else_resolves(variant: Variant) -> None:
    rng = random.Random(6)
    for position, roll in positions(variant, 200, 2):
        own, other = list(position.player), list(position.opponent)
        legal = {(play.after.player, play.after.opponent) for play in legal_plays(position, roll, variant)}
        for _ in range(10):
            count = rng.randint(0, len(roll.dice))
            sources = rng.choices([s for s in range(1, 26) if own[s]] or [1], k=count)
            hops = tuple((s, max(0, s - rng.choice((roll.high, roll.low, roll.high + roll.low)))) for s in sources)
            made = walk.resolve(own, other, hops, roll.high, roll.low)
            if made is not None:
                assert (tuple(made[0]), tuple(made[1])) in legal, (position, roll, hops)


@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON], ids=lambda v: v.name)
def test_the_search_counts_dances_and_forced_plays(variant: Variant) -> None:
    for position, roll in positions(variant, 400, 3):
        plays = legal_plays(position, roll, variant)
        longest, found = walk.search(list(position.player), list(position.opponent), roll.high, roll.low, 2)
        assert len(found) == min(2, len(plays))
        assert longest == len(plays[0].moves)
        legal = {(play.after.player, play.after.opponent) for play in plays}
        assert {(tuple(a), tuple(b)) for a, b, _ in found} <= legal


def test_one_checker_prefers_the_way_that_does_not_hit_unless_marked() -> None:
    position = Position.of({24: 2, 13: 8, 6: 5}, {17: 1, 24: 2, 13: 4, 8: 3, 6: 5})
    own, other = list(position.player), list(position.opponent)
    quiet = walk.resolve(own, other, ((13, 4),), 5, 4)
    hitting = walk.resolve(own, other, ((13, 4),), 5, 4, marked=True)
    assert quiet is not None
    assert hitting is not None
    assert [str(m) for m in quiet[2]] == ["13/9", "9/4"]
    assert [str(m) for m in hitting[2]] == ["13/8*", "8/4"]


def test_the_last_checker_uses_as_many_dice_as_it_can() -> None:
    """As ``rules.plays`` demands; the file writes ``2/off`` for it."""
    position = Position.of({2: 1}, {5: 3}, checkers=3)
    made = walk.resolve(list(position.player), list(position.opponent), ((2, 0),), 4, 1)
    assert made is not None
    assert [str(move) for move in made[2]] == ["2/1", "1/off"]


@pytest.mark.parametrize(
    ("text", "hops"),
    [
        ("13/7 8/7", ((13, 7), (8, 7))),
        ("Bar/20* 6/4*(2)", ((25, 20), (6, 4), (6, 4))),
        ("6/4(2)*", ((6, 4), (6, 4))),
        ("13/7*/5", ((13, 7), (7, 5))),
        ("3/Off 3/0", ((3, 0), (3, 0))),
        ("8-4, bar-21", ((8, 4), (25, 21))),
        ("", ()),
        ("Cannot Move", None),
        ("99/1", None),
        ("6/5(9)", None),
    ],
)
def test_written_plays(text: str, hops: tuple[tuple[int, int], ...] | None) -> None:
    assert walk.hops(text) == hops


def test_an_illegal_play_moves_what_can_be_moved() -> None:
    start = BACKGAMMON.starting_position
    own, other, left_out = walk.force(list(start.player), list(start.opponent), ((6, 8), (13, 12), (24, 20), (4, 1)))
    assert own[8] == 4
    assert left_out == ((13, 12), (4, 1))
    assert own[20] == 1
    assert other == list(start.opponent)
