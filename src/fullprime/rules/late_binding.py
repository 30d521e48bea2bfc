"""Questions to values of the rules that higher modules answer: the plays of a position, the board of a game as text,
its picture, the review of a match.

The answer's module is imported at the first question, so that the rules go on needing nothing but the standard library.
``tests/rules/test_values.py`` holds that every name here leads to a function.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Types of answers, for readers and type checkers: no rule needs these modules at run time. Import contracts look
    # away here, and nowhere else.
    from fullprime.engine.cube.action import CubeAnswer as CubeAnswer
    from fullprime.engine.cube.action import CubeDecision as CubeDecision
    from fullprime.engine.rollouts.result import Rollout as Rollout
    from fullprime.engine.search.results import Ranking as Ranking
    from fullprime.reviews.review import Review as Review
    from fullprime.rules.dice import AnyRoll as AnyRoll
    from fullprime.rules.plays import Play as Play
    from fullprime.rules.variants.variant import Variant as Variant

ANSWERS = {
    "play_text": "fullprime.rules.notation.text:format_play",
    "board": "fullprime.rules.board:game_board",
    "game_text": "fullprime.rules.record_text:game_text",
    "match_text": "fullprime.rules.record_text:match_text",
    "plays": "fullprime.rules.coercion:plays_of",
    "position": "fullprime.rules.coercion:to_position",
    "game": "fullprime.rules.coercion:to_game",
    "variant": "fullprime.rules.variants:variant_named",
    "shipped": "fullprime.rules.variants:find_shipped",
    "picture": "fullprime.front.pictures:notebook_picture",
    "hint": "fullprime.front.asking:hint",
    "rollout": "fullprime.front.asking:rollout",
    "review": "fullprime.front.reviewing:review_match",
    "summary": "fullprime.reviews.summary:summary",
}
"""The function that answers each question, as ``module:function``."""


def call(question: str, *arguments: Any, **options: Any) -> Any:
    """The answer to a question, by the function that ``ANSWERS`` names."""
    module, _, function = ANSWERS[question].partition(":")
    return getattr(import_module(module), function)(*arguments, **options)
