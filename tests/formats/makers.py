"""BGBlitz and OGXM files made from our matches, to test the readers without anybody's file."""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from typing import Any

from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.game import Action, ActionKind
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player

GREEN, WHITE = Player.O, Player.O


# -- Smile --------------------------------------------------------------------------------------------------
def smile(value: Any, *, shared: bool = True) -> bytes:
    names: list[str] = []
    return b":)\n" + bytes([1 if shared else 0]) + _value(value, names, shared)


def _varint(number: int) -> bytes:
    number = (number << 1) ^ (number >> 63)
    parts = [0x80 | number & 0x3F]
    number >>= 6
    while number:
        parts.append(number & 0x7F)
        number >>= 7
    return bytes(reversed(parts))


def _value(value: Any, names: list[str], shared: bool) -> bytes:
    if value is None:
        return b"\x21"
    if isinstance(value, bool):
        return b"\x23" if value else b"\x22"
    if isinstance(value, int):
        if -16 <= value <= 15:
            return bytes([0xC0 + ((value << 1) ^ (value >> 31))])
        return b"\x24" + _varint(value)
    if isinstance(value, float):
        bits = int.from_bytes(struct.pack(">d", value), "big")
        return b"\x29" + bytes(bits >> 7 * i & 0x7F for i in range(9, -1, -1))
    if isinstance(value, str):
        data = value.encode()
        if not data:
            return b"\x20"
        if len(data) > 64 or (len(data) == 1 and not value.isascii()):
            return b"\xe4" + data + b"\xfc"
        if value.isascii():
            return bytes([0x40 + len(data) - 1 if len(data) <= 32 else 0x60 + len(data) - 33]) + data
        return bytes([0x80 + len(data) - 2 if len(data) <= 33 else 0xA0 + len(data) - 34]) + data
    if isinstance(value, list):
        return b"\xf8" + b"".join(_value(entry, names, shared) for entry in value) + b"\xf9"
    return b"\xfa" + b"".join(_name(k, names, shared) + _value(v, names, shared) for k, v in value.items()) + b"\xfb"


def _name(name: str, names: list[str], shared: bool) -> bytes:
    if shared and name in names:
        index = names.index(name)
        return bytes([0x40 + index]) if index < 64 else bytes([0x30 | index >> 8, index & 0xFF])
    if shared:
        names.append(name)
    return bytes([0x80 + len(name) - 1]) + name.encode()


# -- BGBlitz ------------------------------------------------------------------------------------------------
EQUITY = {"myWins": 0.5, "myGammon": 0.125, "myBackGammon": 0.0, "oppGammon": 0.25, "oppBackGammon": 0.0, "emg": 0.25}


def bgf(match: Match, *, green: int = -1, packed: bool = True) -> bytes:
    games = []
    final = (0, 0)
    for record in match.games:
        games.append(_bgf_game(record, green))
        result = record.result
        assert result is not None
        final = record.start.score.after(result, match.settings).points
    settings = match.settings
    fields = {
        "matchlen": settings.length,
        "nameRed": match.names[Player.X],
        "nameGreen": match.names[Player.O],
        "date": "2025-11-02",
        "useCube": True,
        "useCrawford": settings.crawford,
        "useJacoby": settings.jacoby,
        "finalRed": final[Player.X],
        "finalGreen": final[Player.O],
        "games": games,
    }
    payload = smile(fields)
    head = {"version": "1", "compression": "gzip", "encoding": "smile"}
    return json.dumps(head).encode() + b"\n" + (gzip.compress(payload, mtime=0) if packed else payload)


def _bgf_game(record: GameRecord, green: int) -> dict[str, Any]:
    moves: list[dict[str, Any]] = []
    entries = list(record.entries())
    for entry in entries:
        event = entry.event
        assert isinstance(event, Action)
        player = entry.before.turn if entry.before.turn is not None else entry.after.on_roll
        sign = green if player is GREEN else -green
        unused = {"from": [-1] * 4, "to": [-1] * 4, "player": sign}
        match event.kind:
            case ActionKind.OPENING | ActionKind.ROLL:
                dice = entry.after.dice
                assert dice is not None
                moves.append({"type": "amove", "red": dice.high, "green": dice.low, **unused})
            case ActionKind.PLAY:
                sources = ([m.source for m in event.moves] + [-1] * 4)[:4]
                targets = ([m.target for m in event.moves] + [-1] * 4)[:4]
                moves[-1] |= {"from": sources, "to": targets}
                if event.moves:
                    play = {"from": sources, "to": targets}
                    moves[-1]["moveAnalysis"] = [{"eq": EQUITY, "move": play, "played": True, "ply": 2}]
                    moves[-1]["luck"] = {"mode": "Match", "luckWeighted": 0.5}
                else:
                    moves[-1]["dancingEquity"] = EQUITY
            case ActionKind.DOUBLE:
                decision = {"hasDoubled": True, "eqNoDouble": 0.5, "eqDoubleTake": 0.625, "eqDoublePass": 1.0}
                moves.append({"type": "cube", "equity": {**EQUITY, "cubeDecision": decision}, **unused})
            case ActionKind.TAKE | ActionKind.DROP:
                moves[-1]["equity"]["cubeDecision"]["hasAccepted"] = event.kind is ActionKind.TAKE
                moves.append({"type": "cube", **unused})
            case _:
                pass
    result = record.result
    assert result is not None
    points = record.start.score.points
    return {
        "scoreRed": points[Player.X],
        "scoreGreen": points[Player.O],
        "isCrawford": record.start.score.crawford_game,
        "wonPoints": result.points,
        "moves": moves,
    }


# -- OGXM ---------------------------------------------------------------------------------------------------
def _leb(number: int) -> bytes:
    parts = []
    while True:
        parts.append(number & 0x7F | (0x80 if number > 0x7F else 0))
        number >>= 7
        if not number:
            return bytes(parts)


def _text(text: str) -> bytes:
    return _leb(len(text.encode())) + text.encode()


def _record(mask: int, body: bytes) -> bytes:
    content = _leb(mask) + body
    return _leb(len(content)) + content


_DICE = sorted((roll.low, roll.high) for roll in ALL_ROLLS)


def ogxm(match: Match, comment: str = "") -> bytes:
    settings = match.settings
    rules = settings.crawford | settings.jacoby << 1 | settings.beavers << 2 | settings.raccoons << 3
    head = _leb(settings.length) + _leb(0) + _text(match.names[WHITE]) + _text(match.names[Player.X]) + _leb(rules)
    sections = [(b"MTCH", _record(0b111, head))]
    decisions = b""
    number = 0
    for record in match.games:
        game, found, number = _ogxm_game(record, number)
        sections.append((b"GAME", game))
        decisions += found
    sections.append((b"ANAL", _record(1 << 2 | 1 << 5, bytes(16) + _record(1, _text("2ply")) + _text("engine"))))
    sections.append((b"DECS", decisions))
    if comment:
        sections.append((b"ANNO", _record(0, _leb(2) + _leb(0) + _text(comment))))
    content = b"".join(struct.pack("<4sIB", kind, len(data), 1) + data for kind, data in sections) + b"END!"
    return struct.pack("<4sHHHHI", b"OGXM", 2, 2, 2, 0, 16 + len(content)) + content


def _step(source: int, die: int, player: Player) -> int:
    return (source if player is Player.X else 25 - source) | die << 5


def _ogxm_game(record: GameRecord, number: int) -> tuple[bytes, bytes, int]:
    plies: list[bytes] = []
    decisions = b""
    waiting: tuple[Player, int, int] | None = None

    def rolled(steps: list[int]) -> None:
        assert waiting is not None
        player, low, high = waiting
        count = 4 if low == high else 2
        seat = 0 if player is WHITE else 1
        data = bytes(steps) + (b"\0" if len(steps) < count else b"")
        plies.append(bytes([_DICE.index((low, high)) | seat << 6]) + data)

    for entry in record.entries():
        event = entry.event
        assert isinstance(event, Action)
        player = entry.before.turn if entry.before.turn is not None else entry.after.on_roll
        seat = 0 if player is WHITE else 1
        match event.kind:
            case ActionKind.OPENING | ActionKind.ROLL:
                assert entry.after.dice is not None
                waiting = player, entry.after.dice.low, entry.after.dice.high
            case ActionKind.PLAY:
                steps = [_step(m.source, m.die, player) for m in event.moves]
                alternative = _record(
                    0b101, _leb(len(steps)) + bytes(steps) + struct.pack("<i5H", 250_000, 5000, 1250, 0, 2500, 0)
                )
                body = _leb(number + len(plies)) + _leb(0) + _leb(1) + alternative
                decisions += _record(1, body)
                rolled(steps)
                waiting = None
            case ActionKind.DOUBLE | ActionKind.TAKE | ActionKind.DROP | ActionKind.BEAVER | ActionKind.RACCOON:
                code = {"double": 21, "take": 22, "drop": 23, "beaver": 32, "raccoon": 33}[event.kind.value]
                plies.append(bytes([code | seat << 6]))
            case ActionKind.RESIGN:
                if waiting is not None:
                    rolled([])
                    waiting = None
                plies.append(bytes([27 | seat << 6]))
            case _:
                pass
    result = record.result
    assert result is not None
    head = _record(0b11, _leb(0 if result.winner is WHITE else 1) + _leb(result.points))
    return head + b"".join(plies), decisions, number + len(plies)


# -- OGXM, version 1 ----------------------------------------------------------------------------------------
def ogxm1(match: Match) -> bytes:
    settings = match.settings
    rules = settings.crawford | settings.jacoby << 1 | settings.beavers << 2 | settings.raccoons << 3
    names = [match.names[WHITE], match.names[Player.X], "Club", ""]
    head = struct.pack("<HBBHHBBIH8s", settings.length, len(match.games), rules, 0, 0, 0, 0, 1_700_000_000, 0, b"")
    chunks = [(b"MHDR", head + b"".join(bytes([len(name.encode())]) + name.encode() for name in names))]
    evals = alternatives = cubes = luck = b""
    for number, record in enumerate(match.games):
        plies: list[bytes] = []
        waiting: bytes | None = None
        for entry in record.entries():
            event = entry.event
            assert isinstance(event, Action)
            player = entry.before.turn if entry.before.turn is not None else entry.after.on_roll
            seat = 0x20 if player is WHITE else 0
            match event.kind:
                case ActionKind.OPENING | ActionKind.ROLL:
                    assert entry.after.dice is not None
                    dice = entry.after.dice
                    waiting = bytes([_DICE.index((dice.low, dice.high)) | seat]) + bytes(4 if dice.is_double else 2)
                case ActionKind.PLAY:
                    assert waiting is not None
                    steps = bytes(_step(m.source, m.die, player) for m in event.moves)
                    at = struct.pack("<BH", number, len(plies))
                    evals += at + struct.pack("<5HhHBBB", 5000, 1250, 0, 2500, 0, 2500, 125, 1, 2, 0)
                    alternatives += struct.pack("<4sh5HB", steps, 2500, 5000, 1250, 0, 2500, 0, 1)
                    luck += struct.pack("<Bh", 2, -500)
                    plies.append(waiting[:1] + steps + waiting[1 + len(steps) :])
                    waiting = None
                case ActionKind.DOUBLE | ActionKind.TAKE | ActionKind.DROP:
                    code = {"double": 21, "take": 22, "drop": 23}[event.kind.value]
                    cubes += struct.pack("<BHB", number, len(plies), 0 if code == 21 else 1)
                    cubes += struct.pack("<3h5HHBBB3x", 5000, 6250, 10_000, 5000, 1250, 0, 2500, 0, 0, 1, 1, 0)
                    plies.append(bytes([code | seat]))
                case ActionKind.RESIGN:
                    if waiting is not None:
                        plies.append(waiting)
                        waiting = None
                    plies.append(bytes([27 | seat]))
        result = record.result
        assert result is not None
        winner = 0 if result.winner is WHITE else 1
        game = struct.pack("<BHBBBBB", number, len(plies), winner, result.points, 0, 0, 0) + b"\xff\xff"
        chunks.append((b"GAME", game + b"".join(plies)))
    chunks.append((b"ANAL", struct.pack("<BBHHIIH8s", 2, 0, 0, 0, 0, 0, 0, b"") + b"\6engine"))
    chunks += [(b"EVAL", evals), (b"ALTS", alternatives), (b"CUBE", cubes), (b"GVAN", b"\3\2\1\1" + luck)]
    content = b"".join(struct.pack("<4sIHH", kind, len(data), 1, 0) + data for kind, data in chunks)
    header = struct.pack("<4sHHHHII", b"OGXM", 1, 3, 1, 0, 20 + len(content) + 28, 1) + content
    header += struct.pack("<4sIHHII", b"CSUM", 8, 1, 0, 0, zlib.crc32(header))
    return header + struct.pack("<4sI", b"END!", len(header) + 8)
