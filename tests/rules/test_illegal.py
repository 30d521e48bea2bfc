"""An illegal play is refused with the rule that it breaks, and with a play that is possible."""

from __future__ import annotations

import random

import pytest

from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.errors import IllegalPlay
from fullprime.rules.notation import read_moves, read_play
from fullprime.rules.notation.illegal import why_illegal
from fullprime.rules.notation.text import WrittenMove
from fullprime.rules.plays import legal_plays
from fullprime.rules.position import HAND, OFF, Position
from fullprime.rules.variants import ACEY_DEUCEY, ACEY_DEUCEY_EUROPEAN, BACKGAMMON, DUTCH, VARIANTS, Variant

START = "24:2 13:5 8:3 6:5"


def why(text: str, position: str, roll: str, variant: Variant = BACKGAMMON) -> str:
    board = Position.from_text(position)
    reason = why_illegal(read_moves(text), board, Roll.from_text(roll), variant)
    with pytest.raises(IllegalPlay) as error:
        read_play(text, board, Roll.from_text(roll), variant)
    assert reason in str(error.value)
    assert repr(text) in str(error.value)
    return reason


@pytest.mark.parametrize(
    ("text", "position", "roll", "reason"),
    [
        ("12/6 8/3", f"{START} / {START}", "65", "12/6: you have no checker on your 12-point"),
        ("12/6", f"{START} / {START}", "65", "you have no checker on your 12-point"),
        ("bar/20", f"{START} / {START}", "65", "you have no checker on the bar"),
        ("24/19 13/7", f"{START} / {START}", "65", "24/19: your 19-point is blocked by 5 checkers of your opponent"),
        ("24/13", "24 13:14 / 24 7:2 6:2", "65", "your 18-point is blocked by 2 checkers of your opponent"),
        ("13/10", f"{START} / {START}", "65", "3 is not on the dice: 6 and 5 to play"),
        ("13/7 8/2", f"{START} / {START}", "65", "8/2: 6 is not on the dice any more: 5 to play"),
        ("8/7(4) 6/5", f"{START} / {START}", "11", None),
        ("24/23 13/12 13/11", f"{START} / {START}", "21", "13/12: 2-1 has 2 numbers to play"),
        ("13/8", f"bar 24 13:5 8:3 6:5 / {START}", "52", "you must enter from the bar first"),
        ("8/3 bar/24", "bar 13:6 8:3 6:5 / 24:2 13:5 8:3 6:3 1:2", "51", "bar/24: your 24-point is blocked by 2"),
        ("13/7", f"{START} / {START}", "65", "the 5 must be played too: "),
        ("6/5(2)", f"{START} / {START}", "11", "4 of the 1s must be played: "),
        ("fan", f"{START} / {START}", "65", "6-5 can be played and must be"),
        ("13/8* 13/7", f"{START} / {START}", "65", "13/8*: there is nobody to hit on that point"),
        ("6/off", f"{START} / {START}", "65", "bearing off needs all your checkers in your home board, and one is"),
        (
            "3/off 2/off",
            f"6 5 4 3 2 / {START}",
            "42",
            "3/off: a 4 may take the checker from your 3-point off only when",
        ),
        ("6/off", f"6 5 4 3 2 / {START}", "21", "it takes 6 pips to bear off from your 6-point, with 2 and 1 to play"),
        ("13/12", "bar:2 13:13 / 6:2 5:2 4:2 3:2 2:2 1:2", "61", "6-1 cannot be played: the checker on the bar"),
        ("13/12", "13:15 / 24:5 13:5 18:5", "61", "6-1 cannot be played: every move is blocked"),
    ],
)
def test_the_rule_that_is_broken(text: str, position: str, roll: str, reason: str | None) -> None:
    if reason is None:
        with pytest.raises(Exception, match="at most four moves"):
            why(text, position, roll)
        return
    assert why(text, position, roll).startswith(reason)


def test_only_one_number_can_be_played_and_it_must_be_the_larger() -> None:
    position = "18 / 18:2 6:13"
    plays = legal_plays(Position.from_text(position), Roll(6, 5))
    assert [str(move) for play in plays for move in play.moves] == ["18/12"]
    assert why("18/13", position, "65") == "only one number can be played, and it must be the larger: 18/12 is possible"


def test_an_incomplete_play_is_not_read_in_the_other_numbering() -> None:
    assert why("hand/20", "hand:12 20 19 13 / hand:14 13", "55", ACEY_DEUCEY).startswith("4 of the 5s must be played")


def test_both_numbers_must_be_played_when_they_can_be() -> None:
    position = "10 9 / 24 18:2 22:2 20:2 8"
    board = Position.from_text(position)
    reasons = set()
    for roll in ALL_ROLLS:
        for source in (10, 9):
            for die in set(roll.dice):
                moves = (WrittenMove(source, source - die),)
                reasons.add((why_illegal(moves, board, roll, BACKGAMMON) or "").split(":")[0])
    assert any("must be played" in reason for reason in reasons)


def test_the_rules_of_the_hand() -> None:
    hand = "hand:3 20:12 / hand:14 9"
    assert why("20/15", hand, "54", DUTCH).startswith("you must enter all your checkers before you move one on, and 3")
    assert "you may hit only after one of your checkers has been moved into your home board" in why(
        "hand/21 hand/20", "hand:3 22:12 / hand:14 4", "54", DUTCH
    )
    assert why("20/16", "hand 5:14 / hand:15", "54", ACEY_DEUCEY).startswith("you have no checker on your 20-point")
    assert "and one is in hand" in why("5/off", "hand 5:14 / hand:15", "54", ACEY_DEUCEY)
    assert why("3/off 5/off", "5 3:14 / 24:15", "54", ACEY_DEUCEY_EUROPEAN).startswith(
        "3/off: only a 3 takes a checker off your 3-point in European Acey Deucey"
    )
    # Not "only a 4": it has not been moved there.
    assert why("5/off", "5:2 3 2:2 off:10 / 6:2 4 off:12", "61", ACEY_DEUCEY_EUROPEAN).startswith(
        "only a 5 takes a checker off your 5-point"
    )


def test_a_possible_play_is_named() -> None:
    for roll in ALL_ROLLS:
        for text in ("12/11", "24/18", "13/8", "6/off", "fan"):
            position = Position.from_text(f"{START} / {START}")
            reason = why_illegal(read_moves(text), position, roll, BACKGAMMON)
            if not reason:
                continue
            shown = reason.removesuffix(" is possible").replace(": ", "; ").split("; ")[-1]
            read_play(shown, position, roll)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_no_reason_is_given_exactly_for_legal_plays(variant: Variant) -> None:
    rng = random.Random(3)
    position = variant.starting_position
    legal = 0
    for _ in range(400):
        roll = rng.choice(ALL_ROLLS)
        plays = legal_plays(position, roll, variant)
        play = rng.choice(plays)
        moves = [WrittenMove(move.source, move.target) for move in play.moves]
        if rng.random() < 0.6:
            places = [slot for slot in range(1, HAND + 1) if position.player[slot]]
            source = rng.choice(places or [6])
            moves[rng.randrange(len(moves) + 1) :] = [
                WrittenMove(source, max(OFF, min(source, 25) - rng.choice([*roll.dice, rng.randint(1, 12)])))
            ]
        reason = why_illegal(tuple(moves), position, roll, variant)
        if len(moves) > 4:
            continue
        text = " ".join(map(str, moves)) or "fan"
        try:
            read_play(text, position, roll, variant)
        except IllegalPlay:
            assert reason, (text, position, roll)
        else:
            legal += 1
            assert not reason, (text, position, roll)
        position = play.position if not play.position.is_over else variant.starting_position
    assert 80 < legal < 380


DOWN = " from home; plays go down, from the higher point to the lower one: "


@pytest.mark.parametrize(
    ("text", "roll", "told"),
    [
        ("4/6", "21", f"4/6 moves away{DOWN}6/4; "),
        ("6/8*", "21", f"6/8 moves away{DOWN}8/6; "),
        ("5/6 5/8", "31", f"5/6 5/8 move away{DOWN}6/5 8/5"),
        ("24/25", "21", "24/25 moves away"),
    ],
)
def test_a_play_that_is_written_upwards_is_told_the_way_down(text: str, roll: str, told: str) -> None:
    with pytest.raises(IllegalPlay) as caught:
        read_play(text, Position.from_text(f"{START} / {START}"), Roll.of(roll))
    assert told.replace("24/25", "24/bar") in str(caught.value)
    assert str(caught.value).endswith("is possible" if told.endswith("; ") or text == "24/25" else "8/5")


def test_the_other_sides_numbering_is_still_understood_and_its_faults_are_told() -> None:
    start = Position.from_text(f"{START} / {START}")
    assert read_play("17/20 19/20", start, Roll(3, 1)) == read_play("8/5 6/5", start, Roll(3, 1))
    with pytest.raises(IllegalPlay, match="your 19-point is blocked"):
        read_play("1/6", start, Roll(5, 1))
