"""The score card: the running score, each game's worth in words, and who pays whom at the end of a session."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from tests.reviews.matches import random_match

from fullprime.drawing.scene import Scene
from fullprime.play.options.rulebook import sections
from fullprime.play.table.cups import CupCount
from fullprime.play.table.scorecard import card_text, empty_card, score_card, settle_points, settle_sessions
from fullprime.rules.dice import Roll
from fullprime.rules.position import Position
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import variant_named


def test_a_card_follows_the_match() -> None:
    match = random_match(Settings(length=5), seed=4, games=9, doubles=0.2)
    card = score_card(match)
    running = [0, 0]
    for line, record in zip(card.lines, match.games, strict=False):
        result = record.result
        assert result is not None
        running[line.winner] += line.points
        assert list(line.score) in ([min(points, 5) for points in running], running)
        assert ("Crawford" in line.note) == record.start.score.crawford_game
        assert ("cube at" in line.words) == (record.final.cube.value > 1)
    assert card.score == match.score.points
    assert card.settlement == ()
    text = card_text(card)
    assert "match to 5" in text
    assert all(len(line) < 80 for line in text.splitlines())


def test_a_card_before_the_first_game_can_be_filled_in_by_hand() -> None:
    """Names or room for them, and as many rows as a match can have games, or as stand on a sheet of paper."""
    card = empty_card(Settings(length=3), ("Ann", ""))
    assert (card.lines, card.rows, card.next) == ((), 5, "")
    text = card_text(card).splitlines()
    assert text[2].split() == ["game", "Ann", "_" * 14, "won", "by"]
    assert [line.split()[0] for line in text[3:] if line] == ["1", "2", "3", "4", "5"]
    assert all("___" in line and len(line) < 80 for line in text[3:] if line)
    assert empty_card(Settings(length=3), ("Ann", "Bob")).next == "Ann needs 3, Bob needs 3"
    assert [empty_card(Settings(length=length)).rows for length in (0, 1, 7, 25)] == [20, 1, 13, 24]
    played = score_card(random_match(Settings(length=5), seed=4, games=9, doubles=0.2))
    assert played.rows == (0 if max(played.score) >= 5 else 9 - sum(played.score))


def test_money_is_told_in_words_and_settled() -> None:
    match = random_match(Settings(stake=Decimal(5)), seed=3, games=3, doubles=0.15)
    card = score_card(match)
    for line in card.lines:
        assert line.words.endswith(f"stake 5: {5 * line.points}")
    won = card.score[0] - card.score[1]
    payer, taker = ("Bob", "Ann") if won > 0 else ("Ann", "Bob")
    assert card.settlement == (f"{payer} pays {taker} {5 * abs(won)} ({abs(won)} points at 5).",) or not won


def test_no_line_of_a_card_is_longer_than_a_terminal_of_80_columns() -> None:
    words = "gammon by resignation, cube at 16, stake doubled to 4, stake 2.50: 320"
    card = score_card(random_match(Settings(stake=Decimal("2.50")), seed=3, games=3, doubles=0.15))
    names = ("Wilhelmina van der Berg-Hohenstein", "Maximilian von und zu Hohenlohe-Langenburg")
    lines = tuple(replace(line, words=words) for line in card.lines)
    owed = (f"{names[0]} pays {names[1]} 320 (128 points at 2.50).",)
    card = replace(card, names=names, settlement=owed, lines=lines)
    text = card_text(card)
    assert max(map(len, text.splitlines())) <= 80
    assert " ".join(text.split()).count(words) == 3


def test_one_of_a_thing_is_told_as_one() -> None:
    """Sentences of the program have no forms by number in the catalogue (ADR 45), so that they say it themselves."""
    assert score_card(random_match(Settings(), seed=3, games=1)).next == "1 game finished"
    assert score_card(random_match(Settings(), seed=3, games=2)).next == "2 games finished"
    rules = [sections(Settings(length=length))[-1][1][0] for length in (1, 2)]
    assert rules == ["Who first has 1 point wins the match.", "Who first has 2 points wins the match."]
    cup = CupCount()
    cup.add(Roll(3, 3))
    assert cup.text("Ann").startswith("Ann: 1 roll, 12.00 pips a roll (expected 8.17), 1 double (expected 0.2)")
    board = Position.from_text("1 off:14 / 2 off:14")
    words = Scene.of(board, Player.X, None, None, ("Ann", "Bob")).words
    assert "Ann (1 pip)" in words
    assert "Bob (2 pips)" in words


@pytest.mark.broad
def test_checkers_are_paid_in_words() -> None:
    values = []
    for seed in range(6):
        match = random_match(Settings(variant=variant_named("acey_deucey")), seed=seed, games=2)
        values += [line for line in score_card(match).lines if "checker" in line.words]
    assert values
    for line in values:
        words = line.words.split()
        times = int(words[3]) if len(words) > 3 else 1
        assert int(words[0]) * times == line.points


def test_three_settle_with_few_payments() -> None:
    sentences = settle_points(("Ann", "Bob", "Cid"), (6, -4, -2), Decimal("2.50"))
    assert sentences == ["Bob pays Ann 10 (4 points at 2.50).", "Cid pays Ann 5 (2 points at 2.50)."]
    assert settle_points(("Ann", "Bob"), (3, 3), Decimal(1)) == ["Nobody owes anything."]
    # The greatest debt to the greatest claim would make it four payments.
    assert settle_points(("Ann", "Bob", "Cid", "Dan", "Eve"), (-5, -4, 4, 3, 2), Decimal(1)) == [
        "Ann pays Dan 3.", "Ann pays Eve 2.", "Bob pays Cid 4.",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="do not sum"):
        settle_points(("Ann", "Bob", "Cid"), (1, 1, 1), Decimal(1))


def test_a_match_that_has_not_begun_has_a_card() -> None:
    assert score_card(Match(Settings(length=3), ("Ann", "Bob"))).next == "Ann needs 3, Bob needs 3"


def test_several_sessions_of_three_players_are_settled_together() -> None:
    cards = [
        replace(score_card(Match(Settings(stake=Decimal(stake)), names, ())), score=score)
        for names, score, stake in (
            (("Ann", "Bob"), (7, 3), "2.50"),
            (("Bob", "Cid"), (4, 0), "5"),
            (("Cid", "Ann"), (2, 8), "5"),
        )
    ]
    assert settle_sessions(cards) == ["Cid pays Ann 40.", "Cid pays Bob 10."]
    assert settle_sessions(cards[:1]) == ["Bob pays Ann 10."]
    match = score_card(Match(Settings(length=3), ("Ann", "Bob"), ()))
    assert settle_sessions([match]) == ["Nothing was played for money."]
