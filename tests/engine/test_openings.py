"""The first play of the game against the published rollouts of GNU Backgammon, with the nets of the package.

The table is cubeless (bkgm.com's rollouts, as given by everygamemade.com); several rolls have plays within 0.01 of each
other. The tolerances are what a net of this strength must hold at two plies; the issue on strength narrows them.
"""

from __future__ import annotations

import pytest

from fullprime.engine.bots.players import EnginePlayer
from fullprime.engine.duel import duel
from fullprime.engine.engine import Engine
from fullprime.rules.dice import Roll
from fullprime.rules.notation import read_play
from fullprime.rules.variants import BACKGAMMON

START = BACKGAMMON.starting_position
LOSS, EQUITY = 0.03, 0.04

TABLE = {
    "31": ("8/5 6/5", 0.1670),
    "42": ("8/4 6/4", 0.1234),
    "61": ("13/7 8/7", 0.1035),
    "53": ("8/3 6/3", 0.0638),
    "65": ("24/13", 0.0545),
    "54": ("24/20 13/8", 0.0155),
    "43": ("13/10 13/9", 0.0125),
    "64": ("8/2 6/2", 0.0102),
    "21": ("13/11 6/5", 0.0088),
    "63": ("24/18 13/10", 0.0072),
    "62": ("24/18 13/11", 0.0066),
    "51": ("24/23 13/8", 0.0056),
    "32": ("13/11 13/10", 0.0053),
    "52": ("24/22 13/8", 0.0032),
    "41": ("24/23 13/9", 0.0024),
}
ROLLED = 0.01
"""How far the engine's play may be behind the table's, by a rollout of both."""
CLEAR = ("31", "42", "61", "53", "65")
"""Rolls whose best play is far ahead of every other."""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.open(level="2-ply")


@pytest.mark.parametrize("dice", TABLE)
def test_an_opening_roll_is_played_as_the_rollouts_say(engine: Engine, dice: str) -> None:
    text, equity = TABLE[dice]
    roll = Roll.from_text(dice)
    ranking = engine.rank_plays(START, roll)
    table = ranking.find(read_play(text, START, roll).after)
    assert table is not None
    assert table.loss <= (0 if dice in CLEAR else LOSS), ranking.text(4)
    assert ranking.best.equity == pytest.approx(equity, abs=EQUITY)


def test_the_first_player_has_the_published_edge(engine: Engine) -> None:
    """The mean over the fifteen rolls is +0.0392 in the table."""
    mean = sum(engine.rank_plays(START, Roll.from_text(dice)).best.equity for dice in TABLE) / 15
    assert mean == pytest.approx(0.0392, abs=0.02)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("dice", [dice for dice in TABLE if dice not in CLEAR])
def test_what_is_played_instead_is_as_good_by_rollout(engine: Engine, dice: str) -> None:
    """Where the engine opens otherwise than the table, both plays are rolled out with the same dice."""
    roll = Roll.from_text(dice)
    ranking = engine.rank_plays(START, roll)
    table = ranking.find(read_play(TABLE[dice][0], START, roll).after)
    assert table is not None
    if table.rank == 1:
        return
    rollout = engine.rollout(START, roll, plays=[ranking.best.play, table.play], trials=1296)
    other = next(rolled for rolled in rollout.rolled if rolled.name == table.text)
    mine = next(rolled for rolled in rollout.rolled if rolled.name != table.text)
    assert other.equity - mine.equity <= ROLLED, rollout


@pytest.mark.slow
def test_games_are_as_long_and_end_as_the_books_say() -> None:
    """55 plies a game, 26 to 27 % gammons, about 1 % backgammons (published counts of several programs)."""
    player = EnginePlayer(Engine.open(level="0-ply"))
    result = duel(player, player, games=6000)
    assert result.plies == pytest.approx(55, abs=2)
    assert 0.25 <= sum(result.gammons) / result.games <= 0.29
    assert 0.008 <= sum(result.backgammons) / result.games <= 0.016
