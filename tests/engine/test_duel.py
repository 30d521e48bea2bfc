"""Mirrored duels: dice, fairness, arithmetic; and that all players play by the rules."""

from __future__ import annotations

import numpy as np
import pytest
from tests.engine.random_nets import random_engine
from tests.reference.turns import slow_turns

from fullprime.engine.bots import players
from fullprime.engine.bots.batch import BatchPlayer, PlayerError
from fullprime.engine.bots.players import EnginePlayer, RulePlayer, player_named
from fullprime.engine.core.lookahead.search import ROLLS, WEIGHTS
from fullprime.engine.core.pack import legal_plays, pack, swap, unpack
from fullprime.engine.duel import DuelError, duel
from fullprime.engine.engine import Engine
from fullprime.engine.rollouts.luck import LuckJudge
from fullprime.rules.dice import Roll
from fullprime.rules.position import Position
from fullprime.rules.variants import ACEY_DEUCEY, BACKGAMMON, HYPERGAMMON, VARIANTS
from fullprime_lab.measure.bench import random_decisions


@pytest.fixture(scope="module")
def ours() -> EnginePlayer:
    return EnginePlayer(random_engine())


def test_nobody_wins_against_himself(ours: EnginePlayer) -> None:
    result = duel(ours, ours, games=60)
    assert (result.points, result.error) == (0, 0)
    assert result.wins == (30, 30)
    assert result.gammons[0] == result.gammons[1] <= 30


@pytest.mark.broad
def test_games_do_not_depend_on_the_size_of_batches(ours: EnginePlayer) -> None:
    """The heuristic is asked in batches of eight pairs; made to say that it likes batches, in one of ten."""
    other = RulePlayer("heuristic", BACKGAMMON)
    small = duel(ours, other, games=20, seed=3)
    other.in_batches = True
    large = duel(ours, other, games=20, seed=3)
    assert (small.points, small.error, small.wins, small.plies) == (large.points, large.error, large.wins, large.plies)
    assert duel(ours, other, games=20, seed=4).plies != large.plies


def test_the_seats_do_not_matter(ours: EnginePlayer) -> None:
    other = RulePlayer("heuristic", HYPERGAMMON)
    mine = EnginePlayer(random_engine(HYPERGAMMON))
    forth, back = (duel(*pair, variant=HYPERGAMMON, games=50) for pair in ((mine, other), (other, mine)))
    assert forth.points == -back.points
    assert forth.gammons == back.gammons[::-1]
    assert forth.games == 50


def test_luck_is_what_a_roll_brought_against_all_it_could_have_brought() -> None:
    """One checker on the six-point, the other side's last one will go: 27 of the 36 rolls win."""
    engine = random_engine(bearoff=True)
    row = pack([Position.of({6: 1}, {1: 1})])
    rolls = ROLLS.astype(np.int8)
    luck = LuckJudge(engine.searcher).measure(np.repeat(row, len(rolls), axis=0), rolls)
    wins = np.array([max(roll) == 6 or sum(roll) >= 6 or roll in ([2, 2], [3, 3]) for roll in rolls.tolist()])
    assert WEIGHTS @ wins == pytest.approx(27 / 36)
    assert luck == pytest.approx(np.where(wins, 1, -1) - 0.5, abs=1e-5)


def test_luck_is_nothing_on_average_whoever_judges() -> None:
    boards, _ = random_decisions(BACKGAMMON, 40, 3)
    luck = LuckJudge(random_engine().searcher)
    by_roll = [luck.measure(boards, np.repeat(roll[np.newaxis], len(boards), axis=0)) for roll in ROLLS.astype(np.int8)]
    assert WEIGHTS @ np.array(by_roll) == pytest.approx(0, abs=1e-5)
    assert np.abs(by_roll).max() > 0.01


@pytest.mark.broad
def test_a_result_without_luck_has_less_noise() -> None:
    """The nets of the package against the heuristic: the same within the errors, from half of the noise or less."""
    ours = EnginePlayer(Engine.open(level="0-ply"))
    result = duel(ours, RulePlayer("heuristic", BACKGAMMON), games=60, luck=LuckJudge(ours.engine.searcher))
    assert result.fair_points is not None
    assert result.fair_error is not None
    assert result.error is not None
    assert result.fair_error < result.error / 2
    assert abs(result.fair_points - result.points) < 3 * result.error
    assert "luck of the dice taken out" in str(result)
    assert duel(ours, ours, games=4, luck=LuckJudge(ours.engine.searcher)).fair_points == 0


def test_a_duel_prints_what_matters(ours: EnginePlayer) -> None:
    text = str(duel(ours, RulePlayer("random", BACKGAMMON), games=3))
    assert "points a game over 4 games" in text
    for word in ("wins", "gammons", "backgammons", "ms a play", "random", "0-ply"):
        assert word in text


@pytest.mark.broad
def test_a_duel_by_time_ends(ours: EnginePlayer) -> None:
    counts: list[int] = []
    result = duel(ours, ours, seconds=0.01, progress=lambda result: counts.append(result.games))
    assert result.games == counts[-1] > 0


@pytest.mark.parametrize("limits", [{}, {"games": 2, "seconds": 1.0}, {"games": 0}, {"seconds": 0.0}])
def test_a_duel_needs_an_end(ours: EnginePlayer, limits: dict[str, float]) -> None:
    with pytest.raises(DuelError):
        duel(ours, ours, **limits)


@pytest.mark.parametrize("name", ["acey_deucey", "acey_deucey_european", "dutch"])
def test_whoever_throws_again_keeps_his_turn(name: str) -> None:
    """Every kind of player plays whole turns: nobody wins against himself, and the seats do not matter."""
    variant = VARIANTS[name]
    mine, other = EnginePlayer(random_engine(variant)), RulePlayer("random", variant, seed=3)
    assert duel(mine, mine, variant=variant, games=4).points == 0
    forth = duel(mine, other, variant=variant, games=4, seed=2)
    back = duel(RulePlayer("random", variant, seed=3), mine, variant=variant, games=4, seed=2)
    assert forth.games == back.games == 4
    assert abs(forth.points) <= 15


def test_players_end_turns_as_the_rules_say() -> None:
    """A 2-1 with everything that follows: each player's board is among those of the readable rules, turn and all."""
    position = Position.of({"hand": 1, 13: 1, 6: 2}, {24: 2, 3: 1})
    ends = slow_turns(position, Roll(2, 1), ACEY_DEUCEY)
    assert {again for _, again in ends} == {True}
    for player in (
        EnginePlayer(random_engine(ACEY_DEUCEY)),
        EnginePlayer(random_engine(ACEY_DEUCEY, "1-ply")),
        RulePlayer("heuristic", ACEY_DEUCEY),
        RulePlayer("random", ACEY_DEUCEY),
    ):
        choice = player.choose(pack([position]), np.array([[2, 1]], np.int8))
        assert (unpack(choice.boards)[0], bool(choice.again[0])) in ends


def test_a_duel_does_not_double_the_stake(ours: EnginePlayer) -> None:
    variant = ACEY_DEUCEY.with_options({"acey_deucey_doubles_stake": "yes"})
    with pytest.raises(DuelError, match="stake"):
        duel(ours, ours, variant=variant, games=2)


@pytest.mark.parametrize("level", ["0-ply", "1-ply", "casual"])
def test_levels_choose_alike_alone_and_together_and_by_the_rules(level: str) -> None:
    player = EnginePlayer(random_engine(level=level, bearoff=True))
    check_player(player, 30)


def check_player(player: BatchPlayer, count: int) -> None:
    boards, dice = random_decisions(BACKGAMMON, 4000, 5)
    boards, dice = (np.ascontiguousarray(array[:: 4000 // count]) for array in (boards, dice))
    together = player.choose(boards, dice).boards
    rows, offsets = legal_plays(boards, dice)
    after = swap(rows)
    for index, board in enumerate(boards):
        alone = player.choose(boards[index : index + 1], dice[index : index + 1]).boards[0]
        assert (alone == together[index]).all()
        legal = after[offsets[index] : offsets[index + 1]]
        assert (legal == alone).all(axis=1).any(), (board, dice[index])


def test_unknown_players_are_refused() -> None:
    for wrong in ("", "gnu", "gnubg-nn:7", "bgsage:9ply", "net.onnx"):
        with pytest.raises(PlayerError):
            player_named(wrong, BACKGAMMON)


def test_without_another_distribution_the_lab_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "player_sources", tuple)
    with pytest.raises(PlayerError, match=r"no player 'gnubg-nn:0'; .*FILE\.npz; other .* pip install fullprime-lab$"):
        player_named("gnubg-nn:0", BACKGAMMON)
