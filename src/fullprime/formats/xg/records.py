"""Records of eXtreme Gammon files as they are written: 2,560 bytes each, every number at its published offset."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from fullprime.formats.analysis import CandidatePlay, Chances, CubeAnalysis
from fullprime.formats.document import FormatError
from fullprime.formats.recording.boards import counts_of
from fullprime.formats.recording.units import NORMAL_95
from fullprime.formats.xg.analysis import NEVER, ROLLOUT, level_number
from fullprime.rules.cube import Cube
from fullprime.rules.game import Game
from fullprime.rules.plays import CheckerMove
from fullprime.rules.position import Position
from fullprime.rules.score import Player

RECORD = 2560
VERSION, MAGIC = 30, 0x494C4D44
NONE = -1000.0
"""An error or a luck that was not computed."""
NOT_ASKED, OPEN, STAYED, DOUBLED = -2, -1, 0, 1
"""A double that the rules do not allow, one still to be decided, none, and one that was made."""
INVALID = 2
"""A play that the rules do not allow."""
CANDIDATES = 32


def number(player: Player) -> int:
    """The sign of a player in a file: 1 for O, its player 1, and -1 for X."""
    return 1 if player is Player.O else -1


class XgRecord:
    """One record, filled field by field."""

    def __init__(self, kind: int) -> None:
        self.data = bytearray(RECORD)
        self.data[8] = kind

    def ints(self, offset: int, *values: int) -> None:
        """Write whole numbers of four bytes, one after the other."""
        self._pack(f"<{len(values)}i", offset, values)

    def doubles(self, offset: int, *values: float) -> None:
        """Write floats of eight bytes."""
        self._pack(f"<{len(values)}d", offset, values)

    def floats(self, offset: int, *values: float) -> None:
        """Write floats of four bytes."""
        self._pack(f"<{len(values)}f", offset, values)

    def _pack(self, form: str, offset: int, values: Sequence[float]) -> None:
        try:
            struct.pack_into(form, self.data, offset, *values)
        except (struct.error, OverflowError) as error:
            raise FormatError(f"a number is too large for a file of eXtreme Gammon: {max(values, key=abs)}") from error

    def short(self, offset: int, text: str, size: int) -> None:
        """Write a text of one byte a letter, with its length before it; other letters become question marks."""
        data = text.encode("cp1252", errors="replace")[:size]
        self.data[offset] = len(data)
        self.data[offset + 1 : offset + 1 + len(data)] = data

    def wide(self, offset: int, text: str) -> None:
        """Write a text of at most 128 units of UTF-16."""
        data = text.encode("utf-16-le", errors="replace")[:256]
        if 0xD8 <= (data[-1] if data else 0) < 0xDC:
            data = data[:-2]  # Half of a pair of units is no letter.
        self.data[offset : offset + len(data)] = data

    def board(self, offset: int, counts: Sequence[int]) -> None:
        """Write a board: 26 signed counts."""
        struct.pack_into("<26b", self.data, offset, *counts)

    def bytes(self) -> bytes:
        """The record."""
        return bytes(self.data)


def board_counts(position: Position, on_roll: Player, view: Player) -> list[int]:
    """26 counts of a board seen by a player."""
    return counts_of(position, on_roll, view)


def owner_exponent(cube: Cube) -> int:
    """The cube as records keep it: n when player 1 owns it at 2 to the power of n, -n for player 2, 0 in the middle."""
    exponent = cube.value.bit_length() - 1
    return 0 if cube.owner is None else exponent * number(cube.owner)


def numbers(chances: Chances | None, equity: float | None) -> tuple[float, ...]:
    """Seven numbers: lose backgammon, gammon, all; win all, gammon, backgammon; equity."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = chances or (0.0,) * 5
    lose = 1.0 - win if chances else 0.0
    return lose_backgammon, lose_gammon, lose, win, gammon, backgammon, equity or 0.0


def pairs(moves: Sequence[CheckerMove]) -> list[int]:
    """Sources and targets counted from 0 (the bar is 24); a checker that goes off lands below 0. -1 ends them."""
    places = []
    for move in moves[:4]:
        target = move.target - 1 if move.target else min(-1, move.source - 1 - move.die)
        places += [move.source - 1, target]
    return places + [-1] * (8 - len(places))


def _setting(record: XgRecord, offset: int, game: Game, cube: Cube) -> None:
    """Score (points away, the mover's first; -1 in money play), cube, its owner seen by the mover."""
    away = game.score.away(game.settings)
    mover = game.on_roll
    mine = (-1, -1) if away is None else (away[mover], away[mover.other])
    holder = 0 if cube.owner is None else 1 if cube.owner is mover else -1
    record.ints(offset, *mine, cube.value, holder)


def cube_record(game: Game, state: int, analysis: CubeAnalysis | None, rollout: int) -> XgRecord:
    """The decision about the cube before a roll; ``rollout`` is the number of its rollout, or -1."""
    mover, record = game.on_roll, XgRecord(2)
    cube = Cube(game.cube.value, game.cube.owner)
    record.ints(12, number(mover), state, -1, -1, -1, owner_exponent(cube))
    record.board(36, board_counts(game.position, mover, Player.O))
    record.board(64, board_counts(game.position, mover, mover))
    level = NEVER if analysis is None else level_number(analysis.level)
    record.ints(92, NEVER if level is None else level)
    _setting(record, 96, game, cube)
    # The Jacoby rule, the Crawford game, the match equity table, a flag that is never set, the right action.
    crawford = analysis is not None and game.score.crawford_game
    action = NEVER if analysis is None else 0
    struct.pack_into("<5h", record.data, 112, int(game.settings.jacoby), int(crawford), 0, 0, action)
    if analysis is not None and analysis.no_double is not None:
        _cube_numbers(record, analysis)
    record.doubles(200, NONE)
    record.short(208, "11", 2)
    record.doubles(216, NONE)
    record.ints(224, rollout, 0, -1)
    record.doubles(240, NONE, NONE)
    record.ints(256, -1, 0, 0xFFFF, 0)
    record.doubles(272, NONE, NONE)
    record.ints(288, 0, -1, 0)
    return record


def _cube_numbers(record: XgRecord, analysis: CubeAnalysis) -> None:
    stay = analysis.no_double or 0.0
    take = stay if analysis.double_take is None else analysis.double_take
    drop = 1.0 if analysis.double_pass is None else analysis.double_pass
    takes, doubles = take < drop, min(take, drop) > stay
    record.floats(124, *numbers(analysis.chances, analysis.cubeless))
    record.floats(152, stay, take, drop)
    # The right action: 1 to double, 2 to take, both added; and 0 no double, 1 take, 2 drop, -1 too good to double.
    struct.pack_into("<2h", record.data, 164, struct.unpack_from("<h", record.data, 92)[0], doubles + 2 * takes)
    too_good = not doubles and stay > drop
    struct.pack_into("<h", record.data, 120, -1 if too_good else int(doubles) if takes else 2)
    record.floats(168, *numbers(analysis.double_chances or analysis.chances, analysis.cubeless))


def move_record(game: Game, after: Position | None, moves: Sequence[CheckerMove] = ()) -> XgRecord:
    """A roll and its play; ``after`` is the board it leads to, seen by the player, or None for a roll not played."""
    mover, record, dice = game.on_roll, XgRecord(3), game.dice
    assert dice is not None, "a move follows a roll"
    record.board(9, board_counts(game.position, mover, Player.O))
    if after is not None:
        record.board(35, board_counts(after, mover, mover))
        record.ints(68, *pairs(moves))
        record.data[2308] = 1
    record.ints(64, number(mover))
    record.ints(100, dice.high, dice.low, owner_exponent(game.cube))
    record.board(124, board_counts(game.position, mover, mover))
    record.ints(152, dice.high, dice.low, NEVER)
    _setting(record, 164, game, game.cube)
    record.ints(180, int(game.score.crawford_game), int(game.settings.jacoby))
    record.doubles(2312, NONE, NONE)
    record.doubles(2336, NONE)
    record.ints(2344, *[-1] * CANDIDATES)
    record.ints(2472, -1, -1)
    record.ints(2524, -1)
    return record


def add_candidates(record: XgRecord, game: Game, plays: Sequence[tuple[CandidatePlay, int, int, Position]]) -> None:
    """The candidates of a roll: each with the number of its level, of its rollout (-1: none), and its board."""
    mover = game.on_roll
    record.ints(120, len(plays))
    record.ints(188, len(plays))
    for index, (play, level, rollout, after) in enumerate(plays):
        record.board(192 + 26 * index, board_counts(after, mover, mover))
        struct.pack_into("<8b", record.data, 1024 + 8 * index, *pairs(play.moves or ()))
        struct.pack_into("<h", record.data, 1280 + 4 * index, level)
        record.floats(1408 + 28 * index, *numbers(play.chances, play.equity))
        record.ints(2344 + 4 * index, rollout)
    highest = max((level for _, level, _, _ in plays), default=NEVER)
    record.ints(160, highest)
    record.ints(2472, highest)


def rollout_record(level: str, deviation: float | None, first: Sequence[float], second: Sequence[float]) -> bytes:
    """A rollout as far as it is known: its games, half of the 95 % interval, and its result."""
    data = bytearray(ROLLOUT)
    trials = int(level.rsplit(maxsplit=1)[-1])
    struct.pack_into("<i", data, 8, trials)
    struct.pack_into("<i", data, 24, trials)
    data[40] = 1  # With the variance reduced.
    struct.pack_into("<i", data, 84, trials)
    interval = (deviation or 0.0) * NORMAL_95
    struct.pack_into("<ff", data, 2020, interval, 0.0)
    struct.pack_into("<14f", data, 2028, *first, *second)
    return bytes(data)
