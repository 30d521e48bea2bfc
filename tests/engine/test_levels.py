"""Levels: names, reproducible misjudgement, and that each is stronger than the one before."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.engine.random_nets import random_engine

from fullprime.engine.bots.bots import BOTS
from fullprime.engine.bots.players import player_named
from fullprime.engine.core.pack import pack, unpack
from fullprime.engine.duel import duel
from fullprime.engine.engine import Engine
from fullprime.engine.rollouts.luck import LuckJudge
from fullprime.engine.search.level_noise import difficulty, noise_of, normal_noise
from fullprime.engine.search.levels import LEVELS, Level, LevelError, level_named, ply_word
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON
from fullprime_lab.measure.bench import random_decisions


def test_levels_are_found_by_what_people_type() -> None:
    assert level_named("1-ply") is LEVELS["1-ply"]
    for name, meant in (("1ply", "1-ply"), ("2", "2-ply"), ("Static", "0-ply"), (" Expert ", "expert")):
        assert level_named(name).name == meant
    for wrong in ("", "4-ply", "-1", "grandmaster", "ply", "x" * 500):
        with pytest.raises(LevelError, match="there is no level"):
            level_named(wrong)
    assert [ply_word(depth) for depth in (0, 1)] == ["0-ply (static)", "1-ply"]


def test_a_level_needs_a_sieve_for_every_ply() -> None:
    with pytest.raises(LevelError, match="sieves"):
        Level("odd", 2)


def test_close_plays_are_looked_at_one_ply_further() -> None:
    """By the rule, said again: at one ply only, or the best two of one ply at two."""
    engine = random_engine(level="1-ply")
    close = LEVELS["1-ply"].close
    assert close is not None
    plain = replace(LEVELS["1-ply"], close=None)
    boards, dice = random_decisions(BACKGAMMON, 60, 5)
    plays_made = set()
    for row, (high, low) in zip(boards, dice.tolist(), strict=True):
        (position,) = unpack(row[np.newaxis])
        listed = engine.rank_plays(position, (high, low))
        once = engine.rank_plays(position, (high, low), level=plain)
        assert {ranked.depth for ranked in once} <= {0, 1}
        behind = once.best.equity - once.plays[1].equity if len(once) > 1 and once.plays[1].depth else 9.0
        deeper = [ranked for ranked in listed if ranked.depth == 2]
        assert len(deeper) == (2 if behind <= close.near else 0)
        if deeper:
            assert {ranked.play.after for ranked in deeper} == {play.play.after for play in once.plays[:2]}
            assert deeper[0].equity >= deeper[1].equity
            assert [ranked.play for ranked in listed.plays[2:]] == [play.play for play in once.plays[2:]]
        else:
            assert listed.plays == once.plays
        assert engine.best_play(position, (high, low)).after == listed.best.play.after
        plays_made.add(len(deeper))
    assert plays_made == {0, 2}


def test_levels_are_ordered_and_bots_too() -> None:
    noise = [level.noise for level in LEVELS.values()]
    assert noise == sorted(noise, reverse=True)
    plies = [level.ply for level in LEVELS.values()]
    assert plies == sorted(plies)
    assert set(LEVELS) < set(BOTS)


def test_misjudgement_is_normal_and_belongs_to_the_position() -> None:
    boards, _ = random_decisions(BACKGAMMON, 20_000, 1)
    boards = np.unique(boards, axis=0)
    drawn = normal_noise(boards)
    assert abs(drawn.mean()) < 0.03
    assert drawn.std() == pytest.approx(1, abs=0.03)
    assert np.mean(np.abs(drawn) > 1.96) == pytest.approx(0.05, abs=0.006)
    assert (normal_noise(boards[::-1])[::-1] == drawn).all()
    assert abs(np.corrcoef(drawn, normal_noise(boards, seed=1))[0, 1]) < 0.03


def _difficulty(text: str, *outputs: float, per_checker: bool = False) -> float:
    board = pack([Position.from_text(text)])
    return float(difficulty(board, np.array([outputs or (0.5, 0.15, 0.01, 0.15, 0.01)]), per_checker)[0])


def test_levels_err_where_people_do() -> None:
    """Little in races and in what is as good as decided, much in back games; a slip is never absurd."""
    start = _difficulty("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")
    holding = _difficulty("20:2 13:4 8:4 6:5 / 13:5 8:4 7:2 6:4")
    back_game = _difficulty("24:2 22:3 13:2 8:3 6:5 / 10:3 9:2 8:4 7:3 6:3")
    race = _difficulty("10:3 8:4 6:4 5:4 / 9:3 8:4 6:4 5:4")
    bearing_off = _difficulty("6:4 5:4 4:4 3:3 / 6:4 5:4 4:4 2:3")
    assert bearing_off < 0.25 < race < 0.4 < holding < start < back_game
    assert 0.9 < start < 1.5
    decided = _difficulty("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", 0.999, 0.0, 0.0, 0.0, 0.0)
    assert decided < 0.1
    gammonish = _difficulty("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", 0.6, 0.45, 0.05, 0.15, 0.01)
    assert gammonish > start
    boards, _ = random_decisions(BACKGAMMON, 2000, 4)
    level = np.full((len(boards), 5), 0.2)
    off = np.abs(noise_of(boards, level, per_checker=False))
    assert off.max() <= 2.0 * difficulty(boards, level, per_checker=False).max()


def test_levels_err_alike_in_every_game() -> None:
    """Checkers in hand are contact; a game settled by checkers is as hard as its chances to be won are even."""
    boards = pack([ACEY_DEUCEY.starting_position])
    even = difficulty(boards, np.array([[0.5, 0.3, 0.0, 0.3, 0.0]]), per_checker=True)[0]
    won = difficulty(boards, np.array([[0.999, 0.9, 0.0, 0.0, 0.0]]), per_checker=True)[0]
    assert won < 0.1 < 0.6 < even < 1.6


def test_a_weak_level_errs_the_same_way_every_time() -> None:
    engine = random_engine(level="beginner")
    start = BACKGAMMON.starting_position
    assert engine.rank_plays(start, (4, 1)).plays == random_engine(level="beginner").rank_plays(start, (4, 1)).plays
    strong = [play.play.after for play in engine.rank_plays(start, (4, 1), level="0-ply")]
    assert [play.play.after for play in engine.rank_plays(start, (4, 1))] != strong


@pytest.mark.slow
@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise([*LEVELS][:10])))
def test_a_level_beats_the_one_before(weaker: str, stronger: str) -> None:
    """Without the luck of the dice, which 800 games are far too few to even out between the best of them."""
    players = [player_named(name, BACKGAMMON) for name in (stronger, weaker)]
    result = duel(*players, games=800, luck=LuckJudge(Engine.open().searcher))
    assert result.fair_points is not None
    assert result.fair_error is not None
    assert result.fair_points > 3 * result.fair_error


@pytest.mark.slow
def test_looking_ahead_loses_less_on_rolled_out_decisions() -> None:
    shared = os.environ.get("FULLPRIME_SHARED_DATA")
    if not shared:
        pytest.skip("FULLPRIME_SHARED_DATA is not set: no rolled-out decisions")
    from fullprime.rules.ids import read_gnu_position

    engine = Engine.open()
    lines = [json.loads(line) for line in (Path(shared) / "pr_dev.jsonl").read_text().splitlines()[:300]]
    plain = replace(LEVELS["1-ply"], close=None)  # so few decisions cannot tell 2-ply from 1-ply with its second looks
    levels = {"advanced": "advanced", "fast": "fast", "plain 1-ply": plain, "2-ply": "2-ply", "0-ply": "0-ply"}
    lost = dict.fromkeys(levels, 0.0)
    for line in lines:
        values = {read_gnu_position(candidate["position_id"]): candidate["equity"] for candidate in line["candidates"]}
        best, worst = max(values.values()), min(values.values())
        for name, level in levels.items():
            play = engine.best_play(read_gnu_position(line["position_id"]), tuple(line["dice"]), level=level)
            lost[name] += best - values.get(play.position, worst)
    by_wide_nets = lost.pop("0-ply")  # on 300 decisions they lose as little as plain 1-ply does
    assert list(lost.values()) == sorted(lost.values(), reverse=True), lost
    assert lost["fast"] > by_wide_nets > lost["2-ply"], (lost, by_wide_nets)
