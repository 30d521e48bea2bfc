"""Options of a new game: presets, the options of the game and of the match, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, cast

from fullprime.messages import Message
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import MONEY_RULES, Score, Settings
from fullprime.rules.variants import VARIANTS, option_names, variant_named
from fullprime.rules.variants.variant import Backgammon, FollowUp, Settlement

DEFAULT_LENGTH = 5
"""Points of a match whose length was not chosen."""

PRESETS: dict[str, Mapping[str, Any]] = {
    "tournament": {"length": 7, "crawford": True},
    "money": {"length": 0, "jacoby": True, "beavers": True},
    "masters-traditional": {"length": 0, "automatic_doubles": None},
}
"""Settings under one name. ``masters-traditional`` is source 003: every opening tie doubles the stake."""

PRESET_WORDS = {
    "tournament": "a match to 7 with the Crawford rule",
    "money": "money play with Jacoby and beavers",
    "masters-traditional": "money play in which every opening tie doubles the stake, without limit",
}

_SETTING_NAMES = tuple(entry.name for entry in fields(Settings) if entry.name != "variant")


def rule_names() -> tuple[str, ...]:
    """The names that ``--rule name=value`` takes: those of the settings, then those of the variants."""
    return (*_SETTING_NAMES, *option_names())


def pairs_of(rules: Iterable[str]) -> dict[str, str]:
    """Rules as ``name=value`` by their names; raises SettingsError."""
    values = {}
    for rule in rules:
        name, equals, value = rule.partition("=")
        if not equals:
            raise SettingsError(Message("{rule}: a rule is given as name=value", rule=repr(rule[:60])))
        values[name.strip()] = value.strip()
    return values


def make_settings(
    variant: str = "backgammon",
    *,
    preset: str | None = None,
    rules: Iterable[str] = (),
    default_length: int | None = None,
    **chosen: Any,
) -> Settings:
    """Make settings from choices; ``chosen`` are fields of ``Settings``, None for a choice that was not made.

    ``rules`` (``name=value``) override a preset, and ``chosen`` overrides both. Where no choice says match or money,
    games that settle by checkers and rules that exist only in money play are for money, others a match to
    ``default_length``. Raises SettingsError.
    """
    values: dict[str, Any] = {}
    if preset is not None:
        key = preset.strip().lower().replace("_", "-")
        if key not in PRESETS:
            raise SettingsError(
                Message(
                    "there is no preset {preset}; there are {names}", preset=repr(preset[:40]), names=", ".join(PRESETS)
                )
            )
        values |= PRESETS[key]
    options: dict[str, object] = {}
    for name, value in pairs_of(rules).items():
        name = name.replace("-", "_")
        if name in _SETTING_NAMES:
            with SettingsError.about(name):
                values[name] = read_setting(name, value)
        elif name in option_names():
            options[name] = value
        else:
            raise SettingsError(
                Message(
                    "there is no rule {name}; there are {names}",
                    name=repr(name[:40]),
                    names=", ".join(sorted(rule_names())),
                )
            )
    values |= {name: value for name, value in chosen.items() if value is not None}
    if "automatic_doubles" in chosen and isinstance(chosen["automatic_doubles"], str):
        values["automatic_doubles"] = read_setting("automatic_doubles", chosen["automatic_doubles"])
    game = variant_named(variant).with_options(options)
    if "length" not in values:
        is_given = any(values.get(name, _UNSAID) not in _OFF for name in MONEY_RULES)
        money = is_given or game.settlement is not Settlement.GAMES
        length = DEFAULT_LENGTH if default_length is None else default_length
        values["length"] = 0 if money else length
    return Settings(variant=game, **values)


_UNSAID = object()
_OFF: tuple[Any, ...] = (_UNSAID, False, 0)


def read_setting(name: str, text: str) -> Any:
    """The value of a field of ``Settings`` as typed; raises SettingsError."""
    low = text.lower().replace("-", "_")
    if name in ("length", "cube_cap", "automatic_doubles"):
        if name == "cube_cap" and low in ("none", "no", "unlimited"):
            return None
        if name == "automatic_doubles" and low in ("unlimited", "all"):
            return None
        if low in ("none", "no", "money"):
            return 0
        if not (low.isascii() and low.isdigit() and len(low) <= 9):
            raise SettingsError(Message("{name}: {text} is not a number", name=name, text=repr(text[:40])))
        return int(low)
    if name == "stake":
        try:
            return Decimal(text)
        except InvalidOperation:
            raise SettingsError(Message("stake: {text} is not a number", text=repr(text[:40]))) from None
    if name == "backgammon":
        try:
            return Backgammon(low)
        except ValueError:
            raise SettingsError(
                Message("backgammon: {text} is not one of {names}", text=repr(text[:40]), names=", ".join(Backgammon))
            ) from None
    if low in ("yes", "true", "on", "1"):
        return True
    if low in ("no", "false", "off", "0"):
        return False
    raise SettingsError(Message("{name}: {text} is neither yes nor no", name=name, text=repr(text[:40])))


def read_score(text: str, settings: Settings, *, post_crawford: bool = False) -> Score:
    """A score such as ``4-0``, X's points first; raises SettingsError."""
    parts = text.replace(":", "-").replace(",", "-").split("-")
    if len(parts) != 2 or not all(part.strip().isascii() and part.strip().isdigit() for part in parts):
        raise SettingsError(
            Message("{text} is not a score; write X's points and O's, for example 4-0", text=repr(text[:40]))
        )
    score = Score.start(settings, (int(parts[0]), int(parts[1])))
    if not post_crawford:
        return score
    if not (settings.crawford and settings.length > 1 and max(score.points) == settings.length - 1):
        raise SettingsError(
            Message("{text}: nobody is one point away, so the Crawford game cannot have been played", text=text)
        )
    return Score(score.points, crawford_game=False, post_crawford=True)


def variants() -> dict[str, str]:
    """Names and titles of the games."""
    return {name: variant.title for name, variant in VARIANTS.items()}


def variant_options(name: str) -> dict[str, str]:
    """The options of a variant with their usual values."""
    return variant_named(name).options


def rule_choices() -> dict[str, list[str] | None]:
    """The values that each rule may have, as text; None where it takes a number."""
    choices: dict[str, list[str] | None] = {}
    for setting in fields(Settings):
        if setting.name == "backgammon":
            choices[setting.name] = [str(entry) for entry in Backgammon]
        elif setting.name != "variant":
            choices[setting.name] = ["yes", "no"] if setting.type in ("bool", "bool | None") else None
    usual = variant_named("backgammon")
    stages = (
        f"{FollowUp.CHOOSE_DOUBLE}+{FollowUp.ROLL_AGAIN}",
        f"{FollowUp.COMPLEMENT}+{FollowUp.ROLL_AGAIN}",
    )
    for option in option_names():
        value = getattr(usual, option)
        if isinstance(value, bool):
            choices[option] = ["yes", "no"]
        else:
            choices[option] = (
                ["none", *map(str, FollowUp), *stages]
                if isinstance(value, tuple)
                else [str(entry) for entry in cast("type[StrEnum]", type(value))]
            )
    return choices
