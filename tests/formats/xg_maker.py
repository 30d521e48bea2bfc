"""eXtreme Gammon files made from our matches, record by record, to test the reader without anybody's file."""

from __future__ import annotations

import struct
import zlib

from fullprime.formats.recording.boards import counts_of
from fullprime.formats.xg.container import unpack
from fullprime.rules.game import Action, ActionKind, Game
from fullprime.rules.record import GameRecord, Match
from fullprime.rules.score import Player

_CHANCES = (0.0, 0.125, 0.5, 0.5, 0.125, 0.0)
_CUBE, _MOVE = 2, 3


def rolled_out(data: bytes) -> bytes:
    """The same file with its first analysed play and cube rolled out: 1296 and 5184 games."""
    unpacked = unpack(data, [])
    records = bytearray(unpacked.members["temp.xg"])
    kinds = {_MOVE: (2344, 1280, "<h"), _CUBE: (224, 92, "<i")}
    for index, kind in enumerate((_MOVE, _CUBE)):
        place, level, form = kinds[kind]
        at = next(at for at in range(0, len(records), 2560) if records[at + 8] == kind)
        struct.pack_into("<i", records, at + place, index)
        struct.pack_into(form, records, at + level, 100)
    rollouts = bytearray(2 * 2184)
    for index, (trials, interval) in enumerate(((1296, 0.0196), (5184, 0.0098))):
        struct.pack_into("<i", rollouts, index * 2184 + 84, trials)
        struct.pack_into("<f", rollouts, index * 2184 + 2020, interval)
    return container({"temp.xg": bytes(records), "temp.xgr": bytes(rollouts)})


def xg_file(match: Match, comments: bytes = b"", analysed: bool = True) -> bytes:
    records = [_head(match)]
    for number, game in enumerate(match.games, 1):
        records += _game(match, game, number, analysed)
    records.append(_record(5))
    return container({"temp.xg": b"".join(records), "temp.xgc": comments})


def container(members: dict[str, bytes]) -> bytes:
    index = data = b""
    for name, content in members.items():
        packed = zlib.compress(content, 1)
        entry = bytearray(532)
        struct.pack_into("<B", entry, 0, len(name))
        entry[1 : 1 + len(name)] = name.encode()
        struct.pack_into("<iiiIBB", entry, 512, len(content), len(packed), len(data), zlib.crc32(content), 0, 9)
        index += bytes(entry)
        data += packed
    packed_index = zlib.compress(index)
    tail = struct.pack("<iiiii12x", len(members), 1, len(packed_index), len(data), 1)
    header = bytearray(8232)
    struct.pack_into("<4sIIqI", header, 0, b"RGMH", 1, 8232, 0, 0)
    return bytes(header) + data + packed_index + struct.pack("<I", zlib.crc32(data + packed_index)) + tail


def _record(kind: int) -> bytearray:
    record = bytearray(2560)
    record[8] = kind
    return record


def _wide(record: bytearray, offset: int, text: str) -> None:
    data = text.encode("utf-16-le")
    record[offset : offset + len(data)] = data


def _head(match: Match) -> bytes:
    record, settings = _record(0), match.settings
    variation = {"backgammon": 0, "nackgammon": 1, "hypergammon": 2, "longgammon": 3}[settings.variant.name]
    struct.pack_into(
        "<ii4B",
        record,
        92,
        settings.length or 99999,
        variation,
        settings.crawford,
        settings.jacoby,
        settings.beavers,
        0,
    )
    struct.pack_into("<d", record, 128, 45256.5)
    struct.pack_into("<ii", record, 552, 30, 0x494C4D44)
    struct.pack_into("<ii", record, 576, -1, -1)
    struct.pack_into("<i", record, 612, 10)
    _wide(record, 622, "Club")
    _wide(record, 880, match.names[Player.O])
    _wide(record, 1138, match.names[Player.X])
    return bytes(record)


def _number(player: Player) -> int:
    return 1 if player is Player.O else -1


def _game(match: Match, game: GameRecord, number: int, analysed: bool) -> list[bytes]:
    head = _record(1)
    points = game.start.score.points
    struct.pack_into("<iiB", head, 12, points[Player.O], points[Player.X], game.start.score.crawford_game)
    struct.pack_into("<i", head, 48, number)
    struct.pack_into("<iii", head, 56, -1, -1, 0)
    records = [bytes(head)]
    cube: bytearray | None = None
    roll: bytearray | None = None
    state = game.start
    for entry in game.entries():
        event, before = entry.event, entry.before
        assert isinstance(event, Action)
        state = entry.after
        match event.kind:
            case ActionKind.OPENING | ActionKind.ROLL:
                if cube is None or struct.unpack_from("<i", cube, 16)[0] == 1:
                    records.append(bytes(_cube(before if before.turn is not None else state, state.on_roll, analysed)))
                else:
                    records.append(bytes(cube))
                cube = None
                roll = _move(state)
            case ActionKind.PLAY:
                assert roll is not None
                _fill(roll, before, state, event, analysed)
                records.append(bytes(roll))
                roll = None
            case ActionKind.DOUBLE:
                cube = _cube(before, before.on_roll, analysed)
                struct.pack_into("<iiii", cube, 16, 1, -1, -1, -1)
            case ActionKind.TAKE | ActionKind.DROP | ActionKind.BEAVER | ActionKind.RACCOON:
                assert cube is not None
                answer = {"drop": 0, "take": 1, "beaver": 2, "raccoon": 2}[event.kind.value]
                slot = {"double_offered": 20, "beaver_offered": 24, "raccoon_offered": 28}[before.phase.value]
                struct.pack_into("<i", cube, slot, answer)
                if answer < 2:
                    records.append(bytes(cube))
            case _:
                pass
    if roll is not None:
        records.append(bytes(roll))
    if state.result is not None:
        foot = _record(4)
        how = {"drop": 0, "bear-off": state.result.level, "resignation": 100 + (state.result.level or 1)}[
            state.result.how
        ]
        struct.pack_into("<iii", foot, 24, _number(state.result.winner), state.result.points, how)
        records.append(bytes(foot))
    return records


def _counts(game: Game, view: Player) -> bytes:
    return struct.pack("<26b", *counts_of(game.position, game.on_roll, view))


def _cube(game: Game, player: Player, analysed: bool) -> bytearray:
    record = _record(_CUBE)
    struct.pack_into("<iiiii", record, 12, _number(player), 0, -1, -1, -1)
    record[36:62] = _counts(game, Player.O)
    struct.pack_into("<d", record, 200, -1000.0)
    struct.pack_into("<d", record, 216, -1000.0)
    struct.pack_into("<i", record, 292, -1)
    if analysed:
        struct.pack_into("<i", record, 92, 2)
        struct.pack_into("<7f", record, 124, *_CHANCES, 0.25)
        struct.pack_into("<3f", record, 152, 0.25, 0.125, 1.0)
        struct.pack_into("<7f", record, 168, *_CHANCES, 0.25)
        struct.pack_into("<d", record, 200, -0.125)
    return record


def _move(game: Game) -> bytearray:
    record = _record(_MOVE)
    record[9:35] = _counts(game, Player.O)
    struct.pack_into("<i", record, 64, _number(game.on_roll))
    assert game.dice is not None
    struct.pack_into("<ii", record, 100, game.dice.high, game.dice.low)
    struct.pack_into("<dd", record, 2312, -1000.0, 0.5)
    struct.pack_into("<i", record, 2524, -1)
    return record


def _pairs(action: Action) -> list[int]:
    numbers = [n for m in action.moves for n in (m.source - 1, m.target - 1)]
    return (numbers + [-1] * 8)[:8]


def _fill(record: bytearray, before: Game, after: Game, action: Action, analysed: bool) -> None:
    end = struct.pack("<26b", *counts_of(after.position, after.on_roll, before.on_roll))
    record[35:61] = end
    struct.pack_into("<8i", record, 68, *_pairs(action))
    if analysed:
        struct.pack_into("<i", record, 188, 1)
        record[192:218] = end
        struct.pack_into("<8b", record, 1024, *_pairs(action))
        struct.pack_into("<h", record, 1280, 1000)
        struct.pack_into("<7f", record, 1408, *_CHANCES, -0.5)
        struct.pack_into("<d", record, 2312, -0.25)
