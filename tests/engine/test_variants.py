"""Every game has an engine: nets in the package, and all that can be asked of them."""

from __future__ import annotations

import numpy as np
import pytest

from fullprime.engine import shared
from fullprime.engine.bots.engine_bot import EngineBot
from fullprime.engine.bots.players import EnginePlayer, RulePlayer
from fullprime.engine.duel import duel
from fullprime.engine.engine import Engine
from fullprime.engine.nets.net import DATA, manifest
from fullprime.engine.rollouts.rollout import TrialPolicy
from fullprime.engine.search.levels import LEVELS
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game, Phase
from fullprime.rules.score import Settings
from fullprime.rules.variants import VARIANTS
from fullprime.rules.variants.variant import Settlement


@pytest.fixture(scope="module", params=list(VARIANTS))
def engine(request: pytest.FixtureRequest) -> Engine:
    return Engine.open(request.param, level="0-ply")


def test_the_nets_of_the_package_are_small_and_complete() -> None:
    assert set(manifest()) == set(VARIANTS)
    files = {path.name: path.stat().st_size for path in (DATA / "nets").glob("*.npz")}
    assert set(files) == {name for phases in manifest().values() for name in phases.values()}
    assert sum(files.values()) < 15_000_000


def test_the_start_is_even_but_for_the_first_roll(engine: Engine) -> None:
    evaluation = engine.evaluate(engine.variant.starting_position, cubeful=False)
    most = 3.0 if engine.per_checker else 0.25
    assert -0.25 * most < evaluation.equity < most  # the longgammon net is 0.04 off


def test_every_level_has_an_opinion(engine: Engine) -> None:
    start = engine.variant.starting_position
    for level in [name for name, level in LEVELS.items() if level.ply < 2]:
        ranking = engine.rank_plays(start, Roll(4, 2), level=level, cubeful=False)
        assert ranking.best.equity >= ranking.plays[-1].equity
        assert engine.best_play(start, Roll(4, 2), level=level).moves


def test_rollouts_of_special_and_ordinary_rolls(engine: Engine) -> None:
    start = engine.variant.starting_position
    policy = TrialPolicy(cubeful=False, truncate=3)
    rollout = engine.rollout(start, Roll(2, 1), policy=policy, most=2, trials=36, threads=1)
    assert len(rollout.rolled) <= 2
    assert all(np.isfinite(rolled.equity) for rolled in rollout.rolled)


def test_the_bot_decides_every_kind_of_question(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "engine_for", lambda _variant: engine)
    game = Game.new(Settings(variant=engine.variant)).act(acts.opening(2, 1))
    bot = EngineBot("0-ply")
    while game.phase in (Phase.PLAY, Phase.CHOOSE_DOUBLE):
        before = game
        game = game.act(bot.choose(game))
    assert game.position != before.position
    if engine.variant.cube:
        assert engine.cube_decision(game).action


def test_static_play_beats_random_play(engine: Engine) -> None:
    result = duel(EnginePlayer(engine), RulePlayer("random", engine.variant), variant=engine.variant, games=10)
    assert result.points > (1.0 if engine.variant.settlement is not Settlement.GAMES else 0.3)
    assert result.wins[0] > result.wins[1]
