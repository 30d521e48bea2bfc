"""BGBlitz matches (``.bgf``): a line of JSON, then Smile, mostly compressed. Red is our X, Green our O."""

from __future__ import annotations

import json
import math
import re
import zlib
from types import MappingProxyType
from typing import Any

from fullprime.formats.analysis import CandidatePlay, Chances, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.bgblitz import smile
from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.recording import walk
from fullprime.formats.recording.boards import game_at
from fullprime.formats.recording.recorder import Recorder
from fullprime.formats.recording.tags import NO_LIMIT
from fullprime.rules.cube import Cube
from fullprime.rules.game import Game
from fullprime.rules.position import BAR, OFF, SLOTS
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings

RED, GREEN = Player.X, Player.O
_MAX_BYTES = 64 << 20
_UNKNOWN = -99.0
"""Numbers at or below this stand for "not analysed"."""


def recognises(head: bytes) -> bool:
    """True if the first line is JSON that names Smile."""
    line = head.lstrip(b"\xef\xbb\xbf").partition(b"\n")[0]
    return line.startswith(b"{") and b"smile" in line.lower()


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """Read the match; raises FormatError."""
    try:
        return (_read(data, name),)
    except FormatError as error:
        raise FormatError(f"{name or 'the file'}: {error}") from error


def _read(data: bytes, name: str) -> Document:
    line, newline, payload = data.partition(b"\n")
    try:
        head = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"the first line is not JSON: {error!s:.60}") from error
    if not newline or not isinstance(head, dict):
        raise FormatError("there is nothing after the first line")
    match = smile.loads(_unpack(payload))
    if not isinstance(match, dict):
        raise FormatError("the data are not a match")
    # Descriptions disagree on which sign of ``player`` is Green; the results of the games tell it.
    documents = []
    for green in (-1, 1):
        documents.append(_Reader(match, green).document(str(head.get("version", "")), name))
        if not any(_doubts(documents[-1])):
            break
    return min(documents, key=_doubts)


def _doubts(document: Document) -> tuple[int, int]:
    """Problems, and results that do not follow from the moves."""
    return len(document.report), sum(game.stated is not None for game in document.match.games)


def _unpack(payload: bytes) -> bytes:
    """The payload without its compression (gzip, zlib or none), within a limit."""
    if payload.startswith(smile.MAGIC):
        return payload
    decoder = zlib.decompressobj(wbits=47)
    try:
        content = decoder.decompress(payload, _MAX_BYTES)
    except zlib.error as error:
        raise FormatError(f"the data cannot be unpacked: {error!s:.60}") from error
    if decoder.unconsumed_tail:
        raise FormatError(f"the data unpack to more than {_MAX_BYTES:,} bytes")
    return content


def _number(value: Any) -> float | None:
    """A finite number that is no mark for "unknown"."""
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,9}(\.\d{1,18})?", value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and value > _UNKNOWN else None


def _int(value: Any, default: int = 0) -> int:
    number = _number(value)
    return default if number is None or abs(number) > 1e9 else int(number)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _hops(move: dict[str, Any]) -> tuple[walk.Hop, ...]:
    """``from`` and ``to`` in the mover's numbering; 25 the bar, 0 off, -1 unused."""
    hops = []
    for source, target in zip(_list(move.get("from"))[:4], _list(move.get("to"))[:4], strict=False):
        start, end = _int(source, -1), _int(target, -1)
        if start < 1 or start > BAR or end > 24:
            continue
        hops.append((start, max(OFF, end)))
    return tuple(hops)


def _chances(equity: dict[str, Any]) -> Chances | None:
    names = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
    values = [_number(equity.get(name)) for name in names]
    if any(value is None for value in values):
        return None
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (value or 0.0 for value in values)
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


class _Reader:
    def __init__(self, match: dict[str, Any], green: int) -> None:
        self.match = match
        self.green = green
        self.problems: list[Problem] = []
        self.settings = self._settings()
        self.recorder = Recorder(self.settings, self.problems)
        self.events: dict[tuple[int, int], EventAnalysis] = {}

    def _settings(self) -> Settings:
        match = self.match
        length = _int(match.get("matchlen"))
        if not 0 <= length <= 10_000:
            self.problems.append(Problem(f"a match to {length} is taken as money play"))
            length = 0
        limit = _int(match.get("cubeLimit"), NO_LIMIT)
        cube = match.get("useCube") is not False
        money = length == 0 and cube
        power = 2 <= limit < NO_LIMIT and not limit & (limit - 1)
        return Settings(
            length=length,
            cube=cube,
            cube_cap=limit if cube and power else None,
            crawford=length < 2 or match.get("useCrawford") is not False,
            jacoby=money and match.get("useJacoby") is True,
            beavers=money and match.get("useBeaver") is True,
        )

    def document(self, version: str, name: str) -> Document:
        """Follow every game."""
        match = self.match
        games = [_dict(game) for game in _list(match.get("games"))]
        for index, game in enumerate(games):
            following = games[index + 1] if index + 1 < len(games) else None
            self._game(game, following)
        self.recorder.close()
        info = {
            "Event": _text(match.get("event")),
            "Site": _text(match.get("site")),
            "EventDate": _text(match.get("date")),
        }
        names = _text(match.get("nameRed")), _text(match.get("nameGreen"))
        facts = MappingProxyType({key: value for key, value in info.items() if value})
        record = Match(self.settings, names, tuple(self.recorder.games), facts)
        review = FileAnalysis(f"BGBlitz {version}".strip(), MappingProxyType(self.events)) if self.events else None
        return Document(record, review, tuple(self.problems), source=name)

    def _game(self, game: dict[str, Any], following: dict[str, Any] | None) -> None:
        recorder = self.recorder
        points = max(0, _int(game.get("scoreRed"))), max(0, _int(game.get("scoreGreen")))
        crawford = game.get("isCrawford") if self.settings.length > 1 else None
        recorder.begin(points, crawford=crawford if isinstance(crawford, bool) else None)
        self._board(_dict(game.get("initial")), _list(game.get("moves")))
        moves = [_dict(move) for move in _list(game.get("moves"))]
        skip = False
        for index, move in enumerate(moves):
            if skip:
                skip = False
                continue
            skip = self._step(move, moves[index + 1] if index + 1 < len(moves) else {})
        if not recorder.in_game:
            return
        self._finish(game, points, following)

    def _finish(self, game: dict[str, Any], before: tuple[int, int], following: dict[str, Any] | None) -> None:
        """Finish the game; the next game's score, or the final one, tells the winner."""
        source, keys = (
            (following, ("scoreRed", "scoreGreen")) if following else (self.match, ("finalRed", "finalGreen"))
        )
        after = [_int(source.get(key)) for key in keys]
        gained = [after[0] - before[0], after[1] - before[1]]
        won = _int(game.get("wonPoints"))
        if sorted(gain > 0 for gain in gained) == [False, True]:
            winner = RED if gained[0] > 0 else GREEN
            how = "clock" if game.get("wasForfeit") is True else None
            self.recorder.finish(winner, won or max(gained), how=how)
        self.recorder.close()

    def _board(self, initial: dict[str, Any], moves: list[Any]) -> None:
        """A game that does not begin with the usual board or cube: points in Red's numbering, Green positive."""
        recorder = self.recorder
        counts = [_int(count) for count in _list(initial.get("points"))]
        cube, owner = _int(initial.get("cube"), 1), _int(initial.get("cubeOwner"))
        red, green = [0] * SLOTS, [0] * SLOTS
        if len(counts) < 26 or not any(counts):
            return
        for index in range(24):
            if counts[index] > 0:
                green[24 - index] = counts[index]
            else:
                red[index + 1] = -counts[index]
        green[BAR], red[BAR] = abs(counts[24]), abs(counts[25])
        checkers = self.settings.variant.checkers
        if max(sum(red), sum(green)) > checkers:
            recorder.report("the first board has too many checkers; it is left out")
            return
        for row in (red, green):
            row[OFF] = checkers - sum(row)
        if (red, green) == recorder.rows and cube <= 1:
            return
        power = cube >= 1 and not cube & (cube - 1)
        held = Cube(cube if power else 1, None if owner == 0 else self._player(owner))
        mover = self._player(_int(_dict(moves[0]).get("player")) if moves else 1)
        try:
            recorder.begin_at(game_at(self.settings, recorder.score, (red, green), mover, cube=held))
        except FormatError as error:
            recorder.report(f"the first board cannot be set: {error}")

    def _player(self, sign: int) -> Player:
        return GREEN if sign == self.green else RED

    def _step(self, move: dict[str, Any], following: dict[str, Any]) -> bool:
        """One record; True when the next one was its answer."""
        recorder = self.recorder
        if not recorder.in_game:
            return False
        player = self._player(_int(move.get("player")))
        equity = _dict(move.get("equity"))
        decision = _dict(equity.get("cubeDecision"))
        hops = _hops(move)
        dice = _int(move.get("red")), _int(move.get("green"))
        if not hops and decision.get("hasDoubled") is not None:
            return self._cube(player, equity, decision, following)
        if not all(1 <= die <= 6 for die in dice):
            return False
        if not recorder.roll(player, *dice):
            return False
        luck = _dict(move.get("luck"))
        value = _number(luck.get("luckPlain" if luck.get("mode") == "Money" else "luckWeighted"))
        cube = self._cube_analysis(equity, decision) if decision.get("stateOnMove") is not None else None
        self._note(EventAnalysis(cube=cube, luck=value))
        before = recorder.game
        if hops:
            recorder.play(player, " ".join(f"{a}/{b}" for a, b in hops), None, hops)
        elif move.get("dancingEquity") is not None:
            recorder.dance(player)
        else:
            return False
        self._note(EventAnalysis(play=self._plays(_list(move.get("moveAnalysis")), before)))
        return False

    def _cube(
        self, player: Player, equity: dict[str, Any], decision: dict[str, Any], following: dict[str, Any]
    ) -> bool:
        recorder = self.recorder
        if decision.get("hasDoubled") is not True or not recorder.double(player):
            return False
        self._note(EventAnalysis(cube=self._cube_analysis(equity, decision)))
        answered = not _hops(following) and bool(following)
        accepted = decision.get("hasAccepted")
        if accepted is True:
            recorder.take(player.other)
        elif accepted is False:
            recorder.drop(player.other)
        return answered and accepted is not None

    def _cube_analysis(self, equity: dict[str, Any], decision: dict[str, Any]) -> CubeAnalysis | None:
        keys = ("eqNoDouble", "eqDoubleTake", "eqDoublePass")
        no_double, take, drop = (_number(decision.get(key)) for key in keys)
        if no_double is None and take is None:
            return None
        unit = "mwc" if self.settings.is_match else "points"
        return CubeAnalysis(no_double, take, drop, _chances(equity), unit=unit)

    def _plays(self, entries: list[Any], before: Game) -> PlayAnalysis | None:
        candidates: list[CandidatePlay] = []
        played = None
        for entry in (_dict(entry) for entry in entries[:4096]):
            equity, hops = _dict(entry.get("eq")), _hops(_dict(entry.get("move")))
            play = walk.find_play(before, hops)
            if entry.get("played") is True:
                played = len(candidates)
            value = _number(equity.get("emg")) if equity.get("hasEMG") is not False else None
            if value is None:
                value = _number(_dict(equity.get("cubeDecision")).get("eqCubeFul"))
            ply = _int(entry.get("ply"))
            moves = play.moves if play is not None else None
            text = " ".join(map(str, moves)) if moves is not None else " ".join(f"{a}/{b}" for a, b in hops)
            candidates.append(CandidatePlay(moves, text, value, _chances(equity), f"{ply}-ply" if ply else ""))
        return PlayAnalysis(tuple(candidates), played) if candidates else None

    def _note(self, analysis: EventAnalysis) -> None:
        if analysis != EventAnalysis() and self.recorder.last >= 0:
            self.events[len(self.recorder.games), self.recorder.last] = analysis
