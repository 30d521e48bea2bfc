"""Functions that values of the rules call in modules above them: the board as text, its picture, a hint, a review.

Type checkers and editors see plain imports. At run time each name is looked up when it is called, because ``rules``
needs only the standard library, and because modules of ``rules`` do not import each other in a circle.
``tests/rules/test_values.py`` holds that both lists name the same functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Import contracts look at what runs. tests/test_package.py holds that no other module of the rules imports upwards.
    from fullprime.engine.cube.action import CubeAnswer as CubeAnswer
    from fullprime.engine.cube.action import CubeDecision as CubeDecision
    from fullprime.engine.rollouts.result import Rollout as Rollout
    from fullprime.engine.search.results import Ranking as Ranking
    from fullprime.front.asking import RolloutKeywords as RolloutKeywords
    from fullprime.front.asking import hint as hint
    from fullprime.front.asking import rollout as rollout
    from fullprime.front.pictures import notebook_picture as notebook_picture
    from fullprime.front.reviewing import review_match as review_match
    from fullprime.reviews.review import Review as Review
    from fullprime.reviews.summary import summary as summary
    from fullprime.rules.board import game_board as game_board
    from fullprime.rules.coercion import plays_of as plays_of
    from fullprime.rules.coercion import to_game as to_game
    from fullprime.rules.coercion import to_position as to_position
    from fullprime.rules.dice import AnyRoll as AnyRoll
    from fullprime.rules.notation.text import format_play as format_play
    from fullprime.rules.plays import Play as Play
    from fullprime.rules.record_text import game_text as game_text
    from fullprime.rules.record_text import match_text as match_text
    from fullprime.rules.variants import find_shipped as find_shipped
    from fullprime.rules.variants import variant_named as variant_named
    from fullprime.rules.variants.variant import Variant as Variant
else:
    from importlib import import_module

    MODULES = {
        "find_shipped": "fullprime.rules.variants",
        "format_play": "fullprime.rules.notation.text",
        "game_board": "fullprime.rules.board",
        "game_text": "fullprime.rules.record_text",
        "hint": "fullprime.front.asking",
        "match_text": "fullprime.rules.record_text",
        "notebook_picture": "fullprime.front.pictures",
        "plays_of": "fullprime.rules.coercion",
        "review_match": "fullprime.front.reviewing",
        "rollout": "fullprime.front.asking",
        "summary": "fullprime.reviews.summary",
        "to_game": "fullprime.rules.coercion",
        "to_position": "fullprime.rules.coercion",
        "variant_named": "fullprime.rules.variants",
    }

    def __getattr__(name: str) -> object:
        """Import the module of a function when it is called."""
        if name not in MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(MODULES[name]), name)
