"""Values of the rules layer and analyses as plain lists, dicts, strings and numbers: our own JSON, written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from fullprime.formats.analysis import (
    CandidatePlay,
    CubeAnalysis,
    EventAnalysis,
    FileAnalysis,
)
from fullprime.formats.document import FormatError
from fullprime.rules.cube import Cube
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import Position
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Result, Score, Settings
from fullprime.rules.variants import VARIANTS, Backgammon, Variant

Json = Any


def to_json(value: object) -> Json:
    """The plain form of a Variant, Settings, Score, Result, Game, Action, Setup, GameRecord or Match.

    >>> from fullprime.rules.game import opening
    >>> to_json(opening(3, 1))
    {'opening': [3, 1]}
    """
    for kind, write in _WRITERS.items():
        if isinstance(value, kind):
            return write(value)
    raise FormatError(f"{type(value).__name__} has no JSON form")


def _variant(variant: Variant) -> Json:
    standard = VARIANTS.get(variant.name)
    if standard == variant:
        return variant.name
    options = variant.options
    facts = variant.title, variant.start, variant.cube
    if standard is not None and (standard.title, standard.start, standard.cube) == facts:
        return {"name": variant.name, "options": {k: v for k, v in options.items() if v != standard.options[k]}}
    return {
        "name": variant.name,
        "title": variant.title,
        "start": list(variant.start),
        "cube": variant.cube,
        "options": options,
    }


_SETTINGS_DEFAULTS = {f.name: f.default for f in fields(Settings)}


def _settings(settings: Settings) -> Json:
    plain: dict[str, Json] = {"variant": _variant(settings.variant), "length": settings.length}
    for name in ("cube_cap", "crawford", "jacoby", "beavers", "raccoons", "automatic_doubles"):
        value = getattr(settings, name)
        if value != _SETTINGS_DEFAULTS[name]:
            plain[name] = value
    if settings.stake != 1:
        plain["stake"] = str(settings.stake)
    if settings.cube != settings.variant.cube:
        plain["cube"] = settings.cube
    if settings.backgammon is not Backgammon.HOME_OR_BAR:
        plain["backgammon"] = settings.backgammon.value
    return plain


def _score(score: Score) -> Json:
    plain: dict[str, Json] = {"points": list(score.points)}
    if score.crawford_game:
        plain["crawford_game"] = True
    if score.post_crawford:
        plain["post_crawford"] = True
    return plain


def _result(result: Result) -> Json:
    return {"winner": result.winner.name, "points": result.points, "level": result.level, "how": result.how}


def _cube(cube: Cube) -> Json:
    plain: dict[str, Json] = {"value": cube.value, "owner": cube.owner.name if cube.owner is not None else None}
    if cube.offered is not None:
        plain["offered"] = cube.offered
    return plain


def _position(position: Position) -> Json:
    return position.text


def _game(game: Game, settings: Settings | None = None) -> Json:
    plain: dict[str, Json] = {} if game.settings == settings else {"settings": _settings(game.settings)}
    plain |= {
        "score": _score(game.score),
        "position": _position(game.position),
        "on_roll": game.on_roll.name,
        "phase": game.phase.value,
    }
    if game.dice is not None:
        plain["dice"] = [game.dice.high, game.dice.low]
    if game.cube != Cube():
        plain["cube"] = _cube(game.cube)
    if game.multiplier != 1:
        plain["multiplier"] = game.multiplier
    if game.ties:
        plain["ties"] = game.ties
    if game.follow_ups:
        plain["follow_ups"] = [step.value for step in game.follow_ups]
    if game.resignation is not None:
        plain["resignation"] = game.resignation
    if game.resigned_in is not None:
        plain["resigned_in"] = game.resigned_in.value
    if game.result is not None:
        plain["result"] = _result(game.result)
    return plain


def _move(move: CheckerMove) -> Json:
    return [move.source, move.target, move.die, *([True] if move.hit else [])]


def _action(action: Action) -> Json:
    kind = action.kind
    match kind:
        case ActionKind.OPENING | ActionKind.ROLL:
            return {kind.value: list(action.dice or ())}
        case ActionKind.PLAY:
            return {kind.value: [_move(move) for move in action.moves]}
        case ActionKind.CHOOSE | ActionKind.RESIGN:
            return {kind.value: action.number}
        case _:
            return kind.value


def _setup(setup: Setup, settings: Settings | None = None) -> Json:
    plain = {"setup": _game(setup.game, settings)}
    if setup.note:
        plain["note"] = setup.note
    return plain


def _event(event: Event, settings: Settings | None = None) -> Json:
    return _setup(event, settings) if isinstance(event, Setup) else _action(event)


def _record(record: GameRecord, settings: Settings | None = None) -> Json:
    plain: dict[str, Json] = {
        "start": _game(record.start, settings),
        "events": [_event(event, settings) for event in record.events],
    }
    if record.stated is not None:
        plain["stated"] = _result(record.stated)
    if record.comments:
        plain["comments"] = {str(number): words for number, words in sorted(record.comments.items())}
    return plain


def _match(match: Match) -> Json:
    plain: dict[str, Json] = {
        "settings": _settings(match.settings),
        "names": list(match.names),
        "games": [_record(game, match.settings) for game in match.games],
    }
    if match.info:
        plain["info"] = dict(match.info)
    return plain


def _analysis(analysis: FileAnalysis) -> Json:
    plain: dict[str, Json] = {"program": analysis.program}
    plain["events"] = [
        {"game": game, "event": number, **_event_analysis(event)}
        for (game, number), event in sorted(analysis.events.items())
    ]
    if analysis.figures:
        plain["figures"] = dict(analysis.figures)
    return plain


def _event_analysis(event: EventAnalysis) -> dict[str, Json]:
    plain: dict[str, Json] = {}
    if event.play is not None:
        candidates = [_candidate(candidate) for candidate in event.play.candidates]
        plain["play"] = {"played": event.play.played, "unit": event.play.unit, "candidates": candidates}
    if event.cube is not None:
        plain["cube"] = {f.name: _to_list(getattr(event.cube, f.name)) for f in fields(CubeAnalysis)}
    if event.luck is not None:
        plain["luck"] = event.luck
    if event.error is not None:
        plain["error"] = event.error
    return plain


def _candidate(candidate: CandidatePlay) -> Json:
    return {
        "moves": None if candidate.moves is None else [_move(move) for move in candidate.moves],
        "text": candidate.text,
        "equity": candidate.equity,
        "chances": _to_list(candidate.chances),
        "level": candidate.level,
        "deviation": candidate.deviation,
    }


def _to_list(value: Json) -> Json:
    return list(value) if isinstance(value, tuple) else value


_WRITERS: dict[type, Callable[[Any], Json]] = {
    Variant: _variant,
    Settings: _settings,
    Score: _score,
    Result: _result,
    Cube: _cube,
    Position: _position,
    Game: _game,
    Action: _action,
    Setup: _setup,
    GameRecord: _record,
    Match: _match,
    FileAnalysis: _analysis,
}
