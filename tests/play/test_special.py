"""The rules of a variant that bind the player on roll: facts for a page, from the data of the variant."""

from __future__ import annotations

import pytest

from fullprime.play.table.board import extra_turns, special_rules
from fullprime.rules.actions import Action, ActionKind
from fullprime.rules.dice import Roll
from fullprime.rules.game import Game, Phase
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.variants import variant_named


def game(variant: str, board: str, **options: str) -> Game:
    rules = variant_named(variant).with_options(options)
    settings = Settings(variant=rules)
    position = Position.from_text(board, rules.checkers)
    return Game(settings=settings, score=Score(), position=position, on_roll=Player.X, phase=Phase.ROLL)


@pytest.mark.parametrize(
    ("variant", "board", "rules"),
    [
        ("backgammon", "bar:1 6:14 / 13:15", []),
        ("dutch", "hand:15 / hand:15", ["enter_all_first", "may_not_hit"]),
        ("dutch", "24:15 / 24:15", ["may_not_hit"]),
        ("dutch", "24:15 licence / 24:15", []),
        ("dutch", "24:14 6:1 / 24:15", []),
        ("acey_deucey", "bar:1 24:14 / 24:15", ["bar_may_wait"]),
        ("acey_deucey_european", "6:15 / 24:15", ["exact_bearoff"]),
        ("acey_deucey_european", "7:1 6:14 / 24:15", []),
    ],
)
def test_rules_that_bind_are_told_and_no_others(variant: str, board: str, rules: list[str]) -> None:
    assert special_rules(game(variant, board)) == tuple(rules)


def test_a_house_rule_counts_as_the_variant_that_has_it() -> None:
    assert special_rules(game("backgammon", "24:15 / 24:15", hit_licence="permanent")) == ("may_not_hit",)


def test_the_extras_of_a_roll_are_told_in_their_order() -> None:
    thrown = game("acey_deucey", "24:15 / 24:15").act(Action(ActionKind.ROLL, dice=(2, 1)))
    assert thrown.dice == Roll(2, 1)
    assert extra_turns(thrown) == ("choose_double", "roll_again")
    assert extra_turns(game("acey_deucey", "24:15 / 24:15").act(Action(ActionKind.ROLL, dice=(3, 3)))) == ()
