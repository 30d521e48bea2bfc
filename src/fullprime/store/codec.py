"""Settings, actions, games and matches as JSON values and back, without loss.

A variant is written out in full, so that a stored game keeps its rules even if a later version changes a default.
Reading refuses what it does not understand with a StoreError that says where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any, TypeAlias

from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError, RulesError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import Position
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.variants.variant import Backgammon, FollowUp, Variant

Json: TypeAlias = dict[str, Any]

FORMAT = "fullprime match"
VERSION = 1


class StoreError(FullprimeError):
    """Something stored that cannot be read, or a place that cannot be written."""


# -- writing ----------------------------------------------------------------------------------------------------
def variant_json(variant: Variant) -> Json:
    """The whole record of a game: name, title, start, cube, options."""
    return {
        "name": variant.name,
        "title": variant.title,
        "start": list(variant.start),
        "cube": variant.cube,
        "options": variant.options,
    }


def settings_json(settings: Settings) -> Json:
    """Every field of the settings."""
    return {
        "variant": variant_json(settings.variant),
        "length": settings.length,
        "stake": str(settings.stake),
        "cube": settings.cube,
        "cube_cap": settings.cube_cap,
        "crawford": settings.crawford,
        "jacoby": settings.jacoby,
        "beavers": settings.beavers,
        "raccoons": settings.raccoons,
        "automatic_doubles": settings.automatic_doubles,
        "backgammon": str(settings.backgammon),
    }


def action_json(action: Action) -> Json:
    """An action; a checker move is ``[source, target, die]``, with ``true`` behind it for a hit."""
    value: Json = {"kind": str(action.kind)}
    if action.dice is not None:
        value["dice"] = list(action.dice)
    if action.kind is ActionKind.PLAY:
        value["moves"] = [_move_json(move) for move in action.moves]
    if action.number is not None:
        value["number"] = action.number
    return value


def result_json(result: Result) -> Json:
    """A result: winner, points, level, how."""
    return {"winner": result.winner.name, "points": result.points, "level": result.level, "how": result.how}


def score_json(score: Score) -> Json:
    """A score: X's and O's points and where the match stands with the Crawford rule."""
    return {"points": list(score.points), "crawford_game": score.crawford_game, "post_crawford": score.post_crawford}


def game_json(game: Game) -> Json:
    """A game at one moment. Its settings are left out: they belong to the match."""
    cube = game.cube
    return {
        "score": score_json(game.score),
        "position": game.position.text,
        "on_roll": game.on_roll.name,
        "phase": str(game.phase),
        "dice": [game.dice.high, game.dice.low] if game.dice else None,
        "cube": {"value": cube.value, "owner": _name(cube.owner), "offered": cube.offered},
        "multiplier": game.multiplier,
        "ties": game.ties,
        "follow_ups": [str(stage) for stage in game.follow_ups],
        "resignation": game.resignation,
        "resigned_in": str(game.resigned_in) if game.resigned_in else None,
        "result": result_json(game.result) if game.result else None,
    }


def event_json(event: Event) -> Json:
    """What happened: an action, or the board set to something else."""
    if isinstance(event, Setup):
        return {"kind": "setup", "game": game_json(event.game), "note": event.note}
    return action_json(event)


def match_json(match: Match) -> Json:
    """A whole match: our own record, complete."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "settings": settings_json(match.settings),
        "names": list(match.names),
        "info": dict(match.info),
        "games": [
            {
                "start": game_json(record.start),
                "events": [event_json(event) for event in record.events],
                "result": result_json(record.result) if record.result else None,
                "stated": result_json(record.stated) if record.stated else None,
                "comments": {str(number): text for number, text in record.comments.items()},
            }
            for record in match.games
        ],
    }


# -- reading ----------------------------------------------------------------------------------------------------
def read_variant(value: object) -> Variant:
    """The inverse of :func:`variant_json`."""
    data = _mapping(value, "variant")
    start = tuple(_integer(count, "variant.start") for count in _list(data, "start"))
    bare = Variant(name=_text(data, "name"), title=_text(data, "title"), start=start, cube=_truth(data, "cube"))
    return bare.with_options(_mapping(data.get("options"), "variant.options"))


def read_settings(value: object) -> Settings:
    """The inverse of :func:`settings_json`."""
    data = _mapping(value, "settings")
    try:
        stake = Decimal(_text(data, "stake"))
    except InvalidOperation:
        raise StoreError(f"settings.stake: {data['stake']!r} is not a number") from None
    return Settings(
        variant=read_variant(data.get("variant")),
        length=_integer(data.get("length"), "settings.length"),
        stake=stake,
        cube=_truth(data, "cube"),
        cube_cap=_optional_integer(data, "cube_cap"),
        crawford=_truth(data, "crawford"),
        jacoby=_truth(data, "jacoby"),
        beavers=_truth(data, "beavers"),
        raccoons=_truth(data, "raccoons"),
        automatic_doubles=_optional_integer(data, "automatic_doubles"),
        backgammon=_member(Backgammon, data.get("backgammon"), "settings.backgammon"),
    )


def read_action(value: object) -> Action:
    """The inverse of :func:`action_json`."""
    data = _mapping(value, "action")
    kind = _member(ActionKind, data.get("kind"), "action.kind")
    dice = None
    if "dice" in data:
        first, second = _pair(data["dice"], "action.dice")
        Roll(first, second)
        dice = (first, second)
    moves = tuple(_read_move(move) for move in _list(data, "moves")) if kind is ActionKind.PLAY else ()
    return Action(kind, dice, moves, _optional_integer(data, "number"))


def read_result(value: object) -> Result:
    """The inverse of :func:`result_json`."""
    data = _mapping(value, "result")
    return Result(
        _player(data.get("winner"), "result.winner"),
        _integer(data.get("points"), "result.points"),
        _optional_integer(data, "level"),
        _text(data, "how"),
    )


def read_score(value: object) -> Score:
    """The inverse of :func:`score_json`."""
    data = _mapping(value, "score")
    return Score(
        _pair(data.get("points"), "score.points"), _truth(data, "crawford_game"), _truth(data, "post_crawford")
    )


def read_game(value: object, settings: Settings) -> Game:
    """The inverse of :func:`game_json`."""
    data = _mapping(value, "game")
    cube = _mapping(data.get("cube"), "game.cube")
    dice = data.get("dice")
    owner = cube.get("owner")
    resigned_in = data.get("resigned_in")
    result = data.get("result")
    return Game(
        settings=settings,
        score=read_score(data.get("score")),
        position=Position.from_text(_text(data, "position"), settings.variant.checkers),
        on_roll=_player(data.get("on_roll"), "game.on_roll"),
        phase=_member(Phase, data.get("phase"), "game.phase"),
        dice=Roll(*_pair(dice, "game.dice")) if dice is not None else None,
        cube=Cube(
            _integer(cube.get("value"), "game.cube.value"),
            _player(owner, "game.cube.owner") if owner is not None else None,
            _optional_integer(cube, "offered"),
        ),
        multiplier=_integer(data.get("multiplier"), "game.multiplier"),
        ties=_integer(data.get("ties"), "game.ties"),
        follow_ups=tuple(_member(FollowUp, stage, "game.follow_ups") for stage in _list(data, "follow_ups")),
        resignation=_optional_integer(data, "resignation"),
        resigned_in=_member(Phase, resigned_in, "game.resigned_in") if resigned_in is not None else None,
        result=read_result(result) if result is not None else None,
    )


def read_event(value: object, settings: Settings) -> Event:
    """The inverse of :func:`event_json`."""
    data = _mapping(value, "event")
    if data.get("kind") == "setup":
        return Setup(read_game(data.get("game"), settings), _text(data, "note"))
    return read_action(data)


def read_match(value: object) -> Match:
    """The inverse of :func:`match_json`; the games are replayed, so that only what can have happened is accepted."""
    data = _mapping(value, "match")
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise StoreError(
            f"this is not a record we read: format {data.get('format')!r}, version {data.get('version')!r}"
        )
    settings = read_settings(data.get("settings"))
    names = [str(name) for name in _list(data, "names")]
    if len(names) != 2:
        raise StoreError(f"a match has two names, not {len(names)}")
    records: list[GameRecord] = []
    for each in _list(data, "games"):
        game = _mapping(each, "games")
        stated = game.get("stated")
        record = GameRecord(
            read_game(game.get("start"), settings),
            tuple(read_event(event, settings) for event in _list(game, "events")),
            read_result(stated) if stated is not None else None,
            MappingProxyType({int(key): str(text) for key, text in _mapping(game.get("comments"), "comments").items()}),
        )
        try:
            replayed = record.result
        except RulesError as error:
            raise StoreError(f"game {len(records) + 1}: {error}") from error
        if (result_json(replayed) if replayed else None) != game.get("result"):
            raise StoreError(f"game {len(records) + 1}: its result does not follow from what happened")
        records.append(record)
    info = {str(key): str(text) for key, text in _mapping(data.get("info"), "info").items()}
    return Match(settings, (names[0], names[1]), tuple(records), MappingProxyType(info))


# -- small change -----------------------------------------------------------------------------------------------
def _name(player: Player | None) -> str | None:
    return None if player is None else player.name


def _move_json(move: CheckerMove) -> list[Any]:
    return [move.source, move.target, move.die, *([True] if move.hit else [])]


def _read_move(value: object) -> CheckerMove:
    if not isinstance(value, list) or len(value) not in (3, 4):
        raise StoreError(f"action.moves: {value!r} is not [source, target, die]")
    source, target, die = (_integer(number, "action.moves") for number in value[:3])
    return CheckerMove(source, target, die, bool(value[3]) if len(value) == 4 else False)


def _mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise StoreError(f"{where}: {str(value)[:60]!r} is not an object")
    return value


def _list(data: Mapping[str, Any], key: str) -> Sequence[Any]:
    value = data.get(key)
    if not isinstance(value, list):
        raise StoreError(f"{key}: {str(value)[:60]!r} is not a list")
    return value


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise StoreError(f"{key}: {str(value)[:60]!r} is not text")
    return value


def _truth(data: Mapping[str, Any], key: str) -> bool:
    value = data.get(key)
    if not isinstance(value, bool):
        raise StoreError(f"{key}: {str(value)[:60]!r} is neither true nor false")
    return value


def _integer(value: object, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise StoreError(f"{where}: {str(value)[:60]!r} is not a whole number")
    return value


def _optional_integer(data: Mapping[str, Any], key: str) -> int | None:
    value = data.get(key)
    return None if value is None else _integer(value, key)


def _pair(value: object, where: str) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise StoreError(f"{where}: {str(value)[:60]!r} is not a pair of numbers")
    return _integer(value[0], where), _integer(value[1], where)


def _player(value: object, where: str) -> Player:
    if value not in ("X", "O"):
        raise StoreError(f"{where}: {str(value)[:60]!r} is neither X nor O")
    return Player[str(value)]


def _member(kind: Any, value: object, where: str) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise StoreError(f"{where}: {str(value)[:60]!r} is not one of {', '.join(kind)}") from None
