"""Turns with follow-ups against the readable game."""

import random

import numpy as np
import pytest
from tests.reference.turns import slow_turns

from fullprime.engine.core.moves import turns
from fullprime.engine.core.moves.plays import MAX_PLAYS, SCRATCH
from fullprime.engine.core.pack import pack, rules_array, unpack
from fullprime.engine.nets.net import NetError
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, ACEY_DEUCEY_EUROPEAN, BACKGAMMON
from fullprime_lab.training.learning import follow_ups_array


def fast_turns(position, roll, variant):
    boards = np.empty((64 * MAX_PLAYS, 32), np.int8)
    again = np.zeros(len(boards), np.bool_)
    plays, scratch = np.empty((2 * MAX_PLAYS, 32), np.int8), np.empty(SCRATCH, np.int64)
    arrays = rules_array(variant), follow_ups_array(variant)
    end = turns.list_turns(pack([position])[0], roll.high, roll.low, *arrays, boards, again, 3, plays, scratch)
    return set(zip(unpack(boards[3:end]), again[3:end].tolist(), strict=True))


@pytest.mark.broad
@pytest.mark.parametrize("variant", [ACEY_DEUCEY, ACEY_DEUCEY_EUROPEAN, BACKGAMMON], ids=lambda variant: variant.name)
def test_turns_equal_those_of_the_rules(variant):
    chance = random.Random(variant.name)
    position = variant.starting_position
    special = [Roll(2, 1), Roll(3, 3), Roll(6, 6)]
    for ply in range(80):
        roll = chance.choice(ALL_ROLLS)
        if ply % 20 == 5:
            roll_played = special[ply // 20 % len(special)]
            assert fast_turns(position, roll_played, variant) == slow_turns(position, roll_played, variant)
        position = chance.choice(legal_plays(position, roll, variant)).position
        if position.is_over:
            position = variant.starting_position


def test_the_last_checkers_end_the_turn():
    almost = Position.from_text("2 1 off:13 / 6:2 off:13")
    ends = fast_turns(almost, Roll(2, 1), ACEY_DEUCEY)
    assert ends == slow_turns(almost, Roll(2, 1), ACEY_DEUCEY)
    assert any(board.is_over and not again for board, again in ends)


def test_a_chain_the_kernel_cannot_play_is_refused():
    variant = ACEY_DEUCEY.with_options({"after_double": "complement+choose_double"})
    with pytest.raises(NetError, match="no kernel"):
        follow_ups_array(variant)
