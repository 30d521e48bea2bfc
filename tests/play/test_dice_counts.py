"""The counts of the dice: a slow count of all 36 throws, what adds up, and what chance gives."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import isclose, sqrt

import pytest
from tests.play.sessions import RandomSession

from fullprime.common.json_values import to_json
from fullprime.play.dice_counts import (
    THROWS,
    DiceCounts,
    SideDice,
    dice_of_game,
    dice_of_match,
    hitting_rolls,
    sum_of,
)
from fullprime.play.terms import Terms
from fullprime.rules.actions import ActionKind, choose, opening, play, roll
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.game import Action, Game, Phase
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import BAR, Position
from fullprime.rules.record import GameRecord, Match, Setup
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import VARIANTS
from fullprime.rules.variants.variant import Variant

ALL_THROWS = [(first, second) for first in range(1, 7) for second in range(1, 7)]


@lru_cache(16)
def game_by_chance(variant: Variant, seed: int = 0) -> GameRecord:
    """A game whose plays are drawn by chance, with a preference for hits; it may be cut off."""
    chance = random.Random(f"{variant.name} {seed}")
    game = Game.new(Settings(variant=variant))
    record = GameRecord(game)
    for _ in range(160):
        if game.is_over:
            break
        action = action_by_chance(game, chance)
        record, game = record.with_event(action), game.act(action)
    return record


def action_by_chance(game: Game, chance: random.Random) -> Action:
    throw = (chance.randint(1, 6), chance.randint(1, 6))
    match game.phase:
        case Phase.OPENING_ROLL:
            return opening(*throw)
        case Phase.CHOOSE_DOUBLE:
            return choose(chance.randint(1, 6))
        case Phase.PLAY:
            plays = game.legal_plays
            hits = [option for option in plays if any(move.hit for move in option.moves)]
            return play(chance.choice(hits or plays))
        case _:
            return roll(throw)


def throws_that_hit(position: Position, variant: Variant) -> int:
    """The number of the 36 throws with which a legal play hits, by all legal plays."""
    return sum(
        any(
            option.after.opponent[BAR] > position.opponent[BAR]
            for option in legal_plays(position, Roll(*throw), variant)
        )
        for throw in ALL_THROWS
    )


def slow_counts(record: GameRecord) -> dict[Player, list[Fraction]]:
    """Rolls, doubles, pips, rolls that hit, hits made, the sum of the chances and of their variances, by side."""
    counts = {player: [Fraction()] * 7 for player in Player}
    game, side, dice = record.start, None, None
    for event in record.events:
        assert not isinstance(event, Setup)
        after = game.act(event)
        if event.kind is ActionKind.ROLL:
            side, dice = game.on_roll, Roll(*event.required_dice)
            variant, position = game.settings.variant, game.position
            chance = Fraction(throws_that_hit(position, variant), THROWS)
            hits = any(
                option.after.opponent[BAR] > position.opponent[BAR] for option in legal_plays(position, dice, variant)
            )
            pips = sum(event.required_dice) * (2 if event.required_dice[0] == event.required_dice[1] else 1)
            more: list[Fraction | int] = [1, dice.is_double, pips, hits, 0, chance, chance * (1 - chance)]
            counts[side] = [mine + new for mine, new in zip(counts[side], more, strict=True)]
        elif event.kind is ActionKind.PLAY:
            if side is not None and game.dice == dice:
                counts[side][4] += any(move.hit for move in event.moves)
            side = dice = None
        game = after
    return counts


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_every_count_is_that_of_the_slow_count(variant: Variant) -> None:
    record = game_by_chance(variant)
    counts, slow = dice_of_game(record), slow_counts(record)
    for side, mine in ((Player.X, counts.x), (Player.O, counts.o)):
        figures = [mine.rolls, mine.doubles, mine.pips, mine.hitting, mine.hits]
        assert figures == slow[side][:5]
        assert Fraction(mine.chances, THROWS) == slow[side][5]
        assert Fraction(mine.spread, THROWS**2) == slow[side][6]
    assert counts.x.rolls
    assert counts.o.rolls
    assert counts.x.hits + counts.o.hits


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_what_holds_for_every_game(variant: Variant) -> None:
    for seed in range(1, 5):
        record = game_by_chance(variant, seed)
        counts = dice_of_game(record)
        kinds = [event.kind for event in record.events if not isinstance(event, Setup)]
        assert counts.x.rolls + counts.o.rolls == kinds.count(ActionKind.ROLL)
        for side in (counts.x, counts.o):
            assert 0 <= side.hits <= side.hitting <= side.rolls
            assert side.doubles <= side.rolls
            assert 3 * side.rolls <= side.pips <= 24 * side.rolls
            assert 0 <= side.chances <= THROWS * side.rolls
            assert side.spread <= side.rolls * (THROWS // 2) ** 2


def test_the_means_and_deviations_are_those_of_36_throws() -> None:
    pips = [sum(Roll(*throw).dice) for throw in ALL_THROWS]
    mean = Fraction(sum(pips), THROWS)
    assert mean == Fraction(49, 6)
    variance = sum((pip_count - mean) ** 2 for pip_count in pips) / THROWS
    side = SideDice(rolls=50, doubles=9, pips=400, hitting=20, hits=12, chances=720, spread=50 * 14 * 22)
    assert side.pips_by_chance.expected == float(50 * mean)
    assert isclose(side.pips_by_chance.deviation, sqrt(50 * variance))
    assert isclose(side.doubles_by_chance.expected, 50 / 6)
    assert isclose(side.doubles_by_chance.deviation, sqrt(50 * 5 / 36))
    assert side.hitting_by_chance.expected == 20
    assert isclose(side.hitting_by_chance.deviation, sqrt(50 * 14 * 22) / 36)
    assert {side.doubles_by_chance.standing, side.pips_by_chance.standing} == {"ordinary"}


@pytest.mark.parametrize(("doubles", "standing"), [(7, "ordinary"), (8, "unusual"), (9, "unusual"), (10, "rare")])
def test_the_words_for_a_distance(doubles: int, standing: str) -> None:
    """Of 24 rolls chance makes 4 doubles, with a standard deviation of 1.83."""
    assert SideDice(rolls=24, doubles=doubles).doubles_by_chance.standing == standing


def test_nothing_thrown_is_ordinary() -> None:
    nothing = SideDice()
    for figure in (nothing.doubles_by_chance, nothing.pips_by_chance, nothing.hitting_by_chance):
        assert (figure.count, figure.expected, figure.deviation, figure.standing) == (0, 0, 0, "ordinary")
    assert dice_of_match(Match(Settings())).match == DiceCounts()


def test_the_opening_and_numbers_that_were_not_thrown_do_not_count() -> None:
    variant = VARIANTS["acey_deucey"]
    game = next(
        before
        for record in (game_by_chance(variant, seed) for seed in range(40))
        for before, after in ((entry.before, entry.after) for entry in record.entries())
        if before.phase is Phase.CHOOSE_DOUBLE and after.phase is Phase.PLAY
    )
    record = GameRecord(game).with_event(choose(6))
    record = record.with_event(play(game.act(choose(6)).legal_plays[0]))
    assert dice_of_game(record) == DiceCounts()
    start = Game.new(Settings())
    opened = GameRecord(start).with_event(opening(6, 4))
    assert dice_of_game(opened) == DiceCounts()


def test_a_hit_by_hand() -> None:
    """A blot four points away is hit by every 4 (11 throws), by 3-1 (2 of them), 2-2 and 1-1."""
    position = Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5")
    assert hitting_rolls(position, VARIANTS["backgammon"]) == frozenset()
    blot = Position.from_text("10:1 / 19:1")
    hitting = hitting_rolls(blot, VARIANTS["backgammon"])
    assert sum(hit.weight for hit in hitting) == 15
    assert set(ALL_ROLLS) - hitting >= {Roll(6, 5), Roll(3, 2), Roll(6, 6)}


def test_counts_add_up_and_are_kept_as_text() -> None:
    games = [dice_of_game(game_by_chance(VARIANTS["hypergammon"], seed)) for seed in range(4)]
    total = sum_of(games)
    assert total.x.rolls == sum(counts.x.rolls for counts in games)
    assert total.o.spread == sum(counts.o.spread for counts in games)
    assert DiceCounts.from_text(total.to_text()) == total
    records = tuple(game_by_chance(VARIANTS["hypergammon"], seed) for seed in range(4))
    dice = dice_of_match(Match(replace(Settings(), variant=VARIANTS["hypergammon"]), games=records))
    assert (dice.game, dice.match) == (games[-1], total)


def test_the_form_in_json() -> None:
    side = to_json(SideDice(rolls=6, doubles=2, pips=50, hitting=3, hits=1, chances=72, spread=6 * 12 * 24))
    assert side["rolls"] == 6
    assert side["hits"] == 1
    assert side["doubles"] == {"count": 2, "expected": 1, "deviation": 0.9129, "standing": "ordinary"}
    assert side["hitting"]["expected"] == 2
    assert set(to_json(DiceCounts())) == {"X", "O"}


@pytest.mark.parametrize("seed", range(6))
def test_a_session_with_takebacks_counts_the_throws_that_stand(seed: int) -> None:
    terms = Terms(settings=Settings(variant=VARIANTS["hypergammon"], length=3), opponent="screen", automatic=False)
    session = RandomSession.begin(random.Random(f"dice {seed}"), terms)
    for _ in range(120):
        session.step(is_sensible=True)
    match = session.session.match
    rolls = sum(
        not isinstance(event, Setup) and event.kind is ActionKind.ROLL for game in match.games for event in game.events
    )
    counts = dice_of_match(match).match
    assert counts.x.rolls + counts.o.rolls == rolls
