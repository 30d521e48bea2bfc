"""The rules of a game for a page: in words and small boards, with the options in force, each explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fullprime.messages import Message, label
from fullprime.play.options.games import RULE_WORDS, tour_of
from fullprime.play.options.houses import consequence
from fullprime.play.options.rulebook import describe_length, list_reminders, options_in_force, sections
from fullprime.rules.position import Position, Row
from fullprime.rules.score import Settings
from fullprime.rules.variants.variant import FollowUp, HitLicence, Variant


@dataclass(frozen=True, slots=True)
class RuleBoard:
    """A small board beside a rule."""

    points: Mapping[str, Row]
    """The checkers of ``X`` (below, whose rule it is) and ``O``: 0 off, 1-24, 25 bar, 26 hand, each in its numbers."""
    words: str
    """The board's lesson in a sentence or two."""


@dataclass(frozen=True, slots=True)
class RuleSection:
    """A part of the rules."""

    title: str
    """Its heading."""
    sentences: tuple[str, ...]
    """Its sentences."""
    boards: tuple[RuleBoard, ...]
    """Small boards that show it; empty for none."""


@dataclass(frozen=True, slots=True)
class RuleReminder:
    """What is special in a game, to be said at the board the first time it bites."""

    when: str
    """``licence`` (no right to hit yet), ``acey_deucey`` or ``double`` (a roll that gives more)."""
    words: str
    """The rule in a sentence."""


@dataclass(frozen=True, slots=True)
class RuleOption:
    """An option in force."""

    name: str
    """Its name, as ``--rule`` takes it."""
    value: str
    """Its value here."""
    words: str
    """A sentence about it."""
    consequence: str
    """A sentence about what this value leads to."""


@dataclass(frozen=True, slots=True)
class RulePage:
    """The rules of a game as it is played here."""

    variant: str
    """The game."""
    title: str
    """Its name in words."""
    played_for: str
    """The length or the stake."""
    sections: tuple[RuleSection, ...]
    """The rules, in order."""
    options: tuple[RuleOption, ...]
    """The options in force."""
    bites: tuple[RuleReminder, ...]
    """The rules that surprise players of backgammon; empty for none."""
    tour: str | None
    """The lesson about this game; null for the one that the first lessons teach."""


@dataclass(frozen=True, slots=True)
class Example:
    """A small board: a position, a roll, and a play that the rules allow or refuse. Tests check it by the rules."""

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

    all_examples = [
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
        all_examples.insert(2, Example("Hitting and entering", nobody_home, (6, 3), "13/7 8/5*", allowed=False,
                                words=Message(
                                    "No checker is home yet, so this side has not earned the right to hit: a 3 from 8"
                                    " is blocked by a single checker.")))  # fmt: skip
    if variant.exact_bearoff:
        all_examples.append(Example("Bearing off", at("4 3 2", "12:3"), (6, 5), "4/off", allowed=False,
                             words=Message("A 6 or a 5 takes nothing off here: only the exact number does."),
                             ))  # fmt: skip
    return all_examples


def rule_page(settings: Settings) -> RulePage:
    """The rules of a game as it is played with these settings."""
    variant = settings.variant
    boards: dict[str, list[RuleBoard]] = {
        "Beginning": [RuleBoard({"X": variant.start, "O": variant.start}, _start_words(variant))]
    }
    for entry in examples(variant):
        points = {"X": entry.position.player, "O": entry.position.opponent}
        boards.setdefault(entry.section, []).append(RuleBoard(points, entry.words))
    pairs = [entry.split(" = ", 1) for entry in options_in_force(settings)]
    return RulePage(
        variant=variant.name,
        title=label(variant.title),
        played_for=describe_length(settings),
        sections=tuple(
            RuleSection(title, tuple(sentences), tuple(boards.get(title, ())))
            for title, sentences in sections(settings)
        ),
        options=tuple(
            RuleOption(name, value, label(RULE_WORDS[name]), consequence(name, value)) for name, value in pairs
        ),
        bites=tuple(RuleReminder(when, words) for when, words in list_reminders(variant).items()),
        tour=tour_of(variant.name),
    )


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
