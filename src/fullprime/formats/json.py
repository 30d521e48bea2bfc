"""Our own JSON: complete for every variant, every setting and every fact of a record.

``to_json`` turns a value of the rules layer into plain lists, dicts, strings and numbers; ``from_json`` is its exact
inverse and raises FormatError, naming the place, for anything else. The store keeps the same form.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any, TypeVar, cast

from fullprime.formats.analysis import (
    Candidate,
    Chances,
    CubeAnalysis,
    EventAnalysis,
    FileAnalysis,
    PlayAnalysis,
)
from fullprime.formats.document import Document, FormatError, LossReport, Problem
from fullprime.rules.cube import Cube
from fullprime.rules.dice import Roll
from fullprime.rules.errors import FullprimeError
from fullprime.rules.game import Action, ActionKind, Game, Phase
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import Position
from fullprime.rules.record import Event, GameRecord, Match, Setup
from fullprime.rules.score import Player, Result, Score, Settings
from fullprime.rules.variants import VARIANTS, Backgammon, FollowUp, Variant, variant_named

FORMAT = "fullprime"
VERSION = 1

Json = Any
T = TypeVar("T")


# -- out -----------------------------------------------------------------------------------------------------
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
    known = VARIANTS.get(variant.name)
    if known == variant:
        return variant.name
    options = variant.options
    if known is not None and (known.title, known.start, known.cube) == (variant.title, variant.start, variant.cube):
        return {"name": variant.name, "options": {k: v for k, v in options.items() if v != known.options[k]}}
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
        plain["cube"] = {f.name: _listed(getattr(event.cube, f.name)) for f in fields(CubeAnalysis)}
    if event.luck is not None:
        plain["luck"] = event.luck
    if event.error is not None:
        plain["error"] = event.error
    return plain


def _candidate(candidate: Candidate) -> Json:
    return {
        "moves": None if candidate.moves is None else [_move(move) for move in candidate.moves],
        "text": candidate.text,
        "equity": candidate.equity,
        "chances": _listed(candidate.chances),
        "level": candidate.level,
        "deviation": candidate.deviation,
    }


def _listed(value: Json) -> Json:
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


# -- in ------------------------------------------------------------------------------------------------------
def from_json(kind: type[T], data: Json, settings: Settings | None = None) -> T:
    """The value of that type which ``to_json`` wrote.

    ``settings`` are those of the match for a game, a set-up or a record that was written inside one (and leaves them
    out). Raises FormatError with the reason and the place.

    >>> from_json(Action, {"play": [[13, 7, 6], [8, 7, 1]]}).moves
    (CheckerMove(source=13, target=7, die=6, hit=False), CheckerMove(source=8, target=7, die=1, hit=False))
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
        raise FormatError(f"{kind.__name__}: {_shown(data)} is not what was written ({error!r:.80})") from error


def _shown(data: Json) -> str:
    text = repr(data) if not isinstance(data, dict | list) else f"{type(data).__name__} of {len(data)}"
    return text if len(text) <= 60 else text[:57] + "..."


def _int(value: Json, lowest: int = 0, highest: int = 1 << 62) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise FormatError(f"{_shown(value)} is not a whole number from {lowest} to {highest}")
    return value


def _bool(value: Json) -> bool:
    if not isinstance(value, bool):
        raise FormatError(f"{_shown(value)} is neither true nor false")
    return value


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise FormatError(f"{_shown(value)} is not text")
    return value


def _number(value: Json) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(f"{_shown(value)} is not a number")
    return float(value)


def _dict(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise FormatError(f"{_shown(value)} is not an object")
    return value


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise FormatError(f"{_shown(value)} is not a list")
    return value


def _player(value: Json) -> Player:
    try:
        return Player[_text(value)]
    except KeyError:
        raise FormatError(f"{_shown(value)}: a player is X or O") from None


def _read_variant(data: Json, _: Settings | None = None) -> Variant:
    if isinstance(data, str):
        return variant_named(data)
    data = _dict(data)
    if "start" in data:
        start = tuple(_int(count, 0, 99) for count in _list(data["start"]))
        variant = Variant(name=_text(data["name"]), title=_text(data["title"]), start=start, cube=_bool(data["cube"]))
    else:
        variant = variant_named(_text(data["name"]))
    return variant.with_options({name: _text(value) for name, value in _dict(data.get("options", {})).items()})


def _read_settings(data: Json, _: Settings | None = None) -> Settings:
    data = _dict(data)
    known: dict[str, Json] = {"variant": _read_variant(data["variant"]), "length": _int(data["length"])}
    for name in ("crawford", "jacoby", "beavers", "raccoons", "cube"):
        if name in data:
            known[name] = _bool(data[name])
    for name in ("cube_cap", "automatic_doubles"):
        if name in data:
            known[name] = None if data[name] is None else _int(data[name])
    if "stake" in data:
        try:
            known["stake"] = Decimal(_text(data["stake"]))
        except InvalidOperation:
            raise FormatError(f"{_shown(data['stake'])} is not a stake") from None
    if "backgammon" in data:
        known["backgammon"] = Backgammon(_text(data["backgammon"]))
    return Settings(**known)


def _pair(value: Json, lowest: int, highest: int) -> tuple[int, int]:
    first, second = _list(value)
    return _int(first, lowest, highest), _int(second, lowest, highest)


def _read_score(data: Json, _: Settings | None = None) -> Score:
    data = _dict(data)
    points = _pair(data["points"], -(1 << 40), 1 << 40)
    return Score(points, _bool(data.get("crawford_game", False)), _bool(data.get("post_crawford", False)))


def _read_result(data: Json, _: Settings | None = None) -> Result:
    data = _dict(data)
    level = None if data["level"] is None else _int(data["level"], 1, 4)
    return Result(_player(data["winner"]), _int(data["points"]), level, _text(data["how"]))


def _read_cube(data: Json, _: Settings | None = None) -> Cube:
    data = _dict(data)
    owner = None if data["owner"] is None else _player(data["owner"])
    offered = None if data.get("offered") is None else _int(data["offered"], 1)
    return Cube(_int(data["value"], 1), owner, offered)


def _read_position(data: Json, settings: Settings | None = None) -> Position:
    return Position.from_text(_text(data), settings.variant.checkers if settings is not None else 15)


def _roll(value: Json) -> Roll:
    return Roll(*_pair(value, 1, 6))


def _read_game(data: Json, settings: Settings | None = None) -> Game:
    data = _dict(data)
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
        follow_ups=tuple(FollowUp(_text(step)) for step in _list(data.get("follow_ups", []))),
        resignation=_int(data["resignation"], 1, 4) if "resignation" in data else None,
        resigned_in=Phase(_text(data["resigned_in"])) if "resigned_in" in data else None,
        result=_read_result(data["result"]) if "result" in data else None,
    )


def _read_move(data: Json) -> CheckerMove:
    source, target, die, *hit = _list(data)
    if len(hit) > 1:
        raise FormatError(f"{_shown(data)} is not a checker move")
    return CheckerMove(_int(source, 1, 26), _int(target, 0, 24), _int(die, 1, 6), bool(hit) and _bool(hit[0]))


def _read_action(data: Json, _: Settings | None = None) -> Action:
    if isinstance(data, str):
        kind, value = ActionKind(data), None
    else:
        ((name, value),) = _dict(data).items()
        kind = ActionKind(name)
    match kind:
        case ActionKind.OPENING | ActionKind.ROLL:
            return Action(kind, dice=_pair(value, 1, 6))
        case ActionKind.PLAY:
            return Action(kind, moves=tuple(_read_move(move) for move in _list(value)))
        case ActionKind.CHOOSE:
            return Action(kind, number=_int(value, 1, 6))
        case ActionKind.RESIGN:
            return Action(kind, number=_int(value, 1, 4))
        case _:
            if value is not None:
                raise FormatError(f"{kind.value} stands alone, without {_shown(value)}")
            return Action(kind)


def _read_setup(data: Json, settings: Settings | None = None) -> Setup:
    data = _dict(data)
    return Setup(_read_game(data["setup"], settings), _text(data.get("note", "")))


def _read_event(data: Json, settings: Settings | None) -> Event:
    if isinstance(data, dict) and "setup" in data:
        return _read_setup(data, settings)
    return _read_action(data)


def _read_record(data: Json, settings: Settings | None = None) -> GameRecord:
    data = _dict(data)
    comments = {int(number): _text(words) for number, words in _dict(data.get("comments", {})).items()}
    return GameRecord(
        _read_game(data["start"], settings),
        tuple(_read_event(event, settings) for event in _list(data["events"])),
        _read_result(data["stated"]) if "stated" in data else None,
        MappingProxyType(comments),
    )


def _read_match(data: Json, _: Settings | None = None) -> Match:
    data = _dict(data)
    settings = _read_settings(data["settings"])
    x_name, o_name = _list(data["names"])
    info = {name: _text(value) for name, value in _dict(data.get("info", {})).items()}
    games = tuple(_read_record(game, settings) for game in _list(data["games"]))
    return Match(settings, (_text(x_name), _text(o_name)), games, MappingProxyType(info))


def _read_chances(data: Json) -> Chances | None:
    if data is None:
        return None
    numbers = [_number(value) for value in _list(data)]
    if len(numbers) != 5 or None in numbers:
        raise FormatError(f"{_shown(data)}: chances are five numbers")
    return cast("Chances", tuple(numbers))


def _read_candidate(data: Json) -> Candidate:
    data = _dict(data)
    return Candidate(
        None if data["moves"] is None else tuple(_read_move(move) for move in _list(data["moves"])),
        _text(data["text"]),
        _number(data["equity"]),
        _read_chances(data["chances"]),
        _text(data["level"]),
        _number(data["deviation"]),
    )


def _read_event_analysis(data: Mapping[str, Json]) -> EventAnalysis:
    play = cube = None
    if "play" in data:
        plain = _dict(data["play"])
        candidates = tuple(_read_candidate(candidate) for candidate in _list(plain["candidates"]))
        played = None if plain["played"] is None else _int(plain["played"], 0, max(0, len(candidates) - 1))
        play = PlayAnalysis(candidates, played, _text(plain["unit"]))
    if "cube" in data:
        plain = _dict(data["cube"])
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
    data = _dict(data)
    events = {}
    for entry in _list(data["events"]):
        entry = _dict(entry)
        events[_int(entry["game"]), _int(entry["event"])] = _read_event_analysis(entry)
    figures = {name: _text(value) for name, value in _dict(data.get("figures", {})).items()}
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


# -- files ---------------------------------------------------------------------------------------------------
def recognises(head: bytes) -> bool:
    """Whether a file that begins like this is ours."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and b'"fullprime"' in head[:200]


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The matches of a file of ours; raises FormatError when it is none. Replays every game and reports what fails."""
    try:
        plain = _dict(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{name or 'the file'} is not JSON: {error!s:.100}") from error
    if plain.get("format") != FORMAT:
        raise FormatError(f"{name or 'the file'} is not a Fullprime file: its format is {_shown(plain.get('format'))}")
    if plain.get("version") != VERSION:
        raise FormatError(f"{name or 'the file'} has version {_shown(plain.get('version'))}; we read {VERSION}")
    return tuple(_read_document(entry) for entry in _list(plain.get("matches")))


def _read_document(data: Json) -> Document:
    data = _dict(data)
    match = from_json(Match, data.get("match"))
    review = from_json(FileAnalysis, data["analysis"], match.settings) if "analysis" in data else None
    report = []
    for number, record in enumerate(match.games, 1):
        try:
            for _ in record.entries():
                pass
        except FullprimeError as error:
            report.append(Problem(f"game {number}: {error}"))
        except (AssertionError, IndexError, TypeError, ValueError, OverflowError) as error:
            report.append(Problem(f"game {number} cannot have been in this state ({error!r:.60})"))
    return Document(match, review, tuple(report), "json")


def write(document: Document) -> tuple[bytes, LossReport]:
    """The document as our JSON; nothing is lost but the list of problems its source had."""
    plain: dict[str, Json] = {"match": to_json(document.match)}
    if document.review is not None:
        plain["analysis"] = to_json(document.review)
    whole = {"format": FORMAT, "version": VERSION, "matches": [plain]}
    return (json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n").encode(), LossReport()


__all__ = ["FORMAT", "VERSION", "from_json", "read", "recognises", "to_json", "write"]
