"""The ``[Key "value"]`` facts of match text, which other formats share: variation, rules, limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from fullprime.formats.document import Problem
from fullprime.rules.score import Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, LONGGAMMON, NACKGAMMON, Variant
from fullprime.rules.variants.variant import Backgammon, counts

NO_LIMIT = 1024
"""The limit that programs write when they mean none."""

CUBE_LIMIT_AS_LENGTH = "Match Length"
"""The name in a match's facts for the length that a file gives to a money game."""

RULE_TAGS = frozenset(
    ("Variation", "Crawford", "Jacoby", "Beaver", "Raccoon", "CubeLimit", "Cubelimit", "Player 1", "Player 2")
)
"""Facts of a match that repeat its settings and names."""

YOU = "You"
"""As programs call the player who kept a log, or looks at a board: a way of seeing a seat, never a name."""

_VARIANTS = {
    "backgammon": BACKGAMMON,
    "standard": BACKGAMMON,
    "nackgammon": NACKGAMMON,
    "hypergammon": HYPERGAMMON,
    "hypergammon(3)": HYPERGAMMON,
    "hypergammon3": HYPERGAMMON,
    "longgammon": LONGGAMMON,
}
_FEW = re.compile(r"hypergammon\(?([12])\)?")
_TRUE, _FALSE = ("on", "yes", "true", "1"), ("off", "no", "false", "0")


def variant_of(name: str) -> Variant | None:
    """The variant that a file names (``NackGammon``, ``HyperGammon (1)`` …), or None."""
    key = re.sub(r"[\s_-]", "", name.lower())
    if few := _FEW.fullmatch(key):
        return hypergammon_of(int(few[1]))
    return _VARIANTS.get(key)


def hypergammon_of(checkers: int) -> Variant:
    """Hypergammon with one, two or three checkers a side, as GNU Backgammon plays it."""
    if checkers == 3:
        return HYPERGAMMON
    start = counts({24 - i: 1 for i in range(checkers)})
    return replace(HYPERGAMMON, name=f"hypergammon_{checkers}", title=f"Hypergammon with {checkers}", start=start)


def flag(value: str | None) -> bool | None:
    """On or off, or None for anything else."""
    word = (value or "").strip().lower()
    return True if word in _TRUE else False if word in _FALSE else None


def cube_limit(text: str | None) -> tuple[bool, int | None]:
    """True if there is a cube; and its limit if there really is one."""
    digits = (text or "").strip()
    if not re.fullmatch(r"\d{1,9}", digits):
        return True, None
    limit = int(digits)
    if limit == 1:
        return False, None
    return True, limit if 2 <= limit < NO_LIMIT and not limit & (limit - 1) else None


def settings_from_tags(tags: Mapping[str, str], length: int, problems: list[Problem]) -> Settings:
    """The settings that the tags of a match describe; contradictions are left out and reported."""
    values = {name.lower().replace(" ", ""): value for name, value in tags.items()}
    variation = values.get("variation") or values.get("variant")
    variant = variant_of(variation) if variation else BACKGAMMON
    if variant is None:
        problems.append(Problem(f"the variation {variation!r:.40} is not known; read as Backgammon"))
        variant = BACKGAMMON
    cube, cap = cube_limit(values.get("cubelimit"))
    if flag(values.get("usecube")) is False:
        cube, cap = False, None
    money = length == 0 and cube
    crawford = flag(values.get("crawford"))
    beavers = flag(values.get("beaver") or values.get("beavers"))
    raccoons = money and flag(values.get("raccoon") or values.get("raccoons")) is True
    if raccoons and beavers is False:
        problems.append(Problem("raccoons are on and beavers are off; read without raccoons"))
        raccoons = False
    return Settings(
        variant=variant,
        length=length,
        cube=cube,
        cube_cap=cap,
        crawford=True if crawford is None or length == 0 else crawford,
        jacoby=money and flag(values.get("jacoby")) is True,
        beavers=money and (raccoons or beavers is True),
        raccoons=raccoons,
    )


def money_of_galaxy(site: str, settings: Settings) -> Settings | None:
    """The settings of a money game that Backgammon Galaxy writes as a match, or None.

    The site has matches to odd numbers only; of a money game it writes the limit of the cube, which is even, as the
    length, and the Crawford rule with it.
    """
    length = settings.length
    if site.strip().lower() != "backgammongalaxy" or not length or length % 2 or not settings.crawford:
        return None
    cap = length if not length & (length - 1) else None
    return replace(settings, length=0, cube_cap=settings.cube_cap or cap)


def settings_losses(settings: Settings, losses: list[str]) -> None:
    """Add the rules of a money session that other programs' formats do not name."""
    for lost, words in (
        (settings.stake != 1, "the stake is not written"),
        (settings.automatic_doubles != 0, "the rule of automatic doubles is not written"),
        (settings.backgammon is not Backgammon.HOME_OR_BAR, "how backgammons are counted is not written"),
        (bool(settings.cube_cap and settings.cube_cap > NO_LIMIT), "the limit of the cube is not written"),
    ):
        if lost:
            losses.append(words)
