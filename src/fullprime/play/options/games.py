"""The games as a page offers them: two sentences about each, its starting position, and its options explained."""

from __future__ import annotations

from collections.abc import Mapping

from fullprime.play.options.options import rule_choices, variant_options
from fullprime.rules.variants import variant_named
from fullprime.rules.variants.variant import HitLicence, Settlement

GAME_WORDS: Mapping[str, str] = {
    "backgammon": "The classic: a race in which you block and hit, with the doubling cube. Begin here.",
    "nackgammon": "Backgammon with two more checkers far back. Games are longer, and more is decided by plans.",
    "hypergammon": "Three checkers a side and nothing in the way. A game takes two minutes, and every blot burns.",
    "longgammon": "All fifteen checkers begin on the farthest point. The whole journey lies ahead, for both sides.",
    "dutch": "All checkers begin in hand and are entered first. You may hit once one of yours is home.",
    "acey_deucey": "All checkers begin in hand. A 2-1 is the best throw: play it, name a double, then throw again.",
    "acey_deucey_european": "Acey Deucey in which a double is played on both sides of the dice. Then you throw again.",
}
"""Two sentences a game, in our own words."""

RULE_WORDS: Mapping[str, str] = {
    "length": "The points that win the match; 0 plays each game for money.",
    "stake": "The worth of a point in money play, or of a checker in a game that is settled by checkers.",
    "cube": "Play with the doubling cube: before a throw, either side may offer to double the stake.",
    "cube_cap": "The cube goes no higher than this; none for no limit.",
    "crawford": "The first game in which a side is one point from winning is played without the cube.",
    "jacoby": "Money play: gammons count only once the cube has been turned.",
    "beavers": "Money play: a player who is doubled may double again at once and keep the cube.",
    "raccoons": "Money play: a beaver may be doubled once more by the doubler.",
    "automatic_doubles": "Money play: so many ties of the opening throw double the stake; unlimited for every one.",
    "backgammon": "What makes a gammon a backgammon, worth three: a checker in the winner's home or on the bar.",
    "enter_all_first": "No checker on the board moves while one is still in hand.",
    "bar_priority": "No other checker moves while one is on the bar.",
    "hit_licence": "When a side may hit: always, once it has brought a checker home, or while it has one there.",
    "entering_move_may_hit": "The very move that earns the right to hit may hit already.",
    "exact_bearoff": "Only the exact number bears a checker off; a higher one does not.",
    "opening_dice": "The winner of the opening throw plays those two dice, or throws again.",
    "reroll_opening_acey_deucey": "A 2-1 in the opening does not count and is thrown again.",
    "after_acey_deucey": "What follows a 2-1 that was played completely.",
    "after_double": "What follows a double that was played completely.",
    "settlement": "What a won game is worth: one, two or three points, or one for each checker that is left.",
    "acey_deucey_doubles_stake": "Every 2-1, by either side, doubles the stake.",
}
"""A sentence for each option."""

_GENERAL = (
    "stake", "cube", "cube_cap", "crawford", "jacoby", "beavers", "raccoons", "automatic_doubles", "opening_dice",
    "exact_bearoff",
)  # fmt: skip
"""The options that every game has, but for those of the cube in a game without one."""
_CUBE = {"cube", "cube_cap", "crawford", "jacoby", "beavers", "raccoons", "automatic_doubles"}


def start_of(variant: str) -> list[int]:
    """The checkers of each side before the first throw: 0 off, 1-24, 25 bar, 26 hand."""
    return list(variant_named(variant).start)


def tour_of(variant: str) -> str | None:
    """The name of the lesson about a game; None for backgammon, which the first lessons teach."""
    return None if variant == "backgammon" else variant.replace("_", "-")


def own_rules(variant: str) -> list[str]:
    """The options of a game: the general ones, those by which it differs, and those that go with them."""
    game, usual = variant_named(variant), variant_options("backgammon")
    differs = [name for name, value in variant_options(variant).items() if value != usual[name]]
    wanted = {*_GENERAL, *differs}
    if game.settlement is Settlement.GAMES:
        wanted.add("backgammon")
    else:
        wanted -= {"jacoby"}
    if not game.cube:
        wanted -= _CUBE
    if game.has_hand:
        wanted |= {"enter_all_first", "bar_priority"}
    if game.hit_licence is not HitLicence.FREE:
        wanted.add("entering_move_may_hit")
    if game.after_acey_deucey:
        wanted |= {"acey_deucey_doubles_stake", "reroll_opening_acey_deucey", "after_double"}
    return [name for name in rule_choices() if name in wanted]
