"""Games that start with every checker in hand (source 003, lines 144-189)."""

from fullprime.rules.position import HAND
from fullprime.rules.variants.variant import FollowUp, HitLicence, Settlement, Variant, counts

DUTCH = Variant(
    name="dutch",
    title="Dutch Backgammon",
    start=counts({HAND: 15}),
    enter_all_first=True,
    hit_licence=HitLicence.PERMANENT,
)

ACEY_DEUCEY = Variant(
    name="acey_deucey",
    title="Acey Deucey",
    start=counts({HAND: 15}),
    bar_priority=False,
    after_acey_deucey=(FollowUp.CHOOSE_DOUBLE, FollowUp.ROLL_AGAIN),
    settlement=Settlement.CHECKERS,
    cube=False,
)
"""The game as source 003 describes it."""

ACEY_DEUCEY_EUROPEAN = Variant(
    name="acey_deucey_european",
    title="European Acey Deucey",
    start=counts({HAND: 15}),
    after_acey_deucey=(FollowUp.CHOOSE_DOUBLE, FollowUp.ROLL_AGAIN),
    after_double=(FollowUp.COMPLEMENT, FollowUp.ROLL_AGAIN),
    exact_bearoff=True,
    settlement=Settlement.CHECKERS,
    cube=False,
)
"""A second published form (itavli.com, "Rules of Acey-Deucey"): doubles also give their complement and another
throw, and only exact numbers bear off."""
