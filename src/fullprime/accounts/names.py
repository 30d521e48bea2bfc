"""Names that are ours: of the server, of the people who run it, and of its bots; nobody else is called so."""

from __future__ import annotations

from functools import cache

from fullprime.common.skeletons import skeleton

_OURS = (
    "admin", "administrator", "both", "bot", "computer", "fullprime", "host", "me", "mod", "moderator", "official",
    "operator", "owner", "root", "security", "server", "staff", "support", "sysop", "system", "team", "webmaster",
    "you", "yourself",
)  # fmt: skip
_STANDING_IN = ("anonymous", "friend", "guest", "opponent")
"""Names of people who have given none: guests may have them, accounts may not."""


def is_ours(name: str, *, guest: bool = False) -> bool:
    """True for a name that looks like one of the server, its people or its bots."""
    found = skeleton(name)
    return found in _our_skeletons() or (not guest and found in map(skeleton, _STANDING_IN))


@cache
def _our_skeletons() -> frozenset[str]:
    from fullprime.engine.bots.bots import BOTS
    from fullprime.play.options.opponents import CHARACTERS

    return frozenset(map(skeleton, (*_OURS, *BOTS, *(character.name for character in CHARACTERS))))
