"""A record ply by ply: the boards follow from the plays, and everything that players did is among it."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from tests.play.sessions import RandomSession
from tests.play.test_dice_counts import game_by_chance

from fullprime.play.plies import RecordPly, plies_of_match
from fullprime.play.server.documents import plies_of
from fullprime.rules.actions import DOUBLE, TAKE, ActionKind, opening, play, roll
from fullprime.rules.game import Action, Game, Phase
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import VARIANTS
from fullprime.rules.variants.variant import Variant

THROWS = (ActionKind.OPENING, ActionKind.ROLL)
BAR = 25


def after_moves(ply: RecordPly) -> dict[str, tuple[int, ...]]:
    """The board behind a ply, by its moves alone: a single opponent on a point that is entered goes to the bar."""
    mine, theirs = list(ply.points[ply.player]), list(ply.points["O" if ply.player == "X" else "X"])
    for source, target in ply.moves:
        mine[source] -= 1
        mine[target] += 1
        if 1 <= target <= 24 and theirs[25 - target] == 1:
            theirs[25 - target] -= 1
            theirs[BAR] += 1
    rows = {ply.player: tuple(mine), "O" if ply.player == "X" else "X": tuple(theirs)}
    return {side: rows[side] for side in "XO"}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_each_board_is_the_one_before_with_its_play(variant: Variant) -> None:
    record = game_by_chance(variant)
    plies = plies_of_match(Match(record.start.settings, games=(record,))).plies
    events = [event for event in record.events if isinstance(event, Action) and event.kind not in THROWS]
    assert [ply.kind for ply in plies] == [str(event.kind) for event in events]
    assert [ply.moves for ply in plies] == [
        tuple((move.source, move.target) for move in event.moves) for event in events
    ]
    for ply, following in pairwise(plies):
        assert following.points == after_moves(ply), ply.number


def test_the_cube_is_offered_by_one_side_and_taken_by_the_other() -> None:
    """The answer is that of its player, who is not on roll; forced plays and dances are plies too."""
    game = Game.new(Settings())
    record = GameRecord(game)
    for action in (opening(2, 5), None, DOUBLE, TAKE, roll((6, 6))):
        event = action or play(game.legal_plays[0])
        record, game = record.with_event(event), game.act(event)
    assert game.phase is Phase.PLAY
    answer = plies_of_match(Match(game.settings, games=(record,)))
    assert [(ply.player, ply.kind, ply.value, ply.offered) for ply in answer.plies] == [
        ("O", "play", 1, None), ("X", "double", 1, None), ("O", "take", 1, 2),
    ]  # fmt: skip
    assert answer.rounds[0].winner is None


@pytest.mark.parametrize("seed", range(6))
def test_the_plies_of_a_session_lead_to_its_board(seed: int) -> None:
    """Whatever was taken back, resigned or forfeited: the plies are those of the record, and no ruling is one."""
    chance = random.Random(seed)
    session = RandomSession.begin(chance)
    for _ in range(150):
        session.step(is_sensible=True)
    answer = plies_of(session.session)
    record = session.session.match
    assert len(answer.rounds) == len(record.games)
    assert "illegal" not in {ply.kind for ply in answer.plies}
    for number, game in enumerate(record.games, 1):
        last = next((ply for ply in reversed(answer.plies) if ply.game == number), None)
        if last is not None:
            assert after_moves(last) == {side.name: tuple(game.final.position_of(side).player) for side in Player}
