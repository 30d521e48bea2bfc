"""Read a game from any ID that people paste: our text form, XGID, GNU Backgammon's IDs, OGID, a FIBS board line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fullprime.common.json_values import MERGED
from fullprime.rules import game as acts
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import IdError, IllegalAction, SettingsError
from fullprime.rules.game import Game, Phase
from fullprime.rules.ids import IDS, read_id, write_id
from fullprime.rules.ids.common import IdReading
from fullprime.rules.position import Position
from fullprime.rules.score import Player, Score, Settings
from fullprime.rules.taking import short_value
from fullprime.rules.words import format_score


def game_from_id(text: str, settings: Settings, *, override: bool = False) -> tuple[Game, tuple[str, ...]]:
    """The game that an ID describes, and notes on the values that were assumed because the ID does not give them.

    ``settings`` and ``override`` as for :func:`game_and_reading`, which raises the same errors.
    """
    game, reading = game_and_reading(text, settings, override=override)
    return game, reading.notes


def game_and_reading(
    text: str,
    settings: Settings,
    *,
    override: bool = False,
    score: Score | None = None,
    on_roll: str | None = None,
    cube: str | None = None,
) -> tuple[Game, IdReading]:
    """The game that an ID describes, and what the ID itself says.

    ``settings`` give the values that the ID lacks; with ``override`` they also replace the ID's own. ``score``,
    ``on_roll`` (``X`` or ``O``) and ``cube`` (``4``, ``4:X``) always replace the ID's own. Raises IdError,
    PositionError or SettingsError.
    """
    reading = read_id(text, settings=settings)
    game = reading.game
    if override and game.settings != settings:
        if score is None and settings.length != game.settings.length:
            score = Score.start(settings)
        game = replace(game, settings=settings)
    if score is not None:
        game = replace(game, score=score)
    if cube is not None:
        game = replace(game, cube=read_cube(cube))
    if on_roll is not None:
        game = replace(game, on_roll=_player(on_roll))
    if game.phase in (Phase.CUBE_DECISION, Phase.ROLL):
        waiting = replace(game, phase=Phase.ROLL)
        game = replace(waiting, phase=Phase.CUBE_DECISION) if waiting.may_double else waiting
    return game, reading


def with_roll(game: Game, roll: Roll) -> Game:
    """The game with this roll to play in place of the decision its player has to make; raises IllegalAction."""
    if game.is_over:
        raise IllegalAction(f"the game is over: {roll} cannot be played")
    cube = replace(game.cube, offered=None)
    waiting = replace(game, phase=Phase.ROLL, dice=None, follow_ups=(), cube=cube, resignation=None, resigned_in=None)
    return waiting.act(acts.roll(roll))


def read_cube(text: str) -> Cube:
    """A cube such as ``1``, ``4:X``; raises SettingsError."""
    value, colon, owner = text.partition(":")
    is_number = value.isascii() and value.isdigit() and len(value) < 10 and int(value) > 0
    if not is_number or int(value) & (int(value) - 1):
        raise SettingsError(f"{text[:40]!r} is not a cube; write its value and its owner, for example 4:X")
    if (int(value) > 1) != bool(colon):
        raise SettingsError(f"{text[:40]!r}: a cube that has been turned has an owner, X or O, and only that one")
    return Cube(int(value), _player(owner) if colon else None)


def _player(text: str) -> Player:
    if text.strip().upper() not in ("X", "O"):
        raise SettingsError(f"{text[:40]!r} is neither X nor O")
    return Player[text.strip().upper()]


_KIND_WORDS = {"gnu": "gnuid", "gnubg": "gnuid", "textform": "text"}


def id_kind(text: str) -> str:
    """The name of a kind of ID as people type it; raises SettingsError."""
    if not isinstance(text, str):
        raise SettingsError(f"{short_value(text)} is no identifier; there are {', '.join(IDS)}")
    key = text.strip().lower().replace("-", "")
    key = _KIND_WORDS.get(key, key)
    if key not in IDS:
        raise SettingsError(f"there is no identifier {text[:40]!r}; there are {', '.join(IDS)}")
    return key


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """A game in words, as values, and as every ID that can carry its board."""

    summary: str
    """The player on roll, the pips, the decision to make, the score and the cube, in words."""
    position: Position
    """The board in our text form, the player on roll first."""
    on_roll: Player
    """``X`` or ``O``."""
    phase: Phase
    """The decision that the game waits for: ``roll``, ``cube_decision``, ``play``, ``double_offered`` …"""
    dice: Roll | None
    """The roll to be played, the higher die first; None before it is thrown."""
    length: int
    """Points to which the match is played; 0 for money."""
    score: tuple[int, int]
    """Points won so far, X's first."""
    ids: Mapping[str, str]
    """The board by the name of each kind of ID that can carry it: ``xgid``, ``gnuid``, ``ogid`` …"""


@dataclass(frozen=True, slots=True)
class GameDescription:
    """A position that was given by an ID, as ``fullprime show --json`` tells it."""

    facts: GameFacts = field(metadata=MERGED)
    """The game in words, as values, and as IDs."""
    pips: tuple[int, int]
    """The pips of the player on roll, and of the opponent."""
    cube: Cube
    """The cube."""
    kind: str
    """The kind of ID that was read."""
    notes: tuple[str, ...]
    """Notes on the values that were taken where the ID does not give them."""


def describe_game(game: Game) -> GameFacts:
    """A game in words and as every ID that can carry its board."""
    ids: dict[str, str] = {}
    for name in IDS:
        try:
            ids[name] = write_id(game, name).text
        except IdError:
            continue
    mine, theirs = game.position.pips
    words = [f"{game.on_roll.name} on roll, pips {mine} against {theirs}"]
    if game.dice is not None:
        words.append(f"{game.dice.words} to play")
    elif game.phase not in (Phase.ROLL, Phase.CUBE_DECISION):
        words.append(str(game.phase).replace("_", " "))
    if game.settings.is_match:
        words.append(f"score {format_score(game.score.points)} in a match to {game.settings.length}")
    if game.cube.value > 1 or game.cube.offered:
        owner = game.cube.owner
        words.append(f"cube {game.cube.value}" + (f" with {owner.name}" if owner is not None else ""))
    return GameFacts(
        summary="; ".join(words), position=game.position, on_roll=game.on_roll, phase=game.phase, dice=game.dice,
        length=game.settings.length, score=game.score.points, ids=ids,
    )  # fmt: skip
