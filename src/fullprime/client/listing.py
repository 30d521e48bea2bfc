"""The offers and lists of a server: its games, bots and rules; challenges, friends, games and news of an account."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypedDict

from fullprime.client.wire import JsonFields
from fullprime.rules.score import Player
from fullprime.rules.words import format_score


class NewGameOptions(TypedDict, total=False):
    """The options of a new game, all of which may be left out. Not every kind of game takes each of them."""

    bot: str
    """The bot to play against, one of those that ``options()`` names."""
    variant: str
    length: int
    """Points of the match; 0 for money."""
    preset: str
    """Settings under one name."""
    rules: Mapping[str, str | bool | int | float | None]
    """Any option by name, as ``fullprime play --rule`` takes it."""
    automatic: bool
    """True if the server throws and plays where there is nothing to decide; it does unless told otherwise."""
    spectators: bool
    """True if others may watch."""
    clock: str
    """Between people: the name of a clock, ``12+600`` (seconds of delay and reserve) or ``3d`` (days a turn). A rated
    match needs one."""
    rated: bool
    """Challenges only: whether the match changes ratings."""
    minutes: int
    """Challenges only: the minutes for which it stands."""
    position: str
    """Not for challenges: begin with this identifier of any kind."""
    grace: int
    """Not for challenges: seconds after which the win over an opponent who has gone may be claimed; 0 for never."""
    late: int
    """Not for challenges: seconds after which spectators see an event."""


def new_game_body(options: NewGameOptions) -> dict[str, object]:
    """The options as a request carries them; raises TypeError for an unknown one."""
    unknown = set(options) - set(NewGameOptions.__annotations__)
    if unknown:
        raise TypeError(
            f"a new game has no option {min(unknown)!r}; there are {', '.join(NewGameOptions.__annotations__)}"
        )
    body: dict[str, object] = {name: value for name, value in options.items() if name != "length"}
    if "length" in options:
        body["rules"] = {"length": options["length"], **options.get("rules", {})}
    return body


@dataclass(frozen=True, slots=True)
class ServerAccount:
    """The account of a client on its server."""

    name: str | None
    """The name of the account; None for a guest."""
    is_bot: bool = False
    """True if it is the account of a program."""
    scopes: tuple[str, ...] = ()
    """The uses of the token."""


@dataclass(frozen=True, slots=True)
class OfferedVariant:
    """A game that a server offers."""

    title: str
    bots: tuple[str, ...]
    """The bots that play it."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """The choices for a new game."""

    variants: Mapping[str, OfferedVariant]
    bot: str | None
    """The bot for a player who chooses none; None when the server does not say."""
    presets: Mapping[str, str]
    """Settings by name, in words."""
    rules: Mapping[str, tuple[str, ...]]
    """Every option by name with its values; none where it takes a number."""


@dataclass(frozen=True, slots=True)
class RemoteChallenge:
    """An offer to play; times are seconds since 1970, UTC."""

    id: str
    name: str
    """The name of its creator."""
    is_account: bool
    is_bot: bool
    target: str | None
    """The account that is challenged; None for everybody."""
    variant: str
    title: str
    length: int
    played_for: str
    clock: str | None
    rated: bool
    rating: tuple[int, int] | None
    """The creator's rating of that kind, and its deviation."""
    created: float
    expires: float
    game: str | None = None
    """The game that waits for the second player; told to its creator."""

    def __str__(self) -> str:
        whom = "" if self.target is None else f" to {self.target}"
        terms = [self.played_for, *([self.clock] if self.clock else []), *(["rated"] if self.rated else [])]
        return f"{self.id}: {self.name}{whom}, {self.title}, {', '.join(terms)}"


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game of the account."""

    id: str
    side: Player | None
    name: str
    opponent: str
    variant: str
    length: int
    rated: bool
    points: tuple[int, int] | None
    """The score when it is over."""
    winner: Player | None

    def __str__(self) -> str:
        stake = f"match to {self.length}" if self.length else "money"
        score = "" if self.points is None else f", {format_score(self.points)}"
        return f"{self.id}: {self.name} - {self.opponent}, {self.variant}, {stake}{score}"


@dataclass(frozen=True, slots=True)
class RemoteFriend:
    """An account that the account follows."""

    name: str
    is_bot: bool
    is_here: bool | None
    """True if it has a page open at a board or waits for an opponent; None for a private profile."""
    rating: int | None
    """The rating of short matches of backgammon; None without one, and for a private profile."""
    since: float
    """The time since when it is followed, in seconds since 1970, UTC."""

    def __str__(self) -> str:
        signs = [*([str(self.rating)] if self.rating is not None else []), *(["here"] if self.is_here else [])]
        return f"{self.name} ({', '.join(signs)})" if signs else self.name


@dataclass(frozen=True, slots=True)
class AccountNews:
    """A piece of news for the account: ``gameStart``, ``gameFinish``, ``challenge``, ``challengeCanceled`` or
    ``challengeDeclined``.
    """

    kind: str
    game: ListedGame | None = None
    challenge: RemoteChallenge | None = None


@dataclass(frozen=True, slots=True)
class RemoteChatLine:
    """Something that a player said; ``at`` is in seconds since 1970, UTC."""

    number: int
    player: Player | None
    text: str
    at: float

    def __str__(self) -> str:
        return f"{self.player.name if self.player is not None else '?'}: {self.text}"


# -- reading ----------------------------------------------------------------------------------------------------
def read_account(fields: JsonFields) -> ServerAccount:
    """The account that asks."""
    return fields.value(ServerAccount, is_bot=fields.flag("bot"))


def read_options(fields: JsonFields) -> ServerOptions:
    """The choices for a new game."""
    variants, presets, rules = (fields.part(name) for name in ("variants", "presets", "rules"))
    games = {name: variants.part(name) for name in variants.names}
    return ServerOptions(
        MappingProxyType(
            {name: OfferedVariant(variant.text("title"), variant.texts("bots")) for name, variant in games.items()}
        ),
        fields.maybe_text("bot"),
        MappingProxyType({name: presets.text(name) for name in presets.names}),
        MappingProxyType({name: rules.texts(name) for name in rules.names}),
    )


def read_challenge(fields: JsonFields) -> RemoteChallenge:
    """A challenge."""
    return fields.value(RemoteChallenge, is_account=fields.flag("account"), is_bot=fields.flag("bot"))


def read_friend(fields: JsonFields) -> RemoteFriend:
    """An account that is followed."""
    rating = fields.maybe_part("short_rating")
    return fields.value(
        RemoteFriend,
        is_bot=fields.flag("bot"),
        is_here=fields.flag("is_here") if "is_here" in fields else None,
        rating=None if rating is None else rating.whole("rating"),
    )


def read_news(fields: JsonFields) -> AccountNews:
    """News of the account."""
    game, challenge = fields.maybe_part("game"), fields.maybe_part("challenge")
    return AccountNews(
        fields.text("type"),
        None if game is None else game.value(ListedGame),
        None if challenge is None else read_challenge(challenge),
    )


def read_talk(fields: JsonFields) -> tuple[RemoteChatLine, ...]:
    """The talk so far."""
    return tuple(
        line.value(RemoteChatLine, player=line.maybe_side("side"), text=line.text("said"))
        for line in fields.parts("said")
    )
