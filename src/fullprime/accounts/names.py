"""Reserved names: those of the server, of the people who run it, and of its bots. No account may have one."""

from __future__ import annotations

from functools import cache

from fullprime.common.skeletons import skeleton

_RESERVED = (
    "admin", "administrator", "both", "bot", "computer", "fullprime", "host", "me", "mod", "moderator", "official",
    "operator", "owner", "root", "security", "server", "staff", "support", "sysop", "system", "team", "webmaster",
    "you", "yourself",
)  # fmt: skip
_PLACEHOLDERS = ("anonymous", "friend", "guest", "opponent")
"""Names that stand for nameless players; guests may have them, accounts may not."""


def is_reserved(name: str, *, guest: bool = False) -> bool:
    """True for a name that looks like a reserved one of the server, its people or its bots."""
    shape = skeleton(name)
    return shape in _reserved_skeletons() or (not guest and shape in map(skeleton, _PLACEHOLDERS))


@cache
def _reserved_skeletons() -> frozenset[str]:
    from fullprime.engine.bots.bots import BOTS
    from fullprime.play.naming import skeletons_of_you
    from fullprime.play.options.opponents import CHARACTERS

    names = (*_RESERVED, *BOTS, *(character.name for character in CHARACTERS))
    return skeletons_of_you().union(map(skeleton, names))
