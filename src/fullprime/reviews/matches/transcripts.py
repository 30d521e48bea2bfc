"""Games written down at a real board: their lines, checked by the rules and made into the record of a match."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, get_args

from fullprime.common.bounds import Bounds, Name, RuleTexts
from fullprime.formats import Document, write
from fullprime.play.naming import check_name
from fullprime.play.options.houses import HOUSE_TAG
from fullprime.play.options.options import make_settings
from fullprime.play.table.table_events import Side
from fullprime.rules import game as acts
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError, SettingsError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.notation import read_play
from fullprime.rules.position import Position
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.variants.variant import FollowUp

MOST_LINES = 4000
"""Lines of one record: to check them takes some milliseconds each."""
_How = Literal["bear-off", "drop", "resignation"]
_Line = Annotated[str, Bounds(min_length=1, max_length=60)]
_Person = Annotated[str, Bounds(min_length=1, max_length=40)]
_DICE = re.compile(r"[1-6]{2}", re.ASCII)
_CHOICE = re.compile(r"choose ([1-6])", re.ASCII)
_WORDS = {
    str(kind): Action(kind)
    for kind in (ActionKind.DOUBLE, ActionKind.TAKE, ActionKind.DROP, ActionKind.BEAVER, ActionKind.RACCOON)
}


class TranscriptError(SettingsError):
    """A record that cannot have been played so: the game, the line and the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One game as it was written down, which may be less than all of it."""

    lines: Annotated[tuple[_Line, ...], Bounds(max_length=1000)]
    """Dice (the opening with X's die first), plays, ``double``, ``take``, ``drop``, ``beaver``, ``raccoon``,
    ``choose 5``."""
    winner: Side | None = None
    """``X`` or ``O``; None for a game that was not finished."""
    level: Annotated[int, Bounds(ge=1, le=4)] | None = None
    """1 single, 2 gammon, 3 backgammon, 4 with the bar; None in a game that settles by checkers."""
    points: Annotated[int, Bounds(ge=0, le=1_000_000)] | None = None
    """The points that were written down for it."""
    how: _How = "bear-off"
    """``bear-off``, ``drop`` or ``resignation``."""


@dataclass(frozen=True, slots=True)
class FollowedBoard:
    """The board after one line of a record."""

    position: Position
    """The position, as the program writes it."""
    rows: Mapping[str, tuple[int, ...]]
    """Checkers of X and O, each as its owner sees them: 0 borne off, 1 to 24, 25 the bar, 26 in hand."""
    on_roll: Player
    """The player whose throw or play it is."""
    phase: Phase
    """What comes next: ``play``, ``roll``, ``cube_decision``, ``choose_double`` …"""
    dice: Roll | None
    """The roll to play, the higher die first."""
    choose: bool
    """True where a double is to be named."""
    follow_ups: tuple[FollowUp, ...]
    """What this roll still brings, in games where an acey-deucey or a double brings more."""
    winner: Player | None
    """The player who has won by this line."""
    level: int | None
    """The level of that win."""
    points: int | None
    """The points of that win, with the cube."""


@dataclass(frozen=True, slots=True)
class FollowedRecord:
    """A game that is being written down, as far as it can be followed."""

    boards: tuple[FollowedBoard, ...]
    """The board after each line, up to the first that cannot be."""
    wrong: str | None
    """The reason why the next line cannot be; None if all of them can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A match or a session as it was written down."""

    variant: Name = "backgammon"
    """The game."""
    rules: RuleTexts = field(default_factory=dict)
    """Options by name that differ from the usual ones; money unless a length is among them."""
    house: _Person | None = None
    """The name of the house rules."""
    names: tuple[_Person, _Person]
    """X's name and O's."""
    date: Annotated[str, Bounds(pattern=r"^(\d{4}-\d\d-\d\d)?$")] = ""
    """``2026-11-23``; empty where the sheet has no date."""
    games: Annotated[tuple[Sheet, ...], Bounds(min_length=1, max_length=200)]
    """The games in order."""


def match_of(transcript: Transcript) -> Match:
    """The match that was played; raises TranscriptError for a line that cannot be, SettingsError for the rules."""
    rules = [f"{name}={value}" for name, value in transcript.rules.items()]
    settings = make_settings(transcript.variant, rules=rules, default_length=0)
    lines = sum(len(sheet.lines) for sheet in transcript.games)
    if lines > MOST_LINES:
        raise TranscriptError(f"a record has at most {MOST_LINES} lines, not {lines}")
    names = (check_name(transcript.names[0]), check_name(transcript.names[1]))
    info = {"EventDate": transcript.date} if transcript.date else {}
    if transcript.house is not None:
        info[HOUSE_TAG] = check_name(transcript.house)
    score, games = Score.start(settings), list[GameRecord]()
    for number, sheet in enumerate(transcript.games, 1):
        if score.match_winner(settings) is not None:
            raise TranscriptError(f"game {number}: the match was over at {score}")
        record = _game(number, sheet, Game.new(settings, score))
        games.append(record)
        if record.result is not None:
            score = record.start.score.after(record.result, settings)
        elif number < len(transcript.games):
            raise TranscriptError(f"game {number} has no result, and another game follows it")
    return Match(settings, names, tuple(games), info)


def file_of(transcript: Transcript) -> bytes:
    """The record as a file of our own format, which the library and a review take."""
    data, _ = write(Document(match_of(transcript)), "json")
    return data


def boards_of(transcript: Transcript) -> FollowedRecord:
    """The board after each line of the last game, up to the first line that cannot be; raises as :func:`match_of`."""
    *before, last = transcript.games
    game = match_of(replace(transcript, games=(*before, Sheet(lines=())))).games[-1].start
    boards: list[FollowedBoard] = []
    for line in last.lines:
        try:
            game = game.act(_action(line, game))
        except FullprimeError as error:
            return FollowedRecord(tuple(boards), str(error))
        boards.append(_board(game))
    return FollowedRecord(tuple(boards), None)


def _board(game: Game) -> FollowedBoard:
    result = game.result
    return FollowedBoard(
        position=game.position,
        rows={player.name: game.position_of(player).player for player in Player},
        on_roll=game.on_roll,
        phase=game.phase,
        dice=game.dice,
        choose=game.phase is Phase.CHOOSE_DOUBLE,
        follow_ups=game.follow_ups,
        winner=None if result is None else result.winner,
        level=None if result is None else result.level,
        points=None if result is None else result.points,
    )


def _game(number: int, sheet: Sheet, start: Game) -> GameRecord:
    game, events = start, list[Action]()
    for count, line in enumerate(sheet.lines, 1):
        try:
            action = _action(line, game)
            game = game.act(action)
        except FullprimeError as error:
            raise TranscriptError(f"game {number}, line {count} ({line[:40]}): {error}") from error
        events.append(action)
    stated = _read_result(number, sheet, start.settings)
    result = game.result
    is_same = (
        result is not None and stated is not None and (result.winner, result.points) == (stated.winner, stated.points)
    )
    return GameRecord(start, tuple(events), stated=None if is_same else stated)


def _action(line: str, game: Game) -> Action:
    words = " ".join(line.split()).lower()
    if _DICE.fullmatch(words):
        first, second = int(words[0]), int(words[1])
        if game.phase is Phase.OPENING_ROLL:
            return acts.opening(first, second)
        return acts.roll(Roll(first, second))
    if words in _WORDS:
        return _WORDS[words]
    if chosen := _CHOICE.fullmatch(words):
        return acts.choose(int(chosen[1]))
    if game.phase is not Phase.PLAY or game.dice is None:
        raise TranscriptError("there is no roll to play")
    return acts.play(read_play(words, game.position, game.dice, game.settings.variant))


def _read_result(number: int, sheet: Sheet, settings: Settings) -> Result | None:
    """The result that was written down; raises TranscriptError for one that no game has."""
    if sheet.winner is None:
        return None
    if sheet.winner not in ("X", "O") or sheet.how not in get_args(_How):
        raise TranscriptError(f"game {number}: won by X or O, by {', '.join(get_args(_How))}")
    if sheet.points is None or not 0 <= sheet.points <= 1_000_000:
        raise TranscriptError(f"game {number}: the points won are a number up to a million, not {sheet.points}")
    if sheet.level is not None and not 1 <= sheet.level <= 4:
        raise TranscriptError(f"game {number}: the level of a win is 1 to 4, not {sheet.level}")
    if settings.is_match and not sheet.points:
        raise TranscriptError(f"game {number}: a won game of a match is worth a point or more")
    return Result(Player[sheet.winner], sheet.points, sheet.level, sheet.how)
