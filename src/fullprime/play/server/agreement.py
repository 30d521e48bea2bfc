"""The agreement on a new game: options of a request, checked and put into the terms of a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

from fullprime.messages import Message, label
from fullprime.play.clocks import time_control
from fullprime.play.naming import EXPECTED, UNNAMED, check_apart, check_name, seat_name
from fullprime.play.options.opponents import bots_for, name_of, usual_bot_for
from fullprime.play.options.options import make_settings
from fullprime.play.options.positions import game_from_id
from fullprime.play.server.fields import OpponentKind
from fullprime.play.terms import GRACE, HUMAN, Terms
from fullprime.rules.errors import FullprimeError, SettingsError
from fullprime.rules.score import Settings

BOT: Final = "bot"
FRIEND: Final = "friend"
SCREEN: Final = "screen"
OPPONENTS: Mapping[OpponentKind, str] = {
    BOT: "a bot",
    FRIEND: "a friend who gets a link",
    SCREEN: "two people at one screen",
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """What has been agreed on a new session: its terms, and who sits where."""

    terms: Terms
    names: tuple[str, str]
    seats: tuple[str, str]


def make_agreement(
    *,
    opponent: str = BOT,
    bot: str | None = None,
    name: str = UNNAMED,
    other_name: str = EXPECTED,
    variant: str = "backgammon",
    preset: str | None = None,
    rules: Mapping[str, object] | None = None,
    automatic: bool = True,
    spectators: bool = True,
    position: str | None = None,
    clock: str | None = None,
    grace: int = GRACE,
    late: int = 0,
    rated: bool = False,
    house: str | None = None,
) -> Agreement:
    """Make the agreement on a new game; raises SettingsError or IdError, about the field that is wrong.

    Without ``bot`` the usual one plays. ``clock`` is a text that :func:`fullprime.play.clocks.time_control` reads;
    ``position`` is an id of any kind; ``house`` names the rules of a house, for people. ``rated`` says that the match
    counts; the caller checks that it may. The other arguments are fields of :class:`Terms`.
    """
    settings = _check_settings(opponent, variant, preset, rules)
    if position is not None:
        with FullprimeError.about("position"):
            start = game_from_id(position, settings, override=True)[0]
    if clock is not None:
        if opponent != FRIEND:
            raise SettingsError(Message("a clock is for a game between two people who are not at one screen"))
        with SettingsError.about("clock"):
            time_control(clock, settings)
    playing = _check_bot(bot or usual_bot_for(variant), settings) if opponent == BOT else None
    terms = Terms(
        settings=settings,
        opponent=cast("OpponentKind", opponent),
        automatic=automatic,
        clock=clock,
        grace=grace,
        rated=rated,
        spectators=spectators,
        late=late,
        house=None if house is None else check_name(house),
        start=None if position is None else start,
    )
    return Agreement(terms, _check_names(name, other_name, playing), (HUMAN, playing or HUMAN))


def _check_settings(opponent: str, variant: str, preset: str | None, rules: Mapping[str, object] | None) -> Settings:
    if opponent not in OPPONENTS:
        raise SettingsError(
            Message(
                "there is no opponent {opponent}; there are {names}",
                opponent=repr(opponent[:40]),
                names=", ".join(OPPONENTS),
            )
        )
    return make_settings(
        variant, preset=preset, rules=[f"{rule}={_text(value)}" for rule, value in (rules or {}).items()]
    )


def _check_names(name: str, other_name: str, bot: str | None) -> tuple[str, str]:
    """The names at the board; raises SettingsError, about the field that is wrong."""
    with SettingsError.about("name"):
        own_name = seat_name(name)
    with SettingsError.about("other_name"):
        names = (own_name, name_of(bot) if bot else seat_name(other_name))
        check_apart(*names)
    return names


def _check_bot(bot: str, settings: Settings) -> str:
    """The bot of that name; raises SettingsError where it does not play the game."""
    bots = bots_for(settings.variant.name)
    if bot not in bots:
        raise SettingsError(
            Message(
                "there is no bot {bot} for {title}; there are {names}",
                bot=repr(bot[:40]),
                title=label(settings.variant.title),
                names=", ".join(bots),
            )
        )
    return bot


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
