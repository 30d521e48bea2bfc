"""What the sample game of the sources claims, by a rollout with the nets of the package."""

from __future__ import annotations

import pytest
from tests.cli.commandline import CommandLine


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_claim_of_the_sample_game_is_reproduced(fullprime: CommandLine) -> None:
    """Source 001, lines 77-78: a 4-4 hits twice; then 12/16(2) wins almost 1 % more games, 17/21(2) more gammons.

    In Green's own numbers those are 13/9(2) and 8/4(2). Rollouts of gnubg-nn, 24,000 games each: 0.8 % and 1.7 %.
    """
    plays = ("24/20*/16* 8/4(2)", "24/20*/16* 13/9(2)")
    options = ("44", "-p", plays[0], "-p", plays[1], "--cubeless", "-t", "2592", "--seed", "4", "--threads", "1")
    rolled = fullprime.run("rollout", "0HPhATDgc/ABMA", *options, "--json")
    assert rolled.code == 0, rolled.err
    by_play = {candidate["name"]: candidate for candidate in rolled.json["candidates"]}
    making, keeping = (
        next(candidate for name, candidate in by_play.items() if point in name) for point in ("8/4(2)", "13/9(2)")
    )
    wins, gammons, backgammons = (
        100 * (making["probabilities"][place] - keeping["probabilities"][place]) for place in range(3)
    )
    assert -1.5 <= wins <= -0.2, (making, keeping)
    assert 1.0 <= gammons <= 3.0
    assert backgammons > 0
    assert max(making["probability_errors"][0], keeping["probability_errors"][0]) < 0.005
