"""Explanations of mistakes: one sentence, which points the way of the difference; silence where nothing is sure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from tests.reviews.matches import random_match, small_engine

from fullprime.common.json_values import from_json, to_json
from fullprime.learn.puzzles.service import stock_of
from fullprime.reviews.decision import CubeEquities, Decision, GameStage, Kind, Option, board_after
from fullprime.reviews.explain import explanation, why_better
from fullprime.reviews.reasons.chances import score_words
from fullprime.reviews.reasons.counts import count_board
from fullprime.reviews.reasons.cubes import CubeFact, fact_words
from fullprime.reviews.reasons.facts import Fact, FactKind, Pair
from fullprime.reviews.reasons.features import Topic
from fullprime.reviews.reasons.phrases import phrases
from fullprime.reviews.reasons.reason import CubeFactKind, FigureKind, Reason
from fullprime.reviews.review import review
from fullprime.rules.dice import ALL_ROLLS, Roll
from fullprime.rules.game import Game, Phase, opening
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import VARIANTS

Five = tuple[float, float, float, float, float]
EVEN: Five = (0.0, 0.0, 0.0, 0.0, 0.0)


def explain(decision: Decision, game: Game) -> str:
    return explanation(decision, game).first


def reasons_by_kind(decision: Decision, game: Game) -> dict[str, Reason]:
    return {str(reason.kind): reason for reason in explanation(decision, game).reasons}


def decided(game: Game, best: str, played: str, gap: Five = EVEN, loss: float = 0.16) -> Decision:
    assert game.dice is not None
    plays = [read_play(text, game.position, game.dice) for text in (best, played)]
    win, gammon, backgammon, lost, lost_backgammon = chances = (0.55, 0.16, 0.01, 0.13, 0.0)
    other = (win - gap[0], gammon - gap[1], backgammon - gap[2], lost - gap[3], lost_backgammon - gap[4])
    return Decision(
        0, 1, Player.X, Kind.PLAY, GameStage.OPENING,
        (
            Option(best, loss, 0.0, loss, 2, chances, plays[0].moves),
            Option(played, 0.0, loss, 0.0, 2, other, plays[1].moves),
        ),
        1, 0.01, counts=True, counts_gnu=True, dice=game.dice,
    )  # fmt: skip


def begun(high: int = 3, low: int = 1) -> Game:
    return Game.new(Settings()).act(opening(high, low))


def test_a_point_and_the_chances_it_gains_are_said_in_one_sentence() -> None:
    game = begun()
    words = explain(decided(game, "8/5 6/5", "24/23 13/10", (0.05, 0.03, 0.0, -0.02, 0.0)), game)
    assert "8/5 6/5" in words
    assert "the 5 point" in words
    assert words.count(".") - words.count(" %") <= 2
    assert "5.0 % more wins" in words
    assert "3.0 % more gammons won" in words


def test_the_reasons_of_a_sentence_are_values_too() -> None:
    game = begun()
    gained = decided(game, "8/5 6/5", "24/23 13/10", (0.05, 0.03, 0.0, -0.02, 0.0))
    reasons = reasons_by_kind(gained, game)
    assert reasons["makes a point"] == Reason(kind=FactKind.MAKES, value=1, beside=0, point=5)
    assert reasons["wins"] == Reason(kind=FigureKind.WINS, value=0.05)
    assert reasons["gammons won"].value == pytest.approx(0.03)
    for reason in reasons.values():
        assert from_json(Reason, to_json(reason)) == reason
    assert explanation(replace(gained, chosen=0), game).reasons == ()


def test_a_play_without_chances_has_its_reason_from_what_can_be_counted() -> None:
    game = begun()
    variant = game.settings.variant
    best, other = (read_play(text, game.position, Roll(3, 1)) for text in ("8/5 6/5", "24/23 13/10"))
    words = why_better(game.position, best, other, variant, 0.2)
    assert re.search(r"8/5 6/5.* the 5 point", words)
    assert why_better(game.position, best, best, variant, 0.2) == ""
    assert why_better(game.position, best, other, variant, 0.0) == ""


def test_hits_that_cost_next_to_nothing_are_no_shots() -> None:
    """8/3* hits loose in one's home; after the better play many rolls hit a checker that loses three pips."""
    game = replace(begun(5, 2), position=Position.from_text("24:2 13:5 8:3 6:5 / 24 22 13:4 8:4 6:5"))
    sentences = explanation(decided(game, "24/22 13/8", "24/22 8/3*", (0.02, 0.0, 0.0, -0.01, 0.0), 0.07), game)
    assert "leaves no shot outside the opponent's home board where 24/22 8/3* leaves 19" in sentences.first
    assert "of 36" not in sentences.first


def test_more_shots_are_conceded_and_never_a_merit() -> None:
    game = replace(begun(5, 3), position=Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:3 5 3"))
    sentences = explanation(decided(game, "13/8 6/3", "13/10 13/8", (0.02, 0.0, 0.0, -0.01, 0.0), 0.07), game)
    for words in re.findall(r"[^,;.]*(?:shots?|rolls that hit|hit by)[^,;.]*", sentences.first):
        assert re.search(r"although|Although|but|^13/8 6/3 (?:leaves|is hit|gives|can be)", words), sentences.first


def test_a_difference_that_is_nothing_gives_silence() -> None:
    game = begun()
    assert explain(decided(game, "8/5 6/5", "6/5 8/5"), game) == ""
    best = decided(game, "8/5 6/5", "24/23 13/10")
    assert explain(replace(best, chosen=0), game) == ""


def test_the_rolls_that_decide_are_named() -> None:
    game = begun()
    bad = decided(game, "8/5 6/5", "24/23 13/10")
    worse = {Roll(6, 4): 2.0, Roll(4, 4): 1.0}
    replies = tuple(0.1 for _ in ALL_ROLLS), tuple(0.1 - worse.get(roll, 0.02) for roll in ALL_ROLLS)
    sentences = explanation(replace(bad, replies=replies), game).more
    assert any("6-4" in sentence and "%" in sentence for sentence in sentences)
    even = tuple(0.16 for _ in ALL_ROLLS), tuple(0.0 for _ in ALL_ROLLS)
    assert not any("of the difference" in sentence for sentence in explanation(replace(bad, replies=even), game).more)


def cube(action: Kind, options: tuple[str, str], figures: CubeEquities) -> Decision:
    pair = tuple(Option(text, 0.1 * (1 - rank), 0.1 * rank, 0.0, 1) for rank, text in enumerate(options))
    return Decision(0, 1, Player.X, action, GameStage.MIDDLE, pair, 1, 0.01, counts=True, counts_gnu=True, cube=figures)


def test_cube_sentences_say_why() -> None:
    game = replace(begun(), position=Position.from_text("6:5 5:5 4:5 / 13 6:5 5:5 4:4"))
    figures = CubeEquities(0.62, 0.55, 1.0, "double, take", 0.5, (0.72, 0.05, 0.0, 0.05, 0.0), 0.25)
    words = explain(cube(Kind.DOUBLE, ("double", "no double"), figures), game)
    assert "72.0 %" in words
    assert "25 % of the" in words
    kinds = list(reasons_by_kind(cube(Kind.DOUBLE, ("double", "no double"), figures), game))
    assert (kinds[0], kinds[-1]) == ("doubling point", "market losers")
    cash = CubeEquities(0.9, 1.2, 1.0, "double, drop", 0.7, (0.84, 0.1, 0.0, 0.01, 0.0))
    text = explain(cube(Kind.TAKE, ("drop", "take"), cash), game)
    assert "need" in text
    assert "16.0 %" in text
    pivot = reasons_by_kind(cube(Kind.TAKE, ("drop", "take"), cash), game)["take point"]
    assert pivot.value == pytest.approx(0.16)
    assert pivot.beside is not None
    assert f"{100 * pivot.beside:.1f} %" in text
    beaver = replace(game, phase=Phase.BEAVER_OFFERED)
    assert explain(cube(Kind.TAKE, ("drop", "take"), cash), beaver) == ""  # the take point is that of a double
    unsure = replace(cash, chances=(0.77, 0.1, 0.0, 0.01, 0.0))
    assert "need" not in explain(cube(Kind.TAKE, ("take", "drop"), unsure), game)


def test_a_gammon_of_the_doubler_is_lost_to_the_player_who_answers() -> None:
    position = Position.from_text("24:2 13:3 8:3 6:5 5:2 / 24:2 13:5 8:3 6:5")
    game = replace(begun(), settings=Settings(length=2), position=position, phase=Phase.CUBE_DECISION)
    figures = CubeEquities(0.9, 1.3, 1.0, "double, drop", 0.7, (0.8, 0.4, 0.0, 0.01, 0.0), 0.5)
    for kind, options, word in (
        (Kind.TAKE, ("drop", "take"), "lost"), (Kind.DOUBLE, ("double", "no double"), "won")
    ):  # fmt: skip
        sentences = explanation(cube(kind, options, figures), game).more
        assert any(f"a gammon {word} with the turned cube" in sentence for sentence in sentences), sentences


def test_a_lead_is_a_thing_that_can_stand_against_a_take() -> None:
    """Once: "33.8 % of the losses are gammons against 9 pips ahead with 150 to go"."""
    fact = CubeFact(CubeFactKind.LEAD, True, 9, 150)
    assert [fact_words(fact, turn, taking=True) for turn in (0, 1)] == [
        "a lead of 9 pips", "a lead of 9 pips with 150 to go"
    ]  # fmt: skip
    figures = CubeEquities(0.9, 1.2, 1.0, "double, drop", 0.7, (0.84, 0.3, 0.0, 0.01, 0.0))
    for place in (7, 9, 10, 11, 14):
        position = Position.from_text(f"24:2 13:4 {place} 8:3 6:5 / 24:2 13:5 8:3 6:5")
        text = explain(cube(Kind.TAKE, ("drop", "take"), figures), replace(begun(), position=position))
        assert "gammons against" not in text, text


def test_checkers_borne_off_are_a_reason_with_contact_too() -> None:
    """Once only the point that stayed was told: the other play bears off none."""
    position = Position.from_text("6:2 5:2 4:4 3:2 2:3 off:2 / 24:2 6:2 5:2 4 3:4 2:2 1:2")
    game = replace(begun(4, 2), position=position, dice=Roll(4, 2))
    words = explain(decided(game, "4/off 2/off", "6/4 6/2", (0.0, 0.11, 0.0, 0.0, 0.0), 0.24), game)
    assert re.search(r"(takes|bears off) 2 more", words), words


def test_the_score_is_that_of_the_player_who_answers() -> None:
    for doubler in Player:
        score = replace(begun().score, points=(1, 0))
        game = replace(begun(), settings=Settings(length=5), score=score, on_roll=doubler, phase=Phase.DOUBLE_OFFERED)
        assert score_words(game) == ("1-0 to 5" if doubler is Player.O else "0-1 to 5")


def test_a_checker_on_the_bar_is_not_said_to_be_in_the_home_board() -> None:
    variant, before = VARIANTS["backgammon"], Position.from_text("bar:2 24 13:5 8:3 6:4 / 24:2 13:5 8:3 6:4 2")
    boards = [Position.from_text(f"bar {back} 13:5 8:3 6:4 / 24:2 13:5 8:3 6:4 2") for back in ("24:2", "24 18")]
    pair = Pair(before, count_board(boards[1], variant), count_board(boards[0], variant), variant.name)
    fact = Fact(FactKind.BACK, Topic.BACK, 0.05, 2, 3)
    assert phrases(fact, pair, "bar/24") == ("leaves two checkers behind instead of three",)


def normal(words: str, decision: Decision) -> str:
    for text, letter in ((decision.best.text, "B"), (decision.played.text, "P")):
        words = words.replace(text, letter)
    return re.sub(r"\d+(\.\d+)?", "#", words)


@pytest.mark.parametrize("name", ["backgammon"])
def test_every_game_is_spoken_of_and_few_sentences_are_alike(name: str) -> None:
    """Reviews of random plays by a judge that knows nothing: no sentence fails, few have the same words."""
    variant = VARIANTS[name]
    settings = Settings(variant=variant)
    games = [random_match(settings, seed, games=1, doubles=0.2) for seed in (1,)]
    alike: Counter[str] = Counter()
    for match in games:
        judged = replace(review(match, small_engine(variant), "fast"), match=match)
        for reviewed in judged.reviewed_decisions[:60]:
            words = reviewed.sentence
            explained = explanation(reviewed.decision, reviewed.game)
            assert bool(explained.reasons) == bool(words), words
            assert words == "" or (words[-1] == "." and "{" not in words and " 1 pips" not in words)
            if words:
                alike[normal(words, reviewed.decision)] += 1
    assert not alike or alike.most_common(1)[0][1] <= 5, alike.most_common(3)


@pytest.mark.broad
@pytest.mark.parametrize("name", ["acey_deucey", "acey_deucey_european"])
def test_puzzles_of_acey_deucey_say_why(name: str) -> None:
    """Most have a reason that can be counted; a roll that goes on with the same player has none."""
    some = stock_of(name).puzzles[:16]
    reasons = [
        why_better(puzzle.position, puzzle.best, puzzle.trap, puzzle.rules, puzzle.loss(puzzle.trap)) for puzzle in some
    ]
    assert sum(map(bool, reasons)) >= 12
    board = Position.from_text("13:5 8:5 6:5 / 13:5 8:5 6:5")
    plays = [read_play(text, board, Roll(2, 1), VARIANTS[name]) for text in ("13/10", "6/4 6/5")]
    assert why_better(board, plays[0], plays[1], VARIANTS[name], 0.5) == ""
    plays = [read_play(text, board, Roll(3, 1), VARIANTS[name]) for text in ("8/5 6/5", "6/3 6/5")]
    assert why_better(board, plays[0], plays[1], VARIANTS[name], 0.5) != ""


def test_a_single_throw_is_no_reason() -> None:
    """Once: "leaves 35 rolls that hit instead of 36"."""
    position = Position.from_text("24 21:2 13:2 8:2 6:4 4:2 2:2 / 18:2 14 13:2 8:2 7:2 6:2 5:2 3:2")
    game = replace(begun(6, 5), position=position, dice=Roll(6, 5))
    sentences = explanation(decided(game, "8/3 8/2", "21/10", (0.0, 0.0, 0.0, -0.087, 0.0)), game)
    assert "the anchor" in sentences.first
    assert "35" not in sentences.first


def test_a_board_after_a_play_has_the_licence_that_remains() -> None:
    """In Dutch Backgammon a side that held it by its only checker at home keeps it when that checker is hit."""
    dutch = VARIANTS["dutch"]
    position = Position.from_text("24:2 20 17:5 14:4 11:2 10 / 24 20:3 19:2 18:2 16:2 13 12 10:2 6")
    play = read_play("24/19* 10/4", position, Roll(6, 5), dutch)
    assert board_after(position, play.moves, dutch) == play.after
    assert play.after.opponent_licence


def test_the_rolls_that_decide_do_not_hide_that_the_better_play_is_hit_by_more() -> None:
    """Once a roll was said to hit only after the other play, and not that the better one is hit by more of them."""
    position = Position.from_text("24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:3 5 3")
    game = replace(begun(5, 3), position=position, dice=Roll(5, 3))
    bad = decided(game, "13/8 6/3", "13/10 13/8", loss=0.12)
    replies = tuple(0.1 for _ in ALL_ROLLS), tuple(0.1 - 1.5 * (roll == Roll(5, 4)) for roll in ALL_ROLLS)
    sentences = explanation(replace(bad, replies=replies), game)
    assert "5-4" in sentences.first
    assert "Yet 13/8 6/3 can be hit by 12 rolls of 36, 13/10 13/8 by 5, but" in sentences.first
    replies_that_decide, shots = sentences.reasons
    assert (replies_that_decide.kind, replies_that_decide.rolls) == (FigureKind.REPLIES, (Roll(5, 4),))
    assert shots == Reason(kind=FactKind.SHOTS, favours="other", value=12, beside=5)


def test_a_play_that_has_not_hit_is_not_praised_for_the_blots_that_are_left_to_hit() -> None:
    """Once 24/21 13/7 8/5 "hits next with 36 rolls instead of none": the other play has just hit the only blot."""
    position = Position.from_text("24:2 13:4 8:2 7 6:3 5 4:2 / bar 24 13:4 8:4 6:5")
    game = replace(begun(3, 1), position=position, dice=Roll(3, 3))
    sentences = explanation(decided(game, "24/21 13/7 8/5", "13/10 8/5 4/1*(2)", (0.05, 0.0, 0.0, -0.02, 0.0)), game)
    assert "bar point" in sentences.first
    assert not any(
        re.search("hits? next|opponent's blots", sentence) for sentence in (sentences.first, *sentences.more)
    ), sentences


def test_of_two_new_points_at_home_neither_has_a_number() -> None:
    """Once a play "makes the 4 point as number 5 at home and makes the 2 point as number 5 at home"."""
    variant, before = VARIANTS["backgammon"], Position.from_text("13:2 10:2 8:4 6:4 5:3 / 24:2 13:4 8:3 6:4 3:2")
    plays = [read_play(text, before, Roll(6, 6), variant).after for text in ("10/4(2) 8/2(2)", "13/7(2) 8/2(2)")]
    both, one = (count_board(board, variant) for board in plays)
    fact = Fact(FactKind.MAKES, Topic.POINT, 0.05, 1, 0, 4)
    assert phrases(fact, Pair(before, both, one, variant.name), "X") == ("makes the 4 point", "takes the 4 point")
    alone = phrases(replace(fact, point=2), Pair(before, one, both, variant.name), "X")
    assert "makes the 2 point as the third at home" in alone
    assert alone[0] == "makes the 2 point for a 3-point board"


def test_one_word_has_one_meaning_for_points_kept_and_given_up() -> None:
    """Once: "Although it leaves the anchor on the 22 point, 22/13 leaves the 13 point standing"."""
    variant, before = VARIANTS["backgammon"], Position.from_text("22:2 13:2 8:4 6:4 5:3 / 24:2 13:4 8:4 6:4 2")
    pair = Pair(before, count_board(before, variant), count_board(before, variant), variant.name)
    for kind in (FactKind.KEEPS, FactKind.MAKES):
        for point in (22, 13, 4):
            for size in (0.05, -0.05):
                clauses = phrases(Fact(kind, Topic.POINT, size, 1, 0, point), pair, "X")
                assert clauses
                assert not any("leave" in clause for clause in clauses), clauses


def test_checkers_of_a_cube_sentence_are_called_so() -> None:
    """Once: "1 still to come in", "a prime of 4 before 3"."""
    for number, words in ((1, "a checker"), (2, "2 checkers")):
        for turn in (0, 1):
            bar = fact_words(CubeFact(CubeFactKind.BAR, True, number), turn, taking=False)
            assert bar in (f"{words} on the bar", f"{words} held on the bar")
            prime = fact_words(CubeFact(CubeFactKind.PRIME, True, 4, number), turn, taking=False)
            assert prime.endswith(f"in front of {words}")
