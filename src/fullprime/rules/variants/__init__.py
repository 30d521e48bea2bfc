"""Every game we play, by name. A variant is data: another game is another record in this table."""

from fullprime.rules.errors import SettingsError
from fullprime.rules.taking import short_value
from fullprime.rules.variants.hand import ACEY_DEUCEY, ACEY_DEUCEY_EUROPEAN, DUTCH
from fullprime.rules.variants.standard import BACKGAMMON, HYPERGAMMON, LONGGAMMON, NACKGAMMON
from fullprime.rules.variants.variant import (
    Backgammon,
    FollowUp,
    HitLicence,
    OpeningDice,
    Settlement,
    Variant,
    option_names,
)

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (BACKGAMMON, NACKGAMMON, HYPERGAMMON, LONGGAMMON, DUTCH, ACEY_DEUCEY, ACEY_DEUCEY_EUROPEAN)
}

_ALIASES = {"standard": "backgammon", "dutch_backgammon": "dutch", "hyper": "hypergammon", "nack": "nackgammon"}


def find_shipped(name: str) -> Variant | None:
    """The game of that name as the package knows it, None where there is none."""
    return VARIANTS.get(name)


def variant_named(name: str | Variant) -> Variant:
    """The variant of that name (hyphens and blanks count as underscores), or itself; raises SettingsError."""
    if isinstance(name, Variant):
        return name
    if not isinstance(name, str):
        raise SettingsError(f"{short_value(name)} is no variant; write a name such as 'dutch'")
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    key = _ALIASES.get(key, key)
    if key not in VARIANTS:
        raise SettingsError(f"there is no variant {name[:40]!r}; there are {', '.join(VARIANTS)}")
    return VARIANTS[key]


__all__ = [
    "ACEY_DEUCEY",
    "ACEY_DEUCEY_EUROPEAN",
    "BACKGAMMON",
    "DUTCH",
    "HYPERGAMMON",
    "LONGGAMMON",
    "NACKGAMMON",
    "VARIANTS",
    "Backgammon",
    "FollowUp",
    "HitLicence",
    "OpeningDice",
    "Settlement",
    "Variant",
    "find_shipped",
    "option_names",
    "variant_named",
]
