"""Our own JSON, read: the exact inverse of the writing; anything else is refused with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import TypeVar, cast

from fullprime.formats.analysis import (
    CandidatePlay,
    Chances,
    CubeAnalysis,
    EventAnalysis,
    FileAnalysis,
    PlayAnalysis,
)
from fullprime.formats.document import FormatError
from fullprime.formats.ours.writing import Json
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import Position
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.variants import Backgammon, FollowUp, Variant, variant_named

T = TypeVar("T")
MOST_GAMES, MOST_EVENTS = 10_000, 20_000
"""Games of a match and events of a game, as for every other format."""


def from_json(kind: type[T], data: Json, settings: Settings | None = None) -> T:
    """The value of that type which ``to_json`` wrote.

    ``settings`` are those of the match for a game, a set-up or a record that was written inside one (and leaves them
    out). Raises FormatError with the reason and the place.

    >>> from_json(Action, {"play": [[13, 7, 6], [8, 7, 1]]}).moves
    (CheckerMove(13, 7, 6), CheckerMove(8, 7, 1))
    """
    read = _READERS.get(kind)
    if read is None:
        raise FormatError(f"{kind.__name__} has no JSON form")
    try:
        return cast("T", read(data, settings))
    except FormatError:
        raise
    except FullprimeError as error:
        raise FormatError(f"{kind.__name__}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, OverflowError) as error:
        raise FormatError(f"{kind.__name__}: {describe(data)} is not what was written ({error!r:.80})") from error


def describe(data: Json) -> str:
    """A value as messages show it."""
    text = repr(data) if not isinstance(data, dict | list) else f"{type(data).__name__} of {len(data)}"
    return text if len(text) <= 60 else text[:57] + "..."


def _int(value: Json, lowest: int = 0, highest: int = 1 << 62) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise FormatError(f"{describe(value)} is not a whole number from {lowest} to {highest}")
    return value


def _bool(value: Json) -> bool:
    if not isinstance(value, bool):
        raise FormatError(f"{describe(value)} is neither true nor false")
    return value


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise FormatError(f"{describe(value)} is not text")
    if not value.isprintable() and _HALF.search(value):
        raise FormatError(f"{describe(value)} is not text: half a letter (a lone surrogate) stands in it")
    return value


_HALF = re.compile("[\ud800-\udfff]")


def _number(value: Json) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(f"{describe(value)} is not a number")
    return float(value)


def dict_of(value: Json) -> dict[str, Json]:
    """An object, or FormatError."""
    if not isinstance(value, dict):
        raise FormatError(f"{describe(value)} is not an object")
    return value


def list_of(value: Json) -> list[Json]:
    """A list, or FormatError."""
    if not isinstance(value, list):
        raise FormatError(f"{describe(value)} is not a list")
    return value


def _player(value: Json) -> Player:
    try:
        return Player[_text(value)]
    except KeyError:
        raise FormatError(f"{describe(value)}: a player is X or O") from None


def _read_variant(data: Json, _: Settings | None = None) -> Variant:
    if isinstance(data, str):
        return variant_named(data)
    data = dict_of(data)
    if "start" in data:
        start = tuple(_int(count, 0, 99) for count in list_of(data["start"]))
        variant = Variant(name=_text(data["name"]), title=_text(data["title"]), start=start, cube=_bool(data["cube"]))
    else:
        variant = variant_named(_text(data["name"]))
    return variant.with_options({name: _text(value) for name, value in dict_of(data.get("options", {})).items()})


def _read_settings(data: Json, _: Settings | None = None) -> Settings:
    data = dict_of(data)
    settings: dict[str, Json] = {"variant": _read_variant(data["variant"]), "length": _int(data["length"])}
    for name in ("crawford", "jacoby", "beavers", "raccoons", "cube"):
        if name in data:
            settings[name] = _bool(data[name])
    for name in ("cube_cap", "automatic_doubles"):
        if name in data:
            settings[name] = None if data[name] is None else _int(data[name])
    if "stake" in data:
        try:
            settings["stake"] = Decimal(_text(data["stake"]))
        except InvalidOperation:
            raise FormatError(f"{describe(data['stake'])} is not a stake") from None
    if "backgammon" in data:
        settings["backgammon"] = Backgammon(_text(data["backgammon"]))
    return Settings(**settings)


def _pair(value: Json, lowest: int, highest: int) -> tuple[int, int]:
    first, second = list_of(value)
    return _int(first, lowest, highest), _int(second, lowest, highest)


def _read_score(data: Json, _: Settings | None = None) -> Score:
    data = dict_of(data)
    points = _pair(data["points"], -(1 << 40), 1 << 40)
    return Score(points, _bool(data.get("crawford_game", False)), _bool(data.get("post_crawford", False)))


def _read_result(data: Json, _: Settings | None = None) -> Result:
    data = dict_of(data)
    level = None if data["level"] is None else _int(data["level"], 1, 4)
    return Result(_player(data["winner"]), _int(data["points"]), level, _text(data["how"]))


def _read_cube(data: Json, _: Settings | None = None) -> Cube:
    data = dict_of(data)
    owner = None if data["owner"] is None else _player(data["owner"])
    offered = None if data.get("offered") is None else _int(data["offered"], 1)
    return Cube(_int(data["value"], 1), owner, offered)


def _read_position(data: Json, settings: Settings | None = None) -> Position:
    return Position.from_text(_text(data), settings.variant.checkers if settings is not None else 15)


def _roll(value: Json) -> Roll:
    return Roll(*_pair(value, 1, 6))


def _read_game(data: Json, settings: Settings | None = None) -> Game:
    data = dict_of(data)
    if "settings" in data:
        settings = _read_settings(data["settings"])
    if settings is None:
        raise FormatError("a game needs its settings")
    return Game(
        settings=settings,
        score=_read_score(data["score"]),
        position=_read_position(data["position"], settings),
        on_roll=_player(data["on_roll"]),
        phase=Phase(_text(data["phase"])),
        dice=_roll(data["dice"]) if "dice" in data else None,
        cube=_read_cube(data["cube"]) if "cube" in data else Cube(),
        multiplier=_int(data.get("multiplier", 1), 1),
        ties=_int(data.get("ties", 0)),
        follow_ups=tuple(FollowUp(_text(step)) for step in list_of(data.get("follow_ups", []))),
        resignation=_int(data["resignation"], 1, 4) if "resignation" in data else None,
        resigned_in=Phase(_text(data["resigned_in"])) if "resigned_in" in data else None,
        result=_read_result(data["result"]) if "result" in data else None,
    )


def _read_move(data: Json) -> CheckerMove:
    source, target, die, *hit = list_of(data)
    if len(hit) > 1:
        raise FormatError(f"{describe(data)} is not a checker move")
    return CheckerMove(_int(source, 1, 26), _int(target, 0, 24), _int(die, 1, 6), bool(hit) and _bool(hit[0]))


def _read_action(data: Json, _: Settings | None = None) -> Action:
    if isinstance(data, str):
        kind, value = ActionKind(data), None
    else:
        ((name, value),) = dict_of(data).items()
        kind = ActionKind(name)
    match kind:
        case ActionKind.OPENING | ActionKind.ROLL:
            return Action(kind, dice=_pair(value, 1, 6))
        case ActionKind.PLAY:
            return Action(kind, moves=tuple(_read_move(move) for move in list_of(value)))
        case ActionKind.CHOOSE:
            return Action(kind, number=_int(value, 1, 6))
        case ActionKind.RESIGN:
            return Action(kind, number=_int(value, 1, 4))
        case _:
            if value is not None:
                raise FormatError(f"{kind.value} stands alone, without {describe(value)}")
            return Action(kind)


def _read_setup(data: Json, settings: Settings | None = None) -> Setup:
    data = dict_of(data)
    return Setup(_read_game(data["setup"], settings), _text(data.get("note", "")))


def _read_event(data: Json, settings: Settings | None) -> Event:
    if isinstance(data, dict) and "setup" in data:
        return _read_setup(data, settings)
    return _read_action(data)


def _read_record(data: Json, settings: Settings | None = None) -> GameRecord:
    data = dict_of(data)
    if len(events := list_of(data["events"])) > MOST_EVENTS:
        raise FormatError(f"a game has {len(events):,} events; at most {MOST_EVENTS:,} are read")
    comments = {int(number): _text(words) for number, words in dict_of(data.get("comments", {})).items()}
    return GameRecord(
        _read_game(data["start"], settings),
        tuple(_read_event(event, settings) for event in events),
        _read_result(data["stated"]) if "stated" in data else None,
        MappingProxyType(comments),
    )


def _read_match(data: Json, _: Settings | None = None) -> Match:
    data = dict_of(data)
    settings = _read_settings(data["settings"])
    x_name, o_name = list_of(data["names"])
    info = {_text(name): _text(value) for name, value in dict_of(data.get("info", {})).items()}
    plain = list_of(data["games"])
    if len(plain) > MOST_GAMES:
        raise FormatError(f"the match has {len(plain):,} games; at most {MOST_GAMES:,} are read")
    games = tuple(_read_record(game, settings) for game in plain)
    return Match(settings, (_text(x_name), _text(o_name)), games, MappingProxyType(info))


def _read_chances(data: Json) -> Chances | None:
    if data is None:
        return None
    numbers = [_number(value) for value in list_of(data)]
    if len(numbers) != 5 or None in numbers:
        raise FormatError(f"{describe(data)}: chances are five numbers")
    return cast("Chances", tuple(numbers))


def _read_candidate(data: Json) -> CandidatePlay:
    data = dict_of(data)
    return CandidatePlay(
        None if data["moves"] is None else tuple(_read_move(move) for move in list_of(data["moves"])),
        _text(data["text"]),
        _number(data["equity"]),
        _read_chances(data["chances"]),
        _text(data["level"]),
        _number(data["deviation"]),
    )


def _read_event_analysis(data: Mapping[str, Json]) -> EventAnalysis:
    play = cube = None
    if "play" in data:
        plain = dict_of(data["play"])
        candidates = tuple(_read_candidate(candidate) for candidate in list_of(plain["candidates"]))
        played = None if plain["played"] is None else _int(plain["played"])
        if played is not None and played >= len(candidates):
            raise FormatError(f"the play made is candidate {played} of {len(candidates)}, counted from 0")
        play = PlayAnalysis(candidates, played, _text(plain["unit"]))
    if "cube" in data:
        plain = dict_of(data["cube"])
        cube = CubeAnalysis(
            _number(plain["no_double"]),
            _number(plain["double_take"]),
            _number(plain["double_pass"]),
            _read_chances(plain["chances"]),
            _read_chances(plain["double_chances"]),
            _number(plain["cubeless"]),
            _text(plain["level"]),
            _text(plain["unit"]),
            _number(plain["deviation"]),
        )
    return EventAnalysis(play, cube, _number(data.get("luck")), _number(data.get("error")))


def _read_analysis(data: Json, _: Settings | None = None) -> FileAnalysis:
    data = dict_of(data)
    events = {}
    for entry in list_of(data["events"]):
        entry = dict_of(entry)
        events[_int(entry["game"]), _int(entry["event"])] = _read_event_analysis(entry)
    figures = {_text(name): _text(value) for name, value in dict_of(data.get("figures", {})).items()}
    return FileAnalysis(_text(data["program"]), MappingProxyType(events), MappingProxyType(figures))


_READERS: dict[type, Callable[[Json, Settings | None], object]] = {
    Variant: _read_variant,
    Settings: _read_settings,
    Score: _read_score,
    Result: _read_result,
    Cube: _read_cube,
    Position: _read_position,
    Game: _read_game,
    Action: _read_action,
    Setup: _read_setup,
    GameRecord: _read_record,
    Match: _read_match,
    FileAnalysis: _read_analysis,
}
