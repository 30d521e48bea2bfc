"""The rules of a game for a page: in words and small boards, with the options in force, each explained."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import TypedDict

from fullprime.common.documented import documented
from fullprime.messages import Message, label
from fullprime.play.options.games import RULE_WORDS, tour_of
from fullprime.play.options.houses import consequence
from fullprime.play.options.rulebook import bites, in_short, options_in_force, sections
from fullprime.rules.position import Position
from fullprime.rules.score import Settings
from fullprime.rules.variants.variant import FollowUp, HitLicence, Variant


@documented
class RuleBoard(TypedDict):
    """A small board beside a rule."""

    points: dict[str, list[int]]
    """The checkers of ``X`` (below, whose rule it is) and ``O``: 0 off, 1-24, 25 bar, 26 hand, each in its numbers."""
    words: str
    """The board's lesson in a sentence or two."""


@documented
class RuleSection(TypedDict):
    """A part of the rules."""

    title: str
    """Its heading."""
    sentences: list[str]
    """Its sentences."""
    boards: list[RuleBoard]
    """Small boards that show it; empty for none."""


@documented
class RuleBite(TypedDict):
    """What is special in a game, to be said at the board the first time it bites."""

    when: str
    """``licence`` (no right to hit yet), ``acey_deucey`` or ``double`` (a roll that gives more)."""
    words: str
    """The rule in a sentence."""


@documented
class RuleOption(TypedDict):
    """An option in force."""

    name: str
    """Its name, as ``--rule`` takes it."""
    value: str
    """Its value here."""
    words: str
    """A sentence about it."""
    consequence: str
    """A sentence about what this value leads to."""


@documented
class RulesJson(TypedDict):
    """The rules of a game as it is played here."""

    variant: str
    """The game."""
    title: str
    """Its name in words."""
    played_for: str
    """The length or the stake."""
    sections: list[RuleSection]
    """The rules, in order."""
    options: list[RuleOption]
    """The options in force."""
    bites: list[RuleBite]
    """The rules that surprise whoever comes from backgammon; empty for none."""
    tour: str | None
    """The lesson about this game; null for the one that the first lessons teach."""


@dataclass(frozen=True, slots=True)
class Example:
    """A small board: a position, a roll, and a play that the rules allow or refuse. Tests hold them to the rules."""

    section: str
    position: Position
    roll: tuple[int, int]
    play: str
    allowed: bool
    words: str


def examples(variant: Variant) -> list[Example]:
    """The small boards of a game. Three checkers a side show each rule; the others are off."""
    off = variant.checkers - 3

    def at(mine: str, theirs: str, *, mine_off: int = off) -> Position:
        rows = [f"{row} off:{count}" if count else row for row, count in ((mine, mine_off), (theirs, off))]
        return Position.from_text(" / ".join(rows), variant.checkers)

    found = [
        Example("Moving", at("13 8 6", "20:2 11"), (6, 3), "13/7 8/5", allowed=False,
                words=Message("A 3 cannot be played from 8: two checkers block the 5-point. From 13 or 6 it can.")),
        Example("Hitting and entering", at("10 8 4", "20 12:2"), (6, 3), "10/4 8/5*", allowed=True,
                words=_hit_words(variant)),
        Example("Hitting and entering", at("bar 8 6", "2:2 12"), (3, 2), "bar/23 8/5", allowed=False,
                words=Message("The checker on the bar enters with a 3 on 22; with a 2 it cannot:"
                              " the 23-point is blocked.")),
        Example("Bearing off", at("6 4 2", "12:3"), (6, 4), "6/off 4/off", allowed=True,
                words=Message("A 6 takes the checker off the 6-point, a 4 the one off the 4-point.")),
    ]  # fmt: skip
    if variant.hit_licence is not HitLicence.FREE:
        nobody_home = at(f"13:{off + 1} 10 8", "20 11:2", mine_off=0)
        found.insert(2, Example("Hitting and entering", nobody_home, (6, 3), "13/7 8/5*", allowed=False,
                                words=Message(
                                    "No checker is home yet, so this side has not earned the right to hit: a 3 from 8"
                                    " is blocked by a single checker.")))  # fmt: skip
    if variant.exact_bearoff:
        found.append(Example("Bearing off", at("4 3 2", "12:3"), (6, 5), "4/off", allowed=False,
                             words=Message("A 6 or a 5 takes nothing off here: only the exact number does."),
                             ))  # fmt: skip
    return found


def rule_page(settings: Settings) -> RulesJson:
    """The rules of a game as it is played with these settings."""
    variant = settings.variant
    boards: dict[str, list[RuleBoard]] = {
        "Beginning": [{"points": {"X": list(variant.start), "O": list(variant.start)}, "words": _start_words(variant)}]
    }
    for each in examples(variant):
        points = {"X": list(each.position.player), "O": list(each.position.opponent)}
        boards.setdefault(each.section, []).append({"points": points, "words": each.words})
    pairs = [each.split(" = ", 1) for each in options_in_force(settings)]
    return {
        "variant": variant.name,
        "title": label(variant.title),
        "played_for": in_short(settings),
        "sections": [
            {"title": title, "sentences": list[str](sentences), "boards": boards.get(title, [])}
            for title, sentences in sections(settings)
        ],
        "options": [
            {"name": name, "value": value, "words": label(RULE_WORDS[name]), "consequence": consequence(name, value)}
            for name, value in pairs
        ],
        "bites": [{"when": when, "words": words} for when, words in bites(variant).items()],
        "tour": tour_of(variant.name),
    }


def _hit_words(variant: Variant) -> Message:
    if variant.hit_licence is HitLicence.FREE:
        return Message("The single checker on 5 can be hit: a 3 from 8 sends it to the bar.")
    return Message(
        "The single checker on 5 can be hit: a 3 from 8 sends it to the bar. The checker on 4 has earned the right to."
    )


def _start_words(variant: Variant) -> Message:
    if variant.has_hand:
        return Message("The start: every checker is in hand, beside the board.")
    if FollowUp.CHOOSE_DOUBLE in variant.after_acey_deucey:
        return Message("The start. The light side sits below and moves from 24 to 1. A 2-1 is the throw to hope for.")
    return Message("The start. The light side sits below and moves from 24 to 1.")
