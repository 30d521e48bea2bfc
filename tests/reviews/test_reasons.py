"""Reasons for plays: every count and every claim again by slow code, the way each fact points, and the words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice

import pytest
from tests.reference.slow_counts import SlowCounts, ways
from tests.reference.slow_plans import slow_plan

from fullprime.reviews.reasons.counts import count_board
from fullprime.reviews.reasons.cubes import board_facts
from fullprime.reviews.reasons.facts import Fact, FactKind, Pair, facts
from fullprime.reviews.reasons.features import LESS_IS_BETTER, FitPhase, weights_of
from fullprime.reviews.reasons.numbers import Manner, numbers, numbers_words
from fullprime.reviews.reasons.phrases import _FORMS, cheap_hits, phrases
from fullprime.reviews.reasons.plans import Plan, plan_of, plan_words
from fullprime.reviews.reasons.plays import choose
from fullprime.reviews.reasons.reason import CubeFactKind
from fullprime.reviews.reasons.weights import WEIGHTS
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.notation import read_play
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import Position
from fullprime.rules.variants import VARIANTS, Variant


def decisions(number: int, seed: int, names: list[str]) -> Iterator[tuple[Variant, Position, Position, Position]]:
    """Boards of games of random plays, with the boards after two random plays of a roll."""
    rng, found = random.Random(seed), 0
    while found < number:
        variant = VARIANTS[names[found % len(names)]]
        position, turns = variant.starting_position, rng.randint(2, 90)
        for _ in range(turns):
            plays = legal_plays(position, Roll(rng.randint(1, 6), rng.randint(1, 6)), variant)
            # Most plays hit where they can and come home: such boards have more to say.
            after = max(rng.sample(plays, min(len(plays), 3)), key=lambda play: -sum(play.after.player[7:])).after
            if after.is_over:
                break
            position = after.swapped
        plays = legal_plays(position, rng.choice(ALL_ROLLS), variant)
        if len(plays) > 1:
            first, second = rng.sample(plays, 2)
            if not first.after.is_over and not second.after.is_over:
                found += 1
                yield variant, position, first.after, second.after


def check_counts(position: Position, variant: Variant, slow: SlowCounts | None = None) -> None:
    counts, slow = count_board(position, variant), slow or SlowCounts(position, variant)
    assert set(counts.hits.rolls) == slow.hits()
    assert set(counts.shots.rolls) == slow.shots()
    assert set(counts.own_shots.rolls) == slow.own_shots()
    assert {point: set(reach.rolls) for point, reach in counts.hit_on.items()} == {
        point: slow.hits_on(point) for point in range(1, 25) if slow.hits_on(point)
    }
    if not position.opponent[26]:
        assert set(counts.dances.rolls) == slow.dances()
    assert set(counts.strikes.rolls) == slow.strikes()
    assert set(counts.builders.rolls) == slow.builders()
    assert {point: set(reach.rolls) for point, reach in counts.makes.items()} == {
        point: slow.makes(point) for point in range(1, 25) if slow.makes(point)
    }
    assert set(counts.ends.rolls) == slow.ends()
    assert set(counts.escapes.rolls) == slow.escapes()
    assert set(counts.their_escapes.rolls) == slow.their_escapes()
    assert set(counts.twice.rolls) == slow.twice()
    assert set(counts.their_builders.rolls) == slow.their_builders()
    assert counts.at_risk == slow.risk()
    assert counts.prime.length == slow.run()


def claimed(fact: Fact, slow: SlowCounts, before: Position) -> int | None:
    """What a fact says of one of its plays, by slow code; None for kinds that ``check_fact`` looks at itself."""
    own, kinds = slow.position.player, FactKind
    match fact.kind:
        case kinds.MAKES | kinds.KEEPS:
            return int(own[fact.point] >= 2)
        case kinds.HITS:
            return slow.position.opponent[25] - before.opponent[25]
        case kinds.DANCES:
            return ways(slow.dances())
        case kinds.SHOTS:
            return ways(slow.shots())
        case kinds.RISK:
            return round(slow.risk() / ways(slow.hits()))
        case kinds.DEEP:
            return own[1] + own[2]
        case kinds.STACK:
            return max(own[point] for point in range(1, 25))
        case kinds.BACK:
            return sum(own[point] for point in (19, 20, 21, 22, 23, 24, 25))
        case kinds.BUILDERS:
            return ways(slow.makes(fact.point) if fact.point else slow.builders())
        case kinds.FREE:
            return slow.free()
        case kinds.RETURNS:
            return ways(slow.own_shots())
        case kinds.OPENS:
            return ways(slow.opens())
        case kinds.OFF:
            return own[0]
        case kinds.CROSSOVERS:
            return sum(own[point] * (3 if point > 18 else 2 if point > 12 else 1) for point in range(7, 25))
        case kinds.GAP:
            return own[fact.point]
        case kinds.ENDS:
            return ways(slow.ends())
        case kinds.ESCAPES:
            return ways(slow.escapes())
        case kinds.BLOCKS:
            return ways(slow.their_escapes())
        case kinds.TWICE:
            return ways(slow.twice())
        case kinds.DUEL:
            return ways(slow.their_builders())
    return None


def spare(own: tuple[int, ...]) -> int:
    """Pips to play, checker by checker."""
    pips = 0
    for point in range(1, 25):
        for number in range(own[point]):
            if point >= 19 and own[point] >= 2 and number < 2:
                continue  # an anchor
            if point <= 6:
                pips += point - 1 if number >= 2 else 0
            else:
                pips += point - 6
    return pips


def check_decision(variant: Variant, before: Position, first: Position, second: Position) -> set[FactKind]:
    pair = Pair(before, count_board(first, variant), count_board(second, variant), variant.name)
    slow = [SlowCounts(first, variant), SlowCounts(second, variant)]
    kinds = set()
    for fact in facts(pair):
        if fact.kind is FactKind.TIMING:
            assert (fact.best, fact.played) == (spare(first.player), spare(second.player))
        elif fact.kind is FactKind.PRIME:
            for length, slow_counts in zip((fact.best, fact.played), slow, strict=True):
                assert length in (0, slow_counts.run())
        else:
            assert (fact.best, fact.played) == tuple(claimed(fact, slow_counts, before) for slow_counts in slow), fact
        # Who has sent more checkers back has fewer blots left to aim at.
        assert fact.kind is not FactKind.RETURNS or first.opponent[25] == second.opponent[25]
        kinds.add(fact.kind)
        check_words(fact, pair, slow)
    check_numbers(pair, slow)
    check_plans(pair)
    check_counts(first, variant, slow[0])
    choice = choose(pair, 0.05)
    assert all(reason.size > 0 for reason in choice.reasons)
    assert choice.against is None or choice.against.size < 0
    return kinds


def check_numbers(pair: Pair, slow: list[SlowCounts]) -> set[Manner]:
    """Ideas about numbers by slow code: what is counted, the way it points, and every number of the words."""
    ideas = numbers(pair)
    for idea in ideas:
        mine = idea.manner is Manner.DIVERSIFICATION
        rolls = []
        for aim in idea.aims:
            of = {
                "hit": SlowCounts.own_shots if mine else SlowCounts.shots,
                "hit outside the home board": SlowCounts.own_shots,
                "hit outside his home board": SlowCounts.shots,
                "make a good point": SlowCounts.builders if mine else SlowCounts.their_builders,
                "escape": SlowCounts.escapes if mine else SlowCounts.their_escapes,
            }[aim]
            rolls.append([of(board) for board in slow])
        every = [SlowCounts.strikes(board) if mine else SlowCounts.hits(board) for board in slow]
        if "hit" in idea.aims:
            assert every == rolls[idea.aims.index("hit")], "a hit at home is no shot, and then the words say so"
        either = [ways(one | other) for one, other in zip(*rolls, strict=True)]
        both = [one & other for one, other in zip(*rolls, strict=True)]
        assert either == [idea.best, idea.played]
        assert (idea.best > idea.played) is mine, "it speaks for the better play"
        assert abs(idea.best - idea.played) >= 6
        if idea.manner is Manner.TEMPO:
            assert slow[0].position.opponent[25] > slow[1].position.opponent[25] == 0
        else:
            assert idea.both == ways(both[mine])
            assert 2 * (ways(both[mine]) - ways(both[not mine])) >= abs(idea.best - idea.played)
        assert not idea.die or {roll for roll in ALL_ROLLS if idea.die in (roll.high, roll.low)} <= both[mine]
    correct = {number for idea in ideas[:1] for number in (idea.best, idea.played, idea.both, idea.die)}
    for turn in (0, 1):
        words = numbers_words(pair, "A", "B", turn)
        assert bool(words) is bool(ideas)
        assert {int(number) for number in re.findall(r"\d+", words)} <= correct, words
    return {idea.manner for idea in ideas}


def check_plans(pair: Pair) -> None:
    """A sentence about plans stands where slow code sees two different ones, and names them."""
    plans = [slow_plan(counts.position) for counts in (pair.best, pair.played)]
    for counts, plan in zip((pair.best, pair.played), plans, strict=True):
        assert plan_of(counts.position) == plan, counts.position.text
    sentence = f"A is a {plans[0]}, B a {plans[1]}." if None not in plans and plans[0] != plans[1] else ""
    assert plan_words(pair.best, pair.played, "A", "B") == sentence


def check_words(fact: Fact, pair: Pair, slow: list[SlowCounts]) -> None:
    """Every number in the words of a fact is one that slow code gives."""
    prime = pair.best.prime
    numbers = {fact.best, fact.played, abs(fact.best - fact.played), fact.point, 36}
    if fact.kind is FactKind.MAKES:
        numbers.add(sum(slow[0].position.player[point] >= 2 for point in range(1, 7)))
    if fact.kind is FactKind.HITS:
        numbers.add(ways(slow[0].dances()))
    if fact.kind is FactKind.DEEP:
        numbers.add(2)
    if fact.kind is FactKind.PRIME:
        assert all(slow[0].position.player[point] >= 2 for point in range(prime.low, prime.low + prime.length))
        assert prime.behind == slow[0].behind(prime.low)
        numbers |= {prime.high, prime.low, prime.behind, 4}
    for words in phrases(fact, pair, "X"):
        assert {int(number) for number in re.findall(r"\d+", words)} <= numbers, words
        assert ":" not in words
        assert not words.endswith(".")
    for words in cheap_hits(pair):
        numbers_told = [int(number) for number in re.findall(r"\d+", words)]
        assert not numbers_told or numbers_told == [round(slow[0].risk() / ways(slow[0].hits()))]


NAMES = [name for name, variant in VARIANTS.items() if not variant.after_acey_deucey]
SPECIAL = [name for name in VARIANTS if name not in NAMES]
"""Games in which a roll gives more than its dice: slow code takes seconds for a board of them."""


def test_counts_are_those_of_the_readable_rules() -> None:
    for variant, _, first, _ in decisions(4, 1, NAMES[:4]):
        check_counts(first, variant)


@pytest.mark.parametrize("name", SPECIAL)
def test_counts_of_acey_deucey_are_of_whole_turns(name: str) -> None:
    """A 2-1 brings a double of one's choice, and in the European form a double its complement: both may hit."""
    board = Position.from_text("13 5:2 3:2 2:2 off:8 / 21 8 6:2 4:2 3 off:8")
    check_counts(board, VARIANTS[name])
    assert Roll(2, 1) in count_board(board, VARIANTS[name]).hits.rolls
    assert Roll(2, 1) not in count_board(board, VARIANTS["backgammon"]).hits.rolls


def few_checkers(decision: tuple[Variant, Position, Position, Position]) -> bool:
    """True if slow code is done with a board of Acey Deucey in a second or two."""
    return all(sum(row[1:26]) <= FEW for row in (decision[2].player, decision[2].opponent))


FEW = 6
"""So many checkers of a side on the board, beside those in hand or off."""


def check_all(number: int, special: int, seed: int) -> tuple[set[FactKind], set[CubeFactKind]]:
    """Everything that is said of so many decisions, the last of them of Acey Deucey, by slow code; the kinds met."""
    kinds, before = set(), set()
    for decision in decisions(number - special, seed, ["backgammon", "backgammon", *NAMES]):
        kinds |= check_decision(*decision)
        before |= check_cube_facts(decision[1], decision[0])
    for name in SPECIAL:
        light = filter(few_checkers, decisions(10**9, seed, [name]))
        for decision in islice(light, special // 2):
            kinds |= check_decision(*decision)
    return kinds, before


@pytest.mark.broad
def test_a_few_decisions_say_nothing_that_slow_code_does_not() -> None:
    kinds, before = check_all(14, 2, 2)
    assert len(kinds) >= 12
    assert len(before) >= 4


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_decisions_say_nothing_that_slow_code_does_not() -> None:
    """Every decision, in every game; each kind of fact is met."""
    kinds, before = check_all(1000, 40, 3)
    assert kinds == set(FactKind)
    assert before == set(CubeFactKind)


def check_cube_facts(position: Position, variant: Variant) -> set[CubeFactKind]:
    slow, kinds = SlowCounts(position, variant), CubeFactKind
    mine, theirs = (sum(slot * row[slot] for slot in range(26)) for row in (position.player, position.opponent))
    hand = position.player[26] or position.opponent[26]
    home = sum(position.player[point] >= 2 for point in range(1, 7))
    cube_facts = board_facts(count_board(position, variant))
    for fact in cube_facts:
        match fact.kind:
            case kinds.LEAD if not hand:
                assert (fact.number, fact.other) == (abs(mine - theirs), min(mine, theirs))
                assert fact.doubler is (mine < theirs)
            case kinds.BAR:
                assert fact.number == position.opponent[25]
            case kinds.HITS:
                assert (fact.number, fact.other) == (ways(slow.own_shots()), ways(slow.strikes()))
            case kinds.PRIME:
                assert fact.number == slow.run()
            case kinds.BOARD:
                assert fact.number == home
            case kinds.ANCHOR:
                anchors = [point for point in range(18, 25) if position.opponent[point] >= 2]
                assert fact.number == anchors[0]
            case kinds.SAFE:
                assert not slow.strikes()
    return {fact.kind for fact in cube_facts}


def test_facts_before_a_double_are_those_of_slow_code() -> None:
    kinds = set()
    for variant, before, *_ in decisions(4, 5, ["backgammon"]):
        kinds |= check_cube_facts(before, variant)
    assert kinds


@pytest.mark.parametrize(
    ("board", "roll", "best", "other", "manner"),
    [
        (
            "15:2 13:2 9:3 8:3 6:5 / 23 21 20:2 13:2 7:2 6:2 5:3 3:2", "22", "15/13(2) 6/4*(2)", "15/13 15/9",
            Manner.TEMPO,
        ),
        (
            "bar 24:3 22 21:2 13 6:2 4 2:4 / 18 11 7 6:5 5:5 2:2", "21", "bar/24 13/11", "bar/24 6/4",
            Manner.DUPLICATION,
        ),
        (
            "bar 23 13:2 6:3 5:2 3:2 2:2 1:2 / 13:3 9 7:2 6:4 5:2 4:3", "31", "bar/22 23/22", "bar/24 13/10",
            Manner.DIVERSIFICATION,
        ),
    ],
)  # fmt: skip
def test_ideas_about_numbers_are_counted_and_point_the_right_way(
    board: str, roll: str, best: str, other: str, manner: Manner
) -> None:
    variant, before, dice = VARIANTS["backgammon"], Position.from_text(board), Roll(int(roll[0]), int(roll[1]))
    boards = [read_play(text, before, dice, variant).after for text in (best, other)]
    pair = Pair(before, count_board(boards[0], variant), count_board(boards[1], variant), variant.name)
    assert manner in check_numbers(pair, [SlowCounts(board_after, variant) for board_after in boards])
    assert numbers_words(pair, best, other, 0)
    turned = Pair(before, pair.played, pair.best, variant.name)
    assert manner not in {idea.manner for idea in numbers(turned)}, "never for the play that has it worse"


def test_a_game_without_weights_says_nothing_of_its_plays() -> None:
    start = VARIANTS["backgammon"].starting_position
    pair = Pair(start, *(count_board(start, VARIANTS["backgammon"]) for _ in range(2)), "another game")
    assert facts(pair) == []
    known_games = ("backgammon", "nackgammon", "hypergammon", "longgammon", "dutch")
    assert all(weights_of(name, phase) for name in known_games for phase in FitPhase)


def test_no_weight_has_the_wrong_sign() -> None:
    """Features that go together make a free fit say that shots are good."""
    for name, phases in WEIGHTS.items():
        for phase, fitted in phases.items():
            for feature, weight in fitted.items():
                assert (weight < 0) is (feature in LESS_IS_BETTER), (name, phase, feature)


@pytest.mark.parametrize(
    ("board", "plan"),
    [
        ("6:5 5:5 4:5 / 6:5 5:5 4:5", Plan.RACE),
        ("24:2 22:2 6:5 5:3 4:3 / 10:2 6:4 5:3 4:4 2:2", Plan.BACK),
        ("13:3 8:2 7:2 6:3 5:3 4:2 / 24:2 13:5 8:3 6:5", Plan.PRIMING),
        ("13:3 8:3 6:5 5:4 / bar 24 13:5 8:3 6:5", Plan.BLITZ),
        ("20:2 13:5 8:3 6:5 / 13:4 8:4 7 6:4 4:2", Plan.HOLDING),
        ("13:3 8:4 6:5 5:3 / 21:2 13:5 8:3 6:5", Plan.RUNNING),
        ("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", None),
    ],
)
def test_plans_are_seen_where_they_are_plain(board: str, plan: Plan | None) -> None:
    assert plan_of(Position.from_text(board)) is plan


def test_a_concession_holds_no_comma_for_it_ends_with_one() -> None:
    """With one of its own nobody tells where it ends, and it cannot be said in another language."""
    conceded = [words for _, concessions in _FORMS.values() for words in concessions]
    assert conceded
    assert not [words for words in conceded if "," in words]
