"""Rollouts by another program: games in which it plays both sides, its own judgement taking the luck of the dice out.

The luck of a roll is what the program thinks of the board after its play, less the mean of that over all 21 rolls: it
is nothing on average, however well the program judges. All candidates of a decision meet the same dice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fullprime.engine.bots.batch import Dice
from fullprime.engine.core.lookahead.search import ROLLS, WEIGHTS
from fullprime.engine.cube.probabilities import equity
from fullprime.engine.nets.evaluator import Boards, find_outcomes
from fullprime.engine.rollouts.luck import places_of
from fullprime.rules.variants import BACKGAMMON
from fullprime_lab.court.verdicts import Worth
from fullprime_lab.peers.programs import Peer

Floats = NDArray[np.float64]
_LONGEST = 2000


def roll_out_by(peer: Peer, boards: Boards, trials: int, seed: int) -> list[Worth]:
    """What the boards (k, 32) after some plays, seen by the other player, are worth to the player who made them."""
    rng = np.random.default_rng(seed)
    results, ours = np.zeros(len(boards) * trials), np.zeros(len(boards) * trials, bool)
    places = np.repeat(boards, trials, axis=0)
    running = np.arange(len(places))
    for _ in range(_LONGEST):
        dice = rng.integers(1, 7, (trials, 2), dtype=np.int8)[running % trials]
        after, worth = _play_all_rolls(peer, places[running])
        rolled = places_of(dice.astype(np.int64))
        luck = worth[np.arange(len(worth)), rolled] - worth @ WEIGHTS
        sign = np.where(ours[running], 1.0, -1.0)
        results[running] -= sign * luck
        places[running] = after[np.arange(len(after)), rolled]
        over, outcomes = find_outcomes(places[running], BACKGAMMON)
        results[running[over]] -= sign[over] * equity(outcomes[over], BACKGAMMON)  # seen by the player who lost
        ours[running] ^= True
        running = running[~over]
        if not len(running):
            break
    by_board = results.reshape(len(boards), trials)
    errors = by_board.std(axis=1, ddof=1) / trials**0.5 if trials > 1 else np.zeros(len(boards))
    return [Worth(float(mean), float(error), trials) for mean, error in zip(by_board.mean(axis=1), errors, strict=True)]


def _play_all_rolls(peer: Peer, boards: Boards) -> tuple[Boards, Floats]:
    """The boards (n, 21, 32) after its play of every roll, and what they are worth (n, 21) to the player who rolled."""
    dice: Dice = np.tile(ROLLS.astype(np.int8), (len(boards), 1))
    after = peer.choose(np.repeat(boards, len(ROLLS), axis=0), dice).boards
    over, outcomes = find_outcomes(after, BACKGAMMON)
    outcomes[~over] = peer.evaluate(after[~over])
    return after.reshape(len(boards), len(ROLLS), -1), -equity(outcomes, BACKGAMMON).reshape(len(boards), -1)
