"""Walking written plays agrees with the list of legal plays, and writes each of them in one way only."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from fullprime.formats.recording import walk
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.game import Game, Phase
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, NACKGAMMON, Variant


def playing(position: Position, roll: Roll, variant: Variant = BACKGAMMON) -> Game:
    start = Game.new(Settings(variant=variant))
    return replace(start, position=position, phase=Phase.PLAY, dice=roll)


def rolls_to_play(variant: Variant, count: int, seed: int) -> list[Game]:
    rng = random.Random(seed)
    found = []
    position = variant.starting_position
    while len(found) < count:
        roll = rng.choice(ALL_ROLLS)
        found.append(playing(position, roll, variant))
        plays = legal_plays(position, roll, variant)
        position = rng.choice(plays).position
        if position.is_over:
            position = variant.starting_position
    return found


@pytest.mark.parametrize("variant", [BACKGAMMON, NACKGAMMON, HYPERGAMMON], ids=lambda v: v.name)
def test_every_legal_play_resolves_to_its_board_in_one_canonical_form(variant: Variant) -> None:
    rng = random.Random(5)
    for game in rolls_to_play(variant, 300, 1):
        plays = game.legal_plays
        canonical = {}
        for play in plays:
            hops = tuple((m.source, m.target) for m in play.moves)
            shuffled = list(hops)
            rng.shuffle(shuffled)
            if len(shuffled) == 4:
                hops = tuple(shuffled)
            resolved = walk.find_play(game, hops, any(m.hit for m in play.moves))
            assert resolved is not None, (game, play)
            assert resolved.after == play.after
            canonical[resolved.moves] = play.after
        assert len(canonical) == len(plays)


@pytest.mark.parametrize("variant", [BACKGAMMON, HYPERGAMMON], ids=lambda v: v.name)
def test_nothing_else_resolves(variant: Variant) -> None:
    rng = random.Random(6)
    for game in rolls_to_play(variant, 200, 2):
        own, roll = game.position.player, game.dice
        assert roll is not None
        legal = {play.after for play in game.legal_plays}
        for _ in range(10):
            count = rng.randint(0, len(roll.dice))
            sources = rng.choices([s for s in range(1, 26) if own[s]] or [1], k=count)
            hops = tuple((s, max(0, s - rng.choice((roll.high, roll.low, roll.high + roll.low)))) for s in sources)
            resolved = walk.find_play(game, hops)
            assert resolved is None or resolved.after in legal, (game, hops)


def test_one_checker_prefers_the_way_that_does_not_hit_unless_marked() -> None:
    game = playing(Position.of({24: 2, 13: 8, 6: 5}, {17: 1, 24: 2, 13: 4, 8: 3, 6: 5}), Roll(5, 4))
    quiet = walk.find_play(game, ((13, 4),))
    hitting = walk.find_play(game, ((13, 4),), marked=True)
    assert quiet is not None
    assert hitting is not None
    assert [str(m) for m in quiet.moves] == ["13/9", "9/4"]
    assert [str(m) for m in hitting.moves] == ["13/8*", "8/4"]


def test_the_last_checker_uses_as_many_dice_as_it_can() -> None:
    """As ``rules.plays`` demands; the file writes ``2/off`` for it."""
    resolved = walk.find_play(playing(Position.of({2: 1}, {5: 3}, checkers=3), Roll(4, 1)), ((2, 0),))
    assert resolved is not None
    assert [str(move) for move in resolved.moves] == ["2/1", "1/off"]


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
    after, left_out = walk.force_moves(start, ((6, 8), (13, 12), (24, 20), (4, 1)))
    assert after.player[8] == 4
    assert left_out == ((13, 12), (4, 1))
    assert after.player[20] == 1
    assert after.opponent == start.opponent


def test_without_a_roll_nothing_resolves() -> None:
    assert walk.find_play(Game.new(Settings()), ((8, 5), (6, 5))) is None
