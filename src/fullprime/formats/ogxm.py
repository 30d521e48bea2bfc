"""OGXM version 2 (``.ogxm``, ``.gvab``), the format of OpenGammon and HedgeHog. White is our O, Black our X."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType

from fullprime.formats import walk
from fullprime.formats.analysis import Candidate, Chances, CubeAnalysis, EventAnalysis, FileAnalysis, PlayAnalysis
from fullprime.formats.boards import Rows, game_at
from fullprime.formats.document import Document, FormatError, Problem
from fullprime.formats.ogxm_bytes import MAGIC, Cursor, sections
from fullprime.formats.recorder import Recorder
from fullprime.formats.tags import NO_LIMIT
from fullprime.formats.units import difference_in_points
from fullprime.rules.cube import Cube
from fullprime.rules.dice import ALL_ROLLS
from fullprime.rules.game import Phase
from fullprime.rules.position import BAR, OFF, SLOTS
from fullprime.rules.record import Match
from fullprime.rules.score import Player, Settings
from fullprime.rules.variants import BACKGAMMON, HYPERGAMMON, LONGGAMMON, NACKGAMMON

WHITE, BLACK = Player.O, Player.X
_SEATS = (WHITE, BLACK)
_DICE = sorted((roll.low, roll.high) for roll in ALL_ROLLS)
_DOUBLE, _TAKE, _DROP, _BEAVER, _RACCOON = 21, 22, 23, 32, 33
_RESIGN, _SET_POSITION, _SETTLE, _CUBE_SET, _ESCAPE = (27, 28), 31, 34, 36, 63
_MARKERS = (24, 25, 26, 29, 30, 37)
_CHECKER, _CUBE, _ROLL = 0, 1, 3
_Events = dict[tuple[int, int], EventAnalysis]
_MATCH_CURRENCY = 2
_GAME_SCOPE, _PLY_SCOPE = 1, 2


@dataclass(slots=True)
class _Ply:
    """One step of a game: an action and its seat, what was played, and further fields."""

    action: int
    player: Player
    hops: tuple[walk.Hop, ...] = ()
    dice: tuple[int, int] | None = None
    value: int | None = None
    board: tuple[int, ...] | None = None
    owner: int | None = None


@dataclass(slots=True)
class _Game:
    winner: int | None = None
    points: int | None = None
    board: tuple[int, ...] | None = None
    cube: int = 1
    owner: int = 0
    automatic: int = 0
    plies: list[_Ply] = field(default_factory=list)


@dataclass(slots=True)
class _Decision:
    """An analysed decision; its fields are read when the board they are about is known."""

    kind: int
    body: Cursor
    at: int
    has: Callable[[int], bool]

    def fields(self) -> Cursor:
        """A cursor at the first field."""
        return Cursor(self.body.data, self.at, self.body.end)


def recognises(head: bytes) -> bool:
    """Whether the file begins with the magic word."""
    return head.startswith(MAGIC)


def read(data: bytes, name: str = "") -> tuple[Document, ...]:
    """The match; raises FormatError when there is none."""
    problems: list[Problem] = []
    reader = _Reader(problems)
    at = 0
    try:
        for kind, at, content in sections(data):
            try:
                reader.section(kind, content)
            except FormatError as error:
                problems.append(Problem(f"section {kind.decode('latin-1')}: {error}", offset=at))
    except FormatError as error:
        if not reader.games:
            raise FormatError(f"{name or 'the file'}: {error}") from error
        problems.append(Problem(str(error), offset=at))
    if reader.settings is None:
        raise FormatError(f"{name or 'the file'} holds no match")
    return (reader.document(name),)


class _Reader:
    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        self.settings: Settings | None = None
        self.names = ("", "")
        self.info: dict[str, str] = {}
        self.start = (0, 0)
        self.games: list[_Game] = []
        self.decisions: dict[int, list[_Decision]] = {}
        self.currency = 0
        self.program = ""
        self.level = ""
        """How the block was evaluated where a decision does not say it."""
        self.remarks: list[tuple[int, int, str]] = []

    def section(self, kind: bytes, content: Cursor) -> None:
        """Read one section."""
        if kind == b"MTCH":
            self._match(content)
        elif kind == b"GAME":
            self.games.append(_game(content))
        elif kind == b"ANAL" and not self.program:
            self._analysis(content)
        elif kind == b"DECS" and not self.decisions:
            while content.more:
                body, has = content.record()
                ply, decision = body.number(), body.number()
                self.decisions.setdefault(ply, []).append(_Decision(decision, body, body.at, has))
        elif kind == b"ANNO":
            while content.more:
                body, has = content.record()
                scope, ref, words = body.number(), body.number(), body.text()
                key = body.text() if has(0) else ""
                if not key.startswith("x-") and words:
                    self.remarks.append((scope, ref, words))

    def _match(self, content: Cursor) -> None:
        body, has = content.record()
        length, variant = body.number(), body.number()
        white = body.text() if has(0) else ""
        black = body.text() if has(1) else ""
        self.names = black, white
        rules = body.number() if has(2) else 1
        limit = body.number() if has(3) else 0
        if has(4):
            points = body.number(), body.number()
            self.start = points[1], points[0]
        if has(5):
            body.number(), body.number()
        for bit in (6, 7):
            if has(bit):
                body.number()
        if has(8):
            seconds = body.number() // 1000
            if 0 < seconds < 1 << 33:
                self.info["EventDate"] = datetime.fromtimestamp(seconds, UTC).strftime("%Y.%m.%d")
        for bit in (9, 10):
            if has(bit):
                body.number()
        if has(12):
            self.info["Event"] = body.text()
        if length > 10_000:
            self.problems.append(Problem(f"a match to {length} is taken as money play"))
            length = 0
        money = length == 0
        variants = {0: BACKGAMMON, 1: NACKGAMMON, 2: HYPERGAMMON, 3: LONGGAMMON}
        if variant not in variants:
            self.problems.append(Problem(f"variant {variant} is not known; read as Backgammon"))
        power = 2 <= limit < NO_LIMIT and not limit & (limit - 1)
        cube = limit != 1
        self.settings = Settings(
            variant=variants.get(variant, BACKGAMMON),
            length=length,
            cube=cube,
            cube_cap=limit if power and cube else None,
            crawford=money or length == 1 or bool(rules & 1),
            jacoby=money and cube and bool(rules & 2),
            beavers=money and cube and bool(rules & 12),
            raccoons=money and cube and bool(rules & 8),
        )

    def _analysis(self, content: Cursor) -> None:
        body, has = content.record()
        body.take(16)
        if has(0):
            body.take(32)
        if has(1):
            body.number()
        if has(2):
            self.level = _level(body)
        if has(4):
            for _ in range(min(body.number(), 1 << 16)):
                body.number()
        model = body.text() if has(5) else ""
        title = body.text() if has(6) else ""
        if has(7):
            body.take(32)
        build = body.text() if has(8) else ""
        if has(9):
            self.currency = body.number()
        self.program = " ".join(filter(None, (title or model, build))) or "OGXM"

    # -- the match ------------------------------------------------------------------------------------------
    def document(self, name: str) -> Document:
        """Follow the games."""
        assert self.settings is not None
        recorder = Recorder(self.settings, self.problems)
        events: _Events = {}
        number = 0
        for game in self.games:
            self._begin(game, recorder)
            for ply in game.plies:
                index = len(recorder.games)
                if recorder.in_game:
                    self._step(ply, game, recorder, events, number, index)
                for scope, ref, words in self.remarks:
                    if scope == _PLY_SCOPE and ref == number and recorder.in_game:
                        recorder.comment(words)
                number += 1
            self._end(game, recorder)
        recorder.close()
        for scope, _, words in self.remarks:
            if scope == 0:
                self.info["Comment"] = "\n".join(filter(None, (self.info.get("Comment"), words)))
        match = Match(self.settings, self.names, tuple(recorder.games), MappingProxyType(self.info))
        review = FileAnalysis(self.program, MappingProxyType(events)) if events else None
        return Document(match, review, tuple(self.problems), source=name)

    def _begin(self, game: _Game, recorder: Recorder) -> None:
        points = self.start if not recorder.games else recorder.points
        multiplier = 2**game.automatic if 0 < game.automatic < 20 and not recorder.settings.is_match else 1
        recorder.begin(points, multiplier=multiplier)
        remark = [words for scope, ref, words in self.remarks if scope == _GAME_SCOPE and ref == len(recorder.games)]
        if game.board is not None:
            first = next((ply.player for ply in game.plies if ply.action not in _MARKERS), WHITE)
            self._set_board(game.board, first, recorder, Cube(max(1, game.cube), _owner(game.owner)))
        recorder.comment("\n".join(remark))

    def _set_board(self, board: tuple[int, ...], mover: Player, recorder: Recorder, cube: Cube) -> None:
        try:
            rows = _rows(board, recorder.settings.variant.checkers)
            game = game_at(recorder.settings, recorder.score, rows, mover, cube=cube)
        except FormatError as error:
            recorder.report(f"a board cannot be set: {error}")
            return
        if recorder.last < 0:
            recorder.begin_at(game)
        else:
            recorder.set_up(game, "")

    def _end(self, game: _Game, recorder: Recorder) -> None:
        if recorder.in_game and game.winner in (0, 1) and game.points:
            recorder.finish(_SEATS[game.winner], game.points)
        recorder.close()

    def _step(self, ply: _Ply, game: _Game, recorder: Recorder, events: _Events, number: int, index: int) -> None:
        """One step of a game, and what was found out about it."""
        found = self.decisions.get(number, [])
        player, action = ply.player, ply.action
        if action <= 20:
            self._rolled(ply, game, recorder, events, found, index)
        elif action == _SET_POSITION and ply.dice is not None:
            self._illegal(ply, recorder)
        elif action == _DOUBLE:
            if recorder.double(player):
                _note(events, index, recorder, EventAnalysis(cube=self._cube(found)))
        elif action in (_TAKE, _DROP):
            (recorder.take if action == _TAKE else recorder.drop)(player)
            _note(events, index, recorder, EventAnalysis(cube=self._cube(found)))
        elif action in (_BEAVER, _RACCOON):
            recorder.beaver(player)
        elif action == _SET_POSITION and ply.board is not None:
            self._set_board(ply.board, player, recorder, recorder.cube)
        elif action == _CUBE_SET and ply.value and not ply.value & (ply.value - 1):
            self._set_cube(Cube(ply.value, _owner(ply.owner or 0)), recorder)
        elif action not in (*_RESIGN, *_MARKERS, _SETTLE):
            recorder.report(f"an action of kind {action} is passed over")

    def _rolled(
        self, ply: _Ply, game: _Game, recorder: Recorder, events: _Events, found: list[_Decision], index: int
    ) -> None:
        player, (low, high) = ply.player, _DICE[ply.action]
        if not recorder.roll(player, high, low):
            return
        _note(events, index, recorder, EventAnalysis(cube=self._cube(found), luck=self._luck(found, recorder)))
        if not ply.hops and self._resigns_next(ply, game):
            return
        own, other = recorder.rows[player], recorder.rows[1 - player]
        recorder.play(player, " ".join(f"{a}/{b}" for a, b in ply.hops), None, ply.hops)
        plays = _plays(found, player, own, other, high, low, self.unit, self.level)
        _note(events, index, recorder, EventAnalysis(play=plays))

    def _illegal(self, ply: _Ply, recorder: Recorder) -> None:
        """A set position with dice restates a play that is not legal; its seat is the side on roll after it."""
        low, high = sorted(ply.dice or (0, 0))
        if not 1 <= low <= high <= 6 or not recorder.roll(ply.player.other, high, low):
            return
        try:
            rows = _rows(ply.board or (), recorder.settings.variant.checkers)
        except FormatError as error:
            recorder.report(f"a board cannot be set: {error}")
            return
        recorder.set_rows(rows, f"{high}{low}: a play that is not legal")

    @staticmethod
    def _set_cube(cube: Cube, recorder: Recorder) -> None:
        if recorder.phase in (Phase.CUBE_DECISION, Phase.ROLL):
            rows = recorder.rows[0], recorder.rows[1]
            mover = recorder.on_roll
            recorder.set_up(game_at(recorder.settings, recorder.score, rows, mover, cube=cube), "the cube is set")

    @staticmethod
    def _resigns_next(ply: _Ply, game: _Game) -> bool:
        at = next(i for i, other in enumerate(game.plies) if other is ply)
        return at + 1 < len(game.plies) and game.plies[at + 1].action in _RESIGN

    @property
    def unit(self) -> str:
        """What the equities of the file count."""
        return "mwc" if self.currency == _MATCH_CURRENCY else "points"

    def _luck(self, found: list[_Decision], recorder: Recorder) -> float | None:
        for decision in found:
            if decision.kind == _ROLL:
                luck = decision.fields().equity()
                return luck if self.unit == "points" else difference_in_points(luck, recorder.game())
        return None

    def _cube(self, found: list[_Decision]) -> CubeAnalysis | None:
        for decision in found:
            if decision.kind != _CUBE:
                continue
            body, has = decision.fields(), decision.has
            body.number()
            equities = [body.equity() if has(bit) else None for bit in range(3)]
            chances = _chances(body) if has(3) else None
            return CubeAnalysis(equities[0], equities[1], equities[2], chances, level=self.level, unit=self.unit)
        return None


def _game(content: Cursor) -> _Game:
    body, has = content.record()
    game = _Game()
    if has(0):
        game.winner = body.number()
    if has(1):
        game.points = body.number()
    if has(3):
        game.board = body.board()
    if has(4):
        game.cube = body.number()
    if has(5):
        game.owner = body.number()
    if has(6):
        game.automatic = body.number()
    while content.more:
        game.plies.append(_ply(content))
    return game


def _ply(cursor: Cursor) -> _Ply:
    first = cursor.byte()
    ply = _Ply(first & 0x3F, _SEATS[first >> 6 & 1])
    if ply.action <= 20:
        low, high = _DICE[ply.action]
        hops = []
        for _ in range(4 if low == high else 2):
            step = cursor.byte()
            if not step:
                break
            hops.append(_hop(step, ply.player))
        ply.hops = tuple(hops)
    if first & 0x80:
        body, has = cursor.record()
        if has(0):
            ply.dice = body.byte(), body.byte()
        if has(1):
            body.number()
        if has(2):
            ply.value = body.number()
        if has(4):
            body.equity()
        if has(5):
            body.take(body.number())
        if has(6):
            ply.board = body.board()
        if has(7):
            ply.action = body.number() if ply.action == _ESCAPE else ply.action
        if has(8):
            ply.owner = body.number()
    return ply


def _hop(step: int, player: Player) -> walk.Hop:
    """A checker move: its start in Black's numbering in five bits, its pips in three."""
    start, pips = step & 0x1F, step >> 5
    source = start if player is BLACK else 25 - start
    return source, max(OFF, source - pips)


def _owner(code: int) -> Player | None:
    return {1: WHITE, 2: BLACK}.get(code)


def _rows(board: tuple[int, ...], checkers: int) -> Rows:
    """X's and O's rows: points in Black's numbering, White's counts positive; 0 is White's bar, 25 Black's."""
    white, black = [0] * SLOTS, [0] * SLOTS
    if len(board) != 26:
        raise FormatError("a board has 26 counts")
    for point in range(1, 25):
        if board[point] > 0:
            white[25 - point] = board[point]
        else:
            black[point] = -board[point]
    white[BAR], black[BAR] = abs(board[0]), abs(board[25])
    for row in (white, black):
        if sum(row) > checkers:
            raise FormatError(f"a side has {sum(row)} checkers; the game has {checkers}")
        row[0] = checkers - sum(row)
    return black, white


def _chances(body: Cursor) -> Chances:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = (body.chance() for _ in range(5))
    return win, win_gammon, win_backgammon, lose_gammon, lose_backgammon


def _plays(
    found: list[_Decision],
    player: Player,
    own: list[int],
    other: list[int],
    high: int,
    low: int,
    unit: str,
    default: str,
) -> PlayAnalysis | None:
    """The candidates of a decision on this board."""
    for decision in found:
        if decision.kind != _CHECKER or not decision.has(0):
            continue
        body = decision.fields()
        candidates: list[Candidate] = []
        played = None
        for index in range(min(body.number(), 4096)):
            entry, has = body.record()
            steps = [entry.byte() for _ in range(min(entry.number(), 8))]
            hops = tuple(_hop(step, player) for step in steps)
            equity = entry.equity()
            chances = _chances(entry) if has(0) else None
            level = (_level(entry) if has(1) else "") or default
            if has(2):
                played = index
            deviation = entry.equity() if has(3) else None
            made = walk.resolve(own, other, hops, high, low)
            moves = made[2] if made is not None else None
            text = " ".join(map(str, moves)) if moves is not None else " ".join(f"{a}/{b}" for a, b in hops)
            candidates.append(Candidate(moves, text, equity, chances, level, deviation))
        return PlayAnalysis(tuple(candidates), played, unit) if candidates else None
    return None


def _level(cursor: Cursor) -> str:
    body, has = cursor.record()
    preset = body.text() if has(0) else ""
    ply = body.number() if has(1) else None
    return preset or ("" if ply is None else f"{ply}-ply")


def _note(events: _Events, index: int, recorder: Recorder, analysis: EventAnalysis) -> None:
    if analysis != EventAnalysis():
        events[index, recorder.last] = analysis
