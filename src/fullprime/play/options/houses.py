"""The rules of a house: the options of a game, what each value leads to, and why some values exclude each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fullprime.messages import Message, label
from fullprime.play.options.games import RULE_WORDS, own_rules
from fullprime.play.options.options import make_settings, pairs_of, rule_choices
from fullprime.play.options.rulebook import describe_length, options_in_force
from fullprime.rules.errors import SettingsError
from fullprime.rules.score import Settings

HOUSE_TAG = "House rules"
"""The fact of a record that names the rules of a house."""

CONSEQUENCES: Mapping[str, Mapping[str, str]] = {
    "cube": {
        "yes": "Games are shorter: many end by a double that is dropped.",
        "no": "Every game is played to its end for one, two or three points.",
    },
    "crawford": {
        "yes": "The leader has one game in which the other cannot double.",
        "no": "The trailer doubles at once in every game, and the leader gains less by being close.",
    },
    "jacoby": {
        "yes": "Playing on for a gammon without the cube is pointless, so doubles come sooner and games are shorter.",
        "no": "A strong position may be played for a gammon without turning the cube.",
    },
    "beavers": {"yes": "A double that is too early costs twice.", "no": "A double is taken or dropped, nothing else."},
    "raccoons": {
        "yes": "Stakes can grow eightfold before a throw.",
        "no": "A beaver is the last word before the throw.",
    },
    "backgammon": {
        "home_or_bar": "The usual count of tournaments.",
        "bar_only": "Backgammons are rarer: checkers in the winner's home make a gammon.",
        "bar_four": "A checker left on the bar costs one more than one in the winner's home.",
    },
    "enter_all_first": {
        "yes": "The opening is slow, and both sides build in the far home board.",
        "no": "The first checkers can run while others are still in hand.",
    },
    "bar_priority": {
        "yes": "A hit costs the whole roll where it cannot be entered.",
        "no": "Being hit costs only the way back: other checkers go on moving.",
    },
    "hit_licence": {
        "free": "Blots are in danger from the first throw.",
        "permanent": "Nobody is hit early; who comes home first has the initiative.",
        "current": "A side that leaves home loses the right to hit again.",
    },
    "entering_move_may_hit": {
        "yes": "The first checker that comes home is a danger at once.",
        "no": "There is a warning: the right comes with the next move.",
    },
    "exact_bearoff": {
        "yes": "The end takes longer and turns more on luck.",
        "no": "High numbers are never lost in the end.",
    },
    "opening_dice": {
        "play": "The opening is one of fifteen rolls, never a double.",
        "reroll": "The first roll may be a double, which makes the opener's edge larger.",
    },
    "reroll_opening_acey_deucey": {
        "yes": "Nobody begins with the best throw of all.",
        "no": "One opening in fifteen is the best throw of all.",
    },
    "settlement": {
        "games": "A narrow win counts as much as a clear one, short of a gammon.",
        "checkers": "Every checker counts: the loser plays on for each one that comes off.",
        "checkers_on_board": "Checkers in hand or on the bar cost nothing.",
    },
    "acey_deucey_doubles_stake": {
        "yes": "Stakes grow with luck alone, without limit.",
        "no": "A 2-1 gives moves, and the stake stays.",
    },
    "stake": {"": "All sums of the settlement are multiples of it."},
    "cube_cap": {"": "The stake cannot grow beyond it; none is the rule of the sources."},
    "automatic_doubles": {"": "One opening throw in six is a tie; each that counts doubles what the game is worth."},
    "length": {"": "Longer matches favour the better player; 0 settles every game by itself."},
}
"""What a value leads to, in a sentence; under no name for options that take a number."""

_STAGES = Message("Each extra part of the turn is a gain in time; what cannot be played completely ends the turn.")


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseChoice:
    """A value of an option."""

    value: str
    """The value, as ``--rule`` takes it."""
    refused: str | None
    """The reason why it cannot be chosen beside the others; null where it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseOption:
    """An option of a game, as a house has it."""

    name: str
    """Its name, as ``--rule`` takes it."""
    value: str
    """Its value here."""
    usual: bool
    """True if that is the value of the game by itself."""
    words: str
    """A sentence about it."""
    consequence: str
    """A sentence about what this value leads to."""
    choices: tuple[HouseChoice, ...]
    """Its values; none where it takes a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HousePage:
    """The rules of a house."""

    variant: str
    """The game."""
    title: str
    """Its name in words."""
    played_for: str
    """The length or the stake, and the agreements, in words."""
    rules: Mapping[str, str]
    """The options that differ from the usual ones."""
    options: tuple[HouseOption, ...]
    """Every option that the game has."""


def house_page(variant: str, rules: Mapping[str, str]) -> HousePage:
    """The options of a game with these rules; money unless a length is among them. Raises SettingsError."""
    chosen = {name.strip().replace("-", "_"): value for name, value in rules.items()}
    settings = _settings(variant, chosen)
    usual = _values(_settings(variant, {}))
    values, names = _values(settings), ["length", *own_rules(variant)]
    differs = {name: value for name, value in values.items() if value != usual[name]}
    options = tuple(
        HouseOption(
            name=name, value=values[name], usual=name not in differs, words=label(RULE_WORDS[name]),
            consequence=consequence(name, values[name]), choices=_choices(variant, differs, name),
        )
        for name in names
    )  # fmt: skip
    return HousePage(
        variant=settings.variant.name, title=label(settings.variant.title), played_for=describe_length(settings),
        rules=differs, options=options,
    )  # fmt: skip


def consequence(name: str, value: str) -> str:
    """What a value of an option leads to, in a sentence."""
    words = CONSEQUENCES.get(name)
    return _STAGES if words is None else label(words.get(value, words.get("", "")))


def under_its_name(house: object, words: str) -> str:
    """The words of a game with the name of the house, where it has one: ``money, 1 a point, house rules Garden``."""
    return Message("{words}, house rules {house}", words=words, house=str(house)) if house else words


def _settings(variant: str, rules: Mapping[str, str]) -> Settings:
    return make_settings(variant, rules=[f"{name}={value}" for name, value in rules.items()], default_length=0)


def _values(settings: Settings) -> dict[str, str]:
    pairs = (option.split(" = ", 1) for option in options_in_force(settings))
    return {name: "0" if name == "length" and not settings.is_match else value for name, value in pairs}


def _choices(variant: str, rules: Mapping[str, str], name: str) -> tuple[HouseChoice, ...]:
    values = rule_choices()[name] or ()
    return tuple(HouseChoice(value=value, refused=_find_refusal(variant, rules, name, value)) for value in values)


def _find_refusal(variant: str, rules: Mapping[str, str], name: str, value: str) -> str | None:
    try:
        _settings(variant, {"length": "0", **rules, name: value})
    except SettingsError as error:
        return str(error) if not error.args else error.args[0]
    return None


__all__ = [
    "CONSEQUENCES",
    "HOUSE_TAG",
    "HouseChoice",
    "HouseOption",
    "HousePage",
    "consequence",
    "house_page",
    "pairs_of",
    "under_its_name",
]  # fmt: skip
