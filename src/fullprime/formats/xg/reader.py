"""eXtreme Gammon's files (``.xg``, ``.xgp``): matches and positions with their analysis and comments.

Player 1, whom eXtreme Gammon writes into the left column of match text, is our O. Every number is read at its
published offset of a 2560-byte record; boards that the file stores are compared with the game as it was followed.
"""

from __future__ import annotations

import math
import struct
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType

from fullprime.formats.analysis import CubeAnalysis, EventAnalysis, FileAnalysis
from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.recording import walk
from fullprime.formats.recording.boards import Rows, game_at, rows_from_counts
from fullprime.formats.recording.game_recorder import BEFORE_ROLL
from fullprime.formats.recording.recorder import COUNTED, Recorder
from fullprime.formats.recording.tags import CUBE_LIMIT_AS_LENGTH, NO_LIMIT, money_of_galaxy
from fullprime.formats.xg import container
from fullprime.formats.xg.analysis import counts, cube_analysis, f64, hops_of, i32, play_analysis, rollouts
from fullprime.rules.cube import Cube
from fullprime.rules.game import Game, Phase
from fullprime.rules.position import Position
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, LONGGAMMON, NACKGAMMON

RECORD = 2560
UNLIMITED = 99999
_OPEN = -1
"""A double that has not been decided yet, in a position."""
VARIANTS = {0: BACKGAMMON, 1: NACKGAMMON, 2: HYPERGAMMON, 3: LONGGAMMON}
_HEADER_MATCH, _HEADER_GAME, _CUBE, _MOVE, _FOOTER_GAME, _FOOTER_MATCH = range(6)
DAY_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001 - the format's days have no zone


def recognises(head: bytes) -> bool:
    """True if a file that begins like this is eXtreme Gammon's."""
    return head.startswith(container.MAGIC)


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The match of the file; raises FormatError when it holds no records."""
    problems: list[Problem] = []
    try:
        unpacked = container.unpack(data, problems)
    except FormatError as error:
        raise FormatError(f"{name or 'the file'}: {error}") from error
    records = unpacked.members.get(container.RECORDS) or unpacked.members.get("temp.xgi", b"")
    if len(records) < RECORD or records[8] != _HEADER_MATCH:
        raise FormatError(f"{name or 'the file'}: its records do not begin with the head of a match")
    remarks = container.remarks(unpacked.members.get(container.COMMENTS, b""))
    rolled = unpacked.members.get(container.ROLLOUTS, b"")
    return (_Reader(records, remarks, rolled, problems).read(unpacked, name),)


def _rows(board: tuple[int, ...], settings: Settings) -> Rows:
    """X's and O's rows from a board seen by player 1; raises FormatError."""
    o_row, x_row = rows_from_counts(board, settings.variant.checkers)
    return x_row, o_row


class _Reader:
    """Follows the records of one match."""

    def __init__(self, records: bytes, remarks: list[str], rolled: bytes, problems: list[Problem]) -> None:
        self.records = records
        self.remarks = remarks
        self.rollouts = rollouts(rolled)
        self.problems = problems
        self.head = records[:RECORD]
        self.settings = self._settings()
        self.recorder = Recorder(self.settings, problems)
        self.events: dict[tuple[int, int], EventAnalysis] = {}
        self.cube: tuple[CubeAnalysis | None, float | None] = (None, None)
        """The cube analysis that waits for the roll it is about, and the error made by not doubling."""
        self.open: EventAnalysis | None = None
        """The analysis of a roll that has not been played: of a position, or of a roll that was given up."""
        self.last_remark = ""
        """The comment about the end of the game, which its head names."""
        self.at = 0

    def read(self, unpacked: container.Container, name: str) -> Document:
        """The document."""
        steps = {_HEADER_GAME: self._game, _CUBE: self._cube, _MOVE: self._move, _FOOTER_GAME: self._end}
        for at in range(RECORD, len(self.records) - RECORD + 1, RECORD):
            self.at = at
            record = self.records[self.at : self.at + RECORD]
            step = steps.get(record[8])
            if step is not None:
                step(record)
                if record[8] == _CUBE:
                    self.open = None
            elif record[8] not in (_FOOTER_MATCH, 6):
                self._report(f"a record of kind {record[8]} is passed over")
        if len(self.records) % RECORD:
            self._report("the last record is cut off")
        self._keep_undecided()
        self.recorder.close()
        info = self._info(unpacked)
        games = tuple(self.recorder.games)
        match = Match(self.settings, self._names(), games, MappingProxyType(info))
        version = i32(self.head, 552)
        review = FileAnalysis(f"eXtreme Gammon (file version {version})", MappingProxyType(self.events))
        return Document(match, review if self.events else None, tuple(self.problems), "xg", name)

    def _keep_undecided(self) -> None:
        """Keep the analysis of a decision that the file leaves open, as positions do: it belongs to the next event."""
        analysis = self.open if self.open is not None else EventAnalysis(cube=self.cube[0])
        if self.recorder.in_game and analysis != EventAnalysis():
            self.events[len(self.recorder.games), self.recorder.last + 1] = analysis
        self.open, self.cube = None, (None, None)

    def _report(self, words: str) -> None:
        self.problems.append(Problem(words, offset=self.at))

    # -- the head -------------------------------------------------------------------------------------------
    def _settings(self) -> Settings:
        head = self.head
        length = i32(head, 92)
        if length == UNLIMITED or not 0 <= length <= 10_000:
            if length != UNLIMITED:
                self.problems.append(Problem(f"a match to {length} is taken as money play", offset=92))
            length = 0
        variation = i32(head, 96)
        variant = VARIANTS.get(variation)
        if variant is None:
            self.problems.append(Problem(f"variation {variation} is not known; read as Backgammon", offset=96))
            variant = BACKGAMMON
        exponent = i32(head, 612)
        money = length == 0
        # Old files leave the limit at 0, which later means play without a cube: a double tells that there is one.
        cube = exponent != 0 or any(
            self.records[at + 8] == _CUBE and i32(self.records, at + 16) == 1
            for at in range(RECORD, len(self.records) - RECORD + 1, RECORD)
        )
        cap = 2**exponent if 0 < exponent < NO_LIMIT.bit_length() - 1 else None
        settings = Settings(
            variant=variant,
            length=length,
            cube=cube,
            cube_cap=cap,
            crawford=money or length == 1 or bool(head[100]),
            jacoby=money and cube and bool(head[101]),
            beavers=money and cube and bool(head[102]),
            raccoons=money and cube and bool(head[102]),
            automatic_doubles=None if money and head[103] else 0,
        )
        return money_of_galaxy(self._text(1396, 283, 128), settings) or settings

    def _text(self, wide_offset: int, short_offset: int, size: int) -> str:
        if i32(self.head, 552) >= 24:
            return container.wide(self.head, wide_offset, 129)
        return container.short(self.head, short_offset, size)

    def _names(self) -> tuple[str, str]:
        return self._text(1138, 50, 40), self._text(880, 9, 40)

    def _info(self, unpacked: container.Container) -> dict[str, str]:
        head = self.head
        info = {
            "Event": self._text(622, 136, 128),
            "Site": self._text(1396, 283, 128),
            "Round": self._text(1654, 417, 128),
        }
        if i32(head, 552) >= 30:
            info["Transcriber"] = container.wide(head, 1960, 129)
        days = struct.unpack_from("<d", head, 128)[0]
        if math.isfinite(days) and 0 < days < 100_000:
            date = DAY_ZERO + timedelta(days=days)
            info["EventDate"] = date.strftime("%Y.%m.%d")
            if date.hour or date.minute:  # Midnight is a day without a time.
                info["EventTime"] = date.strftime("%H.%M")
        for column, offset, played in (("Left", 104, 120), ("Right", 112, 124)):
            elo = struct.unpack_from("<d", head, offset)[0]
            if math.isfinite(elo) and 0 < elo < 10_000:
                info[f"{column} Rating"] = f"{elo:.2f}/{i32(head, played)}"
        remark = "\n".join(filter(None, (self._remark(i32(head, 576)), self._remark(i32(head, 580)), unpacked.comment)))
        info["Comment"] = remark
        if not self.settings.length and 0 < (length := i32(head, 92)) < UNLIMITED:
            info[CUBE_LIMIT_AS_LENGTH] = str(length)
        if self.recorder.counted is not None:
            info[COUNTED] = str(self.recorder.counted)
        return {key: value for key, value in info.items() if value}

    def _remark(self, index: int) -> str:
        return self.remarks[index] if 0 <= index < len(self.remarks) else ""

    # -- games ----------------------------------------------------------------------------------------------
    def _game(self, record: bytes) -> None:
        points = i32(record, 16), i32(record, 12)
        if min(points) < 0 or max(points) > 1_000_000:
            self._report(f"a score of {points[1]} to {points[0]} cannot be")
            points = (0, 0)
        doubles = i32(record, 64)
        multiplier = 2**doubles if 0 < doubles < 20 and not self.settings.is_match else 1
        crawford = bool(record[20]) if self.settings.length > 1 else None
        self.recorder.begin(points, crawford=crawford, multiplier=multiplier)
        board = counts(record, 21)
        if any(board):
            self._begin_at(board)
        self.cube = (None, None)
        self.recorder.comment(self._remark(i32(record, 56)))
        self.last_remark = self._remark(i32(record, 60))

    def _begin_at(self, board: tuple[int, ...]) -> None:
        recorder = self.recorder
        standard = recorder.rows
        try:
            rows = _rows(board, self.settings)
            if rows != standard:
                recorder.begin_at(game_at(self.settings, recorder.score, rows, Player.O))
        except FormatError as error:
            self._report(f"the first board of the game cannot be read: {error}")

    def _end(self, record: bytes) -> None:
        if not self.recorder.in_game:
            self._report("a game ends that has not begun")
            return
        self.recorder.comment(self.last_remark)
        winner, points, how = i32(record, 24), i32(record, 28), i32(record, 32)
        self._keep_undecided()  # The player resigned instead.
        if winner not in (1, -1) or not 0 < points < 1_000_000:
            self._report("the game has no readable result")
            self.recorder.close()
            return
        side = Player.O if winner == 1 else Player.X
        self.recorder.finish(side, points, how="settlement" if how >= 1000 else None)

    # -- decisions ------------------------------------------------------------------------------------------
    def _player(self, number: int) -> Player | None:
        if number not in (1, -1):
            self._report(f"player {number} is neither 1 nor -1")
            return None
        return Player.O if number == 1 else Player.X

    def _cube(self, record: bytes) -> None:
        recorder = self.recorder
        player = self._player(i32(record, 12))
        if player is None or not recorder.in_game:
            return
        doubled, taken = i32(record, 16), i32(record, 20)
        self._agree(record, 36, player, i32(record, 32), opens=doubled in (_OPEN, 1))
        analysis = cube_analysis(record, self.rollouts)
        error = f64(record, 200)
        if doubled != 1:
            self.cube = (analysis, abs(error) if error is not None else None)
            recorder.comment(self._remark(i32(record, 292)))
            return
        self.cube = (None, None)
        if not recorder.double(player):
            return
        self._note(EventAnalysis(cube=analysis, error=abs(error) if error is not None else None))
        other = player.other
        if taken == 2:
            recorder.beaver(other)
            answer = i32(record, 24)
            if answer == 2:
                recorder.beaver(player)
                self._answer(other, i32(record, 28))
            else:
                self._answer(player, answer)
        else:
            self._answer(other, taken)
            take_error = f64(record, 216)
            if take_error is not None and recorder.phase is not Phase.DOUBLE_OFFERED:
                self._note(EventAnalysis(cube=analysis, error=abs(take_error)))
        recorder.comment(self._remark(i32(record, 292)))

    def _answer(self, player: Player, taken: int) -> None:
        if taken == 1:
            self.recorder.take(player)
        elif taken == 0:
            self.recorder.drop(player)

    def _note(self, analysis: EventAnalysis) -> None:
        if analysis != EventAnalysis() and self.recorder.last >= 0:
            self.events[len(self.recorder.games), self.recorder.last] = analysis

    def _agree(self, record: bytes, offset: int, player: Player, exponent: int, opens: bool = False) -> None:
        """Compare the board of the file with the game as it was followed; where they differ, the file's is a fact.

        A position is a game that begins with its board, its cube (player 1's at 2 to the power of ``exponent``, player
        2's when negative) and its player; ``opens`` when the cube may be turned at once.
        """
        recorder = self.recorder
        if recorder.phase in (Phase.PLAY, Phase.OVER):
            return
        board = counts(record, offset)
        try:
            rows = _rows(board, self.settings)
        except FormatError as error:
            self._report(f"a board cannot be read: {error}")
            return
        opening = recorder.phase is Phase.OPENING_ROLL
        if recorder.last < 0 and (rows != recorder.rows or exponent or opens or not opening):
            self._begin_here(rows, player, exponent)
            return
        if rows == recorder.rows:
            return
        self._report("the board of the file is not the one the plays lead to; it is set")
        try:
            cube = Cube(recorder.cube.value, recorder.cube.owner)
            recorder.set_up(game_at(self.settings, recorder.score, rows, player, cube=cube), "board of the file")
        except FormatError as error:
            self._report(f"it cannot be set: {error}")

    def _begin_here(self, rows: Rows, player: Player, cube: int) -> None:
        recorder = self.recorder
        owner = None if not cube else Player.O if cube > 0 else Player.X
        try:
            lies = Cube(2 ** min(abs(cube), 30), owner)
            game = game_at(self.settings, recorder.score, rows, player, cube=lies)
        except ValueError as error:
            self._report(f"the position cannot stand: {error}")
            return
        recorder.begin_at(replace(game, multiplier=recorder.game.multiplier))

    def _move(self, record: bytes) -> None:
        recorder = self.recorder
        player = self._player(i32(record, 64))
        first, second = i32(record, 100), i32(record, 104)
        if player is None or not recorder.in_game:
            return
        if not (1 <= first <= 6 and 1 <= second <= 6):
            self._report(f"{first} and {second} are no dice")
            return
        self._agree(record, 9, player, i32(record, 108))
        end = counts(record, 35)
        # eXtreme Gammon leaves the moves of a roll at 0; others write what ends a list of moves.
        unplayed = not any(end) and (not any(record[68:100]) or i32(record, 68) == -1)
        if unplayed and recorder.last < 0 and self.cube[0] is None and recorder.phase in BEFORE_ROLL:
            recorder.set_dice(first, second)  # A position with its roll.
        elif not recorder.roll(player, first, second):
            return
        else:
            analysis, error = self.cube
            self._note(EventAnalysis(cube=analysis, luck=f64(record, 2320), error=error))
        self.open, self.cube = None, (None, None)
        if unplayed:  # The position asks for the play, or the player resigned.
            self.open = EventAnalysis(play=play_analysis(record, recorder.game, self.rollouts))
            recorder.comment(self._remark(i32(record, 2524)))
            return
        hops = hops_of(struct.unpack_from("<8i", record, 68))
        before = recorder.game
        self._play(before, hops, end)
        play = play_analysis(record, before, self.rollouts)
        loss = f64(record, 2312)
        self._note(EventAnalysis(play=play, error=abs(loss) if loss is not None else None))
        recorder.comment(self._remark(i32(record, 2524)))

    def _play(self, game: Game, hops: tuple[walk.Hop, ...] | None, end: tuple[int, ...]) -> None:
        """Play the moves; when they do not lead to the board that the file stores, its board is a fact."""
        recorder = self.recorder
        try:
            mine, theirs = rows_from_counts(end, self.settings.variant.checkers)
        except FormatError:
            recorder.play(game.on_roll, "", None, hops or ())
            return
        after = Position(tuple(mine), tuple(theirs))
        for marked in (False, True):
            play = walk.find_play(game, hops, marked) if hops is not None else None
            if play is not None and play.after == after:
                recorder.make(play)
                return
        text = " ".join(f"{a}/{b}" for a, b in hops or ())
        rows = (mine, theirs) if game.on_roll is Player.X else (theirs, mine)
        recorder.set_rows(rows, f"{game.dice}: {text or 'nothing played'} is illegal")
